/**
 * Restores the state of a data folder's exchange at a position of its journal. A node may write to the folder at the
 * same time.
 */
import { Engine } from "@pricetime/engine";
import { EMPTY_HEAD, type JournalHead, type JournalReader } from "../../../journal/port.ts";
import { type EntryVisitor, goOn, recover } from "../../../journal/replica/recover.ts";
import { SnapshotFolder } from "../../../journal/replica/snapshots.ts";
import type { DataPaths } from "../../../journal/storage/data-folder.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { type Clock, type Dice, randomUint32 } from "../../../platform/world/port.ts";
import type { Position } from "../proof.ts";
import { AuditRefused } from "./port.ts";

export interface StateAt {
  readonly engine: Engine;
  readonly head: JournalHead;
}

export interface StateAtOptions {
  readonly paths: DataPaths;
  readonly world: Clock & Dice;
  /** Stop after the last row that ends at or before this entry. Default: the newest row. */
  readonly at?: number | undefined;
  /** Called after each entry. If set, all rows are replayed without a snapshot. */
  readonly visit?: EntryVisitor;
}

/** Restores the state. Throws `AuditRefused`, `JournalDamaged` or `JournalUnreadable`. */
export function stateAt({ paths, world, at, visit }: StateAtOptions): StateAt {
  const journal = openReader(paths.journal);
  try {
    const { lastSeq } = journal.head();
    const untilSeq = at ?? lastSeq;
    if (untilSeq > lastSeq)
      throw new AuditRefused("NO_SUCH_POSITION", `The journal on disk ends with entry ${lastSeq}.`);
    if (visit !== undefined) return fromTheFirstRow(journal, world, untilSeq, visit);
    return recover(journal, new SnapshotFolder(paths.snapshots), { world, notBeyondSeq: untilSeq, untilSeq });
  } finally {
    journal.close();
  }
}

function fromTheFirstRow(journal: JournalReader, world: Clock & Dice, untilSeq: number, visit: EntryVisitor): StateAt {
  const state = replayOn(journal, beforeTheFirstRow(world), { world, untilSeq, visit });
  state.engine.checkInvariants();
  return state;
}

export function beforeTheFirstRow(world: Dice): StateAt {
  return { engine: new Engine({ hashSeed: randomUint32(world), recordPostings: true }), head: EMPTY_HEAD };
}

interface ReplayOptions extends Pick<StateAtOptions, "visit"> {
  readonly world: Clock & Dice;
  /** Stop after the last row that ends at or before this entry. Default: the newest row. */
  readonly untilSeq?: number;
}

/** Advances the state row by row in the same engine. Throws `JournalDamaged` or `JournalUnreadable`. */
export function replayOn(journal: JournalReader, state: StateAt, options: ReplayOptions): StateAt {
  return goOn(journal, { ...state, snapshotSeq: 0, entries: 0, durationMs: 0, refused: [] }, options);
}

export function positionOf({ engine, head }: StateAt): Position {
  return { seq: head.lastSeq, timeMs: head.lastTimeMs, chainHash: head.chainHash, stateHash: engine.stateHash().hash };
}
