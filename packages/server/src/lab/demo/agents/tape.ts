/** The last prices of a symbol, second by second for an hour: what agents see of the past. */
import { SECOND_MS } from "@pricetime/engine";
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { readKept } from "../../../platform/world/read-kept.ts";

/** As far as an agent may look back, and one to begin with. */
const MOST = 3601;

const keptShape = z.strictObject({ lastMs: z.int().nullable(), prices: z.array(z.number().positive()).max(MOST) });

export class Tape implements Keeping {
  /** The second of the last price; null before the first. */
  #lastMs: number | null = null;
  /** A price for each second, the latest last. */
  #prices: number[] = [];

  constructor(kept?: KeptValue) {
    if (kept === undefined) return;
    const { lastMs, prices } = readKept("a tape", keptShape, kept);
    this.#lastMs = lastMs;
    this.#prices = prices;
  }

  kept(): KeptValue {
    return { lastMs: this.#lastMs, prices: this.#prices.slice(-MOST) };
  }

  /** `price` holds at `nowMs`; 0: nothing has traded. */
  note(price: number, nowMs: number): void {
    if (price === 0) return;
    const secondMs = nowMs - (nowMs % SECOND_MS);
    const seconds = this.#lastMs === null ? 1 : Math.min(MOST, (secondMs - this.#lastMs) / SECOND_MS);
    for (let missing = 0; missing < seconds; missing++) this.#prices.push(price);
    this.#prices[this.#prices.length - 1] = price;
    // Cut now and then only, for the sake of speed.
    if (this.#prices.length > 2 * MOST) this.#prices = this.#prices.slice(-MOST);
    this.#lastMs = secondMs;
  }

  /** The last price; 0: nothing has traded. */
  get last(): number {
    return this.#prices.at(-1) ?? 0;
  }

  /** The relative change over so long, or over what is known. */
  returnOver(ms: number): number {
    const last = this.#prices.at(-1);
    const first = this.#prices[this.#since(ms)];
    return last === undefined || first === undefined ? 0 : last / first - 1;
  }

  /** The highest price over so long; 0: nothing has traded. */
  high(ms: number): number {
    let most = 0;
    for (let at = this.#since(ms); at < this.#prices.length; at++) most = Math.max(most, this.#prices[at] ?? 0);
    return most;
  }

  /** The lowest price over so long; 0: nothing has traded. */
  low(ms: number): number {
    const from = this.#since(ms);
    let least = this.#prices[from] ?? 0;
    for (let at = from + 1; at < this.#prices.length; at++) least = Math.min(least, this.#prices[at] ?? least);
    return least;
  }

  /** The place of the first price of so long. */
  #since(ms: number): number {
    return Math.max(0, this.#prices.length - 1 - Math.round(ms / SECOND_MS));
  }
}
