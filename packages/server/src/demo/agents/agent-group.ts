/** Agents of one kind on one symbol, each with an account of its own: they are asked for, told of and removed together. */
import type { Command, EngineView, Trade } from "@pricetime/engine";
import { z } from "zod";
import type { AgentSettings } from "../../config/agent-schema.ts";
import type { Keeping, KeptValue } from "../../world/kept.ts";
import { keptBigint, keptCount, keptPart, readKept } from "../../world/read-kept.ts";
import { whole } from "../exact.ts";
import { sortFrom } from "../bots/direct-desks.ts";
import type { OpenQuote } from "../bots/orders.ts";
import type { Agent, AgentAct, AgentView } from "./agent.ts";
import type { AgentMarket, Best } from "./agent-market.ts";
import { agentOf } from "./agent-of.ts";

/** Unless its settings say otherwise, an agent owns or owes the value of so many of its orders at most. */
const POSITION_ORDERS = 50;

/** The account of an agent, and what it was given of the symbol's assets, in their units. */
export interface AgentAccount {
  readonly accountId: number;
  readonly label: string;
  readonly base: bigint;
  readonly quote: bigint;
}

export interface GroupParts {
  readonly id: number;
  readonly settings: AgentSettings;
  readonly market: AgentMarket;
  readonly accounts: readonly AgentAccount[];
  readonly seed: number;
  readonly nowMs: number;
}

/** How an agent's commands leave. */
export interface AgentDoor {
  readonly view: EngineView;
  readonly submit: (command: Command) => void;
  readonly newId: () => string;
}

/** Since the group was made; money in units of its asset. */
export interface GroupFigures {
  readonly trades: number;
  readonly volume: bigint;
  readonly base: bigint;
  /** How much more its members' money is worth than what they were given, at the last price. */
  readonly profit: bigint;
}

const keptShape = z.strictObject({
  agents: z.array(keptPart),
  isOn: z.boolean(),
  trades: keptCount,
  volume: keptBigint,
});

export class AgentGroup implements Keeping {
  readonly parts: GroupParts;
  /** The sizes in force, given or by default. */
  readonly sizes: { readonly orderQuote: number; readonly maxPositionQuote: number };
  readonly #agents: readonly Agent[];
  #trades: number;
  #volume: bigint;
  isOn: boolean;

  constructor(parts: GroupParts, kept?: KeptValue) {
    const { id, settings, market, accounts, seed, nowMs } = parts;
    const state = kept === undefined ? undefined : readKept(`agents ${id}`, keptShape, kept);
    this.parts = parts;
    const { orderQuote = market.orderQuote } = settings;
    const { grid, minNotional, dailyVolume } = market;
    const { maxPositionQuote = orderQuote * POSITION_ORDERS } = settings;
    this.sizes = { orderQuote, maxPositionQuote };
    const shared = { seed, nowMs, grid, orderQuote, maxPositionQuote, minNotional, dailyVolume };
    this.#agents = accounts.map((_, index) =>
      agentOf({ ...shared, name: `agent ${id}.${index + 1}` }, settings, state?.agents[index]),
    );
    this.isOn = state?.isOn ?? true;
    this.#trades = state?.trades ?? 0;
    this.#volume = state?.volume ?? 0n;
  }

  kept(): KeptValue {
    const agents = this.#agents.map((agent) => agent.kept());
    return { agents, isOn: this.isOn, trades: this.#trades, volume: this.#volume.toString() };
  }

  /** Wakes the agents that are due, in their order. Their commands leave in this turn. */
  step(nowMs: number, door: AgentDoor): void {
    const { market, accounts } = this.parts;
    for (const [index, agent] of this.#agents.entries()) {
      const account = accounts[index];
      if (agent.nextMs > nowMs || account === undefined) continue;
      const best = market.best;
      if (best === undefined) continue;
      for (const act of agent.wake(this.#sight(nowMs, best, account, door.view))) this.#do(act, account, door);
    }
  }

  /** Commands that take all its orders out of the book. */
  cancels({ view, newId }: Pick<AgentDoor, "view" | "newId">): Command[] {
    const { market, accounts } = this.parts;
    return accounts.flatMap(({ accountId }) =>
      this.#open(view, accountId).map(({ orderId }) => market.commands.cancel(accountId, orderId, newId())),
    );
  }

  /** One of its members has traded, once for each side that is its own. */
  note({ quote }: Trade): void {
    this.#trades++;
    this.#volume += quote;
  }

  figures(view: EngineView): GroupFigures {
    const { market, accounts } = this.parts;
    const { baseAssetId, quoteAssetId, lastTradeTicks, scale } = market.market;
    let [base, quote] = [0n, 0n];
    for (const account of accounts) {
      base += total(view, account.accountId, baseAssetId) - account.base;
      quote += total(view, account.accountId, quoteAssetId) - account.quote;
    }
    const decimals = (assetId: number): number => view.asset(assetId).spec.precision;
    const shift = decimals(baseAssetId) + scale.priceDecimals - decimals(quoteAssetId);
    const worth = base * BigInt(lastTradeTicks);
    const inQuote = shift >= 0 ? worth / BigInt(whole(10, shift)) : worth * BigInt(whole(10, -shift));
    return { trades: this.#trades, volume: this.#volume, base, profit: quote + inQuote };
  }

  /** Most looks end with a look at prices: what is the agent's own is read when it asks. */
  #sight(nowMs: number, { bid, ask }: Best, account: AgentAccount, view: EngineView): AgentView {
    let open: OpenQuote[] | undefined;
    const openOf = (): OpenQuote[] => (open ??= this.#open(view, account.accountId));
    const positionOf = (): number => this.#positionLots(view, account);
    return {
      ...{ nowMs, bid, ask, tape: this.parts.market.tape },
      get positionLots() {
        return positionOf();
      },
      get open() {
        return openOf();
      },
    };
  }

  #do(act: AgentAct, { accountId }: AgentAccount, { submit, newId }: AgentDoor): void {
    const { commands, lean } = this.parts.market;
    if (act.type === "news") lean.tell(act.size);
    else if (act.type === "cancel") submit(commands.cancel(accountId, act.orderId, newId()));
    else if (act.type === "quote") submit(commands.quote(accountId, act.side, act.quote, newId()));
    else submit(commands.take(accountId, act.order, newId()));
  }

  #open(view: EngineView, accountId: number): OpenQuote[] {
    const { market, commands } = this.parts.market;
    const open: OpenQuote[] = [];
    if (view.countOpenOrders(accountId, market.symbolId) === 0) return open;
    view.visitQuotes(accountId, market.symbolId, ({ orderId, side, priceTicks, quantityLots, executedLots }) => {
      const lots = (quantityLots - executedLots) / commands.lot;
      open.push({ orderId, side, ticks: priceTicks / commands.tick, lots });
    });
    sortFrom(open, 0);
    return open;
  }

  #positionLots(view: EngineView, { accountId, base }: AgentAccount): number {
    const { market, grid } = this.parts.market;
    const { precision } = view.asset(market.baseAssetId).spec;
    const units = Number(total(view, accountId, market.baseAssetId) - base);
    return Math.round(units / whole(10, precision - grid.quantityDecimals));
  }
}

function total(view: EngineView, accountId: number, assetId: number): bigint {
  const { free, locked } = view.balance(accountId, assetId);
  return free + locked;
}
