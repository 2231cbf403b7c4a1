/** Commands for the whole venue: overview, search, audit log and journal, emails, suspensions and maintenance. */
import { command, group } from "../session/command-row.ts";
import type { Row } from "../session/terminal.ts";
import { count, document, listed, momentOf, number, onOff } from "../session/values.ts";

interface Overview extends Row {
  readonly figures: readonly Row[];
}

export const OVERVIEW = command("overview", "GET /v1/overview")
  .text("Show a node's health, journal position and key figures.")
  .answer(({ figures, ...rest }: Overview) => ({ ...rest, figures }))
  // Tables show the current figures; JSON also contains the last hour.
  .table(({ figures, ...rest }: Overview) => ({
    ...rest,
    figures: figures.map(({ name, unit, now }) => ({ figure: name, now: rounded(now), unit })),
  }));

const rounded = (value: unknown): unknown => (typeof value === "number" ? Number(value.toPrecision(4)) : value);

const reportOf = (name: string, text: string, ...columns: string[]) =>
  command(name, `GET /v1/reports/${name}`)
    .text(text)
    .option("--by <period>", "Complete periods: day, week or month (default: day)")
    .option("--from <date>", "First day, such as 2026-11-01")
    .option("--periods <number>", "Number of periods, instead of a first day (default: 30 days, 12 weeks or 12 months)")
    .option("--to <date>", "Last day (default: today)")
    .table(({ rows }: Row) => rows)
    .columns(...columns)
    .note(({ asset, unpriced }: Row) => notesOf(String(asset), unpriced as readonly string[]));

function notesOf(asset: string, unpriced: readonly string[]): string {
  const missing = unpriced.length === 0 ? "" : ` Without a price, and not included: ${unpriced.join(", ")}.`;
  return asset === ""
    ? "The venue has no market yet."
    : `Values are in ${asset} at each day's closing prices.${missing}`;
}

const PERIOD_COLUMNS = ["from", "trades", "volume", "fees", "deposits", "withdrawals"];

export const REPORT = group(
  "report",
  "Report volume, fees, customers, deposits and withdrawals by day, week or month.",
  reportOf("periods", "Show the totals of each period.", ...[...PERIOD_COLUMNS, "activeCustomers", "newCustomers"]),
  reportOf(
    "markets",
    "Show each market that traded.",
    "symbol",
    "trades",
    "quoteVolume",
    "quoteAsset",
    "volume",
    "fees",
  ),
  reportOf(
    "accounts",
    "Show the customers with the largest volume.",
    "accountId",
    "email",
    "trades",
    "volume",
    "fees",
  ).option("--limit <count>", "Maximum number of rows", count(20)),
  reportOf(
    "assets",
    "Show fees, deposits and withdrawals by asset.",
    ...["asset", "fees", "deposits", "withdrawals", "feesValue", "depositsValue", "withdrawalsValue"],
  ),
);

export const SEARCH = command("search <text>", "GET /v1/search")
  .text("Find an account, API key, order, withdrawal, transaction or address by any of its identifiers.")
  .option("--limit <count>", "Maximum number of results", count(20))
  .table(({ hits }: Row) => hits)
  .columns("kind", "id", "symbol", "accountId", "email", "label", "status", "timeMs");

export const AUDIT_LOG = command("audit-log", "GET /v1/audit-log")
  .text("List operator actions, newest first.")
  .option("--account <account>", "Only actions on this account (number or email address)")
  .option("--withdrawal <id>", "Only actions on this withdrawal")
  .option("--before <seq>", "Only actions before this journal entry", number)
  .option("--limit <count>", "Maximum number of rows", count(100))
  .table((rows: readonly Row[]) => rows.map(readable))
  .columns("seq", "time", "by", "type", "accountId", "outcome", "about");

/** A row of the audit log with an ISO time and its details as text. */
function readable({ timeMs, details, ...row }: Row): Row {
  const words = Object.entries(details as Row).filter(
    ([key, value]) => key !== "accountId" && typeof value !== "object",
  );
  const about = words.map(([key, value]) => `${key} ${String(value)}`).join(", ");
  return { ...row, time: new Date(Number(timeMs)).toISOString(), about };
}

export const EMAIL = group(
  "email",
  "List, show and resend emails to customers and operators.",
  command("list", "GET /v1/emails")
    .text("List sent, queued and failed emails, newest first.")
    .option("--limit <count>", "Maximum number of rows", count(100))
    .columns("emailId", "to", "subject", "status", "attempts", "error"),
  command("show <email>", "GET /v1/emails/:email").text("Show an email with its text."),
  command("resend <email>", "POST /v1/emails/:email/resend").text(
    "Resend an email that failed or whose delivery is unknown. It may arrive twice.",
  ),
);

const SCOPE =
  "trading; placing (new orders; cancels are accepted); withdrawals (of all assets); asset:BTC (withdrawals and " +
  "crediting of deposits of one asset; its trading continues); network:ETH (the same for all assets on one network)";

export const SUSPENSION = group(
  "suspension",
  "Suspend and resume trading, new orders, or withdrawals of all assets, one asset or one network.",
  command("list", "GET /v1/suspensions")
    .text("List current suspensions.")
    .columns("scope", "why", "by", "sinceMs", "untilMs"),
  command("set", "PUT /v1/suspensions/:scope")
    .text("Suspend trading, new orders or withdrawals. Repeat it to change the reason or the end.")
    .argument("<scope>", SCOPE)
    .argument("<why>", "Reason, shown to operators")
    .option("--until <time>", "End: ISO 8601, or milliseconds since 1970 (default: until it is lifted)", {
      parse: momentOf,
      field: "untilMs",
    }),
  command("lift", "DELETE /v1/suspensions/:scope").text("Lift a suspension.").argument("<scope>", SCOPE),
);

export const MAINTENANCE = command("maintenance", "GET /v1/maintenance")
  .calls("PUT /v1/maintenance", "on|off")
  .text("Show, start or end maintenance: no new orders and no withdrawals.")
  .argument("[on|off]", "New state; without it, show the current state", onOff("isOn"));

export const DUST = command("dust", "GET /v1/dust-rules")
  .calls("PUT /v1/dust-rules", "file")
  .text("Show the dust conversion rules, or replace them by a file (- for stdin).")
  .argument("[file]", "", document());

export const COMMISSION_DISCOUNT = command("commission-discount", "GET /v1/commission-discount")
  .calls("PUT /v1/commission-discount", "asset", "factorBps", "excludedSymbols")
  .calls("DELETE /v1/commission-discount", "remove")
  .text(
    "Show, set or remove the discount on commission that is paid in another asset. Omitted options keep their values.",
  )
  .option("--asset <asset>", "Asset in which the discounted commission is paid")
  .option("--factor-bps <bps>", "Part of the commission that remains, in basis points (default: 7500)", number)
  .option("--excluded-symbols <symbols>", "Symbols without the discount, such as BTCUSDT,ETHUSDT", listed)
  .option("--remove", "Remove the discount")
  .keeps(({ discount }: { discount: object | null }) => discount)
  .answer(({ discount }: Row) => discount ?? {});

export const JOURNAL_INFO = command("info", "GET /v1/journal").text(
  "Show the last entry and the digests of a running node's journal and state.",
);

export const JOURNAL_ENTRIES = command("entries", "GET /v1/journal/entries")
  .text("List entries of a running node's journal: the newest, or those from or before an entry.")
  .option("--from <seq>", "Start at this entry", number)
  .option("--before <seq>", "Only entries before this one; not together with --from", number)
  .option("--limit <count>", "Maximum number of entries", count(100))
  .option("--type <command>", "Only commands of this type, such as placeOrder")
  .option("--by <operator>", "Only commands of this operator")
  .option("--account <account>", "Only commands for this account (number or email address)")
  .option("--symbol <symbol>", "Only commands for this symbol")
  .table(({ entries }: Row) => entries)
  .columns("seq", "timeMs", "type", "by", "accountId", "symbol")
  .note(({ prior }: Row) => (prior === null ? undefined : `Older entries: --before ${String(prior)}`));
