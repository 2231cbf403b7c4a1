/** Verification: every row, every link, every command and every state, from the first entry on. */
import { Engine } from "@pricetime/engine";
import { checkFollows, EMPTY_HEAD } from "./check.ts";
import { JournalDamaged } from "./damage.ts";
import type { Batch, JournalHead } from "./port.ts";
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

/** Reads the journal from its first row to the first fault, or to its end. Does not throw for what it finds. */
export async function verifyJournal(batches: AsyncIterable<Batch> | Iterable<Batch>): Promise<Verification> {
  const engine = new Engine();
  let head = EMPTY_HEAD;
  let rows = 0;
  let fault: Fault | null = null;
  try {
    for await (const batch of batches) {
      const next = checkFollows(head, batch);
      replayBatch(engine, batch);
      head = next;
      rows++;
    }
    engine.checkInvariants();
  } catch (error) {
    const seq = error instanceof JournalDamaged ? error.seq : engine.seq + 1;
    fault = { row: rows, seq, what: (error as Error).message };
  }
  return { rows, entries: head.lastSeq, head, stateHash: engine.hash(), fault };
}
