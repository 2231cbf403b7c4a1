/** Saves a table as a CSV file; of a history all pages, those that were not shown as well. */
import type { Account, Pages, Refusal } from "../account/port.ts";
import { tables as words } from "../words/words.ts";

// Tables as text for spreadsheets (RFC 4180), in which no foreign text is a formula.

/** A number stands as it is, with its sign; a text that a program would calculate is marked as text. */
export type Cell = string | number | { readonly amount: string };

const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** The head first; lines end with CR and LF. */
export function csvText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  if (typeof cell === "object" && AMOUNT.test(cell.amount)) return cell.amount;
  const text = typeof cell === "object" ? cell.amount : cell;
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// A file for the reader to save.

/** The first row holds the names of the columns. */
export function saveCsv(name: string, [head = [], ...rows]: readonly (readonly string[])[]): void {
  const address = URL.createObjectURL(new Blob([csvText(head, rows)], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}

// The table of a panel as a file.

/** Forty pages: a sixth of the weight that an address has in a minute (Interface 8.2), and what a spreadsheet takes. */
const MOST_ROWS_SAVED = 20_000;

export interface Sheet {
  /** As the file is called, without its ending. */
  readonly name: string;
  /** The first holds the names of the columns. */
  readonly rows: () => string[][];
  /** Where older rows are fetched first. */
  readonly pages?: Pages<unknown>;
}

/** Never rejects. What is not whole says so, in its name too; where older rows cannot be fetched there is no file. */
export async function saveSheet(
  account: Pick<Account, "say">,
  { name, rows, pages }: Sheet,
  mostRows = MOST_ROWS_SAVED,
): Promise<void> {
  if (pages === undefined) return saveCsv(name, rows());
  const loaded = await loadAll(pages, mostRows);
  if (typeof loaded === "object") return account.say("bad", words.notSaved(loaded.message, loaded.code));
  const saved = rows();
  const count = saved.length - 1;
  const file = loaded === "whole" ? name : `${name}-newest-${count}`;
  saveCsv(file, saved);
  if (loaded === "whole") account.say("good", words.savedAll(count, `${file}.csv`));
  else account.say("plain", words.savedNewest(count, `${file}.csv`));
}

/** Fetches what is older than the rows that are there. `cut`: there may be more than that many; else why it failed. */
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

/** Somebody else may have asked for a page. */
async function untilIdle<Row>({ state }: Pages<Row>): Promise<void> {
  if (state.peek() !== "loading") return;
  await new Promise<void>((resolve) => {
    const stop = state.subscribe((now) => {
      if (now === "loading") return;
      resolve();
      // Not at once: `subscribe` tells of the present state before it has given back its end.
      queueMicrotask(() => stop());
    });
  });
}
