/**
 * Open orders by id: a hash table in segments, found through a directory (extendible hashing). It grows one segment at
 * a time: rebuilding one table of a million orders would stop the exchange. Ids are given in sequence, so neighbours
 * lie side by side and the ids themselves serve as the hash.
 */
import { assert, present } from "../../assert.ts";
import type { Order } from "./order.ts";

/** Ids in a row share a segment, each with a slot of its own and a spare one beside it for collisions. */
const ROW_BITS = 8;
const SLOTS = 2 << ROW_BITS;
const SLOT_MASK = SLOTS - 1;
/** Beyond this many orders a segment is split in two. */
const MAX_IN_SEGMENT = SLOTS * 0.75;

class Segment {
  /** How many bits of a row's number select this segment. */
  readonly depth: number;
  size = 0;
  private readonly slots: (Order | null)[] = Array.from({ length: SLOTS }, () => null);

  constructor(depth: number) {
    this.depth = depth;
  }

  get(orderId: number): Order | undefined {
    const slots = this.slots;
    for (let slot = homeOf(orderId); ; slot = (slot + 1) & SLOT_MASK) {
      const order = slots[slot] as Order | null;
      if (order === null) return undefined;
      if (order.orderId === orderId) return order;
    }
  }

  add(order: Order): void {
    let slot = homeOf(order.orderId);
    for (; this.slots[slot] !== null; slot = (slot + 1) & SLOT_MASK);
    this.slots[slot] = order;
    this.size++;
  }

  /** Removes an order and closes the gap that it leaves: every search ends at the first empty slot. */
  remove(order: Order): void {
    const slots = this.slots;
    let gap = homeOf(order.orderId);
    for (; slots[gap] !== order; gap = (gap + 1) & SLOT_MASK)
      assert(slots[gap] !== null, "only an open order can be removed");
    for (let slot = (gap + 1) & SLOT_MASK; ; slot = (slot + 1) & SLOT_MASK) {
      const next = slots[slot] as Order | null;
      if (next === null) break;
      const wayHere = (slot - homeOf(next.orderId)) & SLOT_MASK;
      if (wayHere < ((slot - gap) & SLOT_MASK)) continue;
      slots[gap] = next;
      gap = slot;
    }
    slots[gap] = null;
    this.size--;
  }

  /** Throws when an order is not found by its id, or the orders are not counted. */
  check(): void {
    const orders = this.slots.filter((order) => order !== null);
    assert(orders.length === this.size, "a segment counts its orders");
    for (const order of orders) assert(this.get(order.orderId) === order, "an open order is found in its segment");
  }

  /** Two segments, each with the orders whose next bit is 0 or 1. */
  split(): readonly [Segment, Segment] {
    const halves = [new Segment(this.depth + 1), new Segment(this.depth + 1)] as const;
    for (const order of this.slots) {
      if (order !== null) halves[(rowOf(order.orderId) >>> this.depth) & 1 ? 1 : 0].add(order);
    }
    return halves;
  }
}

export class OrderTable {
  /** Indexed by the last n bits of a row's number, 2^n entries; a segment of less depth stands in several entries. */
  private directory: Segment[] = [new Segment(0)];
  size = 0;

  get(orderId: number): Order | undefined {
    return this.segmentOf(orderId).get(orderId);
  }

  add(order: Order): void {
    while (this.segmentOf(order.orderId).size >= MAX_IN_SEGMENT) this.splitAt(order.orderId);
    this.segmentOf(order.orderId).add(order);
    this.size++;
  }

  remove(order: Order): void {
    this.segmentOf(order.orderId).remove(order);
    this.size--;
  }

  /** Throws when a segment is not where ids lead, or the orders are not counted. */
  check(): void {
    const { directory } = this;
    let size = 0;
    for (const segment of new Set(directory)) {
      segment.check();
      const first = directory.indexOf(segment);
      const isFound = directory.every((at, place) => (at === segment) === (place % 2 ** segment.depth === first));
      assert(isFound && 2 ** segment.depth <= directory.length, "a segment stands where its depth says");
      size += segment.size;
    }
    assert(size === this.size, "open orders are counted");
  }

  private segmentOf(orderId: number): Segment {
    return this.directory[rowOf(orderId) & (this.directory.length - 1)] as Segment;
  }

  private splitAt(orderId: number): void {
    const segment = this.segmentOf(orderId);
    if (2 ** segment.depth === this.directory.length) this.directory = [...this.directory, ...this.directory];
    const halves = segment.split();
    const { depth } = segment;
    const first = rowOf(orderId) & ((1 << depth) - 1);
    for (let place = first; place < this.directory.length; place += 1 << depth) {
      this.directory[place] = present(halves[(place >>> depth) & 1], "a bit is 0 or 1");
    }
  }
}

function rowOf(orderId: number): number {
  return orderId >>> ROW_BITS;
}

function homeOf(orderId: number): number {
  return (orderId << 1) & SLOT_MASK;
}
