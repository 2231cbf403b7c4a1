/** What one agent sees at a look: most end with a look at prices, so what is its own is read when it asks. */
import type { EngineView } from "@pricetime/engine";
import { sortFrom } from "../bots/direct-desks.ts";
import type { OpenQuote } from "../bots/orders.ts";
import { whole } from "../exact.ts";
import type { AgentView } from "./agent.ts";
import type { AgentMarket, Best } from "./agent-market.ts";

/** The account of an agent, and what it was given of the symbol's assets, in their units. */
export interface AgentAccount {
  readonly accountId: number;
  readonly label: string;
  readonly base: bigint;
  readonly quote: bigint;
}

export interface SightParts {
  readonly nowMs: number;
  readonly best: Best;
  readonly market: AgentMarket;
  readonly account: AgentAccount;
  readonly view: EngineView;
}

/** A class, because an object literal with getters is slow to make, and one is made at every look. */
export class Sight implements AgentView {
  readonly nowMs: number;
  readonly bid: number;
  readonly ask: number;
  readonly tape: AgentView["tape"];
  readonly #parts: SightParts;
  #open: readonly OpenQuote[] | undefined;

  constructor(parts: SightParts) {
    const { nowMs, best, market } = parts;
    this.nowMs = nowMs;
    this.bid = best.bid;
    this.ask = best.ask;
    this.tape = market.tape;
    this.#parts = parts;
  }

  get positionLots(): number {
    const { market, account, view } = this.#parts;
    const { baseAssetId } = market.market;
    const { precision } = view.asset(baseAssetId).spec;
    const units = Number(totalOf(view, account.accountId, baseAssetId) - account.base);
    return Math.round(units / whole(10, precision - market.grid.quantityDecimals));
  }

  get open(): readonly OpenQuote[] {
    const { market, account, view } = this.#parts;
    return (this.#open ??= openQuotes(market, account.accountId, view));
  }
}

/** The orders of an account that rest, in the units of the symbol's grid. */
export function openQuotes({ market, commands }: AgentMarket, accountId: number, view: EngineView): OpenQuote[] {
  const open: OpenQuote[] = [];
  if (view.countOpenOrders(accountId, market.symbolId) === 0) return open;
  view.visitQuotes(accountId, market.symbolId, ({ orderId, side, priceTicks, quantityLots, executedLots }) => {
    const lots = (quantityLots - executedLots) / commands.lot;
    open.push({ orderId, side, ticks: priceTicks / commands.tick, lots });
  });
  sortFrom(open, 0);
  return open;
}

/** Free and locked, in units of the asset. */
export function totalOf(view: EngineView, accountId: number, assetId: number): bigint {
  const { free, locked } = view.balance(accountId, assetId);
  return free + locked;
}
