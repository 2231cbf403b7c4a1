/** Saves a table as a CSV file; a history with all pages, including those that were not shown. */
import type { Account } from "../account/account.ts";
import type { Pages, Refusal } from "../account/port.ts";
import { tables as words } from "../words/words.ts";

// Tables as CSV for spreadsheets (RFC 4180), in which no untrusted text becomes a formula.

const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The first row has the column names; lines end with CR and LF. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

/** A text that a spreadsheet would evaluate is escaped. */
function cellText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  saveBlob(`${name}.csv`, new Blob([csvText(rows)], { type: "text/csv;charset=utf-8" }));
}

/** Downloads bytes as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

// The table of a panel as a file.

/**
 * Forty pages: a sixth of the weight that an address may use in a minute (Interface 8.2), and few enough rows for
 * spreadsheets.
 */
const MOST_ROWS_SAVED = 20_000;

export interface Sheet {
  /** The file name without extension. */
  readonly name: string;
  /** The first row has the column names. */
  readonly rows: () => string[][];
  /** Set if older rows must be fetched first. */
  readonly pages?: Pages<unknown>;
}

/**
 * Never rejects. The name of an incomplete file says that it is incomplete. If older rows cannot be fetched, no file is
 * saved.
 */
export async function saveSheet(
  account: Pick<Account, "notify">,
  { name, rows, pages }: Sheet,
  mostRows = MOST_ROWS_SAVED,
): Promise<void> {
  if (pages === undefined) return saveCsv(name, rows());
  const loaded = await loadAll(pages, mostRows);
  if (typeof loaded === "object") return account.notify("bad", words.notSaved(loaded.message, loaded.code));
  const saved = rows();
  const count = saved.length - 1;
  const file = loaded === "whole" ? name : `${name}-newest-${count}`;
  saveCsv(file, saved);
  if (loaded === "whole") account.notify("good", words.savedAll(count, `${file}.csv`));
  else account.notify("plain", words.savedNewest(count, `${file}.csv`));
}

/** Fetches all older rows. `cut`: the limit was reached and there may be more; a refusal: why it failed. */
async function loadAll<Row>(pages: Pages<Row>, mostRows: number): Promise<"whole" | "cut" | Refusal> {
  for (;;) {
    await untilIdle(pages);
    if (pages.state.peek() === "done") return "whole";
    if (pages.rows.peek().length >= mostRows) return "cut";
    await pages.more();
    const state = pages.state.peek();
    if (typeof state === "object") return state;
  }
}

/** Another caller may be fetching a page. */
async function untilIdle<Row>({ state }: Pages<Row>): Promise<void> {
  if (state.peek() !== "loading") return;
  await new Promise<void>((resolve) => {
    const stop = state.subscribe((now) => {
      if (now === "loading") return;
      resolve();
      // Deferred, because `subscribe` reports the current state before it has returned its unsubscribe function.
      queueMicrotask(() => stop());
    });
  });
}
