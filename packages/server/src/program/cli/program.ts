/** The `pricetime` command. */
import { Command, CommanderError } from "commander";
import { ConfigError } from "../../platform/config/config-error.ts";
import { flagFault } from "../../platform/config/flag-fault.ts";
import { addServeFlags } from "../../platform/config/flags.ts";
import { punctuated, startFailure } from "../start/failure.ts";
import { VERSION } from "../start/version.ts";
import { addSignerCommands } from "../../funds/wallet/evm/signer/command.ts";
import { addAuditLog } from "./venue/audit-log-command.ts";
import { addApprovalCommands } from "./venue/approval-commands.ts";
import { addInvitationCommands, addOperatorCommands } from "./venue/operator-commands.ts";
import { addSignInCommands } from "./venue/sign-in-commands.ts";
import { addJournalEntries, addOverview, addSearch } from "./venue/console-commands.ts";
import {
  addAccountCommands,
  addFundsCommands,
  addJournalInfo,
  addKeyCommands,
  addHouseAccounts,
  addListingCommands,
} from "./venue/admin-commands.ts";
import { addBackupCommands } from "./data-folder/backup-commands.ts";
import { addClusterCommands, addJournalMigrate } from "./cluster/cluster-commands.ts";
import { CommandFailed } from "./session/failure.ts";
import { addExportCommands } from "./data-folder/export-commands.ts";
import { addHistoryCommands, addJournalVerify } from "./data-folder/folder-commands.ts";
import { HELP } from "./help.ts";
import { addLabAgentCommands } from "./lab/agent-commands.ts";
import { addLabCheckpointCommands } from "./lab/checkpoint-commands.ts";
import { addLabBalanceCommands } from "./lab/balance-commands.ts";
import { addLabClientCommands } from "./lab/client-commands.ts";
import { addLabClockCommands } from "./lab/clock-commands.ts";
import { addLabFaultCommands } from "./lab/fault-commands.ts";
import { addLabLatencyCommand } from "./lab/latency-command.ts";
import { addLabMarketCommands } from "./lab/market-commands.ts";
import { addLabReplayCommands } from "./lab/replay-commands.ts";
import { addLabRunCommand } from "./lab/run-command.ts";
import { addLabRunScenario } from "./lab/run-scenario-command.ts";
import { addLabScenarioCommand } from "./lab/scenario-command.ts";
import { addLabWatchCommand } from "./lab/watch-command.ts";
import { addMarketCommands } from "./trade/market-commands.ts";
import { addSuspensionCommands } from "./venue/suspension-commands.ts";
import { addDividend, addDust, addEmailCommands, addMaintenance } from "./venue/venue-commands.ts";
import { withCurrentNames } from "./old-names.ts";
import { addProofCommands } from "./proof/proof-commands.ts";
import type { Terminal } from "./session/terminal.ts";
import { addTradeCommands } from "./trade/trade-commands.ts";
import { addAdjustmentCommands } from "./money/adjustment-commands.ts";
import { addTreasury } from "./money/treasury-command.ts";
import { addNetworkCommands, addSandboxCommands } from "./money/network-commands.ts";
import { addUnattributedDepositCommands } from "./money/unattributed-deposit-commands.ts";
import { addWithdrawalLimitCommands } from "./money/withdrawal-limit-commands.ts";
import { addWithdrawalCommands } from "./money/withdrawal-commands.ts";

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
