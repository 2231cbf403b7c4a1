/** Tables of a page whose first cell is a name in code. Under a heading "### `a.b`" a name `c` means `a.b.c`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@pricetime/testkit/venue";

/** Cells of each such row, by the name, of all tables of the page. Throws for a name that stands twice. */
export function namedRows(page: string): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  let prefix = "";
  for (const line of readFileSync(join(ROOT, page), "utf8").split("\n")) {
    if (line.startsWith("#")) prefix = /^### `([^`]+)`/.exec(line)?.[1] ?? "";
    const [first = "", ...cells] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const own = /^`([^`]+)`$/.exec(first)?.[1];
    if (own === undefined) continue;
    const name = prefix === "" ? own : `${prefix}.${own}`;
    if (rows.has(name)) throw new Error(`${page}: ${name} stands twice`);
    rows.set(name, cells);
  }
  return rows;
}
