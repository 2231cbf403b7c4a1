/** Extracts in a test's own folder, read back. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { type Extracted, extract } from "../../../src/research/extract/extract.ts";
import type { ExtractRequest } from "../../../src/research/extract/request.ts";
import type { JournalReader } from "../../../src/journal/port.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";

export type CsvRow = Readonly<Record<string, string>>;

interface InFolder {
  readonly folder: string;
  readonly extracted: Extracted;
  /** The rows of a file by its name; they have no quoted cells. */
  rows(name: string): CsvRow[];
  text(name: string): string;
  names(): string[];
}

/** Everything of both symbols as CSV, unless requested otherwise. */
export function extractInto(t: TestContext, journal: JournalReader, asked: Partial<ExtractRequest>): InFolder {
  const folder = scratchFolder(t);
  const extracted = extract(journal, { ...requestFor(folder), ...asked }, { dice: MACHINE });
  const text = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { folder, extracted, text, rows: (name) => csvRows(text(name)), names: () => readdirSync(folder).sort() };
}

function requestFor(folder: string): ExtractRequest {
  return {
    ...{ subject: "orders", symbols: ["BTCUSDT", "WIDEUSDT"], fromMs: 0, toMs: Number.POSITIVE_INFINITY },
    ...{ format: "csv", layout: "full", by: "level", interval: "1m", levels: 10, withAccounts: false },
    ...{ toFolder: folder, overwrite: false },
  };
}

export function csvRows(text: string): CsvRow[] {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]));
  });
}
