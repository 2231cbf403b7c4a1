/** A symbol as its agents see it, and what they have made of its value. */
import assert from "node:assert/strict";
import type { EngineView, MarketView } from "@pricetime/engine";
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { whole } from "../exact.ts";
import { type Grid, gridOf } from "../bots/grid.ts";
import { OrderCommands } from "../bots/order-commands.ts";
import { type DemoMarket, usualOrder } from "../markets.ts";
import { Lean } from "./lean.ts";
import { Tape } from "./tape.ts";

/** The best prices, in ticks of the grid. */
export interface Best {
  readonly bid: number;
  readonly ask: number;
}

const keptShape = z.strictObject({ tape: keptPart, lean: keptPart });

export class AgentMarket implements Keeping {
  readonly market: MarketView;
  readonly grid: Grid;
  readonly commands: OrderCommands;
  readonly tape: Tape;
  readonly lean: Lean;
  readonly dailyVolume: number;
  /** An average taker's order, and the least that the symbol takes, in the quote asset. */
  readonly orderQuote: number;
  readonly minNotional: number;

  constructor(view: EngineView, demo: DemoMarket, dailyDeviation: number, nowMs: number, kept?: KeptValue) {
    const { spec, dailyVolume } = demo;
    const state = kept === undefined ? undefined : readKept(`agents of ${spec.symbol}`, keptShape, kept);
    const [market, grid] = [view.marketBySymbol(spec.symbol), gridOf(spec)];
    assert(market !== undefined && grid !== null, "agents trade where bots do");
    this.market = market;
    this.grid = grid;
    this.commands = new OrderCommands(market, grid);
    this.tape = new Tape(state?.tape);
    this.lean = new Lean({ nowMs, dailyVolume, dailyDeviation }, state?.lean);
    this.dailyVolume = dailyVolume;
    this.orderQuote = usualOrder(demo);
    this.minNotional = Number(spec.filters.minNotional?.minNotional ?? 0);
  }

  kept(): KeptValue {
    return { tape: this.tape.kept(), lean: this.lean.kept() };
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
