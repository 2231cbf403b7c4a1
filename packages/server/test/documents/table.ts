/** Tables of a page whose first cell is a name in code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../../test/exchange.ts";

/** Cells of each such row, by the name, of all tables of the page. Throws for a name that stands twice. */
export function namedRows(page: string): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  for (const line of readFileSync(join(ROOT, page), "utf8").split("\n")) {
    const [first = "", ...cells] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const name = /^`([^`]+)`$/.exec(first)?.[1];
    if (name === undefined) continue;
    if (rows.has(name)) throw new Error(`${page}: ${name} stands twice`);
    rows.set(name, cells);
  }
  return rows;
}
