/** A set of numbers with random selection in constant time. */
import type { Dice } from "@pricetime/testkit/dice";

export class PickableSet {
  readonly #ids: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#ids.length;
  }
  has(id: number): boolean {
    return this.#places.has(id);
  }
  add(id: number): void {
    this.#places.set(id, this.#ids.length);
    this.#ids.push(id);
  }
  remove(id: number): void {
    const place = this.#places.get(id);
    const last = this.#ids.pop();
    if (place === undefined || last === undefined) throw new Error(`${id} is not in the set`);
    this.#places.delete(id);
    if (last === id) return;
    this.#ids[place] = last;
    this.#places.set(last, place);
  }
  pick(random: Dice): number {
    const id = random.pick(this.#ids);
    if (id === undefined) throw new Error("nothing to pick from");
    return id;
  }
}
