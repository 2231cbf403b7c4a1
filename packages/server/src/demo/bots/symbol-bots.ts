/** The bots of one symbol: they look, decide and act, step by step. */
import { volumeFactor } from "../day-shape.ts";
import type { DemoMarket } from "../markets.ts";
import { Allowance } from "./allowance.ts";
import { Arrivals } from "./arrivals.ts";
import type { AssetValues } from "./asset-values.ts";
import { DepthMaker } from "./depth-maker.ts";
import type { OpenQuote, Side } from "./orders.ts";
import type { Desks } from "./desks.ts";
import { cellsOf, type Grid } from "./grid.ts";
import { Intentions } from "./intentions.ts";
import { ladderOf, NEAR_LEVELS } from "./ladder.ts";
import { inTheWay, planQuotes } from "./maker.ts";
import { Random } from "./random.ts";
import { planSweep, planTake, type Sweep } from "./taker.ts";
import { TopOfBook } from "./top-of-book.ts";

const DAY_S = 86_400;
/** Corrects for varying factors, whose median is below their mean: so a day reaches the market's stated volume. */
const BRISK = 1.2;
/** Corrects the average order: the largest draws are cut, and some orders find less than they want. */
const CUT = 1.3;
/** With this many quotes of a side gone between two looks, somebody has gone all in. */
const MUCH = 6;
/** The longest interval between makers' looks while a side is being filled, in steps. */
const FILLING_STEPS = 4;
/** What a side holds within 10 bps of its best price, as a part of a day's volume. */
const DEPTH_PART = 0.004;
/** The quotes follow when the value has moved as far as it usually does in this time. */
const PATIENCE_MS = 600;
/** How often quotes in the price's way are taken rather than taken back. */
const SWEEP_CHANCE = 0.6;
/** The least value of an order, as a multiple of the filter's least. */
const ABOVE_MINIMUM = 1.2;

export interface SymbolDesks {
  readonly bids: Desks;
  readonly asks: Desks;
  /** The accounts that quote both sides far from the mid. */
  readonly depth: Desks;
  readonly taker: Desks;
}

export interface SymbolParts {
  readonly market: DemoMarket;
  readonly grid: Grid;
  readonly desks: SymbolDesks;
  readonly values: AssetValues;
  readonly seed: number;
  /** The market time of one step. */
  readonly stepMs: number;
}

export class SymbolBots {
  readonly #parts: SymbolParts;
  readonly #ladder: readonly number[];
  readonly #depth: DepthMaker;
  readonly #makers: Random;
  readonly #takers: Random;
  readonly #top: TopOfBook;
  readonly #arrivals: Arrivals;
  readonly #intentions: Intentions;
  readonly #allowances: Readonly<Record<Side, Allowance>>;
  #hasTraded = false;
  /** A side has fewer near quotes than it should. */
  #isFilling = true;
  /** The quotes that stood after the last look. */
  #left: Readonly<Record<Side, number>> = { BUY: 0, SELL: 0 };
  /** Somebody has taken much of a side; until there is a trade again, the last price is far from the value. */
  #isEaten = false;
  #wasEaten = false;
  /** Steps since the last look; the first look is at once. */
  #sinceLook = Number.MAX_SAFE_INTEGER - 1;

  constructor(parts: SymbolParts) {
    const { market, grid, desks, seed, stepMs } = parts;
    const { symbol } = market.spec;
    this.#parts = parts;
    this.#ladder = ladderOf(grid, this.#midPrice);
    this.#depth = new DepthMaker(desks.depth, grid, seed, symbol);
    this.#makers = new Random(seed, `makers of ${symbol}`);
    this.#takers = new Random(seed, `takers of ${symbol}`);
    this.#top = new TopOfBook(new Random(seed, `spread of ${symbol}`));
    const perStep = (market.ordersPerSecond * stepMs) / 1000;
    const arrivals = new Random(seed, `arrivals of ${symbol}`);
    this.#arrivals = new Arrivals(arrivals, perStep, desks.taker.size, stepMs);
    const lookMs = market.makerSteps * stepMs;
    this.#allowances = {
      BUY: new Allowance(desks.bids.size, lookMs),
      SELL: new Allowance(desks.asks.size, lookMs),
    };
    this.#intentions = new Intentions(new Random(seed, `intentions of ${symbol}`));
  }

  /** Returns the last price; 0 when there was no trade yet. */
  async lastPrice(): Promise<number> {
    const price = await this.#parts.desks.taker.lastPrice();
    this.#hasTraded = price > 0;
    return price;
  }

  /** Runs one step: now and then the makers mend their quotes, then perhaps somebody trades. Refusals are retried. */
  async step(nowMs: number): Promise<void> {
    const { market } = this.#parts;
    const count = this.#arrivals.next(this.#pace(nowMs));
    const patience = this.#isFilling ? Math.min(FILLING_STEPS, market.makerSteps) : market.makerSteps;
    if (++this.#sinceLook >= patience) {
      await this.#mend(nowMs);
      this.#sinceLook = 0;
    }
    const isOwed = !this.#hasTraded || (this.#wasEaten && !this.#isEaten);
    if (!this.#isEaten) this.#wasEaten = false;
    await this.#trade(isOwed ? Math.max(1, count) : count, nowMs);
  }

  get #midPrice(): number {
    const { values, market } = this.#parts;
    return values.price(market.spec.baseAsset, market.spec.quoteAsset);
  }

  get #minNotional(): number {
    return ABOVE_MINIMUM * Number(this.#parts.market.spec.filters.minNotional?.minNotional ?? 0);
  }

  /** Makes the quotes follow the value. Quotes in its way are swept or taken back before new ones step forward. */
  async #mend(nowMs: number): Promise<void> {
    const { desks, values, market } = this.#parts;
    const midPrice = this.#midPrice;
    const top = this.#follow(midPrice);
    const [openBids, openAsks] = await Promise.all([desks.bids.open(), desks.asks.open()]);
    this.#isFilling = Math.min(openBids.length, openAsks.length) < NEAR_LEVELS;
    this.#isEaten = this.#isMuchGone("BUY", openBids) || this.#isMuchGone("SELL", openAsks);
    this.#wasEaten ||= this.#isEaten;
    const far = await this.#depth.plan(midPrice, values.price(market.spec.baseAsset, "USDT"), this.#isEaten);
    const taken = await this.#sweep(openBids, openAsks, nowMs);
    const bids = this.#plan("BUY", top.bid, openBids);
    const asks = this.#plan("SELL", top.ask, openAsks);
    const standing = (orderId: number): boolean => !taken.has(orderId);
    this.#left = {
      BUY: openBids.length - bids.cancel.length + bids.place.length,
      SELL: openAsks.length - asks.cancel.length + asks.place.length,
    };
    // All take back before anybody places, so that the makers do not trade with each other.
    await Promise.all([
      ...bids.cancel.filter(standing).map((orderId) => desks.bids.cancel(orderId)),
      ...asks.cancel.filter(standing).map((orderId) => desks.asks.cancel(orderId)),
      this.#depth.stepBack(far),
    ]);
    await Promise.all([
      ...bids.place.map((quote) => desks.bids.quote("BUY", quote)),
      ...asks.place.map((quote) => desks.asks.quote("SELL", quote)),
      this.#depth.stepForward(far),
    ]);
  }

  /** Whether more is gone than takers take between two looks. */
  #isMuchGone(side: Side, open: readonly OpenQuote[]): boolean {
    return open.length === 0 || open.length <= this.#left[side] - MUCH;
  }

  #follow(midPrice: number): { readonly bid: number; readonly ask: number } {
    const { grid, market, values } = this.#parts;
    const { baseAsset, quoteAsset } = market.spec;
    const value = cellsOf(grid, midPrice);
    const patience = value * values.deviation(baseAsset, quoteAsset, PATIENCE_MS) * values.activity;
    return this.#top.follow(value, patience, (value * market.spreadBps) / 10_000);
  }

  #plan(side: Side, best: number, open: readonly OpenQuote[]): ReturnType<typeof planQuotes> {
    const { grid, market } = this.#parts;
    const phase = open.length === 0 ? "first" : open.length < NEAR_LEVELS ? "filling" : "standing";
    const allowance = this.#allowances[side];
    const sinceMs = this.#sinceLook * this.#parts.stepMs;
    const depth = market.dailyVolume * DEPTH_PART;
    const prices = { grid, ladder: this.#ladder, side, best, midPrice: this.#midPrice };
    const sizes = { depth, meanNotional: this.#meanNotional, minNotional: this.#minNotional };
    const plan = planQuotes({ ...prices, ...sizes, open, maxPlaced: allowance.most(phase, sinceMs) }, this.#makers);
    allowance.use(plan.place.length);
    return plan;
  }

  /** Returns the orders that are gone as a result. */
  async #sweep(bids: readonly OpenQuote[], asks: readonly OpenQuote[], nowMs: number): Promise<Sweep["taken"]> {
    const { grid, desks } = this.#parts;
    const { bid, ask } = this.#top.top;
    const ways = [inTheWay(bids, { grid, side: "BUY", best: bid }), inTheWay(asks, { grid, side: "SELL", best: ask })];
    const nothing = new Set<number>();
    if (!this.#takers.chance(SWEEP_CHANCE) || !this.#hasTraded) return nothing;
    const stale = ways.find((way) => way.length > 0) ?? [];
    const sweep = planSweep(stale, { grid, ...this.#sizes(nowMs) }, this.#takers);
    if (sweep === null) return nothing;
    this.#arrivals.excite(1);
    await desks.taker.take(sweep.order);
    return sweep.taken;
  }

  async #trade(count: number, nowMs: number): Promise<void> {
    const { grid, desks } = this.#parts;
    const { bid, ask } = this.#top.top;
    const sizes = this.#sizes(nowMs);
    const orders = Array.from({ length: count }, () => {
      const side = this.#intentions.next();
      const view = { grid, side, opposite: side === "BUY" ? ask : bid, ...sizes, isFirstTrade: !this.#hasTraded };
      return planTake(view, this.#takers);
    });
    if (count > 0) this.#hasTraded = true;
    await Promise.all(orders.map((order) => desks.taker.take(order)));
  }

  #sizes(nowMs: number): { readonly midPrice: number; readonly meanNotional: number; readonly minNotional: number } {
    const meanNotional = this.#meanNotional * this.#pace(nowMs);
    return { midPrice: this.#midPrice, meanNotional, minNotional: this.#minNotional };
  }

  /** The average value of a taker's order, in the quote asset. */
  get #meanNotional(): number {
    const { dailyVolume, ordersPerSecond } = this.#parts.market;
    return (CUT * dailyVolume) / DAY_S / ordersPerSecond;
  }

  /** A busy time has more orders and larger ones: volume is the product. */
  #pace(nowMs: number): number {
    return BRISK * Math.sqrt(volumeFactor(nowMs)) * this.#parts.values.mood;
  }
}
