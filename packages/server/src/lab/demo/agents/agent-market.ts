/** A symbol as its agents see it: its best prices, its last prices, and how far their trades have moved its value. */
import { DAY_MS, type EngineView, type MarketView, SECOND_MS } from "@pricetime/engine";
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";
import { savedCount } from "../../../platform/world/saved-state.ts";
import { RETURN_MS } from "../bots/asset-values.ts";
import { exp, whole } from "../exact.ts";
import assert from "node:assert/strict";
import { type Grid, gridOf } from "../bots/orders.ts";
import { OrderCommands } from "../bots/direct-desks.ts";
import { type DemoMarket, usualOrder } from "../markets.ts";

// How far the trades of agents and users have moved a symbol's value. Makers cannot tell why a taker trades, so
// quotes follow takers, and return as time passes: the effect of an order fades with one over the square root of
// the time since. An order that is worked at a constant rate so moves the price with the square root of its size.
// One that is sent at once does no more: no part of the effect exceeds that of a lasting flow. News that an agent
// made public stays.

/** The answer is a sum of parts that fade each in a time of its own, four times as long as the one before. */
const PARTS = 9;
const SHORTEST_MS = 2_000;
const RATIO = 4;
/** The sum of exponentials of such times is near one over the square root with these weights: ln 4 / sqrt(pi), each over the root of its time. */
const WEIGHT = 0.7821441;
/**
 * An order that is worked at a tenth of the usual volume moves the price by the deviation of a day, times the square
 * root of its part of a day's volume: 1 / (2 * sqrt(0.1)).
 */
const STRENGTH = 1.5811388;
/** The flow, as a part of the usual volume, of which the answer is bounded. */
const MOST_FLOW = 0.2;
/** No logarithm beyond, whatever agents do. */
const FARTHEST = 0.5;
const FARTHEST_EXPONENT = 600;
/** A millionth of a basis point. */
const LEAST = 1e-10;

const MEMORIES_MS = Array.from({ length: PARTS }, (_, index) => {
  let memoryMs = SHORTEST_MS;
  for (let times = 0; times < index; times++) memoryMs *= RATIO;
  return memoryMs;
});

const SAVED_LEAN = z.strictObject({
  parts: z.array(z.number()).length(PARTS),
  /** Forgotten as slowly as walks go back to where they began. */
  news: z.number(),
  atMs: savedCount,
});

export interface LeanParts {
  readonly nowMs: number;
  /** What is usually traded in a day, in the quote asset. */
  readonly dailyVolume: number;
  /** The standard deviation of the logarithm of the price over a day. */
  readonly dailyDeviation: number;
  readonly symbol: string;
  readonly saved: SavedState;
}

class Lean {
  readonly #parts: number[];
  /** What an order of a day's volume adds to each part. */
  readonly #kicks: readonly number[];
  /** How far each part goes. */
  readonly #most: readonly number[];
  readonly #dailyVolume: number;
  #news: number;
  #atMs: number;

  constructor({ nowMs, dailyVolume, dailyDeviation, symbol, saved }: LeanParts) {
    const state = saved.restore(`lean of ${symbol}`, SAVED_LEAN, () => {
      return { parts: [...this.#parts], news: this.#news, atMs: this.#atMs };
    });
    this.#parts = state?.parts ?? MEMORIES_MS.map(() => 0);
    this.#news = state?.news ?? 0;
    this.#atMs = state?.atMs ?? nowMs;
    this.#dailyVolume = dailyVolume;
    this.#kicks = MEMORIES_MS.map((ms) => (WEIGHT * STRENGTH * dailyDeviation) / Math.sqrt(ms / DAY_MS));
    this.#most = this.#kicks.map((kick, index) => (kick * MOST_FLOW * (MEMORIES_MS[index] ?? 0)) / DAY_MS);
  }

  /** The multiple of the value that would be without them. */
  get factor(): number {
    const sum = this.#parts.reduce((total, part) => total + part, this.#news);
    return sum === 0 ? 1 : exp(Math.max(-FARTHEST, Math.min(FARTHEST, sum)));
  }

  /** Somebody took so much of the quote asset; sellers are below 0. */
  take(quote: number): void {
    for (const [index, kick] of this.#kicks.entries()) {
      const most = this.#most[index] ?? 0;
      const part = (this.#parts[index] ?? 0) + (kick * quote) / this.#dailyVolume;
      this.#parts[index] = Math.max(-most, Math.min(most, part));
    }
  }

  /** A logarithm. */
  tell(news: number): void {
    this.#news += news;
  }

  step(nowMs: number): void {
    const sinceMs = nowMs - this.#atMs;
    this.#atMs = nowMs;
    if (sinceMs <= 0) return;
    this.#news = fadedBy(this.#news, sinceMs / RETURN_MS);
    for (const [index, memoryMs] of MEMORIES_MS.entries()) {
      this.#parts[index] = fadedBy(this.#parts[index] ?? 0, sinceMs / memoryMs);
    }
  }
}

/** What is left of `part` after so many times of its memory; what is too small to tell is gone. */
function fadedBy(part: number, times: number): number {
  if (part === 0) return 0;
  const left = part * exp(-Math.min(FARTHEST_EXPONENT, times));
  return Math.abs(left) < LEAST ? 0 : left;
}

// The last prices of a symbol, second by second for an hour.

/** As far as an agent may look back, and one to begin with. */
const MOST = 3601;

const SAVED_TAPE = z.strictObject({ lastMs: z.int().nullable(), prices: z.array(z.number().positive()).max(MOST) });

export class Tape {
  /** The second of the last price; null before the first. */
  #lastMs: number | null;
  /** A price for each second, the latest last. */
  #prices: number[];

  constructor(symbol: string, saved: SavedState) {
    const state = saved.restore(`tape of ${symbol}`, SAVED_TAPE, () => {
      return { lastMs: this.#lastMs, prices: this.#prices.slice(-MOST) };
    });
    this.#lastMs = state?.lastMs ?? null;
    this.#prices = state?.prices ?? [];
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

/** The best prices, in ticks of the grid. */
export interface Best {
  readonly bid: number;
  readonly ask: number;
}

export class AgentMarket {
  readonly market: MarketView;
  readonly grid: Grid;
  readonly commands: OrderCommands;
  readonly tape: Tape;
  readonly lean: Lean;
  readonly dailyVolume: number;
  /** An average taker's order, and the least that the symbol takes, in the quote asset. */
  readonly orderQuote: number;
  readonly minNotional: number;

  constructor(view: EngineView, demo: DemoMarket, dailyDeviation: number, nowMs: number, saved: SavedState) {
    const { spec, dailyVolume } = demo;
    const { symbol } = spec;
    const [market, grid] = [view.marketBySymbol(symbol), gridOf(spec)];
    assert(market !== undefined && grid !== null, "agents trade where bots do");
    this.market = market;
    this.grid = grid;
    this.commands = new OrderCommands(market, grid);
    this.tape = new Tape(symbol, saved);
    this.lean = new Lean({ nowMs, dailyVolume, dailyDeviation, symbol, saved });
    this.dailyVolume = dailyVolume;
    this.orderQuote = usualOrder(demo);
    this.minNotional = Number(spec.filters.minNotional?.minNotional ?? 0);
  }

  /** Time goes on. */
  step(nowMs: number): void {
    const { lastTradeTicks, scale } = this.market;
    this.tape.note(lastTradeTicks / whole(10, scale.priceDecimals), nowMs);
    this.lean.step(nowMs);
  }

  /** The best prices in ticks of the grid; undefined while a side is empty. */
  get best(): Best | undefined {
    const [bid] = this.market.bestLevel("BUY");
    const [ask] = this.market.bestLevel("SELL");
    const { tick } = this.commands;
    return bid === 0 || ask === 0 ? undefined : { bid: bid / tick, ask: ask / tick };
  }
}
