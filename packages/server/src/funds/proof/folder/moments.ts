/**
 * Draws the position of a daily proof from the journal: nobody can predict it, and anyone who has the journal can
 * verify that it was not chosen. docs/internals/proof-format.md.
 */
import { hash } from "node:crypto";
import { DAY_MS } from "@pricetime/engine";
import { headAfter, type JournalHead, type JournalReader } from "../../../journal/port.ts";
import type { DataPaths } from "../../../journal/storage/data-folder.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { DAILY_LIMITS } from "./port.ts";

export const SLOT_MS = 10 * 60_000;
const SLOTS_A_DAY = DAY_MS / SLOT_MS;
/** The number of hash bytes used for the draw: enough that no slot is noticeably more likely than another. */
const DRAWING_BYTES = 6;

/** The end of the last journal row before a given time. */
export interface RowEnd {
  readonly lastSeq: number;
  /** The journal's chain hash after the row: 64 hex digits. */
  readonly chainHash: string;
}

export interface DrawnMoment {
  /** The last entry before the slot. The proof shows the state after this entry. */
  readonly seq: number;
  /** The start time of the slot. */
  readonly atMs: number;
}

/** Days since 1970-01-01 UTC. */
const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);

/**
 * Returns the position drawn for a day, considering slots until `untilMs`, or null if none was drawn yet. The chain
 * hash at the start of a slot decides whether the slot is drawn; all slots are equally likely. `rowBefore` returns
 * undefined if there is no earlier row.
 */
function drawnMoment(
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

/**
 * Draws each slot with probability 1 / (remaining slots of the day), so the last slot is always drawn if none was
 * before.
 */
function isDrawn(day: number, slot: number, chainHash: string): boolean {
  const drawn = hash("sha256", ["pricetime daily proof", day, slot, chainHash].join("\n"), "buffer");
  return drawn.readUIntBE(0, DRAWING_BYTES) % (SLOTS_A_DAY - slot) === 0;
}

/** Returns the newest drawn position, from today or yesterday, or null if there is none. */
export function newestMoment(paths: DataPaths, nowMs: number): DrawnMoment | null {
  const journal = openReader(paths.journal);
  try {
    const untilMs = nowMs - DAILY_LIMITS.settleMs;
    const today = dayOf(untilMs);
    return momentIn(journal, today, untilMs) ?? momentIn(journal, today - 1, untilMs);
  } finally {
    journal.close();
  }
}

/** Whether the position of a published proof is the one drawn from the journal. */
export function wasDrawn(journal: JournalReader, { lastSeq, lastTimeMs }: JournalHead, publishedMs: number): boolean {
  const lastDay = Math.min(dayOf(publishedMs), dayOf(lastTimeMs) + DAILY_LIMITS.idleDays);
  for (let day = dayOf(lastTimeMs); day <= lastDay; day++) {
    if (momentIn(journal, day, publishedMs)?.seq === lastSeq) return true;
  }
  return false;
}

function momentIn(journal: JournalReader, day: number, untilMs: number): DrawnMoment | null {
  return drawnMoment(day, untilMs, (timeMs) => rowBefore(journal, timeMs));
}

/** Finds the last row before a time by binary search. */
function rowBefore(journal: JournalReader, timeMs: number): JournalHead | undefined {
  let found: JournalHead | undefined;
  let [low, high] = [1, journal.head().lastSeq];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = take(journal.read(middle));
    if (row === undefined) break;
    const head = headAfter(row);
    if (row.timeMs < timeMs) {
      found = head;
      low = head.lastSeq + 1;
    } else {
      high = row.firstSeq - 1;
    }
  }
  return found;
}

function take<T>(rows: Iterable<T>): T[] {
  for (const row of rows) return [row];
  return [];
}
