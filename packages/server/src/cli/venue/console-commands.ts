/** The commands that look at a node as the console does: at a glance, by a search, along an account's time line. */
import type { Command } from "commander";
import type { Connection } from "../session/connection.ts";
import type { Output, Row } from "../session/output.ts";
import { action, escape, readDocument, said, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

const HIT_COLUMNS = ["kind", "id", "accountId", "email", "label", "status", "timeMs"];
const TIME_LINE_COLUMNS = ["timeMs", "kind", "what", "id", "about"];
const RISK_COLUMNS = [
  "withdrawalId",
  "accountId",
  "amount",
  "asset",
  "network",
  "address",
  "status",
  "waitingMs",
  "marks",
];
const ENTRY_COLUMNS = ["seq", "timeMs", "type", "by", "accountId", "symbol"];

export function addConsoleCommands(program: Command, terminal: Terminal): void {
  const overview = program
    .command("overview")
    .description("a node at a glance: health, positions, and its figures now");
  action(overview, terminal, async ({ connection, output }) =>
    showOverview(await connection.call<Row>("GET", "/v1/overview"), output),
  );
  const search = program
    .command("search <text>")
    .description("whose is this number, mail, key, order, transaction, address?");
  search.option("--limit <count>", "at most so many", wholeNumber, 20);
  action(search, terminal, async ({ connection, output }, [text = ""], { limit }) => {
    const query = new URLSearchParams({ text, limit: String(limit) });
    const found = await connection.call<Row>("GET", `/v1/search?${query.toString()}`);
    if (output.isJson) output.one(found);
    else output.rows(found["hits"] as Row[], HIT_COLUMNS);
  });
  const line = program.command("time-line <account>").description("what happened to an account, newest first");
  line.option("--kind <kinds>", "only order, trade, money, key, access or act; several with commas");
  line.option("--before <place>", "older than this, as the page before told");
  line.option("--limit <count>", "at most so many", wholeNumber, 50);
  action(line, terminal, async ({ connection, output }, [account = ""], { kind, before, limit }) => {
    const query = new URLSearchParams(said({ kind, before, limit }) as Record<string, string>);
    const page = await connection.call<Row>("GET", `/v1/accounts/${escape(account)}/time-line?${query.toString()}`);
    if (output.isJson) return output.one(page);
    output.rows((page["rows"] as Row[]).map(inWords), TIME_LINE_COLUMNS);
    if (page["before"] !== null) output.note(`more: --before ${String(page["before"])}`);
  });
  const risks = program
    .command("risks")
    .description("withdrawals that are not over, with what speaks for a second look");
  action(risks, terminal, async ({ connection, output }) => output.rows(await allRisks(connection), RISK_COLUMNS));
  const preview = program.command("preview-filters <symbol> <file>");
  action(
    preview.description("which open orders other filters would refuse (-: stdin)"),
    terminal,
    async ({ connection, output }, [symbol = "", path = ""]) =>
      output.one(
        await connection.call<Row>("POST", `/v1/symbols/${escape(symbol)}/filters/preview`, readDocument(path)),
      ),
  );
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

export function addJournalEntries(journal: Command, terminal: Terminal): void {
  const entries = journal
    .command("entries")
    .description("entries of a running node's journal, the newest, from one on or before one");
  entries.option("--from <seq>", "from this entry on", wholeNumber);
  entries.option("--before <seq>", "the last before this entry; not together with --from", wholeNumber);
  entries.option("--limit <count>", "at most so many", wholeNumber, 100);
  entries.option("--type <command>", "of this command alone, such as placeOrder");
  entries.option("--by <operator>", "that this operator gave");
  entries.option("--account <account>", "of this account, by number or mail");
  entries.option("--symbol <symbol>", "of this market");
  action(entries, terminal, async ({ connection, output }, _, { from, before, limit, type, by, account, symbol }) => {
    const asked = said({ from, before, limit, type, by, account, symbol }) as Record<string, string>;
    const query = new URLSearchParams(asked);
    const page = await connection.call<Row>("GET", `/v1/journal/entries?${query.toString()}`);
    if (output.isJson) return output.one(page);
    output.rows(page["entries"] as Row[], ENTRY_COLUMNS);
    if (page["prior"] !== null) output.note(`older: --before ${String(page["prior"])}`);
  });
}

/** For people the figures as they are now; programs get the hour. */
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
