/**
 * The bots of all symbols, and the asset values that they share. The bots decide on actions, and the caller performs
 * them.
 */
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";
import { volumeFactor } from "./volatility.ts";
import { type DemoMarket, leastValue, usualOrder } from "../markets.ts";
import { Arrivals, Intentions, planSweep, planTake, type Sweep } from "./taker.ts";
import { AssetValues } from "./asset-values.ts";
import {
  type Action,
  type Conditions,
  type Grid,
  gridOf,
  type Job,
  type MarketControl,
  type Moves,
  type OpenQuote,
  type SymbolDriver,
  USUAL,
} from "./orders.ts";
import { DepthMaker, stepBack, stepForward } from "./depth-maker.ts";
import { inTheWay } from "./maker.ts";
import { NearMaker, type NearView } from "./near-maker.ts";
import { Random } from "./random.ts";
import { DEMO_ASSETS } from "../assets.ts";
import type { BotAccounts, SymbolAccounts } from "./bot-accounts.ts";

/** Corrects for random factors whose median is below their mean, so that a day reaches the market's stated volume. */
const BRISK = 1.2;
/** An account may send 10 orders a second; a second has at most two sweeps and seven steps. */
const ACCOUNT_PER_SECOND = 10;
const SWEEPS_PER_SECOND = 2;
const STEPS_PER_SECOND = 7;
/** Quotes follow the value when it has moved as far as it usually does in this time. */
const PATIENCE_MS = 600;
/** The probability that stale quotes are taken rather than canceled. */
const SWEEP_CHANCE = 0.25;
/** The minimum value of an order, as a multiple of the minimum in the filter. */
const ABOVE_MINIMUM = 1.2;
/** In a lab, a trade follows immediately when the value differs from its value at the last trade by this fraction. */
const SHOWN_MOVE = 0.0005;

export interface SymbolParts {
  readonly market: DemoMarket;
  readonly grid: Grid;
  /** The number of accounts for each job of the symbol's bots. */
  readonly accounts: Readonly<Record<Job, number>>;
  readonly values: AssetValues;
  readonly seed: number;
  /** The duration of one step in market time. */
  readonly stepMs: number;
  /** Control by a lab's user; undefined outside a lab. */
  readonly control?: MarketControl | undefined;
  /** The price impact of a lab's agents: a multiple of the symbol's value. */
  readonly priceImpact?: ((symbol: string) => number) | undefined;
  readonly saved: SavedState;
}

/** The bots' view of the market in one step. */
interface StepView {
  readonly conditions: Conditions;
  readonly isHeld: boolean;
  /** The price computed from the asset values and the impact of agents. */
  readonly usualPrice: number;
  /** The activity multiple: in busy times, orders are more frequent and larger, and volume is the product of both. */
  readonly pace: number;
}

const SAVED = z.strictObject({ hasTraded: z.boolean(), shownPrice: z.number() });

class SymbolBots implements SymbolDriver {
  readonly #parts: SymbolParts;
  readonly #near: NearMaker;
  readonly #depth: DepthMaker;
  readonly #takers: Random;
  readonly #arrivals: Arrivals;
  readonly #intentions: Intentions;
  /** The minimum and the average value of a taker order, in the quote asset. */
  readonly #minNotional: number;
  readonly #meanNotional: number;
  #hasTraded: boolean;
  /** The value at the last trade. */
  #shownPrice: number;

  constructor(parts: SymbolParts) {
    const { market, grid, seed, stepMs, accounts, values, saved } = parts;
    const { symbol, baseAsset, quoteAsset } = market.spec;
    const save = () => ({ hasTraded: this.#hasTraded, shownPrice: this.#shownPrice });
    const state = saved.restore(`bots of ${symbol}`, SAVED, save);
    this.#parts = parts;
    const startPrice = values.startPrice(baseAsset, quoteAsset);
    this.#near = new NearMaker({ market, grid, seed, stepMs, accounts, startPrice, saved });
    this.#depth = new DepthMaker(grid, seed, symbol, saved);
    this.#takers = new Random(seed, `takers of ${symbol}`, saved);
    const perStep = (market.ordersPerSecond * stepMs) / 1000;
    const most = Math.floor((ACCOUNT_PER_SECOND * accounts.taker - SWEEPS_PER_SECOND) / STEPS_PER_SECOND);
    const arrivals = { seed, name: `arrivals of ${symbol}`, perStep, most, stepMs, saved };
    this.#arrivals = new Arrivals(arrivals);
    this.#intentions = new Intentions(seed, `intentions of ${symbol}`, saved);
    this.#minNotional = ABOVE_MINIMUM * leastValue(market.spec);
    this.#meanNotional = usualOrder(market);
    this.#hasTraded = state?.hasTraded ?? false;
    this.#shownPrice = state?.shownPrice ?? 0;
  }

  get symbol(): string {
    return this.#parts.market.spec.symbol;
  }

  begin(lastPrice: number): void {
    this.#hasTraded = lastPrice > 0;
  }

  /** Runs a step. At intervals the makers adjust their quotes; then takers may trade. */
  *step(nowMs: number): Moves {
    const { values, control } = this.#parts;
    const usualPrice = this.#price;
    const asked = control?.conditions(this.symbol, usualPrice, nowMs);
    const isHeld = asked !== undefined;
    const conditions = asked ?? { ...USUAL, price: usualPrice, valuedAt: usualPrice };
    const view = { conditions, isHeld, usualPrice, pace: BRISK * Math.sqrt(volumeFactor(nowMs)) * values.mood };
    const count = this.#arrivals.next(view.pace, conditions.tradeRate);
    const isShown = !isHeld || this.#isShown(conditions.price);
    if (this.#near.isDue(conditions, isHeld)) {
      yield* this.#mend(view);
      this.#near.looked();
    }
    const isOwed = this.#near.takeOwed() || !this.#hasTraded || !isShown;
    const actions = this.#trade(isOwed ? Math.max(1, count) : count, view);
    if (actions.length > 0) yield { type: "act", actions };
  }

  /** Adjusts the quotes to the value. Stale quotes are swept or canceled before new ones are placed. */
  *#mend({ conditions, isHeld, usualPrice, pace }: StepView): Moves {
    const { values, market } = this.#parts;
    const { baseAsset, quoteAsset } = market.spec;
    const [bids = [], asks = []] = yield { type: "look", jobs: ["bids", "asks"] };
    const patience = values.deviation(baseAsset, quoteAsset, PATIENCE_MS) * values.activity;
    const view: NearView = { conditions, isHeld, bids, asks, patience };
    this.#near.see(view);
    const { isEaten: wasEaten, isAnew } = this.#near;
    const baseWorth = values.price(baseAsset, "USDT") * (conditions.price / usualPrice);
    const far = yield* this.#depth.plan({ conditions, baseWorth, wasEaten, isAnew });
    const sweep = this.#sweep(view, pace);
    if (sweep !== null) yield { type: "act", actions: [{ type: "take", order: sweep.order }] };
    const sizes = { meanNotional: this.#meanNotional, minNotional: this.#minNotionalAt(conditions) };
    const bidPlan = this.#near.plan("BUY", view, sizes);
    const askPlan = this.#near.plan("SELL", view, sizes);
    const standing = (orderId: number): boolean => sweep?.taken.has(orderId) !== true;
    // All cancels precede all new orders, so that the makers do not trade with each other.
    const back = [
      ...bidPlan.cancel.filter(standing).map((orderId): Action => ({ type: "cancel", job: "bids", orderId })),
      ...askPlan.cancel.filter(standing).map((orderId): Action => ({ type: "cancel", job: "asks", orderId })),
      ...stepBack(far),
    ];
    if (back.length > 0) yield { type: "act", actions: back };
    const forward = [
      ...bidPlan.place.map((quote): Action => ({ type: "quote", job: "bids", side: "BUY", quote })),
      ...askPlan.place.map((quote): Action => ({ type: "quote", job: "asks", side: "SELL", quote })),
      ...stepForward(far),
    ];
    if (forward.length > 0) yield { type: "act", actions: forward };
  }

  #sweep({ conditions, bids, asks }: NearView, pace: number): Sweep | null {
    const { grid } = this.#parts;
    const { bid, ask } = this.#near.top;
    const ways = [inTheWay(bids, { grid, side: "BUY", best: bid }), inTheWay(asks, { grid, side: "SELL", best: ask })];
    if (!this.#takers.chance(SWEEP_CHANCE) || !this.#hasTraded) return null;
    const stale: readonly OpenQuote[] = ways.find((way) => way.length > 0) ?? [];
    const sweep = planSweep(stale, { grid, ...this.#sizes(conditions, pace) }, this.#takers);
    if (sweep !== null) this.#arrivals.excite(1, conditions.tradeRate);
    return sweep;
  }

  #trade(count: number, { conditions, pace }: StepView): Action[] {
    if (count === 0) return [];
    const { grid } = this.#parts;
    const { bid, ask } = this.#near.top;
    const sizes = this.#sizes(conditions, pace);
    const isFirstTrade = !this.#hasTraded;
    this.#hasTraded = true;
    this.#shownPrice = conditions.price;
    return Array.from({ length: count }, () => {
      const side = this.#intentions.next();
      const view = { grid, side, opposite: side === "BUY" ? ask : bid, ...sizes, isFirstTrade };
      return { type: "take", order: planTake(view, this.#takers) };
    });
  }

  #isShown(price: number): boolean {
    return price <= this.#shownPrice * (1 + SHOWN_MOVE) && price >= this.#shownPrice * (1 - SHOWN_MOVE);
  }

  get #price(): number {
    const { values, market, priceImpact } = this.#parts;
    const { symbol, baseAsset, quoteAsset } = market.spec;
    return values.price(baseAsset, quoteAsset) * (priceImpact?.(symbol) ?? 1);
  }

  #minNotionalAt({ price, valuedAt }: Conditions): number {
    return (price / valuedAt) * this.#minNotional;
  }

  #sizes(conditions: Conditions, pace: number): Record<"midPrice" | "meanNotional" | "minNotional", number> {
    const minNotional = this.#minNotionalAt(conditions);
    return { midPrice: conditions.price, meanNotional: this.#meanNotional * pace, minNotional };
  }
}

/** The duration of one step in market time. */
export const STEP_MS = 250;

export interface TradersParts {
  readonly accounts: BotAccounts;
  /** The markets that are currently listed. */
  readonly markets: readonly DemoMarket[];
  readonly seed: number;
  /** Control by a lab's user; undefined outside a lab. */
  readonly control?: MarketControl | undefined;
  /** The price impact of agents as a multiple of a symbol's value; undefined outside a lab. */
  readonly priceImpact?: ((symbol: string) => number) | undefined;
}

/** A symbol that bots trade. */
export interface TradedSymbol {
  readonly market: DemoMarket;
  readonly grid: Grid;
  readonly accounts: SymbolAccounts;
  readonly driver: SymbolDriver;
}

export class Traders {
  readonly symbols: readonly TradedSymbol[];
  readonly #values: AssetValues;

  /** Symbols whose filters define no tick or no step get no bots. */
  constructor({ accounts, markets, seed, control, priceImpact }: TradersParts, saved: SavedState) {
    const traded = markets.flatMap((market) => {
      const [grid, own] = [gridOf(market.spec), accounts.get(market.spec.symbol)];
      return grid === null || own === undefined ? [] : [{ market, grid, accounts: own }];
    });
    const values = new AssetValues(walkingAssets(traded), seed, STEP_MS, saved);
    this.#values = values;
    this.symbols = traded.map((one) => {
      const { market, grid } = one;
      control?.drives(market.spec.symbol, "bots");
      const { bids, asks, depth, taker } = one.accounts;
      const counts = { bids: bids.length, asks: asks.length, depth: depth.length, taker: taker.length };
      const parts = { market, grid, accounts: counts, values, seed, stepMs: STEP_MS, control, priceImpact, saved };
      return { ...one, driver: new SymbolBots(parts) };
    });
  }

  /** Returns the standard deviation of the logarithm of a symbol's price over `ms` of average activity. */
  deviation({ spec }: DemoMarket, ms: number): number {
    return this.#values.deviation(spec.baseAsset, spec.quoteAsset, ms);
  }

  /** Begins a step by moving the asset values. */
  step(nowMs: number): void {
    this.#values.step(nowMs);
  }

  /**
   * Continues from last prices, in the order of `symbols`; 0 means that nothing has traded. USDT has the value 1, and
   * each market determines the value of one more asset.
   */
  begin(lastPrices: readonly number[]): void {
    const known = new Set(["USDT"]);
    for (const [index, { market, driver }] of this.symbols.entries()) {
      const { baseAsset, quoteAsset } = market.spec;
      const price = lastPrices[index] ?? 0;
      driver.begin(price);
      const unknown = [baseAsset, quoteAsset].filter((asset) => !known.has(asset));
      const [asset] = unknown;
      if (price === 0 || asset === undefined || unknown.length > 1) continue;
      this.#values.anchor(asset, baseAsset, quoteAsset, price);
      known.add(asset);
    }
  }
}

/**
 * Returns the assets of these markets and USDT, or all of the demo's assets if no markets are given. The random walk of
 * each asset does not depend on the number of other assets.
 */
export function walkingAssets(
  markets?: readonly { readonly market: DemoMarket }[],
): ConstructorParameters<typeof AssetValues>[0] {
  const wanted = new Set(markets?.flatMap(({ market: { spec } }) => [spec.baseAsset, spec.quoteAsset, "USDT"]));
  return DEMO_ASSETS.filter(({ spec }) => markets === undefined || wanted.has(spec.asset)).map(
    ({ spec, ...asset }) => ({
      asset: spec.asset,
      ...asset,
    }),
  );
}
