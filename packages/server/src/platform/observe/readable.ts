/** Formats log lines for a terminal, and makes untrusted text safe to print. */

/** Control characters, line and paragraph separators, and marks that change the text direction. */
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes control characters as `\u001b`, so that untrusted text cannot forge lines. */
export function visible(text: string): string {
  return text.replace(NOT_SHOWN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface LoggedError {
  readonly message?: unknown;
  readonly stack?: unknown;
}

const LEVEL_WIDTH = 5;
/** The levels at which the stack is shown. */
const WITH_PLACE: readonly unknown[] = ["error", "fatal"];

/** Converts `{"level":"warn","time":…,"msg":"m","network":"BTC"}` to `14:05:09 WARN  m (network BTC)`. */
export function readableLine(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, node: _, msg = "", err, ...others } = fields;
  const error = err as LoggedError | undefined;
  const shown = Object.entries(others).map(([name, value]) => `${name} ${textOf(value)}`);
  const parts = [
    clockTime(String(time)),
    String(level).toUpperCase().padEnd(LEVEL_WIDTH),
    `${String(msg)}${error === undefined ? "" : `: ${String(error.message)}`}`,
    ...(shown.length === 0 ? [] : [`(${shown.join(", ")})`]),
  ];
  const place =
    WITH_PLACE.includes(level) && typeof error?.stack === "string" ? placeIn(error.stack, String(error.message)) : "";
  return `${visible(parts.join(" "))}\n${place}`;
}

/** Returns the frames of a stack without the message, because the message may itself look like frames. */
function placeIn(stack: string, message: string): string {
  const after = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const at = after.search(/\n {4}at /);
  if (at < 0) return "";
  return after
    .slice(at + 1)
    .split("\n")
    .map((line) => `${visible(line)}\n`)
    .join("");
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The time of day in the terminal's time zone. */
function clockTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}
