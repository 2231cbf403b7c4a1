/** The commands for open withdrawals and for withdrawal limits over 24 and 72 hours. */
import { OPEN_WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { type Command, Option } from "commander";
import type { Connection } from "../session/connection.ts";
import type { Row, Terminal } from "../session/terminal.ts";
import { action, escape, type Options, said, wholeNumber } from "../session/session.ts";

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

// Limits of assets, and of single accounts.

type Limits = Readonly<Record<string, string>>;

export function addWithdrawalLimitCommands(program: Command, terminal: Terminal): void {
  const limit = program.command("withdrawal-limit");
  limit.description("Show and set withdrawal limits over 24 and 72 hours.");
  addLimitList(limit, terminal);
  addSet(limit, terminal);
  addSetAccount(limit, terminal);
  const reset = limit.command("reset-account <account> <asset>");
  reset.description("Remove an account's own limits. The asset's limits apply again.");
  action(reset, terminal, async ({ connection, output }, [account = "", asset = ""]) =>
    output.one(await connection.call<Row>("DELETE", accountPath(account, asset))),
  );
}

function accountPath(account: string, asset: string): string {
  return `/v1/accounts/${escape(account)}/withdrawal-limits/${escape(asset)}`;
}

function addLimitList(limit: Command, terminal: Terminal): void {
  const list = limit
    .command("list")
    .description("List the limits that all customers share, with the amounts used and left.");
  list.option("--account <account>", "Show one account instead (number or email address)");
  action(list, terminal, async ({ connection, output }, _, { account }) => {
    const ofAccount = account === undefined ? "" : `/accounts/${escape(String(account))}`;
    const rows = await connection.call<Row[]>("GET", `/v1${ofAccount}/withdrawal-limits`);
    output.rows(rows, Object.keys(rows[0] ?? { asset: "" }));
  });
}

function addSet(limit: Command, terminal: Terminal): void {
  const set = limit.command("set <asset>");
  set.description("Set an asset's limits; omitted ones stay. Withdrawals above a limit need approval.");
  set.option("--account-24h <amount>", "Limit over 24 hours of each account with its sub-accounts, or none");
  set.option("--account-72h <amount>", "The same over 72 hours");
  set.option(
    "--all-24h <amount>",
    "Limit over 24 hours of all customers together (a budget of the hot wallet), or none",
  );
  set.option("--all-72h <amount>", "The same over 72 hours");
  action(set, terminal, async ({ connection, output }, [asset = ""], options) => {
    const path = `/v1/assets/${escape(asset)}`;
    const { withdrawalLimits = {} } = await connection.call<{ withdrawalLimits?: Record<string, Limits> }>("GET", path);
    const body = {
      account: changed(withdrawalLimits["account"], options["account24h"], options["account72h"]),
      allCustomers: changed(withdrawalLimits["allCustomers"], options["all24h"], options["all72h"]),
    };
    output.one(await connection.call<Row>("PUT", `${path}/withdrawal-limits`, body));
  });
}

function addSetAccount(limit: Command, terminal: Terminal): void {
  const set = limit.command("set-account <account> <asset>");
  set.description("Set limits of one account, in place of the asset's limits.");
  set.option("--per-24h <amount>", "Limit over 24 hours (default: no limit)");
  set.option("--per-72h <amount>", "Limit over 72 hours (default: no limit)");
  action(set, terminal, async ({ connection, output }, [account = "", asset = ""], options) => {
    const body = changed({}, options["per24h"], options["per72h"]);
    output.one(await connection.call<Row>("PUT", accountPath(account, asset), body));
  });
}

/** The limits with those that were named: an amount, or `none`. */
function changed(limits: Limits = {}, per24h: Options[string], per72h: Options[string]): Limits {
  const named = Object.entries({ per24h, per72h }).filter(([, limit]) => limit !== undefined);
  const all = { ...limits, ...Object.fromEntries(named) } as Limits;
  return Object.fromEntries(Object.entries(all).filter(([, limit]) => limit !== "none"));
}
