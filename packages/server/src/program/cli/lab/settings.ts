/** Settings of a lab as arguments of a command: `name=value`, where the value is JSON or else text; times have a unit. */
import { InvalidArgumentError } from "commander";
import { durationMs } from "../../../lab/scenario/duration.ts";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";

/** Reads `250ms`, `90s`, `15m`, `1h30m` or `1d`; a number alone is milliseconds. */
export function duration(text: string): number {
  const ms = /^[0-9]{1,15}$/.test(text) ? Number(text) : durationMs(text);
  if (ms === null) throw new InvalidArgumentError("It must be a time such as 250ms, 90s, 15m, 1h30m or 1d.");
  return ms;
}

/** `crash.percent=20` sets `percent` in `crash`. */
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

/** The settings as words again. */
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
    // A word.
    return text;
  }
}
