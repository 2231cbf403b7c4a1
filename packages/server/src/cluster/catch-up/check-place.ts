/** Compares what another node says of its place in the log with the log itself. */
import type { Batch, JournalPlace, LogPlace, LogRow } from "../../journal/port.ts";
import { LogTrimmed } from "../../journal/port.ts";
import type { Timers } from "../../world/port.ts";
import { atMost } from "../../world/port.ts";
import type { ClusterStore } from "../port.ts";
import { PeerFailed } from "./fetch-rows.ts";

export type LogToCheck = Pick<ClusterStore, "follow" | "lastNumber" | "positions">;

/** The longest wait for a row that the log must have. */
const ROW_PATIENCE_MS = 5000;

/** Whether the log still has every row after the place. Rejects when the log cannot be reached. */
export async function reaches(log: LogToCheck, place: LogPlace | null, timers: Timers): Promise<boolean> {
  if ((await log.lastNumber()) <= (place?.number ?? 0)) return true;
  const next = await rowAfter(log, place, timers);
  if (next === undefined) throw new Error("the log does not give its rows");
  return next !== "trimmed";
}

/**
 * Resolves when the row is certainly the one at the place: the log has it there, or, where it has been removed from the
 * log, another position that was told to the store says the same. Else a node that follows from there would leave rows
 * out. Rejects with `PeerFailed`.
 */
export async function checkPlace(log: LogToCheck, place: JournalPlace, row: Batch, timers: Timers): Promise<void> {
  if (place.number > (await log.lastNumber())) throw new PeerFailed("it tells a place that the log has not reached");
  const { epoch, number, revision } = place;
  const prior = number <= 1 ? null : { epoch, number: number - 1, revision: revision - 1 };
  const there = await rowAfter(log, prior, timers);
  if (there === "trimmed") return checkByPositions(log, place);
  if (there === undefined || !isAt(there, place) || !isSame(there, row)) {
    throw new PeerFailed("its last row is not the one that the log has at the place that it tells");
  }
}

async function checkByPositions(log: LogToCheck, place: JournalPlace): Promise<void> {
  const positions = await log.positions();
  if (positions.some((position) => isAt(position, place) && position.seq === place.seq)) return;
  throw new PeerFailed("the place that it tells cannot be compared with anything yet");
}

/** Undefined: it does not come. */
async function rowAfter(
  log: LogToCheck,
  place: LogPlace | null,
  timers: Timers,
): Promise<LogRow | "trimmed" | undefined> {
  const following = log.follow(place);
  let found: LogRow | "trimmed" | undefined;
  try {
    const looked = following.next().then((row) => void (found = row));
    await atMost(timers, ROW_PATIENCE_MS, looked);
  } catch (error) {
    if (!(error instanceof LogTrimmed)) throw error;
    found = "trimmed";
  } finally {
    following.close();
  }
  return found;
}

function isAt({ place }: { readonly place: LogPlace }, { epoch, number, revision }: LogPlace): boolean {
  return place.epoch === epoch && place.number === number && place.revision === revision;
}

function isSame(there: LogRow, row: Batch): boolean {
  return there.count === row.count && there.node === row.node && Buffer.compare(there.bytes, row.bytes) === 0;
}
