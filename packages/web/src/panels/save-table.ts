/** Saves a table as a CSV file. Histories are saved completely, including pages that were not shown. */
import type { Account } from "../account/account.ts";
import type { Pages, Refusal } from "../account/port.ts";
import { tables as words } from "../words/words.ts";

// Formats tables as CSV (RFC 4180). Untrusted texts are escaped so that spreadsheets do not evaluate them as formulas.

const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The table as CSV. The first row has the column names; lines end with CR and LF. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

/** Escapes a text that a spreadsheet would evaluate. */
function cellText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  saveBlob(`${name}.csv`, new Blob([csvText(rows)], { type: "text/csv;charset=utf-8" }));
}

/** Lets the browser save data as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

// Saves the table of a panel.

/**
 * Maximum number of rows saved: forty pages, a sixth of the request weight allowed per minute (Interface 8.2), and few
 * enough for spreadsheets.
 */
const MOST_ROWS_SAVED = 20_000;

export interface Sheet {
  /** The file name without extension. */
  readonly name: string;
  /** Returns the rows. The first one has the column names. */
  readonly rows: () => string[][];
  /** The history to load completely before saving, if the table is one. */
  readonly pages?: Pages<unknown>;
}

/** The rows of the shown table, for the button that saves it; null if they are not loaded. */
export interface Saved {
  current: Sheet | null;
}

/**
 * Saves the table. An incomplete file is marked as such in its name. If older rows cannot be fetched, no file is saved.
 * The promise never rejects.
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

/**
 * Fetches all older rows. Returns `cut` if the limit was reached, so that rows may be missing, or the error if fetching
 * failed.
 */
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

/** Waits until no page is being fetched, because another caller may be fetching one. */
async function untilIdle<Row>({ state }: Pages<Row>): Promise<void> {
  if (state.peek() !== "loading") return;
  await new Promise<void>((resolve) => {
    const stop = state.subscribe((now) => {
      if (now === "loading") return;
      resolve();
      // Deferred, because `subscribe` calls back before it has returned its unsubscribe function.
      queueMicrotask(() => stop());
    });
  });
}
