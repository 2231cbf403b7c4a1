/** Verification: every row, every link, every command and every state, from the first entry on. */
import { differingParts, Engine, type StateHash } from "@pricetime/engine";
import { MACHINE } from "../world/machine.ts";
import { randomUint32 } from "../world/port.ts";
import { EMPTY_HEAD, headAfter, JournalDamaged, type JournalHead, type JournalReader } from "../journal/port.ts";
import { replayBatch } from "./replay.ts";
import type { SnapshotFolder, SnapshotName } from "./snapshot-folder.ts";

export interface Verification {
  readonly rows: number;
  readonly entries: number;
  /** Of the last sound row. */
  readonly head: JournalHead;
  /** Of all that replay has led to. */
  readonly eventDigest: string;
  /** Of the state that replay ends with. */
  readonly stateHash: StateHash;
  /** Snapshots that are of another state than the journal leads to, and the parts that differ. */
  readonly foreignSnapshots: readonly ForeignSnapshot[];
  /** The first fault; null when there is none. */
  readonly fault: Fault | null;
}

export interface ForeignSnapshot {
  readonly path: string;
  readonly parts: readonly string[];
}

export interface Fault {
  /** Counted from 0. */
  readonly row: number;
  /** The first entry that cannot be trusted. */
  readonly seq: number;
  readonly what: string;
}

/**
 * Reads the journal from its first row to the first fault, or to its end, and then whether that is all there was. Does
 * not throw for what it finds. A node may be writing meanwhile.
 * `snapshots`: are compared with the state that the journal leads to where they were taken.
 */
export function verifyJournal(
  journal: Pick<JournalReader, "after" | "checkEnd">,
  snapshots?: SnapshotFolder,
): Verification {
  const engine = new Engine({ hashSeed: randomUint32(MACHINE) });
  let head = EMPTY_HEAD;
  let rows = 0;
  const foreignSnapshots: ForeignSnapshot[] = [];
  const names = new Map(snapshots?.list().map((name) => [name.seq, name]));
  const found = (fault: Fault | null): Verification => ({
    ...{ rows, entries: head.lastSeq, head, eventDigest: engine.eventDigest(), stateHash: engine.stateHash() },
    ...{ foreignSnapshots, fault },
  });
  try {
    for (const batch of journal.after(EMPTY_HEAD)) {
      replayBatch(engine, batch);
      head = headAfter(batch);
      rows++;
      const name = names.get(engine.seq);
      if (name === undefined || snapshots === undefined) continue;
      const parts = partsThatDiffer(engine, snapshots, name);
      if (parts.length > 0) foreignSnapshots.push({ path: name.path, parts });
    }
    engine.checkInvariants();
  } catch (error) {
    const seq = error instanceof JournalDamaged ? error.seq : engine.seq + 1;
    return found({ row: rows, seq, what: (error as Error).message });
  }
  try {
    journal.checkEnd();
  } catch (error) {
    return found({ row: rows, seq: head.lastSeq + 1, what: (error as Error).message });
  }
  return found(null);
}

/** None of one that a start would pass over anyway: a node has replaced it, it is damaged, or of a layout of old. */
function partsThatDiffer(engine: Engine, snapshots: SnapshotFolder, name: SnapshotName): readonly string[] {
  let restored: Engine;
  try {
    restored = Engine.restore(snapshots.read(name).bytes);
  } catch {
    return [];
  }
  return differingParts(engine.stateHash(), restored.stateHash());
}
