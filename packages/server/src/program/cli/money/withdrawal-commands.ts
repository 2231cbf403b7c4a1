/** The commands for open withdrawals. */
import { OPEN_WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { type Command, Option } from "commander";
import type { Connection } from "../session/connection.ts";
import type { Row } from "../session/output.ts";
import { action, escape, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const RISK_COLUMNS = [
  ...["withdrawalId", "accountId", "amount", "asset", "network", "address", "status", "waitingMs", "marks"],
];
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
  ["approve", undefined, "Approve a withdrawal. The node then pays it; on a manual network, an operator does."],
  ["reject", "why", "Reject a withdrawal. Its amount is returned to the customer's balance."],
  ["cancel", undefined, "Cancel, on the customer's behalf, a withdrawal that is not approved yet."],
  ["raise-fee", undefined, "Replace a withdrawal's stuck payment by one with a higher network fee."],
  [
    "fail",
    "why",
    "Mark a withdrawal that can never be paid as failed. Its amount is returned to the customer's balance.",
  ],
  ["complete", "txId", "Mark a withdrawal on a manual network as paid by a transaction."],
];

export function addWithdrawalCommands(program: Command, terminal: Terminal): void {
  const withdrawal = program.command("withdrawal").description("List, review, approve and reject withdrawals.");
  addList(withdrawal.command("list"), terminal);
  action(
    withdrawal.command("show <id>").description("Show one open withdrawal."),
    terminal,
    async ({ connection, output }, [id = ""]) =>
      output.one(await connection.call<Row>("GET", `/v1/withdrawals/${escape(id)}`)),
  );
  addRisks(withdrawal, terminal);
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
    .description("List open withdrawals, oldest first.")
    .addOption(new Option("--status <status>", "Only withdrawals with this status").choices(OPEN_WITHDRAWAL_STATUSES))
    .option("--asset <asset>", "Only withdrawals of this asset")
    .option("--network <network>", "Only withdrawals on this network")
    .option("--account <account>", "Only withdrawals of this account (number or email address)")
    .option("--after <position>", "Continue after this position, which the previous page printed")
    .option("--limit <count>", "Maximum number of rows", wholeNumber, 100);
  action(command, terminal, async ({ connection, output }, _, { status, asset, network, account, after, limit }) => {
    const query = new URLSearchParams(
      said({ status, asset, network, account, after, limit }) as Record<string, string>,
    );
    const rows = await connection.call<Row[]>("GET", `/v1/withdrawals?${query.toString()}`);
    output.rows(rows, COLUMNS);
    const last = rows.at(-1);
    if (last === undefined || rows.length < Number(limit)) return;
    output.note(`Next page: --after ${String(last["applyTimeMs"])}.${String(last["withdrawalId"])}`);
  });
}

function addRisks(withdrawal: Command, terminal: Terminal): void {
  const risks = withdrawal.command("risks").description("List open withdrawals with their risk indicators.");
  action(risks, terminal, async ({ connection, output }) => output.rows(await allRisks(connection), RISK_COLUMNS));
}

async function allRisks(connection: Connection): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after = ""; ; ) {
    const page = await connection.call<Row[]>("GET", `/v1/withdrawal-risks?limit=500${after}`);
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined) return rows;
    after = `&after=${String(last["applyTimeMs"])}.${escape(String(last["withdrawalId"]))}`;
  }
}
