/** An in-memory journal that can be slow, fail, and fail after writing. */
import { MemoryJournal } from "../memory-journal.ts";
import { type JournalHead, JournalRefused, type LogPlace, type NewBatch } from "../../../src/journal/port.ts";

/** `nothing written`: certainly. */
export type Fault = "before writing" | "after writing" | "nothing written";

export class FaultyJournal extends MemoryJournal {
  /** Faults of the next appends, in order; undefined: none. */
  readonly faults: (Fault | undefined)[] = [];
  readonly appended: NewBatch[] = [];
  /** `head` fails this many times. */
  deafHeads = 0;
  /** Appends wait for it. */
  gate: Promise<void> = Promise.resolve();

  override async head(): Promise<JournalHead> {
    if (this.deafHeads-- > 0) throw new Error("no head today");
    return super.head();
  }

  override async append(batch: NewBatch, place?: LogPlace): Promise<JournalHead> {
    const fault = this.faults.shift();
    this.appended.push(batch);
    await this.gate;
    if (fault === "before writing") throw new Error("the disk is full");
    if (fault === "nothing written") throw new JournalRefused("the disk is full");
    const head = await super.append(batch, place);
    if (fault === "after writing") throw new Error("the line is dead");
    return head;
  }
}
