/**
 * Keeps the quotes of one symbol near its value: at intervals, its makers cancel misplaced quotes and place new ones.
 */
import { z } from "zod";
import type { SavedState } from "../../../platform/world/port.ts";
import { Random } from "./random.ts";
import type { DemoMarket } from "../markets.ts";
import { Allowance } from "./bot-accounts.ts";
import { cellsOf, type Conditions, type Grid, type OpenQuote, type Side } from "./orders.ts";
import { type Ladder, ladderOf, type MakerPlan, planQuotes } from "./maker.ts";

// The makers' best bid and ask. They follow the value, except for small moves.

/** The probability that a spread is wider than necessary, the tail exponent of the extra ticks, and their maximum. */
const WIDE_CHANCE = 0.15;
const WIDE_TAIL = 1.2;
const WIDEST = 12;

/** The best prices in multiples of the tick. */
interface Top {
  readonly bid: number;
  readonly ask: number;
}

/** The wanted spread between bid and ask. */
export interface SpreadTerms {
  /** The usual spread, in ticks. */
  readonly usual: number;
  /** The factor by which the usual spread is multiplied. */
  readonly times: number;
  /** The minimum spread, in ticks. */
  readonly least: number;
}

const SAVED_TOP = z.strictObject({
  mid: z.number().nullable(),
  top: z.strictObject({ bid: z.number(), ask: z.number() }),
});

export class TopOfBook {
  readonly #random: Random;
  #mid: number | undefined;
  #top: Top;

  constructor(seed: number, name: string, saved: SavedState) {
    const state = saved.restore(name, SAVED_TOP, () => ({ mid: this.#mid ?? null, top: { ...this.#top } }));
    this.#random = new Random(seed, name, saved);
    this.#mid = state?.mid ?? undefined;
    this.#top = state?.top ?? { bid: 0, ask: 0 };
  }

  get top(): Top {
    return this.#top;
  }

  /** Makes the next `follow` move the quotes even if the value has hardly changed. */
  forget(): void {
    this.#mid = undefined;
  }

  /**
   * Returns the best prices for this value. `value` and `patience` are in ticks; the quotes stay while the value moves
   * less than `patience`.
   */
  follow(value: number, patience: number, { usual, times, least }: SpreadTerms): Top {
    const spread = Math.max(usual * times, least);
    // A wide spread does not need to follow each step, and no quotes follow a move within a tick.
    const enough = Math.max(patience, spread / 3, 0.75);
    if (this.#mid !== undefined && Math.abs(value - this.#mid) <= enough) return this.#top;
    this.#mid = value;
    const wide = this.#random.chance(WIDE_CHANCE) ? Math.min(WIDEST, Math.floor(this.#random.pareto(WIDE_TAIL))) : 0;
    // The spread is not widened if a tick is a large part of `patience`.
    const drawn = Math.max(1, Math.round(usual)) + (patience > 4 ? wide : 0);
    const ticks = Math.max(1, Math.round(drawn * times), Math.round(least));
    const bid = Math.max(1, Math.floor(value - (ticks - 1) / 2));
    this.#top = { bid, ask: bid + ticks };
    return this.#top;
  }
}

/**
 * A taker has emptied a side if this many of its quotes, plus one for each small bin, have disappeared between two
 * rounds.
 */
const MUCH = 6;
/** The maximum number of steps between rounds while a side is being filled. */
const FILLING_STEPS = 4;
/** The value of a side within 10 bps of its best price, as a fraction of the daily volume. */
const DEPTH_PART = 0.004;
/** The ladder is recomputed when the price has changed by this factor, which rarely happens in a demo. */
const LADDER_REACH = 1.4;
/** A price change of this fraction between two rounds moves all quotes; the book is thickest up to this distance. */
const LEAP = 0.001;

export interface NearParts {
  readonly market: DemoMarket;
  readonly grid: Grid;
  readonly seed: number;
  /** The duration of one step in market time. */
  readonly stepMs: number;
  /** The number of accounts per side. */
  readonly accounts: Readonly<Record<"bids" | "asks", number>>;
  /** The price at which the demo begins. */
  readonly startPrice: number;
  readonly saved: SavedState;
}

/** The makers' view of the market in a round. */
export interface NearView {
  readonly conditions: Conditions;
  readonly bids: readonly OpenQuote[];
  readonly asks: readonly OpenQuote[];
  /** The maximum relative move of the value that quotes do not follow. */
  readonly patience: number;
  /** Whether a lab's user controls the symbol's market. */
  readonly isHeld: boolean;
}

/** The average and the minimum value of a taker order, in the quote asset. */
export interface OrderSizes {
  readonly meanNotional: number;
  readonly minNotional: number;
}

const sides = <T extends z.ZodType>(shape: T) => z.strictObject({ BUY: shape, SELL: shape });
const SAVED = z.strictObject({
  ladderPrice: z.number().positive(),
  isFilling: z.boolean(),
  left: sides(z.number()),
  isEaten: z.boolean(),
  wasEaten: z.boolean(),
  sinceLook: z.number(),
  seen: z.strictObject({ price: z.number(), depth: z.number(), spread: z.number(), leastSpreadBps: z.number() }),
  isDry: sides(z.boolean()),
});

export class NearMaker {
  readonly #parts: NearParts;
  readonly #random: Random;
  readonly #top: TopOfBook;
  readonly #allowances: Readonly<Record<Side, Allowance>>;
  #ladderPrice: number;
  #ladder: Ladder;
  /** Whether a side has fewer near quotes than it should. */
  #isFilling = true;
  /** The number of open quotes after the last round. */
  #left: Readonly<Record<Side, number>> = { BUY: 0, SELL: 0 };
  /** Whether a taker has emptied a side. The last price is then far from the value until the next trade. */
  #isEaten = false;
  #wasEaten = false;
  /** The number of steps since the last round. The initial value makes the first round immediate. */
  #sinceLook = Number.MAX_SAFE_INTEGER - 1;
  /** The market conditions at the last round. */
  #seen = { price: 0, depth: 1, spread: 1, leastSpreadBps: 0 };
  #isDry: Conditions["isDry"] = { BUY: false, SELL: false };
  /** The sides on which all quotes are replaced in this round. */
  #isAnew: Readonly<Record<Side, boolean>> = { BUY: false, SELL: false };

  constructor(parts: NearParts) {
    const { market, grid, seed, stepMs, accounts, startPrice, saved } = parts;
    const { symbol } = market.spec;
    const name = `makers of ${symbol}`;
    const state = saved.restore(name, SAVED, () => this.#state());
    this.#parts = parts;
    this.#random = new Random(seed, name, saved);
    this.#top = new TopOfBook(seed, `spread of ${symbol}`, saved);
    const lookMs = market.makerSteps * stepMs;
    this.#allowances = {
      BUY: new Allowance(accounts.bids, lookMs, `bids of ${symbol}`, saved),
      SELL: new Allowance(accounts.asks, lookMs, `asks of ${symbol}`, saved),
    };
    this.#ladderPrice = state?.ladderPrice ?? startPrice;
    this.#ladder = ladderOf(grid, this.#ladderPrice, market.isDense);
    if (state === undefined) return;
    this.#isFilling = state.isFilling;
    this.#left = state.left;
    this.#isEaten = state.isEaten;
    this.#wasEaten = state.wasEaten;
    this.#sinceLook = state.sinceLook;
    this.#seen = state.seen;
    this.#isDry = state.isDry;
  }

  #state(): z.infer<typeof SAVED> {
    return {
      ladderPrice: this.#ladderPrice,
      isFilling: this.#isFilling,
      left: { ...this.#left },
      isEaten: this.#isEaten,
      wasEaten: this.#wasEaten,
      sinceLook: this.#sinceLook,
      seen: { ...this.#seen },
      isDry: { ...this.#isDry },
    };
  }

  get top(): Top {
    return this.#top.top;
  }
  get isAnew(): Readonly<Record<Side, boolean>> {
    return this.#isAnew;
  }
  get isEaten(): boolean {
    return this.#isEaten;
  }

  /**
   * Returns whether a trade is due because a side that a taker emptied has been filled again. Returns true only once
   * for each time.
   */
  takeOwed(): boolean {
    const isOwed = this.#wasEaten && !this.#isEaten;
    if (!this.#isEaten) this.#wasEaten = false;
    return isOwed;
  }

  /** Counts a step. Returns whether it contains a round of the makers. */
  isDue(conditions: Conditions, isHeld: boolean): boolean {
    const { makerSteps } = this.#parts.market;
    const patience = this.#isFilling ? Math.min(FILLING_STEPS, makerSteps) : makerSteps;
    return ++this.#sinceLook >= patience || (isHeld && this.#isNews(conditions));
  }

  /** Begins a round: the best quotes follow the value. */
  see(view: NearView): void {
    const { conditions, bids, asks, isHeld } = view;
    const { price, isDry } = conditions;
    const isAll = isHeld && (this.#hasLeapt(price) || conditions.depth !== this.#seen.depth);
    this.#isAnew = { BUY: isAll || (isHeld && this.#isDry.BUY), SELL: isAll || (isHeld && this.#isDry.SELL) };
    if (isHeld && this.#isNews(conditions)) this.#top.forget();
    if (price > this.#ladderPrice * LADDER_REACH || price * LADDER_REACH < this.#ladderPrice) {
      this.#ladderPrice = price;
      this.#ladder = ladderOf(this.#parts.grid, price, this.#parts.market.isDense);
    }
    this.#follow(view);
    const standing = [...(isDry.BUY ? [] : [bids.length]), ...(isDry.SELL ? [] : [asks.length])];
    this.#isFilling = standing.some((quotes) => quotes < this.#ladder.levels);
    this.#isEaten = (!isDry.BUY && this.#isMuchGone("BUY", bids)) || (!isDry.SELL && this.#isMuchGone("SELL", asks));
    this.#wasEaten ||= this.#isEaten;
    const { depth, spread, leastSpreadBps } = conditions;
    this.#seen = { price, depth, spread, leastSpreadBps };
    this.#isDry = isDry;
  }

  plan(side: Side, view: NearView, sizes: OrderSizes): MakerPlan {
    const { conditions } = view;
    const open = side === "BUY" ? view.bids : view.asks;
    const plan = conditions.isDry[side] ? takeAllBack(open) : this.#planSide(side, open, conditions, sizes);
    this.#left = { ...this.#left, [side]: open.length - plan.cancel.length + plan.place.length };
    return plan;
  }

  /** Ends a round, even if no quote was placed. */
  looked(): void {
    this.#sinceLook = 0;
  }

  #planSide(side: Side, open: readonly OpenQuote[], conditions: Conditions, sizes: OrderSizes): MakerPlan {
    const { grid, market, stepMs } = this.#parts;
    const best = side === "BUY" ? this.top.bid : this.top.ask;
    const prices = { grid, ladder: this.#ladder, side, best, midPrice: conditions.price };
    const depth = market.dailyVolume * DEPTH_PART;
    const view = { ...prices, ...sizes, depth, times: conditions.depth };
    if (this.#isAnew[side]) {
      const { cancel } = takeAllBack(open);
      return {
        cancel,
        place: planQuotes({ ...view, open: [], maxPlaced: this.#ladder.levels + 1 }, this.#random).place,
      };
    }
    const phase = open.length === 0 ? "first" : open.length < this.#ladder.levels ? "filling" : "standing";
    const allowance = this.#allowances[side];
    const maxPlaced = allowance.most(phase, this.#sinceLook * stepMs);
    const plan = planQuotes({ ...view, open, maxPlaced }, this.#random);
    allowance.use(plan.place.length);
    return plan;
  }

  /** Whether more quotes have disappeared than ordinary takers fill between two rounds. */
  #isMuchGone(side: Side, open: readonly OpenQuote[]): boolean {
    const much = MUCH + this.#ladder.smallLevels;
    return open.length === 0 || open.length <= this.#left[side] - much;
  }

  #follow({ conditions, patience }: NearView): void {
    const { grid, market } = this.#parts;
    const value = cellsOf(grid, conditions.price);
    const terms = {
      usual: (value * market.spreadBps) / 10_000,
      times: conditions.spread,
      least: (value * conditions.leastSpreadBps) / 10_000,
    };
    this.#top.follow(value, value * patience * conditions.volatility, terms);
  }

  #hasLeapt(price: number): boolean {
    const { price: seen } = this.#seen;
    return price > seen * (1 + LEAP) || price < seen * (1 - LEAP);
  }

  /** Whether the conditions have changed so much that the quotes must move immediately. */
  #isNews({ price, depth, spread, leastSpreadBps, isDry }: Conditions): boolean {
    const { BUY, SELL } = this.#isDry;
    const seen = this.#seen;
    if (this.#hasLeapt(price) || depth !== seen.depth || isDry.BUY !== BUY || isDry.SELL !== SELL) return true;
    return spread !== seen.spread || leastSpreadBps !== seen.leastSpreadBps;
  }
}

function takeAllBack(open: readonly OpenQuote[]): MakerPlan {
  return { cancel: open.map(({ orderId }) => orderId), place: [] };
}
