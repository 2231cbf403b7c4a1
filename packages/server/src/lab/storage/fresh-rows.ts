/** Journal rows in memory, in packed form. If they were objects, many rows would slow down garbage collection. */
import assert from "node:assert/strict";
import { type Batch, headAfter } from "../../journal/port.ts";

/** The expected size of a row; a pack with larger rows grows. */
const USUAL_ROW_BYTES = 256;

/** Consecutive rows: their texts and commands in sequence in `bytes`, and the offsets. */
class Pack {
  readonly #firstSeqs: Float64Array;
  readonly #counts: Uint32Array;
  readonly #times: Float64Array;
  readonly #nodes: string[] = [];
  readonly #digestEnds: Uint32Array;
  readonly #hashEnds: Uint32Array;
  readonly #ends: Uint32Array;
  #bytes: Buffer;
  length = 0;

  constructor(rows: number) {
    this.#firstSeqs = new Float64Array(rows);
    this.#counts = new Uint32Array(rows);
    this.#times = new Float64Array(rows);
    this.#digestEnds = new Uint32Array(rows);
    this.#hashEnds = new Uint32Array(rows);
    this.#ends = new Uint32Array(rows);
    this.#bytes = Buffer.allocUnsafeSlow(rows * USUAL_ROW_BYTES);
  }

  get isFull(): boolean {
    return this.length === this.#firstSeqs.length;
  }

  push({ firstSeq, count, timeMs, node, bytes, priorEventDigest, chainHash }: Batch): void {
    const index = this.length++;
    const start = this.#startOf(index);
    this.#makeRoom(start + priorEventDigest.length + chainHash.length + bytes.length);
    const digestEnd = start + this.#bytes.write(priorEventDigest, start, "latin1");
    const hashEnd = digestEnd + this.#bytes.write(chainHash, digestEnd, "latin1");
    this.#bytes.set(bytes, hashEnd);
    this.#firstSeqs[index] = firstSeq;
    this.#counts[index] = count;
    this.#times[index] = timeMs;
    this.#nodes[index] = node;
    this.#digestEnds[index] = digestEnd;
    this.#hashEnds[index] = hashEnd;
    this.#ends[index] = hashEnd + bytes.length;
  }

  at(index: number): Batch {
    const digestEnd = this.#digestEnds[index] as number;
    const hashEnd = this.#hashEnds[index] as number;
    return {
      firstSeq: this.firstSeqOf(index),
      count: this.#counts[index] as number,
      timeMs: this.#times[index] as number,
      node: this.#nodes[index] as string,
      // The bytes are copied, because the row may outlive the pack.
      bytes: new Uint8Array(this.#bytes.subarray(hashEnd, this.#ends[index])),
      priorEventDigest: this.#bytes.toString("latin1", this.#startOf(index), digestEnd),
      chainHash: this.#bytes.toString("latin1", digestEnd, hashEnd),
    };
  }

  firstSeqOf(index: number): number {
    return this.#firstSeqs[index] as number;
  }

  /** Returns the size of a row's commands. */
  sizeOf(index: number): number {
    return (this.#ends[index] as number) - (this.#hashEnds[index] as number);
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] as number);
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * bytes);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}

/** Returns the memory attributed to a row whose commands have this size. */
export type SizeOfRow = (commandBytes: number) => number;

export class FreshRows {
  readonly #rowsAPack: number;
  readonly #sizeOf: SizeOfRow;
  /** All packs but the last are full. */
  #packs: Pack[] = [];
  /** The pack that was dropped last. It is reused, because memory outside the heap is freed late. */
  #spare: Pack | undefined;
  #bytes = 0;

  constructor(rowsAPack: number, sizeOf: SizeOfRow) {
    this.#rowsAPack = rowsAPack;
    this.#sizeOf = sizeOf;
  }

  /** The memory attributed to all rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The first entry of the oldest row; undefined without rows. */
  get firstSeq(): number | undefined {
    return this.#packs[0]?.firstSeqOf(0);
  }

  push(row: Batch): void {
    let last = this.#packs.at(-1);
    if (last === undefined || last.isFull) {
      last = this.#spare ?? new Pack(this.#rowsAPack);
      this.#spare = undefined;
      this.#packs.push(last);
    }
    last.push(row);
    this.#bytes += this.#sizeOf(row.bytes.length);
  }

  /** Returns the row that contains the entry; undefined if there is none. */
  find(seq: number): Batch | undefined {
    const pack = this.#packs[lastWhere(this.#packs.length, (index) => this.#firstSeqOf(index) <= seq)];
    if (pack === undefined) return undefined;
    const row = pack.at(lastWhere(pack.length, (index) => pack.firstSeqOf(index) <= seq));
    return seq <= headAfter(row).lastSeq ? row : undefined;
  }

  /** Returns the rows of the oldest pack. */
  oldest(): Batch[] {
    const [pack] = this.#packs;
    return pack === undefined ? [] : Array.from({ length: pack.length }, (_, index) => pack.at(index));
  }

  dropOldest(): void {
    const pack = this.#packs.shift();
    assert(pack !== undefined, "there are rows");
    this.#bytes -= this.#bytesFrom(pack, 0);
    pack.length = 0;
    this.#spare = pack;
  }

  /** Drops all rows that begin after entry `seq`. */
  cutAfter(seq: number): void {
    for (let last = this.#packs.at(-1); last !== undefined; last = this.#packs.at(-1)) {
      const pack = last;
      const keeps = lastWhere(pack.length, (index) => pack.firstSeqOf(index) <= seq) + 1;
      this.#bytes -= this.#bytesFrom(pack, keeps);
      pack.length = keeps;
      if (keeps > 0) return;
      this.#packs.pop();
    }
  }

  clear(): void {
    this.#packs = [];
    this.#bytes = 0;
  }

  #firstSeqOf(pack: number): number {
    return (this.#packs[pack] as Pack).firstSeqOf(0);
  }

  #bytesFrom(pack: Pack, from: number): number {
    let bytes = 0;
    for (let index = from; index < pack.length; index++) bytes += this.#sizeOf(pack.sizeOf(index));
    return bytes;
  }
}

/**
 * Returns the last of `length` indices for which `holds` is true, or -1. `holds` must be true for all indices before
 * that one.
 */
function lastWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  for (let high = length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
