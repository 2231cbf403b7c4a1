/** Keeps the far quotes of one symbol, on both sides. It looks seldom, and at once when a side was eaten. */
import { anchorOf, isAdrift, planDepth } from "./depth.ts";
import type { Desks } from "./desks.ts";
import type { Grid } from "./grid.ts";
import type { MakerPlan } from "./maker.ts";
import { Random } from "./random.ts";

/** The steps without a look once all quotes stand. */
const IDLE_STEPS = 9;
/** The steps without a look while quotes are missing: a look uses a whole second of orders, and two steps make one. */
const BUSY_STEPS = 1;

export interface DepthPlans {
  readonly bids: MakerPlan;
  readonly asks: MakerPlan;
}

const NOTHING: MakerPlan = { cancel: [], place: [] };

export class DepthMaker {
  readonly #desk: Desks;
  readonly #grid: Grid;
  readonly #random: Random;
  #anchorPrice: number | undefined;
  /** The steps until the next look. */
  #pause = 0;
  #isComplete = false;

  constructor(desk: Desks, grid: Grid, seed: number, symbol: string) {
    this.#desk = desk;
    this.#grid = grid;
    this.#random = new Random(seed, `depth of ${symbol}`);
  }

  /** `wasEaten`: a near side is gone. `baseWorth`: the value of one base unit, in USDT. */
  async plan(midPrice: number, baseWorth: number, wasEaten: boolean): Promise<DepthPlans> {
    if ((wasEaten && this.#isComplete) || isAdrift(midPrice, this.#anchorPrice)) this.#pause = 0;
    if (this.#pause > 0) {
      this.#pause--;
      return { bids: NOTHING, asks: NOTHING };
    }
    const anchorPrice = anchorOf(midPrice, this.#anchorPrice);
    this.#anchorPrice = anchorPrice;
    const open = await this.#desk.open();
    const view = { grid: this.#grid, anchorPrice, baseWorth, open };
    const bids = planDepth({ ...view, side: "BUY" }, this.#random);
    const asks = planDepth({ ...view, side: "SELL" }, this.#random);
    this.#isComplete = bids.place.length + asks.place.length === 0;
    this.#pause = this.#isComplete ? IDLE_STEPS : BUSY_STEPS;
    return { bids, asks };
  }

  async stepBack({ bids, asks }: DepthPlans): Promise<void> {
    await Promise.all([...bids.cancel, ...asks.cancel].map((orderId) => this.#desk.cancel(orderId)));
  }

  async stepForward({ bids, asks }: DepthPlans): Promise<void> {
    await Promise.all([
      ...bids.place.map((quote) => this.#desk.quote("BUY", quote)),
      ...asks.place.map((quote) => this.#desk.quote("SELL", quote)),
    ]);
  }
}
