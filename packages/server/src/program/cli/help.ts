/** The help of the command line: it shows what is required and what the choices are. */
import type { Argument, Command, HelpConfiguration, Option } from "commander";

const HELP_FLAGS: readonly string[] = ["--help", "--version"];

export const HELP: HelpConfiguration = {
  helpWidth: 100,
  commandUsage: usageOf,
  visibleCommands: (command: Command) => [...command.commands],
  subcommandTerm: (command: Command) => [command.name(), ...argumentsOf(command)].join(" "),
  optionDescription: (option: Option) => {
    const notes = [
      ...(option.argChoices === undefined || choicesAreShown(option.flags, option.argChoices)
        ? []
        : [`one of ${option.argChoices.join(", ")}`]),
      ...(option.mandatory ? ["required"] : []),
      ...(option.defaultValue === undefined || option.negate ? [] : [`default: ${String(option.defaultValue)}`]),
    ];
    return withNotes(HELP_FLAGS.includes(option.long ?? "") ? shortened(option) : option.description, notes);
  },
  visibleArguments: (command: Command) =>
    command.registeredArguments.filter(({ description, argChoices }) => description !== "" || argChoices !== undefined),
  argumentDescription: ({ description, argChoices }: Argument) =>
    withNotes(description, argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
};

/** The usage with its required options: `pricetime account open --email <address> --name <name> [options]`. */
export function usageOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const rest = command.commands.length > 0 ? ["<command>"] : [];
  return [...names, ...argumentsOf(command), ...required, ...rest, "[options]"].join(" ");
}

function argumentsOf(command: Command): string[] {
  return command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
}

/** Whether the flags show their choices, as in `--bots <on|off>`. */
function choicesAreShown(flags: string, choices: readonly string[]): boolean {
  return flags.includes(`<${choices.join("|")}>`);
}

function shortened({ long }: Option): string {
  return long === "--help" ? "Show this help" : "Show the version";
}

/** A text that ends in "(default: ...)" keeps it behind the other notes. */
function withNotes(text: string, notes: readonly string[]): string {
  const [, sentence = text, ownDefault] = /^(.*?) ?\((default: [^()]*)\)$/.exec(text) ?? [];
  const all = ownDefault === undefined ? notes : [...notes, ownDefault];
  return all.length === 0 ? sentence : `${sentence}${sentence === "" ? "" : " "}(${all.join("; ")})`;
}
