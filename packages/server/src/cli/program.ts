/** The `pricetime` command. */
import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/config-error.ts";
import { flagFault } from "../config/flag-fault.ts";
import { addServeFlags } from "../config/flags.ts";
import { startFailure } from "../start/failure.ts";
import { VERSION } from "../start/version.ts";
import { addSignerCommands } from "../wallet/evm/signer/command.ts";
import { addActCommands } from "./act-commands.ts";
import {
  addAccountCommands,
  addFundsCommands,
  addJournalInfo,
  addKeyCommands,
  addListingCommands,
  addVenueMoney,
} from "./admin-commands.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { addClusterCommands, addJournalCopy } from "./cluster-commands.ts";
import { CommandFailed } from "./failure.ts";
import { addHistoryCommands, addJournalVerify } from "./folder-commands.ts";
import { HELP } from "./help.ts";
import { addMarketCommands } from "./market-commands.ts";
import { addMailCommands, addVenueCommands } from "./venue-commands.ts";
import type { Terminal } from "./terminal.ts";
import { addTradeCommands } from "./trade-commands.ts";
import { addNetworkCommands, addSandboxCommands } from "./network-commands.ts";
import { addWithdrawalCommands } from "./withdrawal-commands.ts";

/** Runs `process.argv.slice(2)`; resolves to the exit code. A failure is reported in one line. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const argv = withCommand(words);
  let exitCode = 0;
  const program = createProgram(terminal, async () => {
    exitCode = await terminal.serve(argv.slice(argv.indexOf("serve") + 1));
  });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (isFault(error)) terminal.complain(`pricetime: ${faultOf(error, commandNamed(program, argv))}`);
      return error.exitCode;
    }
    if (!isForeseen(error)) throw error;
    terminal.complain(`pricetime: ${error instanceof CommandFailed ? error.message : startFailure(error)}`);
    return 1;
  }
  return exitCode;
}

/** Creates every command. `serve` runs a node. */
export function createProgram(terminal: Terminal, serve: () => Promise<void>): Command {
  const program = new Command("pricetime")
    .description("Runs and operates a Pricetime exchange. Without a command it runs a node, as `serve` does.")
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
  addServeFlags(program.command("serve").description("run a node; `pricetime` alone does the same")).action(serve);
  program.commandsGroup("Look and trade:");
  addMarketCommands(program, terminal);
  addTradeCommands(program, terminal);
  program.commandsGroup("Operate:");
  addAccountCommands(program, terminal);
  addKeyCommands(program, terminal);
  addListingCommands(program, terminal);
  addFundsCommands(program, terminal);
  addVenueMoney(program, terminal);
  addNetworkCommands(program, terminal);
  addSandboxCommands(program, terminal);
  addWithdrawalCommands(program, terminal);
  addVenueCommands(program, terminal);
  addMailCommands(program, terminal);
  addActCommands(program, terminal);
  addClusterCommands(program, terminal);
  program.commandsGroup("Keep what is on disk:");
  const journal = program.command("journal").description("the journal");
  addJournalVerify(journal, terminal);
  addJournalInfo(journal, terminal);
  addJournalCopy(journal, terminal);
  addHistoryCommands(program, terminal);
  addBackupCommands(program, terminal);
  addSignerCommands(program, terminal);
  return program;
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

const OWN_FLAGS: readonly string[] = ["-h", "--help", "-V", "--version"];

/** Flags alone, or nothing, mean `serve`. */
function withCommand(words: readonly string[]): readonly string[] {
  const [first] = words;
  const isCommand = first !== undefined && (!first.startsWith("-") || OWN_FLAGS.includes(first));
  return isCommand ? words : ["serve", ...words];
}
