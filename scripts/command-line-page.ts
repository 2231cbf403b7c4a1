/** `docs/operate/command-line.md`, made from the program's own help. `npm run command-line-page` writes it; a test compares. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HELP, usageOf } from "../packages/server/src/cli/help.ts";
import { createProgram } from "../packages/server/src/cli/program.ts";

export const PAGE = join(import.meta.dirname, "../docs/operate/command-line.md");

const HEAD = `# The command line

\`npx pricetime\` runs in a clone, and wherever the package is installed. Without a command it runs a node. Every command explains itself with \`--help\`; a word that is misspelled is answered with the one that was meant. This page is made from the program by \`npm run command-line-page\`.

A command finds its node by the data folder: \`--data\`, else \`PRICETIME_DATA\`, else \`./data\`. There \`admin.json\` (mode 0600) says, while the node runs, where it listens and what its admin token is. Elsewhere say \`--admin\` and \`--token\` (\`PRICETIME_ADMIN\`, \`PRICETIME_ADMIN_TOKEN\`), or for the commands that look and trade \`--rest\` (\`PRICETIME_REST\`) with \`--key\` and \`--secret\` (\`PRICETIME_API_KEY\`, \`PRICETIME_API_SECRET\`). In a demo these trade for alice; \`--account\` names another.

Tables are for people: times are UTC, and their columns may change. Programs use \`--json\`, which prints what the node answered. What fails is said in one line on standard error, \`pricetime: …\`, and the exit code is 1.
`;

type Command = ReturnType<typeof createProgram>;

export function commandLinePage(): string {
  const nobody = { print: () => {}, complain: () => {}, environment: {}, serve: async () => 0 };
  const program = createProgram(nobody, async () => {});
  const parts = [HEAD];
  let group: string | undefined;
  for (const command of program.commands) {
    const own = command.helpGroup().replace(/:$/, "");
    if (own !== group) parts.push(`## ${own}\n`);
    group = own;
    for (const leaf of leaves(command)) parts.push(section(leaf));
  }
  return `${parts.join("\n").trimEnd()}\n`;
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function section(command: Command): string {
  const lines = [
    `### ${nameOf(command)}\n`,
    sentence(command.description()),
    "",
    "```text",
    usageOf(command),
    "```",
    "",
  ];
  const described = command.registeredArguments.filter(
    ({ description, argChoices }) => description !== "" || argChoices !== undefined,
  );
  const rows = [
    ...described.map((argument) => [`\`<${argument.name()}>\``, HELP.argumentDescription?.(argument) ?? ""]),
    ...command.options.filter(isOwn).map((option) => [`\`${option.flags}\``, HELP.optionDescription?.(option) ?? ""]),
  ];
  if (rows.length > 0)
    lines.push("| | |", "|---|---|", ...rows.map((cells) => `| ${cells.map(escaped).join(" | ")} |`), "");
  return lines.join("\n");
}

/** Those of a group say which node it is, and for whom: the text above explains them. */
function isOwn({ long, helpGroupHeading }: Command["options"][number]): boolean {
  return long !== "--json" && helpGroupHeading === undefined;
}

/** `account open`. */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command = command; at.parent !== null; at = at.parent) names.unshift(at.name());
  return names.join(" ");
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const escaped = (text = ""): string => text.replaceAll("|", "\\|");

if (import.meta.main) writeFileSync(PAGE, commandLinePage());
