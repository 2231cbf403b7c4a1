/** The `pricetime` command: all commands, and the help, which shows what is required and what the choices are. */
import { type Argument, Command, CommanderError, type HelpConfiguration, type Option } from "commander";
import { ConfigError } from "../../platform/config/faults.ts";
import { addServeFlags, flagFault } from "../../platform/config/flags.ts";
import { punctuated, startFailure } from "../start/program.ts";
import { VERSION } from "../start/version.ts";
import { addSignerCommands } from "../../funds/wallet/evm/signer/command.ts";
import { addAuditLog, addJournalEntries, addOverview, addSearch } from "./venue/console-commands.ts";
import {
  addApprovalCommands,
  addInvitationCommands,
  addOperatorCommands,
  addSignInCommands,
} from "./venue/operator-commands.ts";
import {
  addAccountCommands,
  addFundsCommands,
  addHouseAccounts,
  addJournalInfo,
  addKeyCommands,
  addListingCommands,
} from "./venue/admin-commands.ts";
import { addBackupCommands, addHistoryCommands, addJournalVerify } from "./data-folder/folder-commands.ts";
import { addClusterCommands, addJournalMigrate } from "./data-folder/cluster-commands.ts";
import { CommandFailed, type Terminal } from "./session/terminal.ts";
import { addExportCommands } from "./data-folder/export-commands.ts";
import { addLabAgentCommands, addLabBalanceCommands, addLabMarketCommands } from "./lab/market-commands.ts";
import { addLabCheckpointCommands } from "./lab/checkpoint-commands.ts";
import { addLabClientCommands, addLabClockCommands } from "./lab/clock-commands.ts";
import { addLabFaultCommands, addLabLatencyCommand } from "./lab/fault-commands.ts";
import { addLabReplayCommands } from "./lab/replay-commands.ts";
import { addLabRunCommand, addLabRunScenario, addLabScenarioCommand, addLabWatchCommand } from "./lab/run-commands.ts";
import { addMarketCommands, addTradeCommands } from "./trade-commands.ts";
import {
  addDividend,
  addDust,
  addEmailCommands,
  addMaintenance,
  addSuspensionCommands,
} from "./venue/venue-commands.ts";
import { withCurrentNames } from "./old-names.ts";
import { addProofCommands } from "./money/proof-commands.ts";
import { addAdjustmentCommands, addTreasury, addUnattributedDepositCommands } from "./money/treasury-commands.ts";
import { addNetworkCommands, addSandboxCommands } from "./money/network-commands.ts";
import { addWithdrawalCommands, addWithdrawalLimitCommands } from "./money/withdrawal-commands.ts";

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

/** Runs `process.argv.slice(2)`; resolves to the exit code. A failure is reported in one line. */
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
    const isOurs = error instanceof CommandFailed;
    terminal.complain(`pricetime: ${punctuated(isOurs ? error.message : startFailure(error))}`);
    return isOurs ? error.exitCode : 1;
  }
  return exitCode;
}

/** Creates every command. `serve` runs a node; `end` is given the exit code of those that have one of their own. */
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
      // The error is thrown as well, and reported in our own words.
      outputError: () => {},
    })
    .exitOverride();
  program.commandsGroup("Run a node:");
  addServeFlags(
    program.command("serve").description("Run a node. `pricetime` without a command does the same."),
  ).action(serve);
  addLabCommands(program, terminal, end);
  program.commandsGroup("View markets and trade:");
  addMarketCommands(program, terminal);
  addTradeCommands(program, terminal);
  program.commandsGroup("Monitor the venue:");
  addOverview(program, terminal);
  addSearch(program, terminal);
  addAuditLog(program, terminal);
  addEmailCommands(program, terminal);
  program.commandsGroup("Manage accounts:");
  addAccountCommands(program, terminal);
  addKeyCommands(program, terminal);
  addInvitationCommands(program, terminal);
  program.commandsGroup("Manage assets and markets:");
  addListingCommands(program, terminal);
  addSuspensionCommands(program, terminal);
  addMaintenance(program, terminal);
  addDust(program, terminal);
  program.commandsGroup("Manage deposits, withdrawals and balances:");
  addFundsCommands(program, terminal);
  addWithdrawalCommands(program, terminal);
  addWithdrawalLimitCommands(program, terminal);
  addNetworkCommands(program, terminal);
  addUnattributedDepositCommands(program, terminal);
  addAdjustmentCommands(program, terminal);
  addHouseAccounts(program, terminal);
  addTreasury(program, terminal);
  addDividend(program, terminal);
  addSandboxCommands(program, terminal);
  addSignerCommands(program, terminal);
  program.commandsGroup("Manage operators and approvals:");
  addSignInCommands(program, terminal);
  addOperatorCommands(program, terminal);
  addApprovalCommands(program, terminal);
  program.commandsGroup("Manage data and audits:");
  const journal = program.command("journal").description("Inspect, verify and migrate the journal.");
  addJournalVerify(journal, terminal);
  addJournalInfo(journal, terminal);
  addJournalEntries(journal, terminal);
  addJournalMigrate(journal, terminal);
  addHistoryCommands(program, terminal);
  addExportCommands(program, terminal);
  addBackupCommands(program, terminal);
  addProofCommands(program, terminal);
  program.commandsGroup("Manage a cluster:");
  addClusterCommands(program, terminal);
  return program;
}

function addLabCommands(program: Command, terminal: Terminal, end: (exitCode: number) => void): void {
  const lab = program
    .command("lab")
    .description("Run a lab, or control a running one: clock, markets, faults, checkpoints.");
  lab.commandsGroup("Control the clock:");
  addLabClockCommands(lab, terminal);
  addLabClientCommands(lab, terminal);
  lab.commandsGroup("Control markets and balances:");
  addLabMarketCommands(lab, terminal);
  addLabAgentCommands(lab, terminal);
  addLabBalanceCommands(lab, terminal);
  lab.commandsGroup("Record and replay markets:");
  addLabReplayCommands(lab, terminal);
  lab.commandsGroup("Inject faults and latency:");
  addLabFaultCommands(lab, terminal);
  addLabLatencyCommand(lab, terminal);
  lab.commandsGroup("Save and restore state:");
  addLabCheckpointCommands(lab, terminal);
  lab.commandsGroup("Run and watch bots:");
  addLabRunCommand(lab, terminal);
  addLabRunScenario(lab, terminal, end);
  addLabScenarioCommand(lab, terminal);
  addLabWatchCommand(lab, terminal);
}

/** Whether the message is for the person at the terminal: our own, or the system's about a file or an address. */
function isForeseen(error: unknown): error is Error {
  if (error instanceof CommandFailed || error instanceof ConfigError) return true;
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Commander reports help and version by the same class. */
function isFault({ code }: CommanderError): boolean {
  return code !== "commander.version" && !code.startsWith("commander.help");
}

/** For example `symbol status: one of TRADING, ..., not 'OPEN'`. */
function faultOf(error: CommanderError, command: readonly string[]): string {
  const fault = flagFault(error);
  if (command.length === 0) return fault;
  const own = `${command.at(-1)}: `;
  return `${command.join(" ")}: ${fault.startsWith(own) ? fault.slice(own.length) : fault}`;
}

/** The words that name a command: `symbol`, `status`, or none. */
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

/** Flags alone, or nothing, mean `serve`; after `lab` they mean `serve --lab`. */
function withCommand(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  const isLabAlone =
    first === "lab" && (second === undefined || (second.startsWith("-") && !HELP_FLAGS.includes(second)));
  if (isLabAlone) return ["serve", "--lab", ...words.slice(1)];
  const isCommand = first !== undefined && (!first.startsWith("-") || OWN_FLAGS.includes(first));
  return isCommand ? words : ["serve", ...words];
}
