/** The rows that the store still holds, as far as this node knows them: how many, how large, whose. */
import type { LogRow } from "../../journal/port.ts";
import type { EtcdLimits } from "./limits.ts";

export interface TailRow {
  readonly number: number;
  readonly revision: number;
  readonly id: string;
  readonly node: string;
  /** Bytes that the row takes in the store. */
  readonly bytes: number;
  /** When this node first knew of it, by its steady clock. */
  readonly sinceMs: number;
}

/** What a row takes in the store beside its commands: key, counter, and their history. */
const OVERHEAD_BYTES = 512;
/** Rows of unknown size count as those that are known; where none is, so. */
const GUESSED_BYTES = 1024;

export class Tail {
  readonly #limits: Pick<EtcdLimits, "maxTailBytes">;
  /** The known rows, without gaps, in order. */
  #rows: TailRow[] = [];
  #knownBytes = 0;
  /** Rows up to here are removed; the last row of the log. */
  #trimmed = 0;
  #last = 0;
  #seen = 0;
  #seenBytes = 0;

  constructor(limits: Pick<EtcdLimits, "maxTailBytes">) {
    this.#limits = limits;
  }

  /** A row has come. */
  add({ place, id, node, bytes: { length } }: LogRow, nowMs: number): void {
    const { number, revision } = place;
    const bytes = length + OVERHEAD_BYTES;
    if (number <= (this.#rows.at(-1)?.number ?? this.#trimmed)) return;
    // After a gap, the rows before it are forgotten; only the store knows those in between.
    if (this.#rows.length > 0 && number !== this.#rows.at(-1)!.number + 1) this.#forget(this.#rows.length);
    this.#rows.push({ number, revision, id, node, bytes, sinceMs: nowMs });
    this.#knownBytes += bytes;
    this.#seen++;
    this.#seenBytes += bytes;
    this.#last = Math.max(this.#last, number);
  }

  /** Notes what the store says: the last row that was removed, and the last row. */
  observe(trimmed: number, last: number): void {
    this.#last = Math.max(this.#last, last);
    if (trimmed <= this.#trimmed) return;
    this.#trimmed = trimmed;
    this.#forget(this.upTo(trimmed).length);
  }

  /** Rows of before those that are known, read from the store: all there are, in order. */
  learn(rows: readonly TailRow[]): void {
    const first = this.#rows[0]?.number ?? Number.POSITIVE_INFINITY;
    const earlier = rows.filter(({ number }) => number < first && number > this.#trimmed);
    this.#rows = [...earlier, ...this.#rows];
    for (const { bytes } of earlier) this.#knownBytes += bytes;
  }

  /** Known rows, the oldest first. */
  get rows(): readonly TailRow[] {
    return this.#rows;
  }

  /** Whether the oldest row that the store holds is known, if there is any. */
  get reachesBack(): boolean {
    return (this.#rows[0]?.number ?? this.#last + 1) === this.#trimmed + 1;
  }

  get trimmed(): number {
    return this.#trimmed;
  }

  /** How many rows the store holds. */
  get count(): number {
    return this.#last - this.#trimmed;
  }

  /** Bytes that all rows take, estimated for those that are not known. */
  get bytes(): number {
    return this.#knownBytes + (this.count - this.#rows.length) * this.meanBytes;
  }

  get meanBytes(): number {
    return this.#seen === 0 ? GUESSED_BYTES : this.#seenBytes / this.#seen;
  }

  get isFull(): boolean {
    return this.bytes >= this.#limits.maxTailBytes;
  }

  /** Known rows up to this one. */
  upTo(number: number): readonly TailRow[] {
    const first = this.#rows[0]?.number ?? 0;
    return this.#rows.slice(0, Math.max(0, number - first + 1));
  }

  #forget(count: number): void {
    for (const { bytes } of this.#rows.splice(0, count)) this.#knownBytes -= bytes;
  }
}
