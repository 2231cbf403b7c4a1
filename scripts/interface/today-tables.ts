/** The Markdown tables of docs/interface/today.md, from the rows that test/todays-interface checks. */
import { ENDPOINT_ROWS, type EndpointRow } from "../../test/todays-interface/endpoints.ts";
import { type Missing, namesIn } from "../../test/todays-interface/rows.ts";
import { code, table } from "./markdown.ts";

const codes = (names: string): string => namesIn(names).map(code).join(", ");

/** What is left out, each reason once. */
function missingWords(missing: Missing = {}): string[] {
  return Object.entries(missing).map(([names, reason]) => `left out: ${codes(names)}, because ${reason}`);
}

function stateOf({ isMissing, missing, added, note }: EndpointRow): string {
  if (isMissing !== undefined) return `**left out** because ${isMissing}`;
  return [
    note === undefined ? "yes" : `yes; ${note}`,
    ...missingWords(missing),
    ...(added === undefined ? [] : [`only here: ${codes(added)}`]),
  ].join("; ");
}

function todayEndpointTable(): string {
  return table(
    ["request", "WebSocket API", "weight", "parameters", "here"],
    ENDPOINT_ROWS.map((row) => [
      row.request === "" ? "" : code(row.request),
      code(row.method),
      [...new Set(Object.values(row.weights))].join(", "),
      codes(row.parameters),
      stateOf(row),
    ]),
  );
}

const MAKERS: Readonly<Record<string, () => string>> = {
  endpoints: todayEndpointTable,
};

export function todayTable(which: string): string {
  const maker = MAKERS[which];
  if (maker === undefined) throw new Error(`no table of today's interface is called ${which}`);
  return maker();
}
