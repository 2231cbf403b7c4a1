/** Compares what another node says of its place in the log with the log itself. */
import { decodeCommands } from "@pricetime/engine";
import { type Batch, type JournalPlace, type LogPlace, LogTrimmed } from "../../journal/port.ts";
import { batchIdOf } from "../../journal/sequencer/batch-header.ts";
import { atMost, type Timers } from "../../platform/world/port.ts";
import type { ClusterStore } from "../port.ts";
import { PeerFailed } from "./fetch-rows.ts";

export interface LogToCheck extends Pick<ClusterStore, "follow" | "lastNumber" | "positions"> {
  /** Whether the batch is at the place, which is of this epoch; undefined when the store does not remember that. */
  isAt(place: LogPlace, batchId: string): Promise<boolean | undefined>;
}

/** The longest wait for a row that the log must have. */
const ROW_PATIENCE_MS = 5000;

/** Whether the log still has every row after the place. Rejects when the log cannot be reached. */
export async function reaches(log: LogToCheck, place: LogPlace | null, timers: Timers): Promise<boolean> {
  if ((await log.lastNumber()) <= (place?.number ?? 0)) return true;
  const following = log.follow(place);
  let comes = false;
  try {
    const looked = following.next().then((row) => void (comes = row !== undefined));
    await atMost(timers, ROW_PATIENCE_MS, looked);
  } catch (error) {
    if (error instanceof LogTrimmed) return false;
    throw error;
  } finally {
    following.close();
  }
  if (!comes) throw new Error(`no row has come within ${ROW_PATIENCE_MS} ms`);
  return true;
}

/**
 * Resolves when the row is certainly the one at the place: the log knows it there, or, where the log has forgotten, a
 * position that was told to the store says the same. Else a node that follows from there would leave rows out. Rejects
 * with `PeerFailed`.
 */
export async function checkPlace(log: LogToCheck, place: JournalPlace, row: Batch): Promise<void> {
  const isThere = await isRow(log, place, row);
  if (isThere === true) return;
  if (isThere === false)
    throw new PeerFailed("its last row is not the one that the log has at the place that it tells");
  const isSame = (at: LogPlace): boolean =>
    at.epoch === place.epoch && at.number === place.number && at.revision === place.revision;
  const positions = await log.positions();
  if (positions.some((position) => isSame(position.place) && position.seq === place.seq)) return;
  throw new PeerFailed("the place that it tells cannot be compared with anything yet");
}

/** Whether the log has the row there; undefined when it has forgotten. */
export async function isRow(log: Pick<LogToCheck, "isAt">, place: LogPlace, row: Batch): Promise<boolean | undefined> {
  return log.isAt(place, idOf(row));
}

function idOf({ bytes, count }: Batch): string {
  const [header] = decodeCommands(bytes, count);
  if (header?.type === "nodeBatch") return batchIdOf(header);
  throw new PeerFailed("its last row is not one of a log that nodes share");
}
