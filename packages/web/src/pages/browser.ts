/** Browser features that pages share: the hash of the address, storage, saved files and the current time. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { World } from "../wire/world.ts";

/** What stands behind the `#` of an address: `#/withdraw?coin=BTC`. */
export interface Hash {
  /** Without its first slash. */
  readonly path: string;
  readonly asked: Readonly<Record<string, string>>;
}

export function readHash(hash: string): Hash {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?");
  return { path, asked: Object.fromEntries(new URLSearchParams(query)) };
}

/** What is asked with an empty text is not asked. */
export function writeHash({ path, asked }: Hash): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return `#/${path}${query === "" ? "" : `?${query}`}`;
}

/** Null: the browser forbids it, and what would be kept lasts until the page is left. */
export function storeOf(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/** Hands bytes to the reader as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

const TICK_MS = 1_000;

export function followPresent(world: Pick<World, "nowMs">): ReadonlySignal<number> {
  const nowMs = signal(world.nowMs());
  setInterval(() => {
    nowMs.value = world.nowMs();
  }, TICK_MS);
  return nowMs;
}
