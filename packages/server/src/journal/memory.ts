/** A journal in memory, for tests: same contract, nothing survives. */
import { chainOn, EMPTY_HEAD, headAfter } from "./check.ts";
import type { Batch, Journal, JournalHead, NewBatch } from "./port.ts";

export class MemoryJournal implements Journal {
  private readonly batches: Batch[] = [];
  private current = EMPTY_HEAD;

  async head(): Promise<JournalHead> {
    return this.current;
  }

  async append(batch: NewBatch): Promise<JournalHead> {
    const chained = chainOn(this.current, { ...batch, bytes: batch.bytes.slice() });
    this.batches.push(chained);
    this.current = headAfter(chained);
    return this.current;
  }

  async *read(fromSeq: number): AsyncIterable<Batch> {
    for (const batch of this.batches) {
      if (batch.firstSeq + batch.count > fromSeq) yield batch;
    }
  }

  async close(): Promise<void> {}
}
