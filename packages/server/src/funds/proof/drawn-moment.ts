/**
 * The moment of a day's proof is drawn from the journal, so that nobody knows it before it has come, and everybody who
 * has the journal sees afterwards that it was not chosen. docs/internals/proof-format.md.
 */
import { hash } from "node:crypto";
import { DAY_MS } from "@pricetime/engine";

export const SLOT_MS = 10 * 60_000;
const SLOTS_A_DAY = DAY_MS / SLOT_MS;
/** Bytes of the hash that draw: with so many no slot is noticeably likelier than another. */
const DRAWING_BYTES = 6;

/** The end of the last row of a journal before a time. */
export interface RowEnd {
  readonly lastSeq: number;
  /** 64 hex digits. */
  readonly chainHash: string;
}

export interface DrawnMoment {
  /** The proof is of the state after this entry: the last one before the slot. */
  readonly seq: number;
  /** The beginning of the slot. */
  readonly atMs: number;
}

/** Counts days from 1970, in UTC. */
export const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);

/**
 * The moment of a day, as far as it has come by `untilMs`; null: it has not. Each slot is as likely as each other, and
 * what decides is the chain as it stands when the slot begins. `rowBefore` returns undefined where there is no row yet.
 */
export function drawnMoment(
  day: number,
  untilMs: number,
  rowBefore: (timeMs: number) => RowEnd | undefined,
): DrawnMoment | null {
  for (let slot = 0; slot < SLOTS_A_DAY; slot++) {
    const atMs = day * DAY_MS + slot * SLOT_MS;
    if (atMs > untilMs) return null;
    const row = rowBefore(atMs);
    if (row !== undefined && isDrawn(day, slot, row.chainHash)) return { seq: row.lastSeq, atMs };
  }
  return null;
}

/** One of the slots that are left: so the last one is drawn where none was before. */
function isDrawn(day: number, slot: number, chainHash: string): boolean {
  const drawn = hash("sha256", ["pricetime daily proof", day, slot, chainHash].join("\n"), "buffer");
  return drawn.readUIntBE(0, DRAWING_BYTES) % (SLOTS_A_DAY - slot) === 0;
}
