/**
 * Reads the configuration file: its values and their line numbers. Settings of release 0.2.0 are accepted under their
 * old names.
 */
import { readFileSync } from "node:fs";
import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { ConfigError } from "./faults.ts";

export type Settings = Record<string, unknown>;

export interface ConfigFile {
  readonly settings: Settings;
  /** Returns the line number, counted from 1, or undefined if the path is not in the file. */
  line(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads and parses the file. Throws a one-line `ConfigError`. `name` is the path as given by the operator, for
 * messages.
 */
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
    // The yaml library throws a ReferenceError for unknown or circular aliases.
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigError(`${name}: ${error.message.split("\n")[0]}`, { cause: error });
  }
  throw new ConfigError(`${name}: the file must have keys and values`);
}

/**
 * The offset of the path's last key, or of its value. If the path is missing, the offset of the longest part of it that
 * exists.
 */
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

// Old names are accepted with a warning. The next release removes them.

/** `a[].b` stands for the key `b` in each entry of the list `a`. Old and current name differ only in the last key. */
export const OLD_SETTINGS: readonly (readonly [old: string, current: string])[] = [
  ["mail", "email"],
  ["http.maxUnreadBytesPerIp", "http.maxSendBufferBytesPerIp"],
  ["streams.maxUnreadBytesPerIp", "streams.maxSendBufferBytesPerIp"],
  ["assets[].networks[].confirmsByMail", "assets[].networks[].confirmsByEmail"],
  ["wallet.networks[].paymentsUnderWay", "wallet.networks[].maxPendingPayments"],
];

interface Section {
  readonly path: readonly PropertyKey[];
  readonly section: Record<string, unknown>;
}

/**
 * Renames old keys of the settings in place. Returns the file, whose `line` then accepts the current names, and a
 * warning for each old name. Throws a one-line `ConfigError` if a setting is given under both names.
 */
export function withCurrentSettings(
  file: ConfigFile,
  name: string,
): { readonly file: ConfigFile; readonly warnings: readonly string[] } {
  const placeOf = (path: readonly PropertyKey[]): string => [name, file.line(path) ?? []].flat().join(":");
  const renamed: (readonly [current: readonly PropertyKey[], old: readonly PropertyKey[]])[] = [];
  const warnings = OLD_SETTINGS.flatMap(([old, current]) => {
    const [oldKey, key] = [lastKeyOf(old), lastKeyOf(current)];
    const found = sectionsAt(file.settings, old.split(".").slice(0, -1)).filter(({ section }) => oldKey in section);
    for (const { path, section } of found) {
      if (key in section) {
        throw new ConfigError(
          `${placeOf([...path, oldKey])}: '${old}' and '${current}' are the same setting. Remove '${old}'.`,
        );
      }
      section[key] = section[oldKey];
      delete section[oldKey];
      renamed.push([
        [...path, key],
        [...path, oldKey],
      ]);
    }
    const [first] = found;
    if (first === undefined) return [];
    return [
      `${placeOf([...first.path, oldKey])}: '${old}' is now '${current}'. The old name will be removed in the next release.`,
    ];
  });
  const asWritten = (path: readonly PropertyKey[]): readonly PropertyKey[] => {
    const match = renamed.find(([current]) => current.every((key, at) => path[at] === key));
    return match === undefined ? path : [...match[1], ...path.slice(match[1].length)];
  };
  return { file: { settings: file.settings, line: (path) => file.line(asWritten(path)) }, warnings };
}

const lastKeyOf = (path: string): string => path.split(".").at(-1) ?? "";

/** The sections at the path `keys`, such as `assets[]`, `networks[]`. Values that are not sections are skipped. */
function sectionsAt(settings: unknown, keys: readonly string[]): Section[] {
  let found: { readonly path: readonly PropertyKey[]; readonly value: unknown }[] = [{ path: [], value: settings }];
  for (const key of keys) {
    const own = key.replace(/\[\]$/, "");
    found = found.filter(isSection).flatMap(({ path, value }) => {
      const inner = { path: [...path, own], value: (value as Record<string, unknown>)[own] };
      if (own === key) return [inner];
      const items = Array.isArray(inner.value) ? inner.value : [];
      return items.map((item: unknown, at) => ({ path: [...inner.path, at], value: item }));
    });
  }
  return found.filter(isSection).map(({ path, value }) => ({ path, section: value as Record<string, unknown> }));
}

function isSection({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
