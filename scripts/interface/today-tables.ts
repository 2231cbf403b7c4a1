/** The Markdown tables of docs/interface/today.md, from the rows that test/todays-interface checks. */
import { ENDPOINT_ROWS, type EndpointRow } from "../../test/todays-interface/endpoints.ts";
import { BEHAVIOR_ROWS, SHUTDOWN_RULE } from "../../test/todays-interface/behavior.ts";
import { CLIENT_CALLS, CLIENT_STREAMS, refusalOf } from "../../test/clients/today/calls.ts";
import { ERROR_ROWS } from "../../test/todays-interface/errors.ts";
import { FILTER_ROWS } from "../../test/todays-interface/filters.ts";
import { FIELD_ROWS, type FieldRow } from "../../test/todays-interface/fields.ts";
import { type Missing, namesIn } from "../../test/todays-interface/rows.ts";
import { RETIRED_STREAMS, STREAM_ROWS, type StreamRow } from "../../test/todays-interface/streams.ts";
import { WORD_ROWS } from "../../test/todays-interface/words.ts";
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

function endpointTable(): string {
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

/** Rows whose other cells are the same become one row. */
function joined<Row>(rows: readonly Row[], nameOf: (row: Row) => string, cellsOf: (row: Row) => string[]): string[][] {
  const names = new Map<string, string[]>();
  for (const row of rows) {
    const cells = JSON.stringify(cellsOf(row));
    names.set(cells, [...(names.get(cells) ?? []), nameOf(row)]);
  }
  return [...names].map(([cells, of]) => [of.map(code).join(", "), ...(JSON.parse(cells) as string[])]);
}

function fieldTable(): string {
  const cellsOf = ({ always, sometimes = "", missing, added, note, isMissing }: FieldRow): string[] => [
    [codes(always), ...(sometimes === "" ? [] : [`sometimes ${codes(sometimes)}`])].filter(Boolean).join("; "),
    [
      ...(isMissing === undefined ? [] : [hereWord(isMissing)]),
      ...missingWords(missing),
      ...(added === undefined ? [] : [`only here: ${codes(added)}`]),
      ...(note === undefined ? [] : [note]),
    ].join("; ") || "yes",
  ];
  return table(
    ["answer or event", "fields", "here"],
    joined(FIELD_ROWS, ({ of }) => of, cellsOf),
  );
}

function wordTable(): string {
  return table(
    ["enumeration", "words", "here"],
    WORD_ROWS.map(({ enumeration, words, missing, added }) => [
      enumeration,
      codes(words),
      [...missingWords(missing), ...(added === undefined ? [] : [`only here: ${codes(added)}`])].join("; ") || "yes",
    ]),
  );
}

function streamTable(): string {
  const named = ({ name }: StreamRow): string => name.replace("btcusdt", "<symbol>");
  const cellsOf = ({ isMissing }: StreamRow): string[] => [hereWord(isMissing)];
  return table(
    ["streams", "here"],
    [...joined(STREAM_ROWS, named, cellsOf), [RETIRED_STREAMS.map(code).join(", "), "no, as at Binance: retired"]],
  );
}

function filterTable(): string {
  return table(
    ["filter", "fields", "here"],
    FILTER_ROWS.map(({ filterType, fields, added, isMissing }) => [
      code(filterType),
      Object.keys(fields).map(code).join(", "),
      hereWord(isMissing) + (added === undefined ? "" : `; only here: ${codes(added)}`),
    ]),
  );
}

function errorTable(): string {
  const rows = ERROR_ROWS.toSorted((one, other) => other.code - one.code);
  return table(
    ["code", "text", "HTTP", "here"],
    rows.map(({ code: number, text, status = 400, isMissing, instead, isAdded }) => [
      String(number),
      code(text),
      status === 0 ? "" : String(status),
      hereWord(isMissing) +
        (instead === undefined ? "" : `; the answer is ${/^-\d+ /.test(instead) ? code(instead) : instead}`) +
        (isAdded === true ? "; only here, because Binance documents no text" : ""),
    ]),
  );
}

const hereWord = (isMissing?: string): string =>
  isMissing === undefined ? "yes" : `**left out** because ${isMissing}`;

function behaviorTable(): string {
  return table(
    ["rule", "here"],
    [...BEHAVIOR_ROWS, { rule: SHUTDOWN_RULE, instead: undefined }].map(({ rule, instead }) => [
      rule,
      instead === undefined ? "yes" : `**no**: ${instead}`,
    ]),
  );
}

/** The methods of published clients for each endpoint, and what they get. */
function clientTable(): string {
  const named = (name?: string): string => (name === undefined ? "" : code(name));
  return table(
    ["endpoint", "`@binance/spot`, REST", "WebSocket API", "`binance`, REST", "WebSocket API", "answer"],
    CLIENT_CALLS.map((call) => {
      const refusal = refusalOf(call);
      const answer = refusal === undefined ? "accepted" : `**rejected** with ${refusal.code}: ${refusal.why}`;
      const note = refusal === undefined && call.note !== undefined ? `; ${call.note}` : "";
      const { endpoint, spot, spotWs, sieblyio, sieblyioWs } = call;
      return [code(endpoint), named(spot), named(spotWs), named(sieblyio), named(sieblyioWs), answer + note];
    }),
  );
}

function clientStreamTable(): string {
  return table(
    ["method of `@binance/spot`", "answer"],
    joined(
      CLIENT_STREAMS,
      ({ method }) => method,
      ({ isMissing }) => [isMissing === undefined ? "sends messages" : `**rejected**: ${isMissing}`],
    ),
  );
}

const MAKERS: Readonly<Record<string, () => string>> = {
  endpoints: endpointTable,
  fields: fieldTable,
  words: wordTable,
  filters: filterTable,
  errors: errorTable,
  behavior: behaviorTable,
  clients: clientTable,
  "client-streams": clientStreamTable,
  streams: streamTable,
};

export function todayTable(which: string): string {
  const maker = MAKERS[which];
  if (maker === undefined) throw new Error(`no table of today's interface is called ${which}`);
  return maker();
}
