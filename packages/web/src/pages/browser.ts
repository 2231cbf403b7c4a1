/** Shared browser functions of all pages: the URL hash, storage and the current time. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { World } from "../wire/world.ts";

/** A parsed URL hash, such as `#/withdraw?coin=BTC`. */
export interface Hash {
  /** The path without its leading slash. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

export function readHash(hash: string): Hash {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?");
  return { path, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Formats a URL hash. Parameters with an empty value are omitted. */
export function writeHash({ path, params }: Hash): string {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== "")).toString();
  return `#/${path}${query === "" ? "" : `?${query}`}`;
}

/** The browser's storage; null if it is forbidden, in which case values last until the page is left. */
export function storeOf(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}

const TICK_MS = 1_000;

export function followPresent(world: Pick<World, "nowMs">): ReadonlySignal<number> {
  const nowMs = signal(world.nowMs());
  setInterval(() => {
    nowMs.value = world.nowMs();
  }, TICK_MS);
  return nowMs;
}
