/** The commands for withdrawals that wait for an operator's decision. */
import { OPEN_WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { type Command, Option } from "commander";
import type { Row } from "../session/output.ts";
import { action, escape, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const COLUMNS = [
  "withdrawalId",
  "accountId",
  "asset",
  "amount",
  "fee",
  "network",
  "address",
  "tag",
  "status",
  "txId",
  "by",
];

/** Each decision's verb, the field that it needs, and what it does. */
const STEPS: readonly (readonly [verb: string, field: string | undefined, what: string])[] = [
  ["approve", undefined, "it is paid"],
  ["reject", "why", "it is not paid, and its money is free again"],
  ["cancel", undefined, "for the customer, before it is approved"],
  ["raise-fee", undefined, "its payment is stuck: sign it again for a higher fee"],
  ["fail", "why", "it can never arrive: its money is free again"],
  ["done", "txId", "on a manual network: it was paid by this transaction"],
];

export function addWithdrawalCommands(program: Command, terminal: Terminal): void {
  const withdrawal = program.command("withdrawal").description("withdrawals that are open");
  addList(withdrawal.command("list"), terminal);
  action(
    withdrawal.command("show <id>").description("one of them, whole"),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/withdrawals/${escape(id)}`)),
  );
  for (const [verb, field, what] of STEPS) {
    const words = field === undefined ? `${verb} <id>` : `${verb} <id> <${field}>`;
    action(withdrawal.command(words).description(what), terminal, async ({ connection, output }, [id = "", value]) => {
      const body = field === undefined ? undefined : { [field]: value };
      output.one(await connection.call<Row>("POST", `/v1/withdrawals/${escape(id)}/${verb}`, body));
    });
  }
}

function addList(command: Command, terminal: Terminal): void {
  command
    .description("those that are not over, the oldest first")
    .addOption(new Option("--status <status>", "where it stands").choices(OPEN_WITHDRAWAL_STATUSES))
    .option("--asset <asset>", "of this asset")
    .option("--network <network>", "on this network")
    .option("--account <account>", "of this account, by number or mail address")
    .option("--after <place>", "later than this, as the page before told")
    .option("--limit <count>", "at most so many", wholeNumber, 100);
  action(command, terminal, async ({ connection, output }, _, { status, asset, network, account, after, limit }) => {
    const query = new URLSearchParams(
      said({ status, asset, network, account, after, limit }) as Record<string, string>,
    );
    const rows = await connection.call<Row[]>("GET", `/v1/withdrawals?${query.toString()}`);
    output.rows(rows, COLUMNS);
    const last = rows.at(-1);
    if (last === undefined || rows.length < Number(limit)) return;
    output.note(`more, if there are: --after ${String(last["applyTimeMs"])}.${String(last["withdrawalId"])}`);
  });
}
