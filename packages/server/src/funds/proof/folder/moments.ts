/** Moments of daily proofs, as a journal on disk draws them. */
import { headAfter, type JournalHead, type JournalReader } from "../../../journal/port.ts";
import type { DataPaths } from "../../../journal/storage/data-paths.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { dayOf, type DrawnMoment, drawnMoment } from "../drawn-moment.ts";
import { DAILY_LIMITS } from "./limits.ts";

/** The newest moment that has come, today's or yesterday's; null: none has. */
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

/** Whether the position of a published proof was drawn. */
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

/** Halves the journal: its rows rise in time. */
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
