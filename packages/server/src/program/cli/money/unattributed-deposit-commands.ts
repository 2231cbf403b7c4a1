/** The commands for unattributed deposits: received by the venue, and not assigned to an account. */
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
  "asset",
  "amount",
  "reason",
  "status",
  "accountId",
];

export function addUnattributedDepositCommands(program: Command, terminal: Terminal): void {
  const deposit = program.command("unattributed-deposit");
  deposit.description("Record and resolve deposits whose owner is unknown.");
  const list = deposit.command("list").description("List unattributed deposits that are not resolved, newest first.");
  list.option("--status <status>", "seen, credit, keep, dismiss, deposit, or all (default: seen)");
  action(list, terminal, async ({ connection, output }, _, { status }) => {
    const query = typeof status === "string" ? `?status=${escape(status)}` : "";
    output.rows(await connection.call<Row[]>("GET", `/v1/unattributed-deposits${query}`), COLUMNS);
  });
  const record = deposit.command("record <network> <txId>");
  record.description("Record a deposit whose owner is unknown and that no node detected, on any network.");
  record.argument("<asset>", "Asset name, or contract address of a token that is not listed").argument("<amount>");
  record.requiredOption("--address <address>", "Address that received it").option("--tag <tag>", "Tag of the address");
  record.option("--output <number>", "Output index in the transaction (default: 0)", wholeNumber);
  record.addOption(
    new Option("--reason <reason>", "Why it has no owner (default: other)").choices([...UNKNOWN_DEPOSIT_REASONS]),
  );
  action(record, terminal, async ({ connection, output }, [network = "", txId, asset, amount], options) => {
    const { address, tag, output: number, reason } = options;
    const body = said({ txId, asset, amount, address, tag, output: number, reason });
    output.one(await connection.call<Row>("POST", `/v1/networks/${escape(network)}/unattributed-deposits`, body));
  });
  addResolve(deposit, terminal);
}

function addResolve(deposit: Command, terminal: Terminal): void {
  const resolve = deposit.command("resolve <network> <txId>");
  resolve.description("Resolve an unattributed deposit. Credit and keep need another operator's approval.");
  resolve.addArgument(
    new Argument("<how>", "Credit an account, keep it in the treasury, or dismiss it without booking").choices([
      ...["credit", "keep", "dismiss"],
    ]),
  );
  resolve.requiredOption("--why <text>", "Reason, in one sentence");
  resolve.option("--output <number>", "Output index in the transaction (default: 0)", wholeNumber);
  resolve.option("--account <account>", "Account to credit").option("--asset <asset>", "Asset to book it as");
  resolve.option("--amount <amount>", "Amount to book");
  action(resolve, terminal, async ({ connection, output }, [network, txId, how], options) => {
    const { why, output: number, account: toAccount, asset, amount } = options;
    const body = said({ network, txId, how, why, output: number, toAccount, asset, amount });
    output.one(await connection.call<Row>("POST", "/v1/unattributed-deposits/resolve", body));
  });
}
