/** The commands for coins that came to the venue and are nobody's. */
import { UNKNOWN_DEPOSIT_REASONS } from "@pricetime/engine";
import { Argument, type Command, Option } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = [
  "seenMs",
  "network",
  "txId",
  "output",
  "address",
  "tag",
  "coin",
  "amount",
  "reason",
  "status",
  "accountId",
];

export function addUnknownDepositCommands(program: Command, terminal: Terminal): void {
  const unknown = program.command("unknown-deposit").description("coins that came to the venue and are nobody's");
  const list = unknown.command("list").description("those that wait; newest first");
  list.option("--status <status>", "others: credit, keep, dismiss, deposit, or all (seen)");
  action(list, terminal, async ({ connection, output }, _, { status }) => {
    const query = typeof status === "string" ? `?status=${escape(status)}` : "";
    output.rows(await connection.call<Row[]>("GET", `/v1/unknown-deposits${query}`), COLUMNS);
  });
  const note = unknown.command("note <network> <txId> <coin> <amount>");
  note.description("note one that no program sees: of an asset by its name, or of a token by its contract");
  note.requiredOption("--address <address>", "where it came to").option("--tag <tag>", "its tag");
  note.option("--output <number>", "which of the transaction's outputs (0)", wholeNumber);
  note.addOption(new Option("--reason <word>", "why it is nobody's (other)").choices([...UNKNOWN_DEPOSIT_REASONS]));
  action(note, terminal, async ({ connection, output }, [network = "", txId, coin, amount], options) => {
    const { address, tag, output: number, reason } = options;
    const body = said({ txId, coin, amount, address, tag, output: number, reason });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(network)}/unknown-deposits`, body));
  });
  addSettle(unknown, terminal);
}

function addSettle(unknown: Command, terminal: Terminal): void {
  const settle = unknown.command("settle <network> <txId>");
  settle.description("say what becomes of it; to credit or keep it is proposed, and another operator approves");
  settle.addArgument(
    new Argument("<how>", "credit: to an account; keep: to the treasury; dismiss: nothing is booked").choices([
      ...["credit", "keep", "dismiss"],
    ]),
  );
  settle.requiredOption("--why <text>", "the reason, in a sentence");
  settle.option("--output <number>", "which of the transaction's outputs (0)", wholeNumber);
  settle.option("--account <account>", "to credit").option("--asset <asset>", "as which asset");
  settle.option("--amount <amount>", "how much of it");
  action(settle, terminal, async ({ connection, output }, [network, txId, how], options) => {
    const { why, output: number, account: toAccount, asset, amount } = options;
    const body = said({ network, txId, how, why, output: number, toAccount, asset, amount });
    output.one(await connection.call<Row>("POST", "/v1/unknown-deposits/settle", body));
  });
}
