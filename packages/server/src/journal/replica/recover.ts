/** Recovers the engine from the newest valid snapshot and the journal after it. */
import { type Command, decodeCommands, Engine, type EngineOptions, type Entry, type Event } from "@pricetime/engine";
import { type Batch, EMPTY_HEAD, headAfter, JournalDamaged, type JournalHead, type JournalRows } from "../port.ts";
import { type Clock, type Dice, randomUint32 } from "../../platform/world/port.ts";
import type { Snapshot, SnapshotFolder } from "./snapshots.ts";
import { isFileTrouble } from "../../platform/disk.ts";

/** Called after each entry, with the engine in the state after it. */
export type EntryVisitor = (entry: Entry, events: readonly Event[], engine: Engine) => void;

/**
 * Applies those entries of the batch that the engine has not applied yet. Throws `JournalDamaged` if the batch cannot
 * be decoded, or if the event digest before it differs from the writer's.
 */
export function replayBatch(engine: Engine, batch: Batch, visit?: EntryVisitor): void {
  const commands = decode(batch);
  if (engine.seq === batch.firstSeq - 1 && engine.eventDigest() !== batch.priorEventDigest) {
    throw new JournalDamaged(
      batch.firstSeq,
      "replaying the journal up to here gives another state than its writer had",
    );
  }
  for (let i = engine.seq + 1 - batch.firstSeq; i < commands.length; i++) {
    const entry = { seq: batch.firstSeq + i, timeMs: batch.timeMs, command: commands[i] as Command };
    const events = engine.apply(entry);
    visit?.(entry, events, engine);
  }
}

function decode(batch: Batch): Command[] {
  try {
    return decodeCommands(batch.bytes, batch.count);
  } catch (error) {
    throw new JournalDamaged(batch.firstSeq, (error as Error).message, { cause: error });
  }
}

export interface RecoverOptions extends EngineOptions {
  readonly world: Clock & Dice;
  /** Ignore snapshots that include later entries than this one. Default: ignore none. */
  readonly notBeyondSeq?: number;
  /** Replay up to the row that ends with this entry. Default: up to the journal's head. */
  readonly untilSeq?: number;
  readonly visit?: EntryVisitor;
  /**
   * Whether another replica of this node restores and compares the newest snapshot at the same time. If so, this one
   * compares the state only if it restores an older snapshot. Default: false.
   */
  readonly isBesideAnother?: boolean;
}

export interface Recovery {
  readonly engine: Engine;
  /** The head of the journal to which the engine was recovered. */
  readonly head: JournalHead;
  /** The entry of the snapshot from which the recovery started; 0 if none was used. */
  readonly snapshotSeq: number;
  /** Number of entries replayed after the snapshot. */
  readonly entries: number;
  readonly durationMs: number;
  /** Snapshots that were not used, one line each with the reason. */
  readonly refused: readonly string[];
}

/**
 * Recovers the engine. Reads the journal row by row, checks its chain, and compares states. Throws `JournalDamaged`
 * with the position. If a snapshot is damaged or foreign, an older one is used.
 */
export function recover(journal: JournalRows, snapshots: SnapshotFolder, options: RecoverOptions): Recovery {
  const { world } = options;
  const startMs = world.steadyMs();
  const refused: string[] = [];
  const start = restoreNewest(journal, snapshots, { hashSeed: randomUint32(world), ...options }, refused);
  const snapshotSeq = start.engine.seq;
  const durationMs = world.steadyMs() - startMs;
  return goOn(journal, { ...start, snapshotSeq, entries: 0, durationMs, refused }, options);
}

/** Continues a recovery to the journal's head, or to `untilSeq`. Throws the errors of `recover`. */
export function goOn(
  journal: JournalRows,
  recovery: Recovery,
  { world, untilSeq = Number.POSITIVE_INFINITY, visit }: Pick<RecoverOptions, "world" | "untilSeq" | "visit">,
): Recovery {
  const startMs = world.steadyMs();
  const { engine, snapshotSeq } = recovery;
  let { head } = recovery;
  if (head.lastSeq < untilSeq) {
    for (const batch of journal.after(head)) {
      const next = headAfter(batch);
      if (next.lastSeq > untilSeq) break;
      replayBatch(engine, batch, visit);
      head = next;
    }
  }
  const durationMs = recovery.durationMs + world.steadyMs() - startMs;
  return { ...recovery, head, entries: engine.seq - snapshotSeq, durationMs };
}

function restoreNewest(
  journal: JournalRows,
  snapshots: SnapshotFolder,
  options: RecoverOptions,
  refused: string[],
): { engine: Engine; head: JournalHead } {
  const bound = options.notBeyondSeq ?? Number.POSITIVE_INFINITY;
  for (const [age, name] of snapshots.list().entries()) {
    if (name.seq > bound) continue;
    try {
      const snapshot = snapshots.read(name);
      const start = restore(journal, snapshot, options);
      if (age > 0 || options.isBesideAnother !== true) checkRestored(start.engine, snapshot);
      return start;
    } catch (error) {
      refused.push(`${name.path}: ${(error as Error).message}`);
    }
  }
  return { engine: new Engine(options), head: EMPTY_HEAD };
}

function restore(
  journal: JournalRows,
  snapshot: Snapshot,
  options: EngineOptions,
): { engine: Engine; head: JournalHead } {
  const head = journal.headAt(snapshot.seq);
  if (head === undefined) throw new Error("it is not of this journal: no row ends with its entry");
  if (head.chainHash !== snapshot.chainHash) throw new Error("it is of another journal: the chain is not the same");
  const engine = Engine.restore(snapshot.bytes, options);
  if (engine.seq !== snapshot.seq || engine.eventDigest() !== snapshot.eventDigest) {
    throw new Error("it is of another moment than it says");
  }
  return { engine, head };
}

/**
 * Serializes the restored state again and compares the bytes. Throws with the first part that differs. A snapshot of an
 * older layout cannot be compared in this way, so the first start after an upgrade only checks the invariants; `journal
 * verify` compares the state with the journal's.
 */
function checkRestored(engine: Engine, { bytes }: Snapshot): void {
  if (!Engine.isOfNewestLayout(bytes)) {
    engine.checkInvariants();
    return;
  }
  let at = 0;
  engine.snapshotInParts((part, piece) => {
    const held = bytes.subarray(at, at + piece.length);
    if (Buffer.compare(piece, held) !== 0) throw new Error(`restored, it is another state than it holds: ${part}`);
    at += piece.length;
  });
  if (at !== bytes.length) throw new Error("restored, it is another state than it holds");
}

// Avoids a long replay on two threads. The replica that serves requests and the projector both need the state at the
// last entry in history. If both replay at the same time on two cores, each runs at two thirds to three quarters of its
// usual speed. So if no snapshot saves them most of the replay, the serving replica replays first and writes a snapshot
// for the projector.

/** A node that was killed has little more to replay than the distance between two snapshots. */
export const LONG_REPLAY_IN_SNAPSHOTS = 2;

export interface SharedReplayOptions {
  readonly world: Clock & Dice;
  /** The last entry in history. */
  readonly historySeq: number;
  /** Number of entries between snapshots; 0 if none are taken, and then each replica recovers separately. */
  readonly snapshotEveryEntries: number;
}

/**
 * The serving replica at the last entry in history, after a snapshot of it was written to disk; undefined if each
 * replica should recover separately. Throws `JournalDamaged`.
 */
export function replayShared(
  journal: JournalRows,
  snapshots: SnapshotFolder,
  { world, historySeq, snapshotEveryEntries }: SharedReplayOptions,
): Recovery | undefined {
  const newestSeq = snapshots.list()[0]?.seq ?? 0;
  const isLong = historySeq - newestSeq > LONG_REPLAY_IN_SNAPSHOTS * snapshotEveryEntries;
  if (!isLong || snapshotEveryEntries === 0) return undefined;
  const startMs = world.steadyMs();
  const recovery = recover(journal, snapshots, { world, untilSeq: historySeq });
  try {
    snapshots.take(recovery.engine, recovery.head.chainHash);
  } catch (error) {
    // The projector then replays the journal itself, and reports the error when its own snapshot is due.
    if (!isFileTrouble(error)) throw error;
  }
  return { ...recovery, durationMs: world.steadyMs() - startMs };
}
