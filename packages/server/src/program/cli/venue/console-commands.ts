/**
 * The commands with the views of the console: overview, search, account timeline, filter preview, journal entries,
 * audit log.
 */
import type { Command } from "commander";
import type { Output, Row, Terminal } from "../session/terminal.ts";
import { action, escape, readDocument, said, wholeNumber } from "../session/session.ts";

const HIT_COLUMNS = ["kind", "id", "accountId", "email", "label", "status", "timeMs"];
const TIMELINE_COLUMNS = ["timeMs", "kind", "what", "id", "about"];
const ENTRY_COLUMNS = ["seq", "timeMs", "type", "by", "accountId", "symbol"];

export function addOverview(program: Command, terminal: Terminal): void {
  const overview = program.command("overview").description("Show a node's health, journal position and key figures.");
  action(overview, terminal, async ({ connection, output }) =>
    showOverview(await connection.call<Row>("GET", "/v1/overview"), output),
  );
}

export function addSearch(program: Command, terminal: Terminal): void {
  const search = program.command("search <text>");
  search.description("Find an account, API key, order, withdrawal, transaction or address by any of its identifiers.");
  search.option("--limit <count>", "Maximum number of results", wholeNumber, 20);
  action(search, terminal, async ({ connection, output }, [text = ""], { limit }) => {
    const query = new URLSearchParams({ text, limit: String(limit) });
    const found = await connection.call<Row>("GET", `/v1/search?${query.toString()}`);
    if (output.isJson) output.one(found);
    else output.rows(found["hits"] as Row[], HIT_COLUMNS);
  });
}

export function addAccountTimeline(account: Command, terminal: Terminal): void {
  const timeline = account.command("timeline <account>").description("List an account's events, newest first.");
  timeline.option("--kind <kinds>", "Only these kinds: order, trade, money, key, access, action; separated by commas");
  timeline.option("--before <position>", "Continue before this position, which the previous page printed");
  timeline.option("--limit <count>", "Maximum number of rows", wholeNumber, 50);
  action(timeline, terminal, async ({ connection, output }, [name = ""], { kind, before, limit }) => {
    const query = new URLSearchParams(said({ kind, before, limit }) as Record<string, string>);
    const page = await connection.call<Row>("GET", `/v1/accounts/${escape(name)}/timeline?${query.toString()}`);
    if (output.isJson) return output.one(page);
    output.rows((page["rows"] as Row[]).map(inWords), TIMELINE_COLUMNS);
    if (page["before"] !== null) output.note(`Next page: --before ${String(page["before"])}`);
  });
}

export function addFilterPreview(symbol: Command, terminal: Terminal): void {
  const preview = symbol.command("preview-filters <symbol> <file>");
  action(
    preview.description("List open orders that the filters in a file (- for stdin) would reject. Changes nothing."),
    terminal,
    async ({ connection, output }, [name = "", path = ""]) =>
      output.one(await connection.call<Row>("POST", `/v1/symbols/${escape(name)}/filters/preview`, readDocument(path))),
  );
}

export function addJournalEntries(journal: Command, terminal: Terminal): void {
  const entries = journal
    .command("entries")
    .description("List entries of a running node's journal: the newest, or those from or before an entry.");
  entries.option("--from <seq>", "Start at this entry", wholeNumber);
  entries.option("--before <seq>", "Only entries before this one; not together with --from", wholeNumber);
  entries.option("--limit <count>", "Maximum number of entries", wholeNumber, 100);
  entries.option("--type <command>", "Only commands of this type, such as placeOrder");
  entries.option("--by <operator>", "Only commands of this operator");
  entries.option("--account <account>", "Only commands for this account (number or email address)");
  entries.option("--symbol <symbol>", "Only commands for this symbol");
  action(entries, terminal, async ({ connection, output }, _, { from, before, limit, type, by, account, symbol }) => {
    const asked = said({ from, before, limit, type, by, account, symbol }) as Record<string, string>;
    const query = new URLSearchParams(asked);
    const page = await connection.call<Row>("GET", `/v1/journal/entries?${query.toString()}`);
    if (output.isJson) return output.one(page);
    output.rows(page["entries"] as Row[], ENTRY_COLUMNS);
    if (page["prior"] !== null) output.note(`Older entries: --before ${String(page["prior"])}`);
  });
}

/** Tables show the current figures; JSON has those of the last hour. */
function showOverview({ figures, ...rest }: Row, output: Output): void {
  if (output.isJson) return output.one({ ...rest, figures });
  const now = (figures as Row[]).map(({ name, unit, now: value }) => ({ figure: name, now: rounded(value), unit }));
  output.one({ ...rest, figures: now });
}

const rounded = (value: unknown): unknown => (typeof value === "number" ? Number(value.toPrecision(4)) : value);

/** The row with the fields of its kind in words. */
function inWords({ timeMs, kind, what, id, details, ...fields }: Row): Row {
  const all = { ...fields, ...(details as Row | undefined) };
  const words = Object.entries(all).filter(([, value]) => value !== null && typeof value !== "object");
  return { timeMs, kind, what, id, about: words.map(([key, value]) => `${key} ${String(value)}`).join(", ") };
}

// `audit-log`: the actions of operators.

export function addAuditLog(program: Command, terminal: Terminal): void {
  const log = program.command("audit-log").description("List operator actions, newest first.");
  log.option("--account <account>", "Only actions on this account (number or email address)");
  log.option("--withdrawal <id>", "Only actions on this withdrawal");
  log.option("--before <seq>", "Only actions before this journal entry", wholeNumber);
  log.option("--limit <count>", "Maximum number of rows", wholeNumber, 100);
  action(log, terminal, async ({ connection, output }, _, { account, withdrawal, before, limit, json }) => {
    const query = new URLSearchParams(said({ account, withdrawal, before, limit }) as Record<string, string>);
    const rows = await connection.call<Row[]>("GET", `/v1/audit-log?${query.toString()}`);
    output.rows(json === true ? rows : rows.map(readable), [
      "seq",
      "time",
      "by",
      "type",
      "accountId",
      "outcome",
      "about",
    ]);
  });
}

/** The row with a readable time, and with its details in words. */
function readable({ timeMs, details, ...row }: Row): Row {
  const words = Object.entries(details as Row).filter(
    ([key, value]) => key !== "accountId" && typeof value !== "object",
  );
  const about = words.map(([key, value]) => `${key} ${String(value)}`).join(", ");
  return { ...row, time: new Date(Number(timeMs)).toISOString(), about };
}
