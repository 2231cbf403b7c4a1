/** Checks that a row follows the one before it: the same rules for all adapters, opening, replay and verification. */
import { chainHashOf } from "./chain.ts";
import { type Batch, headAfter, JournalDamaged, type JournalHead, JournalRefused, type NewBatch } from "./port.ts";

/** Returns the new row with its chain hash. Throws `JournalRefused` when it does not follow the head. */
export function chainOn(head: JournalHead, batch: NewBatch): Batch {
  if (batch.firstSeq !== head.lastSeq + 1) {
    throw new JournalRefused(`entry ${batch.firstSeq} does not follow entry ${head.lastSeq}`);
  }
  if (!Number.isSafeInteger(batch.count) || batch.count < 1) throw new JournalRefused("a batch holds a command");
  if (!Number.isSafeInteger(batch.timeMs)) throw new JournalRefused("a time is in whole milliseconds");
  if (batch.timeMs < head.lastTimeMs) throw new JournalRefused("time does not go back");
  return { ...batch, chainHash: chainHashOf(head.chainHash, batch) };
}

/** Returns the head after the row. Throws `JournalDamaged` unless the row follows `head`. */
export function checkFollows(head: JournalHead, batch: Batch): JournalHead {
  const seq = head.lastSeq + 1;
  if (!isRow(batch)) throw new JournalDamaged(seq, "a batch has invalid values");
  if (batch.firstSeq !== seq) throw new JournalDamaged(seq, `the next batch starts with entry ${batch.firstSeq}`);
  if (!Number.isSafeInteger(batch.count) || batch.count < 1) throw new JournalDamaged(seq, "a batch has no commands");
  if (batch.timeMs < head.lastTimeMs) throw new JournalDamaged(seq, "the time of a batch is before the previous one");
  if (batch.chainHash !== chainHashOf(head.chainHash, batch)) throw new JournalDamaged(seq, "the hash chain is broken");
  return headAfter(batch);
}

/** Yields rows read after `head`, each checked first. Throws `JournalDamaged`. */
export function* checkedAfter(head: JournalHead, rows: Iterable<Batch>): Generator<Batch> {
  let last = head;
  for (const row of rows) {
    last = checkFollows(last, row);
    yield row;
  }
}

/** A flipped bit can change a value's type, whatever the table allows. */
function isRow({ firstSeq, count, timeMs, node, bytes, priorEventDigest, chainHash }: Batch): boolean {
  const areNumbers = [firstSeq, count, timeMs].every((value) => Number.isSafeInteger(value) && value >= 0);
  const areTexts = [node, priorEventDigest, chainHash].every((value) => typeof value === "string");
  return areNumbers && areTexts && bytes instanceof Uint8Array;
}
