/** Generates `docs/operate/command-line.md` from the help of the program: `npm run command-line-page`. A test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram, HELP, usageOf } from "../packages/server/src/program/cli/program.ts";
import { OLD_COMMANDS, OLD_OPTIONS } from "../packages/server/src/program/cli/old-names.ts";

export const PAGE = join(import.meta.dirname, "../docs/operate/command-line.md");

const HEAD = `# Command line

\`npx pricetime\` works in a clone and wherever the package is installed. Without a command it runs a node. Every command has \`--help\`; for a misspelled command or option, the error suggests the closest name. This page is generated from the program by \`npm run command-line-page\`.

**Connection.** A command finds its node through the data folder: \`--data\`, else \`PRICETIME_DATA\`, else \`./data\`. While a node runs, \`admin.json\` in this folder (mode 0600) holds the node's address and admin token. To connect to a node on another machine, use \`--admin\` and \`--token\` (\`PRICETIME_ADMIN\`, \`PRICETIME_ADMIN_TOKEN\`). The commands that view markets and trade use the REST API instead: \`--rest\` (\`PRICETIME_REST\`), with \`--key\` and \`--secret\` (\`PRICETIME_API_KEY\`, \`PRICETIME_API_SECRET\`). In a demo they trade for alice; \`--account\` selects another demo account.

**Output.** Tables are for reading: times are in UTC, and columns may change between releases. For scripts use \`--json\`, which prints the node's response. On failure, a command prints one line to standard error, \`pricetime: …\`, and exits with code 1.

**Names of release 0.2.0** still work, with a warning on standard error, until the next release:

| 0.2.0 | now |
|---|---|
${[
  ...OLD_COMMANDS.filter(([old]) => old !== "mail"),
  ...OLD_OPTIONS.map(([command, old, current]) => [`${command} ${old}`, `${command} ${current}`]),
]
  .map(([old, current]) => `| \`${old}\` | \`${current}\` |`)
  .join("\n")}
`;

type Command = ReturnType<typeof createProgram>;

export function commandLinePage(): string {
  const silent = { print: () => {}, complain: () => {}, environment: {}, serve: async () => 0 };
  const program = createProgram(silent, async () => {});
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
  const lines = [`### ${nameOf(command)}\n`, command.description(), "", "```text", usageOf(command), "```", ""];
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

/** Whether it belongs to the command, and is not a connection option, which the text above explains. */
function isOwn({ long, helpGroupHeading }: Command["options"][number]): boolean {
  return long !== "--json" && helpGroupHeading === undefined;
}

/** The full name, such as `account open`. */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command = command; at.parent !== null; at = at.parent) names.unshift(at.name());
  return names.join(" ");
}

const escaped = (text = ""): string => text.replaceAll("|", "\\|");

if (import.meta.main) writeFileSync(PAGE, commandLinePage());
