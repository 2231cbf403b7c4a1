/**
 * The batches that are still in the store, as far as this node knows them (number, size, author), and which of them may
 * be removed.
 */
import type { LogRow } from "../../journal/port.ts";
import type { EtcdLimits } from "./endpoint.ts";

export interface TailRow {
  readonly number: number;
  readonly revision: number;
  readonly id: string;
  readonly node: string;
  /** Number of bytes that the batch occupies in the store. */
  readonly bytes: number;
  /** When this node first learned of the batch (monotonic). */
  readonly sinceMs: number;
}

/** Overhead of a batch in the store in bytes: key, counter, and their history. */
const OVERHEAD_BYTES = 512;
/** The assumed size of a batch if none is known. */
const GUESSED_BYTES = 1024;

export class Tail {
  readonly #limits: Pick<EtcdLimits, "maxTailBytes">;
  /** Known batches, without gaps, in order. */
  #rows: TailRow[] = [];
  #knownBytes = 0;
  /** The numbers of the last removed batch and of the last batch of the log. */
  #trimmed = 0;
  #last = 0;
  #seen = 0;
  #seenBytes = 0;

  constructor(limits: Pick<EtcdLimits, "maxTailBytes">) {
    this.#limits = limits;
  }

  /** Adds a received batch. */
  add({ place, id, node, bytes: { length } }: LogRow, nowMs: number): void {
    const { number, revision } = place;
    const bytes = length + OVERHEAD_BYTES;
    if (number <= (this.#rows.at(-1)?.number ?? this.#trimmed)) return;
    // After a gap, drop the earlier batches: this node does not know the batches in between, and only the store has
    // them.
    if (this.#rows.length > 0 && number !== this.#rows.at(-1)!.number + 1) this.#forget(this.#rows.length);
    this.#rows.push({ number, revision, id, node, bytes, sinceMs: nowMs });
    this.#knownBytes += bytes;
    this.#seen++;
    this.#seenBytes += bytes;
    this.#last = Math.max(this.#last, number);
  }

  /** Records the last removed batch and the last batch, as reported by the store. */
  observe(trimmed: number, last: number): void {
    this.#last = Math.max(this.#last, last);
    if (trimmed <= this.#trimmed) return;
    this.#trimmed = trimmed;
    this.#forget(this.upTo(trimmed).length);
  }

  /** Adds batches before the known ones. `rows` must be all of them, in order, as read from the store. */
  learn(rows: readonly TailRow[]): void {
    const first = this.#rows[0]?.number ?? Number.POSITIVE_INFINITY;
    const earlier = rows.filter(({ number }) => number < first && number > this.#trimmed);
    this.#rows = [...earlier, ...this.#rows];
    for (const { bytes } of earlier) this.#knownBytes += bytes;
  }

  /** Known batches, oldest first. */
  get rows(): readonly TailRow[] {
    return this.#rows;
  }

  /** Whether the oldest batch in the store is known. True if the store has none. */
  get reachesBack(): boolean {
    return (this.#rows[0]?.number ?? this.#last + 1) === this.#trimmed + 1;
  }

  get trimmed(): number {
    return this.#trimmed;
  }

  /** Number of batches in the store. */
  get count(): number {
    return this.#last - this.#trimmed;
  }

  /** Number of bytes of all batches. The size of unknown ones is estimated. */
  get bytes(): number {
    return this.#knownBytes + (this.count - this.#rows.length) * this.meanBytes;
  }

  get meanBytes(): number {
    return this.#seen === 0 ? GUESSED_BYTES : this.#seenBytes / this.#seen;
  }

  get isFull(): boolean {
    return this.bytes >= this.#limits.maxTailBytes;
  }

  /** Known batches up to and including this one. */
  upTo(number: number): readonly TailRow[] {
    const first = this.#rows[0]?.number ?? 0;
    return this.#rows.slice(0, Math.max(0, number - first + 1));
  }

  #forget(count: number): void {
    for (const { bytes } of this.#rows.splice(0, count)) this.#knownBytes -= bytes;
  }
}

/** A node as seen from its published position. */
export interface SeenNode {
  readonly node: string;
  /** The number of the last batch that is durable in the node's journal. */
  readonly number: number;
  /** Time since the node's position last changed. */
  readonly silentMs: number;
}

export interface TrimInput {
  readonly nodes: readonly SeenNode[];
  /** The known batches in the store, oldest first. */
  readonly rows: readonly TailRow[];
  /** The number of the last removed batch. */
  readonly trimmed: number;
  readonly tailBytes: number;
  readonly nowMs: number;
  /** Number of live nodes that must have a batch before it may be removed. */
  readonly mirrors: number;
  readonly limits: Pick<EtcdLimits, "liveMs" | "awayPatienceMs" | "authorPatienceMs" | "maxTailBytes">;
}

/**
 * The last batch that may be removed. A batch stays in the store
 * - until `mirrors` live nodes have it;
 * - until nodes that lag or are down have it, for a limited time and while the tail is less than half full;
 * - until its author has it, because an author that has not seen its batch come back may still be submitting it. This
 *   wait is limited, because all nodes skip a duplicate batch by its number.
 */
export function trimBound(input: TrimInput): number {
  const { nodes, rows, trimmed, tailBytes, nowMs, mirrors, limits } = input;
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
