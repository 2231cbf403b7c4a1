/** Parsers of arguments, options and files. */
import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { parse } from "yaml";
import { CommandFailed, type Row } from "./terminal.ts";
import { durationMs } from "../../../lab/scenario/duration.ts";

/** How the value of an argument or option is parsed and sent. */
export interface Value {
  /** The field of the request. Default: the parameter's name. With `BODY`, the value is the complete request body. */
  readonly field?: string;
  readonly choices?: readonly string[];
  /** Parses the text. Throws `InvalidArgumentError`; commander adds the name of the parameter. */
  readonly parse?: (text: string) => unknown;
  /** Converts the value for the request. Throws `CommandFailed`. */
  readonly convert?: (value: never, name: string) => unknown;
  readonly default?: unknown;
}

export const BODY = "";

/** URL-encodes a name as part of a path. */
export const escape = encodeURIComponent;

export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
/** Parses a key of 32 bytes in hex. */
export function hexKey(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError("It must be 64 lowercase hex digits.");
  return text;
}

/** A number, validated when the option is parsed. */
export const number: Value = { parse: wholeNumber };
export const count = (preset: number): Value => ({ parse: wholeNumber, default: preset });
export const time: Value = { parse: momentOf };
export const span: Value = { parse: duration };
/** A comma-separated list. */
export const listed: Value = { parse: (text) => text.split(",").filter((part) => part !== "") };
/** A number, validated when the request is sent. */
export const numberSent: Value = {
  convert: (text: string, name) => {
    if (!/^[0-9]{1,15}$/.test(text)) throw new CommandFailed(`${name} must be a whole number`);
    return Number(text);
  },
};
export const choices = (...all: readonly string[]): Value => ({ choices: all });
/** `on` or `off`, sent as a boolean. */
export const onOff = (field: string): Value => ({
  field,
  choices: ["on", "off"],
  convert: (said: string) => said === "on",
});
/** A YAML or JSON file, sent as a field or as the request body. */
export const document = (field = BODY): Value => ({ field, convert: readDocument });

/** Removes fields of options that were not given, so that the node keeps its value or uses its default. */
export function said(fields: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads a file, or standard input if the path is `-`. */
export function readText(path: string): string {
  return read(path, (text) => text);
}

/** Reads a file as YAML or JSON. */
export function readDocument(path: string): unknown {
  return read(path, documentIn);
}

/** Longer texts that begin like JSON are not parsed as YAML, which is a hundred times slower. */
const LONGEST_FLOW_YAML = 1 << 16;

/** Parses YAML or JSON. If the text begins like JSON, errors are those of the JSON parser. */
function documentIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return parse(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const yaml = text.length < LONGEST_FLOW_YAML ? parsedOrNothing(text) : undefined;
    if (yaml !== undefined) return yaml;
    throw new Error(`the JSON is incomplete or invalid: ${(error as Error).message}`, { cause: error });
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function read<T>(path: string, from: (text: string) => T): T {
  try {
    return from(readFileSync(path === "-" ? 0 : path, "utf8"));
  } catch (error) {
    throw new CommandFailed(`${path}: ${(error as Error).message.split("\n")[0]}`, { cause: error });
  }
}

/** A date means midnight UTC. A time must have a zone, so that it does not depend on the machine. */
const ISO_MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$/;

/** Parses milliseconds since 1970, or an ISO 8601 time. Throws `InvalidArgumentError`. */
export function momentOf(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  const timeMs = ISO_MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError("It must be a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970.");
  return timeMs;
}

/** Parses `250ms`, `90s`, `15m`, `1h30m` or `1d`. A number without a unit is in milliseconds. */
export function duration(text: string): number {
  const ms = /^[0-9]{1,15}$/.test(text) ? Number(text) : durationMs(text);
  if (ms === null) throw new InvalidArgumentError("It must be a time such as 250ms, 90s, 15m, 1h30m or 1d.");
  return ms;
}

/** Parses settings in the form `name=value`. `crash.percent=20` sets `percent` in `crash`. */
export function settingsOf(words: readonly string[]): Row {
  let fields: Row = {};
  for (const word of words) {
    const [, joined = "", text = ""] = /^([A-Za-z.]+)=(.*)$/s.exec(word) ?? [];
    const names = joined.split(".");
    if (names.includes("")) throw new CommandFailed(`'${word}' is not a setting. Use name=value.`);
    fields = withSetting(fields, names, valueOf(text));
  }
  return fields;
}

function withSetting(fields: Row, [name = "", ...inner]: readonly string[], value: unknown): Row {
  const within = fields[name];
  const begun = typeof within === "object" && within !== null ? (within as Row) : {};
  return { ...fields, [name]: inner.length === 0 ? value : withSetting(begun, inner, value) };
}

/** Formats settings as `name=value`. */
export function wordsOf(settings: Row): string {
  const said = Object.entries(settings).map(([name, value]) => {
    return `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return said.join(" ");
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
