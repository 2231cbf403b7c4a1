/** The candles held of one market and interval: oldest first, without gaps, bounded. */
import { type Candle, type Interval, PAGE_CANDLES } from "../market/port.ts";
import { nextOpenMs } from "./interval.ts";

/** What a chart may hold: more make browsers of phones slow, and some crash. */
export const CANDLES_MAX = 20_000;

/** `gap`: candles in between are missing, nothing was changed. `late`: older than the newest, nothing was changed. */
export type Added = "replaced" | "appended" | "gap" | "late";

export class CandleHistory {
  readonly #interval: Interval;
  #candles: Candle[] = [];
  #isWhole = false;

  constructor(interval: Interval) {
    this.#interval = interval;
  }

  get candles(): readonly Candle[] {
    return this.#candles;
  }

  /** The market has none before the first one held. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get isFull(): boolean {
    return this.#candles.length + PAGE_CANDLES > CANDLES_MAX;
  }

  /** More are held than may be: the oldest are to be dropped. */
  get isOver(): boolean {
    return this.#candles.length > CANDLES_MAX;
  }

  clear(): void {
    this.#candles = [];
    this.#isWhole = false;
  }

  /** A page that ends before the first candle held, oldest first; `isLast`: there is none before it. Gives how many are new. */
  addOlder(page: readonly Candle[], isLast: boolean): number {
    const first = this.#candles[0];
    const older = first === undefined ? page : page.filter((candle) => candle.openTimeMs < first.openTimeMs);
    this.#candles = [...older, ...this.#candles];
    // A page that brings nothing new would be asked for ever.
    this.#isWhole = isLast || older.length === 0;
    return older.length;
  }

  /** The newest page anew. What is older stays while the page begins with a candle that is held as it is. */
  renew(page: readonly Candle[], isLast: boolean): void {
    const first = page[0];
    const at = first === undefined ? -1 : candleIndexAt(this.#candles, first.openTimeMs);
    const held = this.#candles[at];
    const older = held !== undefined && first !== undefined && isSame(held, first) ? this.#candles.slice(0, at) : [];
    this.#candles = [...older, ...page];
    this.#isWhole = older.length > 0 ? this.#isWhole : isLast || page.length === 0;
  }

  /** The newest candle as it is now. */
  addNewest(candle: Candle): Added {
    const last = this.#candles.at(-1);
    if (last !== undefined && candle.openTimeMs < last.openTimeMs) return "late";
    if (last?.openTimeMs === candle.openTimeMs) {
      this.#candles[this.#candles.length - 1] = candle;
      return "replaced";
    }
    if (last !== undefined && candle.openTimeMs > nextOpenMs(last.openTimeMs, this.#interval)) return "gap";
    this.#candles.push(candle);
    return "appended";
  }

  /** Drops a block from the left. */
  dropOldest(): void {
    this.#candles = this.#candles.slice(PAGE_CANDLES);
    this.#isWhole = false;
  }
}

function isSame(one: Candle, other: Candle): boolean {
  return (Object.keys(one) as (keyof Candle)[]).every((field) => one[field] === other[field]);
}

/** The place of the candle that was open then; -1: it is before all. `candles` oldest first. */
export function candleIndexAt(candles: readonly { readonly openTimeMs: number }[], timeMs: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((candles[middle]?.openTimeMs ?? 0) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
