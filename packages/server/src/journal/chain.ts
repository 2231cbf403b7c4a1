/**
 * The hash chain: each row has a SHA-256 over the previous row's hash and all its own fields. All code that opens,
 * replays or verifies a journal checks rows with these functions.
 */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import {
  type Batch,
  EMPTY_HEAD,
  headAfter,
  JournalDamaged,
  type JournalHead,
  JournalRefused,
  type NewBatch,
} from "./port.ts";

/** The hash that the first row is chained to. */
export const GENESIS_CHAIN_HASH = EMPTY_HEAD.chainHash;

const NUMBER_BYTES = 8;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const CHARACTER_BYTES = 3;
const LOW_HALF = 2 ** 32;
/** A reused buffer, large enough to hash most rows. */
const SCRATCH = Buffer.allocUnsafeSlow(1 << 14);

/**
 * Returns 64 hex digits. Numbers take 8 bytes, and texts and bytes are preceded by their length, so different rows have
 * different input.
 */
export function chainHashOf(previousChainHash: string, batch: NewBatch): string {
  const { firstSeq, count, timeMs, node, priorEventDigest, bytes } = batch;
  const texts = CHARACTER_BYTES * (node.length + priorEventDigest.length);
  const most = previousChainHash.length / 2 + 6 * NUMBER_BYTES + texts + bytes.length;
  const row = most <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(most);
  const numbersAt = row.write(previousChainHash, "hex");
  const nodeAt = numbersAt + 6 * NUMBER_BYTES;
  const digestAt = writeText(row, node, nodeAt);
  const bytesAt = writeText(row, priorEventDigest, digestAt);
  let at = numbersAt;
  for (const number of [firstSeq, count, timeMs, digestAt - nodeAt, bytesAt - digestAt, bytes.length])
    at = writeNumber(row, number, at);
  row.set(bytes, bytesAt);
  // A single hash call costs half as much as several, and a lab hashes many small rows.
  return hash("sha256", row.subarray(0, bytesAt + bytes.length));
}

/** Writes a nonnegative safe integer in big-endian order. Writing two halves is twice as fast as using a BigInt. */
function writeNumber(row: Buffer, value: number, at: number): number {
  assert(Number.isSafeInteger(value) && value >= 0, "a row holds whole numbers");
  return row.writeUInt32BE(value % LOW_HALF, row.writeUInt32BE(Math.floor(value / LOW_HALF), at));
}

/**
 * Writes a text and returns its end. Nearly all texts are short ASCII, for which a loop costs less than calling
 * `write`.
 */
function writeText(row: Buffer, text: string, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return at + row.write(text, at);
    row[at + i] = code;
  }
  return at + text.length;
}

/** Adds the chain hash to a new row. Throws `JournalRefused` if the row does not follow the head. */
export function chainOn(head: JournalHead, batch: NewBatch): Batch {
  if (batch.firstSeq !== head.lastSeq + 1) {
    throw new JournalRefused(`entry ${batch.firstSeq} does not follow entry ${head.lastSeq}`);
  }
  if (!Number.isSafeInteger(batch.count) || batch.count < 1) throw new JournalRefused("a batch holds a command");
  if (!Number.isSafeInteger(batch.timeMs)) throw new JournalRefused("a time is in whole milliseconds");
  if (batch.timeMs < head.lastTimeMs) throw new JournalRefused("time does not go back");
  return { ...batch, chainHash: chainHashOf(head.chainHash, batch) };
}

/** The head after the row. Throws `JournalDamaged` unless the row follows `head`. */
export function checkFollows(head: JournalHead, batch: Batch): JournalHead {
  const seq = head.lastSeq + 1;
  if (!isRow(batch)) throw new JournalDamaged(seq, "a batch has invalid values");
  if (batch.firstSeq !== seq) throw new JournalDamaged(seq, `the next batch starts with entry ${batch.firstSeq}`);
  if (!Number.isSafeInteger(batch.count) || batch.count < 1) throw new JournalDamaged(seq, "a batch has no commands");
  if (batch.timeMs < head.lastTimeMs) throw new JournalDamaged(seq, "the time of a batch is before the previous one");
  if (batch.chainHash !== chainHashOf(head.chainHash, batch)) throw new JournalDamaged(seq, "the hash chain is broken");
  return headAfter(batch);
}

/** Yields rows read after `head` and checks each of them first. Throws `JournalDamaged`. */
export function* checkedAfter(head: JournalHead, rows: Iterable<Batch>): Generator<Batch> {
  let last = head;
  for (const row of rows) {
    last = checkFollows(last, row);
    yield row;
  }
}

/**
 * Checks the types of all values, because a flipped bit can change a value's type regardless of the table's
 * constraints.
 */
function isRow({ firstSeq, count, timeMs, node, bytes, priorEventDigest, chainHash }: Batch): boolean {
  const areNumbers = [firstSeq, count, timeMs].every((value) => Number.isSafeInteger(value) && value >= 0);
  const areTexts = [node, priorEventDigest, chainHash].every((value) => typeof value === "string");
  return areNumbers && areTexts && bytes instanceof Uint8Array;
}
