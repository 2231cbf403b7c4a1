/** The `pricetime` command. */
import { Command, CommanderError } from "commander";
import { ConfigError } from "../config/config-error.ts";
import { addServeFlags } from "../config/flags.ts";
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
import { CommandFailed } from "./failure.ts";
import { addHistoryCommands, addJournalVerify } from "./folder-commands.ts";
import { addMailCommands, addVenueCommands } from "./venue-commands.ts";
import type { Terminal } from "./terminal.ts";
import { addNetworkCommands, addSandboxCommands } from "./network-commands.ts";
import { addWithdrawalCommands } from "./withdrawal-commands.ts";

/** Runs `process.argv.slice(2)`; resolves to the exit code. What fails is told in one line. */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = new Command("pricetime")
    .description("Runs and operates a Pricetime exchange.")
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
    })
    .exitOverride();
  addServeFlags(program.command("serve").description("run a node, as npm start does")).action(async () => {
    exitCode = await terminal.serve(argv.slice(argv.indexOf("serve") + 1));
  });
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
  const journal = program.command("journal").description("the journal");
  addJournalVerify(journal, terminal);
  addJournalInfo(journal, terminal);
  addHistoryCommands(program, terminal);
  addSignerCommands(program, terminal);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CommandFailed || error instanceof ConfigError)) throw error;
    terminal.complain(`pricetime: ${error.message}`);
    return 1;
  }
  return exitCode;
}
