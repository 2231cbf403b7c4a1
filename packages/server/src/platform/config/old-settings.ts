/** Settings of release 0.2.0 whose old names the file may still use, with a warning. The next release removes them. */
import { ConfigError } from "./config-error.ts";
import type { ConfigFile } from "./config-file.ts";

/** `a[].b` is the key `b` of each entry of the list `a`. Both names differ in their last key only. */
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
 * Renames the keys of a file's settings in place. Returns the file, which finds the lines of the current names too, and a
 * warning for each old name. Throws a one-line `ConfigError` when both names of a setting are given.
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

/** The sections that `keys` lead to, such as `assets[]`, `networks[]`; values of another type lead nowhere. */
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
