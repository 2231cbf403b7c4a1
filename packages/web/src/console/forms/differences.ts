/** The differences between two JSON values, by path. */
import type { Json } from "../openapi.ts";

export interface Difference {
  /** The path of the value, such as `filters.priceFilter.tickSize`. */
  readonly at: string;
  /** The values before and after; null if the value does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

export function differencesOf(before: Json | undefined, after: Json | undefined): Difference[] {
  const old = new Map(leavesOf(before, ""));
  const now = new Map(leavesOf(after, ""));
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((at) => ({ at, before: old.get(at) ?? null, after: now.get(at) ?? null }))
    .filter((one) => one.before !== one.after);
}

/**
 * The plain values in a JSON value, by path. A list of plain values counts as one, because its indexes have no meaning.
 */
export function leavesOf(value: Json | undefined, at: string): [at: string, text: string][] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.length === 0) return [];
  if (Array.isArray(value)) return value.every(isPlain) ? [[at, value.join(", ")]] : listLeaves(value, at);
  if (typeof value !== "object" || value === null) return [[at, String(value)]];
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  return parts.flatMap(([name, part]) => leavesOf(part, at === "" ? name : `${at}.${name}`));
}

function listLeaves(value: readonly Json[], at: string): [string, string][] {
  return value.flatMap((one, place) => leavesOf(one, `${at === "" ? "" : `${at}.`}${nameOf(one) ?? place + 1}`));
}

/** The name that identifies a list element, so that removing an element does not change the paths of those after it. */
function nameOf(one: Json): string | undefined {
  if (typeof one !== "object" || one === null || Array.isArray(one)) return undefined;
  const { network, asset } = one as Readonly<Record<string, Json>>;
  const name = network ?? asset;
  return typeof name === "string" ? name : undefined;
}

const isPlain = (value: Json): boolean => typeof value !== "object" || value === null;

/** The top-level fields of `after` that differ from `before`. */
export function changesOf(before: Json | undefined, after: Json | undefined): Json {
  const old = (before ?? {}) as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries((after ?? {}) as Readonly<Record<string, Json>>).filter(
      ([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value),
    ),
  );
}
