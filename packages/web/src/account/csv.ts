/** Tables as text for spreadsheets (RFC 4180), in which nothing that a stranger wrote is a formula. */

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
