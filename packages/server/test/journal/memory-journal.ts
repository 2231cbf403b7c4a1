/** An in-memory journal for tests, which fulfills the same contract without persistence. */
import { chainOn, checkedAfter } from "../../src/journal/chain.ts";
import {
  type Batch,
  EMPTY_HEAD,
  headAfter,
  type Journal,
  type JournalHead,
  type JournalPlace,
  type JournalReader,
  type LogPlace,
  type NewBatch,
} from "../../src/journal/port.ts";

export class MemoryJournal implements Journal {
  readonly #batches: Batch[] = [];
  #current = EMPTY_HEAD;
  #place: JournalPlace | null = null;

  async head(): Promise<JournalHead> {
    return this.#current;
  }

  async append(batch: NewBatch, place?: LogPlace): Promise<JournalHead> {
    const chained = chainOn(this.#current, { ...batch, bytes: batch.bytes.slice() });
    this.#batches.push(chained);
    this.#current = headAfter(chained);
    if (place !== undefined) this.#place = { ...place, seq: this.#current.lastSeq };
    return this.#current;
  }

  async *read(fromSeq: number): AsyncIterable<Batch> {
    yield* this.#rows(fromSeq);
  }

  /** A reader like that of a journal on disk. */
  reader(): JournalReader {
    return {
      head: () => this.#current,
      place: () => this.#place,
      headAt: (seq) =>
        [EMPTY_HEAD, ...this.#batches.map((batch) => headAfter(batch))].find(({ lastSeq }) => lastSeq === seq),
      read: (fromSeq) => this.#rows(fromSeq),
      after: (head) => checkedAfter(head, this.#rows(head.lastSeq + 1)),
      checkEnd: () => {},
      close: () => {},
    };
  }

  async close(): Promise<void> {}

  *#rows(fromSeq: number): Generator<Batch> {
    for (const batch of this.#batches) {
      if (batch.firstSeq + batch.count > fromSeq) yield batch;
    }
  }
}
