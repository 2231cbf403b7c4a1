/** Answers and events with times in microseconds, for clients that request this unit. Interface 1.3. */
import { EXAMPLES } from "./openapi/document.ts";

// Answers. The fields are those of the examples that are times, so that a new field needs no entry here.

/** The example answers have no other numbers as large as a time. A time that is not known yet is 0 or -1. */
const LEAST_TIME = 1e12;
const IS_TIME = /Time$/;

/** The time of the next attempt, which only errors of the WebSocket API have. */
const RETRY_AFTER = "retryAfter";

function addTimes(names: Set<string>, example: object): Set<string> {
  for (const [name, value] of Object.entries(example) as [string, unknown][]) {
    if (typeof value === "number" && (value >= LEAST_TIME || IS_TIME.test(name))) names.add(name);
    else if (typeof value === "object" && value !== null) addTimes(names, value);
  }
  return names;
}

let answerTimes: ReadonlySet<string> | undefined;

/** The names of the fields of answers that are times. */
export function answerTimeNames(): ReadonlySet<string> {
  answerTimes ??= addTimes(new Set([RETRY_AFTER]), EXAMPLES);
  return answerTimes;
}

/**
 * The end of a name and a number that can be a time: times since January 1970 have ten digits or more. Quotes in texts
 * are escaped, so that it never matches within a text.
 */
const NUMBER_FIELD = /":[1-9][0-9]{9,}/g;

/** Appends digits to the numbers of fields for which `digitsOf` returns any. */
function extended(json: string, digitsOf: (name: string) => string): string {
  let converted = "";
  let from = 0;
  for (const { 0: field, index } of json.matchAll(NUMBER_FIELD)) {
    const digits = digitsOf(json.slice(json.lastIndexOf('"', index - 1) + 1, index));
    if (digits === "") continue;
    const end = index + field.length;
    converted += json.slice(from, end) + digits;
    from = end;
  }
  return converted + json.slice(from);
}

const KLINES_START = /\[\[[0-9]/;
/** The beginning of a kline: two times with five texts in between. Its close time is the last microsecond. */
const KLINE_START = /(\[[1-9][0-9]*)((?:,"[0-9.]*"){5},[1-9][0-9]*)/g;

/** The JSON of an answer with its times in microseconds instead of milliseconds. */
export function answerInMicroseconds(json: string): string {
  const names = answerTimeNames();
  const converted = extended(json, (name) => (names.has(name) ? "000" : ""));
  if (!KLINES_START.test(converted)) return converted;
  return converted.replace(KLINE_START, (_, open: string, close: string) => `${open}000${close}999`);
}

// Events, whose fields have names of one letter. Interface 6, 10.3.

/** Fields that are times in every event in which they are numbers. */
const TIMES_OF_EVENTS: readonly string[] = ["E", "T", "O", "C", "W", "D"];
/** Fields that are times in these events and other numbers elsewhere. */
const TIMES_OF_SOME_EVENTS: Readonly<Record<string, readonly string[]>> = {
  kline: ["t"],
  referencePrice: ["t"],
  outboundAccountInfo: ["u"],
  outboundAccountPosition: ["u"],
};
const EVENT_KIND = /"e":"(\w+)"/;

/** The names of the fields of an event that are times. */
export function eventTimeNames(event: string): ReadonlySet<string> {
  return new Set([...TIMES_OF_EVENTS, ...(TIMES_OF_SOME_EVENTS[event] ?? [])]);
}

/** Like `answerInMicroseconds`, for an event or an array of events of one kind, alone or in its envelope. */
export function eventInMicroseconds(json: string): string {
  const kind = EVENT_KIND.exec(json)?.[1] ?? "";
  const names = eventTimeNames(kind);
  const closeTime = kind === "kline" ? "T" : "";
  return extended(json, (name) => {
    if (!names.has(name)) return "";
    return name === closeTime ? "999" : "000";
  });
}
