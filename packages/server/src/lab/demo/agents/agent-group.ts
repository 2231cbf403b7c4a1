/** Agents of one type on one symbol, each with its own account. They are added, shown and removed together. */
import type { AgentSettings } from "../../../platform/config/lab-schema.ts";
import type { SavedState } from "../../../platform/world/port.ts";
import type { Agent, AgentAct, AgentParts, AgentView } from "./agent.ts";
import { InformedTrader, NoiseTrader, StopHunter, TrendTaker, WorkedOrder } from "./agent-kinds.ts";
import { type Command, type EngineView, openLotsOf, type Trade } from "@pricetime/engine";
import { sortFrom } from "../bots/direct-senders.ts";
import type { OpenQuote } from "../bots/orders.ts";
import { whole } from "../exact.ts";
import type { AgentMarket, Best } from "./agent-market.ts";
import { z } from "zod";
import { savedBigint, savedCount } from "../../../platform/world/saved-state.ts";

// Creates the agent that belongs to a type.

export function agentOf(parts: AgentParts, settings: AgentSettings): Agent {
  switch (settings.type) {
    case "noise":
      return new NoiseTrader(parts, settings);
    case "momentum":
    case "reversion":
      return new TrendTaker(parts, settings);
    case "informed":
      return new InformedTrader(parts, settings);
    case "worked":
      return new WorkedOrder(parts, settings);
    case "stop-hunter":
      return new StopHunter(parts, settings);
  }
}

/** An agent's account, with its initial balances of the symbol's assets in their smallest units. */
export interface AgentAccount {
  readonly accountId: number;
  readonly label: string;
  readonly base: bigint;
  readonly quote: bigint;
}

export interface OwnViewParts {
  readonly nowMs: number;
  readonly best: Best;
  readonly market: AgentMarket;
  readonly account: AgentAccount;
  readonly view: EngineView;
}

/**
 * The view of one agent. Most agents use only prices, so positions and orders are read on demand. It is a class,
 * because an object literal with getters is slow to create, and a view is created each time an agent acts.
 */
class OwnView implements AgentView {
  readonly nowMs: number;
  readonly bid: number;
  readonly ask: number;
  readonly tape: AgentView["tape"];
  readonly #parts: OwnViewParts;
  #open: readonly OpenQuote[] | undefined;

  constructor(parts: OwnViewParts) {
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

/** Returns an account's resting orders, in the units of the symbol's grid. */
function openQuotes({ market, commands }: AgentMarket, accountId: number, view: EngineView): OpenQuote[] {
  const open: OpenQuote[] = [];
  if (view.countOpenOrders(accountId, market.symbolId) === 0) return open;
  view.visitQuotes(accountId, market.symbolId, (order) => {
    const { orderId, side, priceTicks } = order;
    const lots = openLotsOf(order) / commands.lot;
    open.push({ orderId, side, ticks: priceTicks / commands.tick, lots });
  });
  sortFrom(open, 0);
  return open;
}

/** Returns the sum of free and locked balance, in units of the asset. */
function totalOf(view: EngineView, accountId: number, assetId: number): bigint {
  const { free, locked } = view.balance(accountId, assetId);
  return free + locked;
}

/** The default position limit of an agent, as a multiple of its order size. */
const POSITION_ORDERS = 50;

export interface GroupParts {
  readonly id: number;
  readonly settings: AgentSettings;
  readonly market: AgentMarket;
  readonly accounts: readonly AgentAccount[];
  readonly seed: number;
  readonly nowMs: number;
  /** The saved state of this group. */
  readonly saved: SavedState;
}

/** The interface through which agents send commands. */
export interface AgentPort {
  readonly view: EngineView;
  readonly submit: (command: Command) => void;
  readonly newId: () => string;
}

/** Totals since the group was created; amounts in the smallest units of the asset. */
export interface GroupFigures {
  readonly trades: number;
  readonly volume: bigint;
  readonly base: bigint;
  /** The current value of the agents' balances minus the value of their initial balances, both at the last price. */
  readonly profit: bigint;
}

const SAVED = z.strictObject({ isOn: z.boolean(), trades: savedCount, volume: savedBigint });

export class AgentGroup {
  readonly parts: GroupParts;
  /** The sizes in use: from the settings, or the defaults. */
  readonly sizes: { readonly orderQuote: number; readonly maxPositionQuote: number };
  readonly #agents: readonly Agent[];
  #trades: number;
  #volume: bigint;
  isOn: boolean;

  constructor(parts: GroupParts) {
    const { id, settings, market, accounts, seed, nowMs, saved } = parts;
    const state = saved.restore("group", SAVED, () => {
      return { isOn: this.isOn, trades: this.#trades, volume: this.#volume.toString() };
    });
    this.parts = parts;
    const { orderQuote = market.orderQuote } = settings;
    const { grid, minNotional, dailyVolume } = market;
    const { maxPositionQuote = orderQuote * POSITION_ORDERS } = settings;
    this.sizes = { orderQuote, maxPositionQuote };
    const shared = { seed, nowMs, saved, grid, orderQuote, maxPositionQuote, minNotional, dailyVolume };
    this.#agents = accounts.map((_, index) => agentOf({ ...shared, name: `agent ${id}.${index + 1}` }, settings));
    this.isOn = state?.isOn ?? true;
    this.#trades = state?.trades ?? 0;
    this.#volume = state?.volume ?? 0n;
  }

  /** Runs the agents that are due, in order. Their commands are submitted in this turn. */
  step(nowMs: number, port: AgentPort): void {
    const { market, accounts } = this.parts;
    // An index loop instead of an iterator, because this runs for every agent at every step.
    for (let index = 0; index < this.#agents.length; index++) {
      const agent = this.#agents[index];
      const account = accounts[index];
      if (agent === undefined || account === undefined || agent.nextMs > nowMs) continue;
      const best = market.best;
      if (best === undefined) continue;
      const view = new OwnView({ nowMs, best, market, account, view: port.view });
      for (const act of agent.wake(view)) this.#do(act, account, port);
    }
  }

  /** Returns commands that cancel all open orders of the group. */
  cancels({ view, newId }: Pick<AgentPort, "view" | "newId">): Command[] {
    const { market, accounts } = this.parts;
    return accounts.flatMap(({ accountId }) =>
      openQuotes(market, accountId, view).map(({ orderId }) => market.commands.cancel(accountId, orderId, newId())),
    );
  }

  /** Counts a trade of an agent. Called once for each side that belongs to the group. */
  note({ quote }: Trade): void {
    this.#trades++;
    this.#volume += quote;
  }

  figures(view: EngineView): GroupFigures {
    const { market, accounts } = this.parts;
    const { baseAssetId, quoteAssetId, lastTradeTicks, scale } = market.market;
    let [base, quote] = [0n, 0n];
    for (const account of accounts) {
      base += totalOf(view, account.accountId, baseAssetId) - account.base;
      quote += totalOf(view, account.accountId, quoteAssetId) - account.quote;
    }
    const decimals = (assetId: number): number => view.asset(assetId).spec.precision;
    const shift = decimals(baseAssetId) + scale.priceDecimals - decimals(quoteAssetId);
    const worth = base * BigInt(lastTradeTicks);
    const inQuote = shift >= 0 ? worth / BigInt(whole(10, shift)) : worth * BigInt(whole(10, -shift));
    return { trades: this.#trades, volume: this.#volume, base, profit: quote + inQuote };
  }

  #do(act: AgentAct, { accountId }: AgentAccount, { submit, newId }: AgentPort): void {
    const { commands, priceImpact } = this.parts.market;
    if (act.type === "news") priceImpact.tell(act.size);
    else if (act.type === "cancel") submit(commands.cancel(accountId, act.orderId, newId()));
    else if (act.type === "quote") submit(commands.quote(accountId, act.side, act.quote, newId()));
    else submit(commands.take(accountId, act.order, newId()));
  }
}
