/** The configuration file: its values, and the line of each. */
import { readFileSync } from "node:fs";
import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { ConfigError } from "./config-error.ts";

export type Settings = Record<string, unknown>;

export interface ConfigFile {
  readonly settings: Settings;
  /** Returns the line, counted from 1; undefined when the path is not in the file. */
  line(path: readonly PropertyKey[]): number | undefined;
}

/** Throws a one-line `ConfigError`. `name` is the path as the operator gave it. */
export function readConfigFile(path: string, name: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${name}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const why = fault.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "");
    throw new ConfigError(`${name}:${lines.linePos(fault.pos[0]).line}: ${why}`, { cause: fault });
  }
  const settings = valuesOf(name, () => document.toJS());
  return {
    settings,
    line: (at) => {
      const offset = offsetOf(document.contents, at);
      return offset === undefined ? undefined : lines.linePos(offset).line;
    },
  };
}

function valuesOf(name: string, read: () => unknown): Settings {
  try {
    const settings = read();
    if (settings === null || settings === undefined) return {};
    if (typeof settings === "object" && !Array.isArray(settings)) return settings as Settings;
  } catch (error) {
    // The yaml library throws it for aliases that lead nowhere, or without end.
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigError(`${name}: ${error.message.split("\n")[0]}`, { cause: error });
  }
  throw new ConfigError(`${name}: the file must have keys and values`);
}

/** The offset of the path's last key, else of its value; where the end is missing, of what leads there. */
function offsetOf(contents: unknown, path: readonly PropertyKey[]): number | undefined {
  let at = contents;
  let offset: number | undefined;
  for (const key of path) {
    if (isMap(at)) {
      const pair = at.items.find((item) => String((item.key as { value?: unknown } | null)?.value) === String(key));
      offset = startOf(pair?.key) ?? offset;
      at = pair?.value;
    } else if (isSeq(at)) {
      at = at.items[Number(key)];
      offset = startOf(at) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
