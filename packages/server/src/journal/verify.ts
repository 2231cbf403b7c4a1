/** Verification: every row, every link, every command and every state, from the first entry on. */
import { existsSync, readFileSync } from "node:fs";
import { Engine } from "@pricetime/engine";
import { MACHINE } from "../world/machine.ts";
import { randomUint32 } from "../world/port.ts";
import { checkFollows, EMPTY_HEAD } from "./check.ts";
import { JournalDamaged } from "./damage.ts";
import { checkMark, headMarkPath } from "./head-mark.ts";
import { JournalFile } from "./journal-file.ts";
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
  const engine = new Engine({ hashSeed: randomUint32(MACHINE) });
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

/** A journal's file, its end against the mark beside it. Throws `JournalUnreadable`. A node may be writing meanwhile. */
export async function verifyJournalFile(path: string): Promise<Verification> {
  const markPath = headMarkPath(path);
  const mark = existsSync(markPath) ? readFileSync(markPath) : Buffer.alloc(0);
  const file = JournalFile.openReadOnly(path);
  try {
    const found = await verifyJournal(file.read(1));
    return found.fault === null ? { ...found, fault: faultOfEnd(mark, file, found) } : found;
  } finally {
    file.close();
  }
}

function faultOfEnd(mark: Uint8Array, file: JournalFile, { rows, entries }: Verification): Fault | null {
  try {
    checkMark(mark, file);
    return null;
  } catch (error) {
    return { row: rows, seq: entries + 1, what: (error as Error).message };
  }
}
