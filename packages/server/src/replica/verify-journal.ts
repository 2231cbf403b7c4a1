/** Verification: every row, every link, every command and every state, from the first entry on. */
import { Engine } from "@pricetime/engine";
import { MACHINE } from "../world/machine.ts";
import { randomUint32 } from "../world/port.ts";
import { EMPTY_HEAD, headAfter, JournalDamaged, type JournalHead, type JournalReader } from "../journal/port.ts";
import { replayBatch } from "./replay.ts";

export interface Verification {
  readonly rows: number;
  readonly entries: number;
  /** Of the last sound row. */
  readonly head: JournalHead;
  /** The state that replay ends with. */
  readonly stateHash: string;
  /** The first fault; null when there is none. */
  readonly fault: Fault | null;
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
 */
export function verifyJournal(journal: Pick<JournalReader, "after" | "checkEnd">): Verification {
  const engine = new Engine({ hashSeed: randomUint32(MACHINE) });
  let head = EMPTY_HEAD;
  let rows = 0;
  const found = (fault: Fault | null): Verification => ({
    ...{ rows, entries: head.lastSeq, head, stateHash: engine.hash(), fault },
  });
  try {
    for (const batch of journal.after(EMPTY_HEAD)) {
      replayBatch(engine, batch);
      head = headAfter(batch);
      rows++;
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
