/**
 * The state of one controlled market: how its price differs from the price computed from its assets' values, and the
 * conditions for its bots. The state is plain data that steps advance; the same steps lead to the same prices on every
 * machine.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import type { Conditions } from "./demo/bots/orders.ts";
import { exp, log } from "./demo/exact.ts";
import { MARKET_LIMITS, type MarketMove, pathShape, type PricePath } from "./market-move.ts";

/** An active crash or spike; `size` is the logarithm of the total move. */
const shockShape = z.strictObject({
  fromMs: z.number(),
  size: z.number(),
  overMs: z.number(),
  /** The duration of the recovery; null if the price does not recover. */
  recoverMs: z.number().nullable(),
});
type Shock = z.output<typeof shockShape>;

export const heldState = z.strictObject({
  /** The logarithm of price / usual price, without crashes and spikes. */
  offset: z.number(),
  /** The permanent effect of past crashes and spikes, as a logarithm. */
  shifted: z.number(),
  /** The usual price and the price in the last step; null before the first step. */
  usualPrice: z.number().positive().nullable(),
  price: z.number().positive().nullable(),
  stepMs: z.number(),
  /** The price to which the next step jumps. */
  fairPrice: z.number().positive().nullable(),
  path: pathShape.nullable(),
  shocks: z.array(shockShape).max(MARKET_LIMITS.maxShocks),
  drift: z.strictObject({ percent: z.number(), perMs: z.number().positive() }),
  volatility: z.number(),
  spread: z.number(),
  spreadBps: z.number(),
  depth: z.number(),
  tradeRate: z.number(),
  dryUntilMs: z.strictObject({ BUY: z.number(), SELL: z.number() }),
});
export type HeldState = z.output<typeof heldState>;

const USUAL: Omit<HeldState, "usualPrice" | "price" | "stepMs"> = {
  offset: 0,
  shifted: 0,
  fairPrice: null,
  path: null,
  shocks: [],
  drift: { percent: 0, perMs: 1 },
  volatility: 1,
  spread: 1,
  spreadBps: 0,
  depth: 1,
  tradeRate: 1,
  dryUntilMs: { BUY: 0, SELL: 0 },
};

/** The changes that end when a move sets the price. */
const ANEW: Partial<HeldState> = { fairPrice: null, path: null, shocks: [], shifted: 0 };

/** The range of prices at which orders are accepted now. */
export interface PriceBounds {
  readonly low: number;
  readonly high: number;
  /** The average price that is used to value market orders. */
  readonly average: number;
}

export class HeldMarket {
  #state: HeldState;

  constructor(nowMs: number, state?: HeldState) {
    this.#state = state ?? { ...USUAL, usualPrice: null, price: null, stepMs: nowMs };
  }

  get state(): Readonly<HeldState> {
    return this.#state;
  }

  /** Applies a move that is due. */
  apply(move: MarketMove): void {
    const { usualPrice, price, stepMs } = this.#state;
    if (move.reset === true) this.#state = { ...USUAL, usualPrice, price, stepMs };
    const state = this.#state;
    if (move.fairPrice !== undefined) Object.assign(state, { ...ANEW, fairPrice: move.fairPrice });
    if (move.path !== undefined) {
      const { price: here } = state;
      // Before the first step the price is unknown; the first step then starts the path at its own price.
      const path = here === null ? move.path : startingAt(here, move.atMs, move.path);
      Object.assign(state, { ...ANEW, path });
    }
    const { volatility, spread, spreadBps, depth, tradeRate } = move;
    for (const [name, value] of Object.entries({ volatility, spread, spreadBps, depth, tradeRate })) {
      if (value !== undefined) Object.assign(state, { [name]: value });
    }
    if (move.drift !== undefined) state.drift = { ...move.drift };
    if (move.crash !== undefined) this.#shock(move.atMs, 1 - move.crash.percent / 100, move.crash);
    if (move.spike !== undefined) this.#shock(move.atMs, 1 + move.spike.percent / 100, move.spike);
    if (move.dryUp !== undefined) {
      state.dryUntilMs = { ...state.dryUntilMs, [move.dryUp.side]: move.atMs + move.dryUp.forMs };
    }
  }

  /** Advances the state to `nowMs`. Returns the conditions for the bots. */
  step(usualPrice: number, nowMs: number, { low, high, average }: PriceBounds): Conditions {
    const state = this.#state;
    const change = state.usualPrice === null ? 0 : log(usualPrice / state.usualPrice);
    const driftPerMs = log(1 + state.drift.percent / 100) / state.drift.perMs;
    state.offset += (state.volatility - 1) * change + driftPerMs * (nowMs - state.stepMs);
    if (state.price === null && state.path !== null) {
      state.path = startingAt(usualPrice, state.stepMs, state.path);
    }
    if (state.fairPrice !== null) state.offset = log(state.fairPrice / usualPrice);
    if (state.path !== null) state.offset = log(priceOn(state.path, nowMs) / usualPrice);
    const lastMs = state.path?.points.at(-1)?.atMs ?? 0;
    const shocks = this.#shocks(nowMs);
    const price = Math.min(high, Math.max(low, usualPrice * exp(clamped(state.offset + state.shifted + shocks))));
    Object.assign(state, { usualPrice, price, stepMs: nowMs, fairPrice: null });
    if (nowMs >= lastMs) state.path = null;
    const { volatility, spread, spreadBps: leastSpreadBps, depth, tradeRate, dryUntilMs } = state;
    const isDry = { BUY: nowMs < dryUntilMs.BUY, SELL: nowMs < dryUntilMs.SELL };
    return { price, valuedAt: Math.min(price, average), volatility, spread, leastSpreadBps, depth, tradeRate, isDry };
  }

  /** Starts a crash or spike. Drops the oldest one if there are too many. */
  #shock(fromMs: number, factor: number, { overMs, recoverMs = null }: Span): void {
    const shock = { fromMs, size: log(factor), overMs, recoverMs };
    this.#state.shocks = [...this.#state.shocks, shock].slice(-MARKET_LIMITS.maxShocks);
  }

  /** Returns the current effect of all shocks. A completed shock that does not recover shifts the price permanently. */
  #shocks(nowMs: number): number {
    let sum = 0;
    const left: Shock[] = [];
    for (const shock of this.#state.shocks) {
      const { fromMs, size, overMs, recoverMs } = shock;
      const sinceMs = nowMs - fromMs;
      if (sinceMs < overMs) {
        sum += size * (Math.max(0, sinceMs) / overMs);
        left.push(shock);
      } else if (recoverMs === null) {
        this.#state.shifted += size;
      } else if (sinceMs < overMs + recoverMs) {
        sum += size * (1 - (sinceMs - overMs) / recoverMs);
        left.push(shock);
      }
    }
    this.#state.shocks = left;
    return sum;
  }
}

interface Span {
  readonly overMs: number;
  readonly recoverMs?: number | null | undefined;
}

/** The maximum logarithm of a price; larger than the logarithm of any ratio of prices. */
const FARTHEST = 80;
const clamped = (value: number): number => Math.min(FARTHEST, Math.max(-FARTHEST, value));

/** Returns the path. It starts at `price` if its first point is in the future. */
function startingAt(price: number, atMs: number, { points, between }: PricePath): PricePath {
  const [first] = points;
  const isAhead = first !== undefined && first.atMs > atMs;
  return { points: isAhead ? [{ atMs, price }, ...points] : points, between };
}

/**
 * Returns the price of a path at a time: before the first point the price of the first, after the last point the price
 * of the last.
 */
function priceOn({ points, between }: PricePath, nowMs: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.atMs ?? 0) > nowMs) high = middle;
    else low = middle + 1;
  }
  const [before, next] = [points[low - 1], points[low]];
  assert(before !== undefined || next !== undefined, "a path has points");
  if (before === undefined || next === undefined) return (before ?? next)?.price ?? Number.NaN;
  const part = (nowMs - before.atMs) / (next.atMs - before.atMs);
  if (between === "straight") return before.price + (next.price - before.price) * part;
  return before.price * exp(log(next.price / before.price) * part);
}
