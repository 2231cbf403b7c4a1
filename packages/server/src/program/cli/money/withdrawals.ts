/** Commands for open withdrawals, and for withdrawal limits over 24 and 72 hours. */
import { OPEN_WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { command, group } from "../session/command-row.ts";
import type { Connection } from "../session/connection.ts";
import type { Row } from "../session/terminal.ts";
import { choices, count, escape, said } from "../session/values.ts";

export const WITHDRAWAL = group(
  "withdrawal",
  "List, review, approve and reject withdrawals.",
  command("list", "GET /v1/withdrawals")
    .text("List open withdrawals, oldest first.")
    .option("--status <status>", "Only withdrawals with this status", choices(...OPEN_WITHDRAWAL_STATUSES))
    .option("--asset <asset>", "Only withdrawals of this asset")
    .option("--network <network>", "Only withdrawals on this network")
    .option("--account <account>", "Only withdrawals of this account (number or email address)")
    .option("--after <position>", "Continue after this position, which the previous page printed")
    .option("--limit <count>", "Maximum number of rows", count(100))
    .columns(
      ...["withdrawalId", "accountId", "asset", "amount", "fee", "network"],
      ...["address", "tag", "status", "txId", "by"],
    )
    .note((rows: readonly Row[], { limit }: { readonly limit: number }) => {
      const last = rows.length < limit ? undefined : rows.at(-1);
      return last && `Next page: --after ${positionOf(last)}`;
    }),
  command("show <id>", "GET /v1/withdrawals/:id").text("Show one open withdrawal."),
  command("risks")
    .text("List open withdrawals with their risk indicators.")
    .runs(async ({ connection, output }) =>
      output.rows(await allRisks(connection), [
        ...["withdrawalId", "accountId", "amount", "asset", "network", "address", "status", "waitingMs", "marks"],
      ]),
    ),
  command("approve <id>", "POST /v1/withdrawals/:id/approve")
    .text("Approve a withdrawal. The node then pays it; on a manual network, an operator does.")
    .option("--amount <amount>", "The amount that you checked: a withdrawal with another amount is not approved")
    .option("--fee <amount>", "The fee that you checked")
    .option("--address <address>", "The address that you checked")
    .option("--tag <tag>", "The tag that you checked"),
  command("reject <id> <why>", "POST /v1/withdrawals/:id/reject").text(
    "Reject a withdrawal. Its amount is returned to the customer's balance.",
  ),
  command("cancel <id>", "POST /v1/withdrawals/:id/cancel").text(
    "Cancel, on the customer's behalf, a withdrawal that is not approved yet.",
  ),
  command("raise-fee <id>", "POST /v1/withdrawals/:id/raise-fee").text(
    "Replace a withdrawal's stuck payment by one with a higher network fee.",
  ),
  command("fail <id> <why>", "POST /v1/withdrawals/:id/fail").text(
    "Mark a withdrawal that can never be paid as failed. Its amount is returned to the customer's balance.",
  ),
  command("complete <id> <txId>", "POST /v1/withdrawals/:id/complete").text(
    "Mark a withdrawal on a manual network as paid by a transaction.",
  ),
);

const positionOf = ({ applyTimeMs, withdrawalId }: Row): string => `${String(applyTimeMs)}.${String(withdrawalId)}`;

async function allRisks(connection: Connection): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after = ""; ; ) {
    const page = await connection.call<Row[]>("GET", `/v1/withdrawal-risks?limit=500${after}`);
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined) return rows;
    after = `&after=${escape(positionOf(last))}`;
  }
}

type Limits = Readonly<Record<string, string>>;
type Named = Readonly<Record<string, string | undefined>>;

export const WITHDRAWAL_LIMIT = group(
  "withdrawal-limit",
  "Show and set withdrawal limits over 24 and 72 hours.",
  command("list")
    .text("List the limits that all customers share, with the amounts used and left.")
    .option("--account <account>", "Show one account instead (number or email address)")
    .runs(async ({ connection, output }, { account }: Named) => {
      const ofAccount = account === undefined ? "" : `/accounts/${escape(account)}`;
      const rows = await connection.call<Row[]>("GET", `/v1${ofAccount}/withdrawal-limits`);
      output.rows(rows, Object.keys(rows[0] ?? { asset: "" }));
    }),
  command("set <asset>")
    .text("Set an asset's limits; omitted ones stay. Withdrawals above a limit need approval.")
    .option("--account-24h <amount>", "Limit over 24 hours of each account with its sub-accounts, or none")
    .option("--account-72h <amount>", "The same over 72 hours")
    .option("--all-24h <amount>", "Limit over 24 hours of all customers together (a budget of the hot wallet), or none")
    .option("--all-72h <amount>", "The same over 72 hours")
    .runs(async ({ connection, output }, { asset = "", account24h, account72h, all24h, all72h }: Named) => {
      const path = `/v1/assets/${escape(asset)}`;
      const { withdrawalLimits: now = {} } = await connection.call<{ withdrawalLimits?: Record<string, Limits> }>(
        "GET",
        path,
      );
      const body = {
        account: changed(now["account"], account24h, account72h),
        allCustomers: changed(now["allCustomers"], all24h, all72h),
      };
      output.one(await connection.call<Row>("PUT", `${path}/withdrawal-limits`, body));
    }),
  command("set-account <account> <asset>", "PUT /v1/accounts/:account/withdrawal-limits/:asset")
    .text("Set limits of one account, in place of the asset's limits.")
    .option("--per-24h <amount>", "Limit over 24 hours (default: no limit)")
    .option("--per-72h <amount>", "Limit over 72 hours (default: no limit)")
    .sends(({ per24h, per72h }: Named) => changed({}, per24h, per72h)),
  command("reset-account <account> <asset>", "DELETE /v1/accounts/:account/withdrawal-limits/:asset").text(
    "Remove an account's own limits. The asset's limits apply again.",
  ),
);

/** The limits after applying the given changes. A change is an amount or `none`. */
function changed(limits: Limits = {}, per24h: string | undefined, per72h: string | undefined): Limits {
  const all = { ...limits, ...said({ per24h, per72h }) } as Limits;
  return Object.fromEntries(Object.entries(all).filter(([, limit]) => limit !== "none"));
}
