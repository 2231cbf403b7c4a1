/**
 * Inserts the generated tables into the documents of docs/interface and into that of the settings. A table is between two
 * marks, `[table: KIND WHICH]: #` and `[end of table]: #`, and is always replaced completely. In Markdown the marks are
 * unused link definitions, which no renderer shows.
 */
import { endpointList, endpointTable } from "./endpoint-tables.ts";
import { errorTable, unusedCodes } from "./error-tables.ts";
import { banTable, limiterTable, methodLimitTable, otherLimitTable, streamLimitTable } from "./limit-tables.ts";
import { todayTable } from "./today-tables.ts";
import { enumerationTable, filterSettingsTable, orderTypeTable, rangeTable } from "./word-tables.ts";

const MAKERS: Readonly<Record<string, (which: string) => string>> = {
  endpoint: endpointTable,
  endpoints: endpointList,
  errors: errorTable,
  "unused-codes": unusedCodes,
  enumerations: enumerationTable,
  "filter-settings": filterSettingsTable,
  ranges: rangeTable,
  "order-types": orderTypeTable,
  limiters: limiterTable,
  bans: banTable,
  limits: otherLimitTable,
  "stream-limits": streamLimitTable,
  "method-limits": methodLimitTable,
  today: todayTable,
};

const END = "[end of table]: #";
const TABLE = /^\[table: (?<kind>[a-z-]+)(?: (?<which>[\w.-]+))?\]: #\n(?<made>[\s\S]*?)^\[end of table\]: #$/gm;

/** The document with current tables. Throws if a mark names no table. */
export function filled(document: string): string {
  return document.replaceAll(TABLE, (_, kind: string, which: string | undefined) => {
    const maker = MAKERS[kind];
    if (maker === undefined) throw new Error(`no table is called ${kind}`);
    const mark = which === undefined ? kind : `${kind} ${which}`;
    return `[table: ${mark}]: #\n\n${maker(which ?? "")}\n\n${END}`;
  });
}

/** The tables that the marks of a document name, such as `endpoint order.place` or `bans`. */
export function tablesIn(document: string): string[] {
  return [...document.matchAll(TABLE)].map(({ groups }) => `${groups?.kind} ${groups?.which ?? ""}`.trim());
}
