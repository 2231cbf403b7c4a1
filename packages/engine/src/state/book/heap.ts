/**
 * A binary heap whose items can be removed and moved from any place, in a time that grows with the logarithm of their
 * number.
 */
import { assert, present } from "../../assert.ts";

export class Heap<T extends object> {
  private items: T[] = [];
  private places = new Map<T, number>();
  private readonly isBefore: (item: T, other: T) => boolean;

  /** The first item is before all others. Call `move` if its place may have changed. */
  constructor(isBefore: (item: T, other: T) => boolean) {
    this.isBefore = isBefore;
  }

  get size(): number {
    return this.items.length;
  }

  first(): T | undefined {
    return this.items[0];
  }

  has(item: T): boolean {
    return this.places.has(item);
  }

  add(item: T): void {
    assert(!this.places.has(item), "an item is added once");
    this.items.push(item);
    this.rise(item, this.items.length - 1);
  }

  remove(item: T): void {
    const at = this.placeOf(item);
    this.places.delete(item);
    const last = this.items.pop() as T;
    if (last === item) return;
    this.rise(last, at);
    this.sink(last, this.placeOf(last));
  }

  /** Finds the place of an item again that has changed. */
  move(item: T): void {
    this.rise(item, this.placeOf(item));
    this.sink(item, this.placeOf(item));
  }

  /** Takes the items of another heap with the same order, which is empty afterwards. Moves those of the smaller one. */
  absorb(other: Heap<T>): void {
    if (other.size > this.size) {
      [this.items, other.items] = [other.items, this.items];
      [this.places, other.places] = [other.places, this.places];
    }
    for (const item of other.items) this.add(item);
    other.items = [];
    other.places = new Map();
  }

  /** Throws if an item is before another one above it, or is not found. */
  check(): void {
    assert(this.places.size === this.items.length, "the items of a heap are counted");
    for (const [at, item] of this.items.entries()) {
      assert(this.places.get(item) === at, "an item is found");
      const above = this.items[(at - 1) >> 1];
      assert(above === undefined || !this.isBefore(item, above), "no item is before one above it");
    }
  }

  private placeOf(item: T): number {
    return present(this.places.get(item), "the heap has the item");
  }

  private rise(item: T, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = this.items[parent] as T;
      if (!this.isBefore(item, above)) break;
      this.put(above, at);
      at = parent;
    }
    this.put(item, at);
  }

  private sink(item: T, from: number): void {
    const { items } = this;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.isBefore(items[child + 1] as T, items[child] as T)) child++;
      const below = items[child] as T;
      if (!this.isBefore(below, item)) break;
      this.put(below, at);
      at = child;
    }
    this.put(item, at);
  }

  private put(item: T, at: number): void {
    this.items[at] = item;
    this.places.set(item, at);
  }
}
