/** Keeps the far quotes of one symbol, on both sides. It looks seldom, and at once when a side was eaten. */
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import type { Conditions } from "./conditions.ts";
import { anchorOf, isAdrift, planDepth } from "./depth.ts";
import type { Action, Moves } from "./driver.ts";
import type { Grid } from "./grid.ts";
import type { MakerPlan } from "./maker.ts";
import type { OpenQuote, Side } from "./orders.ts";
import { Random } from "./random.ts";

/** The steps without a look once all quotes stand. */
const IDLE_STEPS = 9;
/** The steps without a look while quotes are missing: a look uses a whole second of orders, and two steps make one. */
const BUSY_STEPS = 1;

export interface DepthPlans {
  readonly bids: MakerPlan;
  readonly asks: MakerPlan;
}

export interface DepthMarket {
  readonly conditions: Pick<Conditions, "price" | "depth" | "isDry">;
  /** The value of one base unit, in USDT. */
  readonly baseWorth: number;
  /** A near side is gone. */
  readonly wasEaten: boolean;
  /** All quotes are placed anew. */
  readonly isAnew: Readonly<Record<Side, boolean>>;
}

const NOTHING: MakerPlan = { cancel: [], place: [] };

const keptShape = z.strictObject({
  random: keptPart,
  anchorPrice: z.number().nullable(),
  pause: z.number(),
  isComplete: z.boolean(),
});

export class DepthMaker implements Keeping {
  readonly #grid: Grid;
  readonly #random: Random;
  #anchorPrice: number | undefined;
  /** The steps until the next look. */
  #pause = 0;
  #isComplete = false;

  constructor(grid: Grid, seed: number, symbol: string, kept?: KeptValue) {
    const name = `depth of ${symbol}`;
    const state = kept === undefined ? undefined : readKept(name, keptShape, kept);
    this.#grid = grid;
    this.#random = new Random(seed, name, state?.random);
    if (state === undefined) return;
    this.#anchorPrice = state.anchorPrice ?? undefined;
    this.#pause = state.pause;
    this.#isComplete = state.isComplete;
  }

  kept(): KeptValue {
    const anchorPrice = this.#anchorPrice ?? null;
    return { random: this.#random.kept(), anchorPrice, pause: this.#pause, isComplete: this.#isComplete };
  }

  *plan(market: DepthMarket): Moves<DepthPlans> {
    const { price } = market.conditions;
    const { BUY, SELL } = market.isAnew;
    if ((market.wasEaten && this.#isComplete) || BUY || SELL || isAdrift(price, this.#anchorPrice)) this.#pause = 0;
    if (this.#pause > 0) {
      this.#pause--;
      return { bids: NOTHING, asks: NOTHING };
    }
    this.#anchorPrice = anchorOf(price, this.#anchorPrice);
    const [open = []] = yield { type: "look", jobs: ["depth"] };
    const bids = this.#planSide("BUY", market, open);
    const asks = this.#planSide("SELL", market, open);
    this.#isComplete = bids.place.length + asks.place.length === 0;
    this.#pause = this.#isComplete ? IDLE_STEPS : BUSY_STEPS;
    return { bids, asks };
  }

  #planSide(side: Side, { conditions, baseWorth, isAnew }: DepthMarket, open: readonly OpenQuote[]): MakerPlan {
    if (conditions.isDry[side]) {
      return { cancel: open.filter((quote) => quote.side === side).map(({ orderId }) => orderId), place: [] };
    }
    const anchorPrice = this.#anchorPrice ?? conditions.price;
    const view = { grid: this.#grid, anchorPrice, baseWorth, open, side };
    return planDepth({ ...view, times: conditions.depth, isAnew: isAnew[side] }, this.#random);
  }
}

/** All take back before anybody places: see `near-maker.ts`. */
export function stepBack({ bids, asks }: DepthPlans): Action[] {
  return [...bids.cancel, ...asks.cancel].map((orderId) => ({ type: "cancel", job: "depth", orderId }));
}

export function stepForward({ bids, asks }: DepthPlans): Action[] {
  return [
    ...bids.place.map((quote): Action => ({ type: "quote", job: "depth", side: "BUY", quote })),
    ...asks.place.map((quote): Action => ({ type: "quote", job: "depth", side: "SELL", quote })),
  ];
}
