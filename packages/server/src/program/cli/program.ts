/** The `pricetime` program: all commands, their help, and error messages. */
import { type Argument, Command, CommanderError, type HelpConfiguration, type Option } from "commander";
import { ConfigError } from "../../platform/config/faults.ts";
import { addServeFlags, flagFault } from "../../platform/config/flags.ts";
import { VERSION } from "../start/version.ts";
import { addSignerCommands } from "../../funds/wallet/evm/signer/command.ts";
import { BACKUP, CLUSTER, EXPORT, HISTORY, JOURNAL, RESTORE } from "./data-folder/tables.ts";
import { LAB_BOTS } from "./lab/bots.ts";
import { LAB_CHECKPOINTS } from "./lab/checkpoints.ts";
import { LAB_CLOCK } from "./lab/clock.ts";
import { LAB_FAULTS } from "./lab/faults.ts";
import { LAB_MARKETS } from "./lab/markets.ts";
import { LAB_REPLAYS } from "./lab/replays.ts";
import {
  ADJUSTMENT,
  DEBIT,
  DEPOSIT,
  DIVIDEND,
  HOUSE_ACCOUNT_BALANCES,
  TREASURY,
  UNATTRIBUTED_DEPOSIT,
} from "./money/funds.ts";
import { NETWORK, SANDBOX } from "./money/networks.ts";
import { PROOF } from "./money/proof.ts";
import { WITHDRAWAL, WITHDRAWAL_LIMIT } from "./money/withdrawals.ts";
import { withCurrentNames } from "./old-names.ts";
import { addItems, group, type Item } from "./session/command-row.ts";
import { CommandFailed, type Terminal } from "./session/terminal.ts";
import { BALANCES, BOOK, CANCEL, ORDER, ORDERS, TRADES } from "./trade.ts";
import { ACCOUNT, INVITATION, KEY } from "./venue/accounts.ts";
import { ASSET, SYMBOL } from "./venue/listing.ts";
import {
  ACCEPT_INVITATION,
  APPROVAL_REQUEST,
  APPROVAL_RULES,
  EMERGENCY_OVERRIDE,
  ME,
  OPERATOR,
  SIGN_IN,
  SIGN_OUT,
} from "./venue/operators.ts";
import {
  AUDIT_LOG,
  COMMISSION_DISCOUNT,
  DUST,
  EMAIL,
  MAINTENANCE,
  OVERVIEW,
  REPORT,
  SEARCH,
  SUSPENSION,
} from "./venue/venue.ts";

const LAB = group(
  "lab",
  "Run a lab, or control a running one: clock, markets, faults, checkpoints.",
  "Control the clock:",
  ...LAB_CLOCK,
  "Control markets and balances:",
  ...LAB_MARKETS,
  "Record and replay markets:",
  ...LAB_REPLAYS,
  "Inject faults and latency:",
  ...LAB_FAULTS,
  "Save and restore state:",
  ...LAB_CHECKPOINTS,
  "Run and watch bots:",
  ...LAB_BOTS,
);

/** All commands after `serve`, under the headings shown in the help. */
export const COMMANDS: readonly Item[] = [
  LAB,
  "View markets and trade:",
  ...[BOOK, TRADES, ORDER, CANCEL, ORDERS, BALANCES],
  "Monitor the venue:",
  ...[OVERVIEW, REPORT, SEARCH, AUDIT_LOG, EMAIL],
  "Manage accounts:",
  ...[ACCOUNT, KEY, INVITATION],
  "Manage assets and markets:",
  ...[ASSET, SYMBOL, SUSPENSION, MAINTENANCE, DUST, COMMISSION_DISCOUNT],
  "Manage deposits, withdrawals and balances:",
  ...[DEPOSIT, DEBIT, WITHDRAWAL, WITHDRAWAL_LIMIT, NETWORK, UNATTRIBUTED_DEPOSIT, ADJUSTMENT, HOUSE_ACCOUNT_BALANCES],
  ...[TREASURY, DIVIDEND, SANDBOX, addSignerCommands],
  "Manage operators and approvals:",
  ...[SIGN_IN, SIGN_OUT, ACCEPT_INVITATION, ME, OPERATOR],
  ...[APPROVAL_RULES, APPROVAL_REQUEST, EMERGENCY_OVERRIDE],
  "Manage data and audits:",
  ...[JOURNAL, HISTORY, EXPORT, BACKUP, RESTORE, PROOF],
  "Manage a cluster:",
  CLUSTER,
];

const SHOWN_HELP_FLAGS: readonly string[] = ["--help", "--version"];

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
    return withNotes(SHOWN_HELP_FLAGS.includes(option.long ?? "") ? shortened(option) : option.description, notes);
  },
  visibleArguments: (command: Command) =>
    command.registeredArguments.filter(({ description, argChoices }) => description !== "" || argChoices !== undefined),
  argumentDescription: ({ description, argChoices }: Argument) =>
    withNotes(description, argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
};

/** The usage with required options: `pricetime account open --email <address> --name <name> [options]`. */
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

/** Whether the flags already show their choices, as in `--bots <on|off>`. */
function choicesAreShown(flags: string, choices: readonly string[]): boolean {
  return flags.includes(`<${choices.join("|")}>`);
}

function shortened({ long }: Option): string {
  return long === "--help" ? "Show this help" : "Show the version";
}

/** Appends notes to a text. A "(default: ...)" at the end of the text stays last. */
function withNotes(text: string, notes: readonly string[]): string {
  const [, sentence = text, ownDefault] = /^(.*?) ?\((default: [^()]*)\)$/.exec(text) ?? [];
  const all = ownDefault === undefined ? notes : [...notes, ownDefault];
  return all.length === 0 ? sentence : `${sentence}${sentence === "" ? "" : " "}(${all.join("; ")})`;
}

/**
 * Runs the command in `words` (`process.argv.slice(2)`). Resolves to the exit code. A failure is reported in one line.
 */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const warn = (sentence: string): void => terminal.complain(`pricetime: warning: ${sentence}`);
  const argv = withCommand(withCurrentNames(words, warn));
  let exitCode = 0;
  const end = (code: number): void => void (exitCode = code);
  const serve = async (): Promise<void> => end(await terminal.serve(argv.slice(argv.indexOf("serve") + 1)));
  const program = createProgram(terminal, serve, end);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (isFault(error)) terminal.complain(`pricetime: ${faultOf(error, commandNamed(program, argv))}`);
      return error.exitCode;
    }
    if (!isForeseen(error)) throw error;
    const { punctuated, startFailure } = await import("../start/program.ts");
    const isOurs = error instanceof CommandFailed;
    terminal.complain(
      `pricetime: ${punctuated(isOurs || FORESEEN.has(error.name) ? error.message : startFailure(error))}`,
    );
    return isOurs ? error.exitCode : 1;
  }
  return exitCode;
}

/** Creates all commands. `serve` runs a node; `end` is called with a command's exit code. */
export function createProgram(
  terminal: Terminal,
  serve: () => Promise<void>,
  end: (exitCode: number) => void = () => {},
): Command {
  const program = new Command("pricetime")
    .description("Run and operate a Pricetime exchange. Without a command, `serve` runs.")
    .version(VERSION)
    .configureHelp(HELP)
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
      // The error is also thrown, and reported in our own words.
      outputError: () => {},
    })
    .exitOverride();
  program.commandsGroup("Run a node:");
  addServeFlags(
    program.command("serve").description("Run a node. `pricetime` without a command does the same."),
  ).action(serve);
  addItems(program, COMMANDS, terminal, end);
  return program;
}

/**
 * Names of error classes whose message is for the operator, of commands on data folders and clusters. By name, because
 * only some commands load the classes.
 */
const FORESEEN: ReadonlySet<string> = new Set([
  ...["AuditRefused", "ProofRefused", "JournalDamaged", "JournalUnreadable", "FolderInUse"],
  ...["CopyRefused", "StoreUnfit", "CallFailed", "ExtractRefused", "OutputRefused"],
]);

/** Whether the message is for the user: an error of this program or of a system call. */
function isForeseen(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof CommandFailed || error instanceof ConfigError || FORESEEN.has(error.name)) return true;
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Whether the error is a failure. Commander uses the same class for help and version. */
function isFault({ code }: CommanderError): boolean {
  return code !== "commander.version" && !code.startsWith("commander.help");
}

/** Formats an error: `symbol status: one of TRADING, ..., not 'OPEN'`. */
function faultOf(error: CommanderError, command: readonly string[]): string {
  const fault = flagFault(error);
  if (command.length === 0) return fault;
  const own = `${command.at(-1)}: `;
  return `${command.join(" ")}: ${fault.startsWith(own) ? fault.slice(own.length) : fault}`;
}

/** The words that name the command, such as `symbol` and `status`. Empty if there are none. */
function commandNamed(program: Command, argv: readonly string[]): string[] {
  const names: string[] = [];
  let at: Command | undefined = program;
  for (const word of argv) {
    at = at.commands.find((command) => command.name() === word);
    if (at === undefined) break;
    names.push(word);
  }
  return names;
}

const HELP_FLAGS: readonly string[] = ["-h", "--help"];
const OWN_FLAGS: readonly string[] = [...HELP_FLAGS, "-V", "--version"];

/** Adds the implied command: `serve` by default, and `serve --lab` for `lab` followed only by flags. */
function withCommand(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  const isLabAlone =
    first === "lab" && (second === undefined || (second.startsWith("-") && !HELP_FLAGS.includes(second)));
  if (isLabAlone) return ["serve", "--lab", ...words.slice(1)];
  const isCommand = first !== undefined && (!first.startsWith("-") || OWN_FLAGS.includes(first));
  return isCommand ? words : ["serve", ...words];
}
