/**
 * The rows that the store still holds, as far as this node has seen them (how many, how large, whose), and up to which
 * row they may be removed.
 */
import type { LogRow } from "../../journal/port.ts";
import type { EtcdLimits } from "./endpoint.ts";

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

/** A node as its position shows it. */
export interface SeenNode {
  readonly node: string;
  /** The last row that its own journal holds durably. */
  readonly number: number;
  /** Time since the node's position last changed. */
  readonly silentMs: number;
}

export interface TrimQuestion {
  readonly nodes: readonly SeenNode[];
  /** The rows that are there, the oldest first. */
  readonly rows: readonly TailRow[];
  /** The last row that was removed before. */
  readonly trimmed: number;
  readonly tailBytes: number;
  readonly nowMs: number;
  /** How many nodes that live must hold a row before it may go. */
  readonly mirrors: number;
  readonly limits: Pick<EtcdLimits, "liveMs" | "awayPatienceMs" | "authorPatienceMs" | "maxTailBytes">;
}

/**
 * Returns the last row that may go. A row stays
 * - until `mirrors` living nodes hold it;
 * - for a node that lags or is away, as long as the tail is less than half full, and not for ever;
 * - until its author holds it, since one that has not seen its batch come back may still be submitting it. That is
 *   waited for only so long: a batch that comes twice is skipped by all nodes alike, by its number.
 */
export function trimBound(question: TrimQuestion): number {
  const { nodes, rows, trimmed, tailBytes, nowMs, mirrors, limits } = question;
  const living = nodes.filter(({ silentMs }) => silentMs < limits.liveMs);
  const held = living.map(({ number }) => number).toSorted((a, b) => b - a)[mirrors - 1];
  if (held === undefined) return trimmed;
  const waitsForAll = tailBytes < limits.maxTailBytes / 2;
  const awaited = waitsForAll ? nodes.filter(({ silentMs }) => silentMs < limits.awayPatienceMs) : [];
  const wanted = Math.min(held, ...awaited.map(({ number }) => number));
  const holds = new Map(nodes.map(({ node, number }) => [node, number]));
  for (const { number, node, sinceMs } of rows) {
    if (number > wanted) break;
    const isSeen = (holds.get(node) ?? 0) >= number;
    if (!isSeen && nowMs - sinceMs < limits.authorPatienceMs) return Math.max(trimmed, number - 1);
  }
  return Math.max(trimmed, wanted);
}
