/** The view of a symbol for its agents: best prices, recent prices, and the price impact of agents and users. */
import { DAY_MS, type EngineView, type MarketView, SECOND_MS } from "@pricetime/engine";
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";
import { savedCount } from "../../../platform/world/saved-state.ts";
import { RETURN_MS } from "../bots/asset-values.ts";
import { exp, whole } from "../exact.ts";
import assert from "node:assert/strict";
import { type Grid, gridOf } from "../bots/orders.ts";
import { OrderCommands } from "../bots/direct-senders.ts";
import { type DemoMarket, leastValue, usualOrder } from "../markets.ts";

// The price impact of agents and users on a symbol's value. Makers cannot know why a taker trades, so quotes follow
// takers and revert over time: the impact of an order decays with one over the square root of the time since. The
// impact of an order that is worked at a constant rate therefore grows with the square root of its size. An order that
// is sent at once has no larger impact: each component is limited to that of a sustained flow. News that an agent made
// public does not decay in this way.

/** The impact is a sum of exponentially decaying components; each decays four times as slowly as the one before. */
const PARTS = 9;
const SHORTEST_MS = 2_000;
const RATIO = 4;
/**
 * The weight of each component is this factor divided by the root of its time constant. The sum of the exponentials
 * then approximates one over the square root: ln 4 / sqrt(pi).
 */
const WEIGHT = 0.7821441;
/**
 * The strength of the impact: an order worked at a tenth of the usual volume moves the price by the standard deviation
 * of a day, times the square root of its share of the daily volume: 1 / (2 * sqrt(0.1)).
 */
const STRENGTH = 1.5811388;
/** The share of the usual volume that limits the impact. */
const MOST_FLOW = 0.2;
/** The maximum impact, as a logarithm of the price. */
const FARTHEST = 0.5;
const FARTHEST_EXPONENT = 600;
/** A millionth of a basis point; a smaller impact is set to 0. */
const LEAST = 1e-10;

const MEMORIES_MS = Array.from({ length: PARTS }, (_, index) => {
  let memoryMs = SHORTEST_MS;
  for (let times = 0; times < index; times++) memoryMs *= RATIO;
  return memoryMs;
});

const SAVED_IMPACT = z.strictObject({
  parts: z.array(z.number()).length(PARTS),
  /** The impact of public news, which decays as slowly as asset values revert to their start. */
  news: z.number(),
  atMs: savedCount,
});

export interface LeanParts {
  readonly nowMs: number;
  /** The usual daily volume, in the quote asset. */
  readonly dailyVolume: number;
  /** The standard deviation of the logarithm of the price over a day. */
  readonly dailyDeviation: number;
  readonly symbol: string;
  readonly saved: SavedState;
}

class PriceImpact {
  readonly #parts: number[];
  /** The amount that an order of a day's volume adds to each component. */
  readonly #kicks: readonly number[];
  /** The maximum value of each component. */
  readonly #most: readonly number[];
  readonly #dailyVolume: number;
  #news: number;
  #atMs: number;

  constructor({ nowMs, dailyVolume, dailyDeviation, symbol, saved }: LeanParts) {
    const state = saved.restore(`lean of ${symbol}`, SAVED_IMPACT, () => {
      return { parts: [...this.#parts], news: this.#news, atMs: this.#atMs };
    });
    this.#parts = state?.parts ?? MEMORIES_MS.map(() => 0);
    this.#news = state?.news ?? 0;
    this.#atMs = state?.atMs ?? nowMs;
    this.#dailyVolume = dailyVolume;
    this.#kicks = MEMORIES_MS.map((ms) => (WEIGHT * STRENGTH * dailyDeviation) / Math.sqrt(ms / DAY_MS));
    this.#most = this.#kicks.map((kick, index) => (kick * MOST_FLOW * (MEMORIES_MS[index] ?? 0)) / DAY_MS);
  }

  /** The multiple by which the impact changes the symbol's value. */
  get factor(): number {
    const sum = this.#parts.reduce((total, part) => total + part, this.#news);
    return sum === 0 ? 1 : exp(Math.max(-FARTHEST, Math.min(FARTHEST, sum)));
  }

  /** Records that a taker traded this amount in the quote asset; negative for sells. */
  take(quote: number): void {
    for (const [index, kick] of this.#kicks.entries()) {
      const most = this.#most[index] ?? 0;
      const part = (this.#parts[index] ?? 0) + (kick * quote) / this.#dailyVolume;
      this.#parts[index] = Math.max(-most, Math.min(most, part));
    }
  }

  /** Adds public news: the logarithm of the change in value. */
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

/** Returns the rest of `part` after this many time constants; negligible rests become 0. */
function fadedBy(part: number, times: number): number {
  if (part === 0) return 0;
  const left = part * exp(-Math.min(FARTHEST_EXPONENT, times));
  return Math.abs(left) < LEAST ? 0 : left;
}

// The last price of a symbol for each second of an hour.

/** The maximum number of prices: the longest lookback of an agent in seconds, and one more price to start from. */
const MOST = 3601;

const SAVED_TAPE = z.strictObject({ lastMs: z.int().nullable(), prices: z.array(z.number().positive()).max(MOST) });

export class Tape {
  /** The second of the last price; null before the first price. */
  #lastMs: number | null;
  /** The price in each second, oldest first. */
  #prices: number[];

  constructor(symbol: string, saved: SavedState) {
    const state = saved.restore(`tape of ${symbol}`, SAVED_TAPE, () => {
      return { lastMs: this.#lastMs, prices: this.#prices.slice(-MOST) };
    });
    this.#lastMs = state?.lastMs ?? null;
    this.#prices = state?.prices ?? [];
  }

  /** Records `price` at `nowMs`. A price of 0 means that nothing has traded. */
  note(price: number, nowMs: number): void {
    if (price === 0) return;
    const secondMs = nowMs - (nowMs % SECOND_MS);
    const seconds = this.#lastMs === null ? 1 : Math.min(MOST, (secondMs - this.#lastMs) / SECOND_MS);
    for (let missing = 0; missing < seconds; missing++) this.#prices.push(price);
    this.#prices[this.#prices.length - 1] = price;
    // The prices are trimmed only occasionally, for speed.
    if (this.#prices.length > 2 * MOST) this.#prices = this.#prices.slice(-MOST);
    this.#lastMs = secondMs;
  }

  /** Returns the last price; 0 if nothing has traded. */
  get last(): number {
    return this.#prices.at(-1) ?? 0;
  }

  /** The relative price change over the last `ms`, or over all recorded prices if they cover less. */
  returnOver(ms: number): number {
    const last = this.#prices.at(-1);
    const first = this.#prices[this.#since(ms)];
    return last === undefined || first === undefined ? 0 : last / first - 1;
  }

  /** Returns the highest price of the last `ms`; 0 if nothing has traded. */
  high(ms: number): number {
    let most = 0;
    for (let at = this.#since(ms); at < this.#prices.length; at++) most = Math.max(most, this.#prices[at] ?? 0);
    return most;
  }

  /** Returns the lowest price of the last `ms`; 0 if nothing has traded. */
  low(ms: number): number {
    const from = this.#since(ms);
    let least = this.#prices[from] ?? 0;
    for (let at = from + 1; at < this.#prices.length; at++) least = Math.min(least, this.#prices[at] ?? least);
    return least;
  }

  /** Returns the index of the first price of the last `ms`. */
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
  readonly priceImpact: PriceImpact;
  readonly dailyVolume: number;
  /** The average taker order and the minimum notional of the symbol, in the quote asset. */
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
    this.priceImpact = new PriceImpact({ nowMs, dailyVolume, dailyDeviation, symbol, saved });
    this.dailyVolume = dailyVolume;
    this.orderQuote = usualOrder(demo);
    this.minNotional = leastValue(spec);
  }

  step(nowMs: number): void {
    const { lastTradeTicks, scale } = this.market;
    this.tape.note(lastTradeTicks / whole(10, scale.priceDecimals), nowMs);
    this.priceImpact.step(nowMs);
  }

  /** The best prices; undefined while a side is empty. */
  get best(): Best | undefined {
    const [bid] = this.market.bestLevel("BUY");
    const [ask] = this.market.bestLevel("SELL");
    const { tick } = this.commands;
    return bid === 0 || ask === 0 ? undefined : { bid: bid / tick, ask: ask / tick };
  }
}
