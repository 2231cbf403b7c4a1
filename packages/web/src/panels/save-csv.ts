/** Hands rows to the reader as a file. */
import { csvText } from "../account/csv.ts";

/** The first row holds the names of the columns. */
export function saveCsv(name: string, [head = [], ...rows]: readonly (readonly string[])[]): void {
  const address = URL.createObjectURL(new Blob([csvText(head, rows)], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
