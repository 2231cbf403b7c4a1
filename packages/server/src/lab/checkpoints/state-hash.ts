/** The hash of everything that a checkpoint holds: of the exchange's state, of the journal, and of what rooms keep. */
import { createHash } from "node:crypto";
import type { KeptValue } from "../../platform/world/kept.ts";
import type { Kept } from "./port.ts";

/** SHA-256 (hex). `engine`: the bytes of its snapshot. */
export function hashOf(engine: Uint8Array, chainHash: string, kept: Kept): string {
  const ofEngine = createHash("sha256").update(engine).digest("hex");
  return createHash("sha256")
    .update(JSON.stringify([ofEngine, chainHash, inOrder(whoeverListens(kept))]))
    .digest("hex");
}

/** The rooms that keep something in one and nothing in the other. */
export function roomsBeside(one: Kept, other: Kept): readonly string[] {
  return Object.keys(whoeverListens(one)).filter((room) => other[room] === undefined);
}

/** The rooms that keep something else than they did. */
export function differingRooms(one: Kept, other: Kept): readonly string[] {
  const rooms = [one, other].flatMap((kept) => Object.keys(whoeverListens(kept)));
  const names = [...new Set(rooms)].sort();
  return names.filter((name) => JSON.stringify(inOrder(one[name])) !== JSON.stringify(inOrder(other[name])));
}

/** Listeners do not change the exchange, and may be others after a restore, so the hash leaves them out. */
function whoeverListens({ openStreams: _openStreams, ...kept }: Kept): Kept {
  return kept;
}

/** Sorts the names in every object, so that equal values give equal texts. */
function inOrder(value: KeptValue | Kept | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => inOrder(each as KeptValue));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Kept).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, inOrder(each)]));
}
