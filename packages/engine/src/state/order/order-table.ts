/**
 * Open orders by id: a hash table in segments, found through a directory (extendible hashing). It grows one segment at
 * a time, because rebuilding one table of a million orders would stall the exchange. Ids are assigned in sequence, so
 * that neighbors are adjacent and the ids themselves serve as the hash; of composed ids, the symbol changes the bits of
 * the number, because the same numbers of all symbols would otherwise share a slot.
 *
 * Orders of two full rows can share all low bits of their row numbers, and of 2^32 ids only the low bits are used at
 * all. Such rows stay together in one segment, which grows, because otherwise the directory would have to double for
 * each bit until they differ.
 */
import { assert, present } from "../../assert.ts";
import { ORDER_NUMBERS } from "../../entry/order-id.ts";
import type { Order } from "./order.ts";

/**
 * Adjacent ids form a row, which is stored in one segment. Each id has its own slot, with a spare slot beside it for
 * collisions.
 */
const ROW_BITS = 8;
const ROW_MASK = (1 << ROW_BITS) - 1;
const FEWEST_SLOTS = 2 << ROW_BITS;
/** A segment is full when this share of its slots is used. It is then split in two, or grows. */
const FULL = 0.75;
/** The directory doubles only if it has this many orders for each entry. A segment contains 24 times as many. */
const FEWEST_FOR_ENTRY = 8;

class Segment {
  /** The number of bits of a row number that select this segment. */
  readonly depth: number;
  size = 0;
  private slots = emptySlots(FEWEST_SLOTS);
  /** The number of orders that makes the segment full. */
  private mostOrders = FEWEST_SLOTS * FULL;

  constructor(depth: number) {
    this.depth = depth;
  }

  get isFull(): boolean {
    return this.size >= this.mostOrders;
  }

  get(orderId: number): Order | undefined {
    const slots = this.slots;
    const mask = slots.length - 1;
    for (let slot = this.homeOf(orderId); ; slot = (slot + 1) & mask) {
      const order = slots[slot] as Order | null;
      if (order === null) return undefined;
      if (order.orderId === orderId) return order;
    }
  }

  add(order: Order): void {
    if (this.isFull) this.grow();
    this.put(order);
    this.size++;
  }

  /** Removes an order and closes the gap, because every search ends at the first empty slot. */
  remove(order: Order): void {
    const slots = this.slots;
    const mask = slots.length - 1;
    let gap = this.homeOf(order.orderId);
    for (; slots[gap] !== order; gap = (gap + 1) & mask)
      assert(slots[gap] !== null, "only an open order can be removed");
    for (let slot = (gap + 1) & mask; ; slot = (slot + 1) & mask) {
      const next = slots[slot] as Order | null;
      if (next === null) break;
      const wayHere = (slot - this.homeOf(next.orderId)) & mask;
      if (wayHere < ((slot - gap) & mask)) continue;
      slots[gap] = next;
      gap = slot;
    }
    slots[gap] = null;
    this.size--;
  }

  /** Puts an order in the place of the one with the same id. */
  replace(order: Order, by: Order): void {
    const slots = this.slots;
    const mask = slots.length - 1;
    let slot = this.homeOf(order.orderId);
    for (; slots[slot] !== order; slot = (slot + 1) & mask)
      assert(slots[slot] !== null, "only an open order can be replaced");
    slots[slot] = by;
  }

  /** Throws if an order cannot be found by its id, or the count is wrong. */
  check(): void {
    const orders = this.slots.filter((order) => order !== null);
    assert(orders.length === this.size, "a segment counts its orders");
    assert(this.mostOrders === this.slots.length * FULL, "a segment knows when it is full");
    for (const order of orders) assert(this.get(order.orderId) === order, "an open order is found in its segment");
  }

  /** Returns two segments with the orders whose next bit is 0 or 1. */
  split(): readonly [Segment, Segment] {
    const halves = [new Segment(this.depth + 1), new Segment(this.depth + 1)] as const;
    for (const order of this.slots) {
      if (order !== null) halves[(rowOf(order.orderId) >>> this.depth) & 1 ? 1 : 0].add(order);
    }
    return halves;
  }

  /**
   * Rows of one segment share their low bits, so the higher bits distinguish them if the segment has room for several
   * rows.
   */
  private homeOf(orderId: number): number {
    const hash = hashOf(orderId);
    const row = hash >>> ROW_BITS;
    return (((hash & ROW_MASK) << 1) | ((row >>> this.depth) << (ROW_BITS + 1))) & (this.slots.length - 1);
  }

  private put(order: Order): void {
    const slots = this.slots;
    const mask = slots.length - 1;
    let slot = this.homeOf(order.orderId);
    for (; slots[slot] !== null; slot = (slot + 1) & mask);
    slots[slot] = order;
  }

  private grow(): void {
    const orders = this.slots;
    this.slots = emptySlots(2 * orders.length);
    this.mostOrders = this.slots.length * FULL;
    for (const order of orders) if (order !== null) this.put(order);
  }
}

export class OrderTable {
  /** Segments by the last n bits of a row number, 2^n entries. A segment of smaller depth is in several entries. */
  private directory: Segment[] = [new Segment(0)];
  size = 0;

  /** The length of the directory depends on the number of orders, not on their ids. */
  get entryCount(): number {
    return this.directory.length;
  }

  get(orderId: number): Order | undefined {
    return this.segmentOf(orderId).get(orderId);
  }

  add(order: Order): void {
    let segment = this.segmentOf(order.orderId);
    while (segment.isFull && this.maySplit(segment)) {
      this.splitAt(order.orderId);
      segment = this.segmentOf(order.orderId);
    }
    segment.add(order);
    this.size++;
  }

  remove(order: Order): void {
    this.segmentOf(order.orderId).remove(order);
    this.size--;
  }

  replace(order: Order, by: Order): void {
    this.segmentOf(order.orderId).replace(order, by);
  }

  /** Throws if ids do not lead to their segments, or the count of orders is wrong. */
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

  private maySplit({ depth }: Segment): boolean {
    const entries = this.directory.length;
    return 2 ** depth < entries || entries * FEWEST_FOR_ENTRY <= this.size;
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

/** Multiplying by this number spreads neighboring symbols over all bits (Fibonacci hashing). */
const SPREAD = 0x9e3779b1;

/** 32 bits of an id, of which only their equality matters: the id itself, or its number changed by the symbol. */
function hashOf(orderId: number): number {
  return orderId < ORDER_NUMBERS ? orderId : orderId ^ Math.imul(Math.floor(orderId / ORDER_NUMBERS), SPREAD);
}

function rowOf(orderId: number): number {
  return hashOf(orderId) >>> ROW_BITS;
}

function emptySlots(count: number): (Order | null)[] {
  return Array.from({ length: count }, () => null);
}
