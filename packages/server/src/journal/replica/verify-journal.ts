/** Verifies every row, hash, command and state of a journal, starting with the first entry. */
import { differingParts, Engine, type StateHash } from "@pricetime/engine";
import { MACHINE } from "../../platform/world/machine.ts";
import { randomUint32 } from "../../platform/world/port.ts";
import { EMPTY_HEAD, headAfter, JournalDamaged, type JournalHead, type JournalReader } from "../port.ts";
import { replayBatch } from "./recover.ts";
import type { SnapshotFolder, SnapshotName } from "./snapshots.ts";

export interface Verification {
  readonly rows: number;
  readonly entries: number;
  /** The head after the last valid row. */
  readonly head: JournalHead;
  /** The digest of all events that the replay produced. */
  readonly eventDigest: string;
  /** The hash of the state at the end of the replay. */
  readonly stateHash: StateHash;
  /** Snapshots whose state differs from the journal's, with the parts that differ. */
  readonly foreignSnapshots: readonly ForeignSnapshot[];
  /** Snapshots that could not be compared, with the reasons. A starting node would also skip most of them. */
  readonly uncomparedSnapshots: readonly UncomparedSnapshot[];
  /** The first fault; null if there is none. */
  readonly fault: Fault | null;
}

export interface ForeignSnapshot {
  readonly path: string;
  readonly parts: readonly string[];
}

export interface UncomparedSnapshot {
  readonly path: string;
  readonly reason: string;
}

export interface Fault {
  /** The number of the faulty row, counted from 0. */
  readonly row: number;
  /** The first entry that cannot be trusted. */
  readonly seq: number;
  readonly what: string;
}

/**
 * Reads the journal from its first row to the first fault or the end. At the end, checks that no rows are missing.
 * Reports faults in the result instead of throwing. A node may be writing meanwhile. Each of `snapshots` is compared
 * with the journal's state at its entry.
 */
export function verifyJournal(
  journal: Pick<JournalReader, "after" | "checkEnd">,
  snapshots?: SnapshotFolder,
): Verification {
  const engine = new Engine({ hashSeed: randomUint32(MACHINE) });
  let head = EMPTY_HEAD;
  let rows = 0;
  const foreignSnapshots: ForeignSnapshot[] = [];
  const uncompared: UncomparedSnapshot[] = [];
  const names = new Map(snapshots?.list().map((name) => [name.seq, name]));
  const found = (fault: Fault | null): Verification => {
    const reason = fault === null ? "no row ends with its entry" : "no sound row ends with its entry";
    const uncomparedSnapshots = [...uncompared, ...[...names.values()].map(({ path }) => ({ path, reason }))];
    return {
      ...{ rows, entries: head.lastSeq, head, eventDigest: engine.eventDigest(), stateHash: engine.stateHash() },
      ...{ foreignSnapshots, uncomparedSnapshots, fault },
    };
  };
  try {
    for (const batch of journal.after(EMPTY_HEAD)) {
      replayBatch(engine, batch);
      head = headAfter(batch);
      rows++;
      const name = names.get(engine.seq);
      if (name === undefined || snapshots === undefined) continue;
      names.delete(name.seq);
      const { path } = name;
      const compared = compare(engine.stateHash(), snapshots, name);
      if ("reason" in compared) uncompared.push({ path, reason: compared.reason });
      else if (compared.parts.length > 0) foreignSnapshots.push({ path, parts: compared.parts });
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

/**
 * Returns the parts in which the snapshot's state differs from `wanted`, or the reason why it cannot be compared: it is
 * damaged, has an unsupported layout, was replaced by a node meanwhile, or cannot be restored by this release.
 */
function compare(
  wanted: StateHash,
  snapshots: SnapshotFolder,
  name: SnapshotName,
): { readonly parts: readonly string[] } | { readonly reason: string } {
  try {
    return { parts: differingParts(wanted, Engine.restore(snapshots.read(name).bytes).stateHash()) };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}
