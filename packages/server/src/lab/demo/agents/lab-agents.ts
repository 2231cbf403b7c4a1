/** All agents of a lab, and their effect on the values of their symbols. */
import { DAY_MS, type Entry, type Event, type Trade } from "@pricetime/engine";
import { z } from "zod";
import { AGENT_LIMITS, agentSchema, type AgentSettings } from "../../../platform/config/lab-schema.ts";
import type { SavedState } from "../../../platform/world/port.ts";
import { savedCount } from "../../../platform/world/saved-state.ts";
import { whole } from "../exact.ts";
import { grantOf } from "../bots/bot-accounts.ts";
import type { DemoMarket } from "../markets.ts";
import { BOT_ADDRESSES, ensureAccount, type OperatorNode } from "../operator.ts";
import { type AgentAccount, type AgentPort, AgentGroup } from "./agent-group.ts";
import { AgentMarket } from "./agent-market.ts";

/** The initial value of an agent's balance in each asset that it trades, in USDT. */
const WORTH = 2_000_000_000;

export interface LabAgentsParts extends AgentPort {
  readonly sequencer: OperatorNode["sequencer"];
  readonly seed: number;
  readonly saved: SavedState;
  /** Markets on which bots trade. */
  readonly markets: readonly DemoMarket[];
  readonly isTrading: (symbol: string) => boolean;
  /** Returns the standard deviation of the logarithm of a symbol's price over `ms`. */
  readonly deviation: (market: DemoMarket, ms: number) => number;
}

/** The reason why agents cannot be added. */
export type NotMade = "NOT_DRIVEN" | "TOO_MANY";

const groupShape = z.strictObject({ id: z.int().min(1), settings: agentSchema });
const SAVED = z.strictObject({
  lastId: savedCount,
  groups: z.array(groupShape).max(AGENT_LIMITS.maxGroups),
  markets: z.array(z.string()),
});

export class LabAgents {
  readonly #parts: LabAgentsParts;
  /** The markets of all symbols that have or had an agent, or on which a user took liquidity. */
  readonly #markets = new Map<string, AgentMarket>();
  readonly #groups = new Map<number, AgentGroup>();
  readonly #byAccount = new Map<number, AgentGroup>();
  /** Whether the account of a taker belongs to a bot or a former agent. */
  readonly #bots = new Map<number, boolean>();
  #lastId: number;

  constructor(parts: LabAgentsParts, nowMs: number) {
    this.#parts = parts;
    const state = parts.saved.restore("agents", SAVED, () => {
      const groups = this.groups.map(({ parts: { id, settings } }) => ({ id, settings: { ...settings } }));
      return { lastId: this.#lastId, groups, markets: [...this.#markets.keys()] };
    });
    this.#lastId = state?.lastId ?? 0;
    for (const symbol of state?.markets ?? []) {
      const demo = this.#demoOf(symbol);
      if (demo !== undefined) this.#marketOf(demo, nowMs);
    }
    for (const { id, settings } of state?.groups ?? []) {
      const demo = this.#demoOf(settings.symbol);
      if (demo !== undefined) this.#put(id, settings, demo, nowMs);
    }
  }

  /** All groups in order of creation. */
  get groups(): readonly AgentGroup[] {
    return [...this.#groups.values()];
  }

  find(id: number): AgentGroup | undefined {
    return this.#groups.get(id);
  }

  /** Whether bots trade a symbol. Agents need bots. */
  drives(symbol: string): boolean {
    return this.#demoOf(symbol) !== undefined;
  }

  /** Returns why such agents cannot be added now; undefined if they can. */
  whyNot({ symbol, count }: AgentSettings): NotMade | undefined {
    if (!this.drives(symbol)) return "NOT_DRIVEN";
    const agents = this.groups.reduce((sum, { parts }) => sum + parts.accounts.length, count);
    return this.#groups.size >= AGENT_LIMITS.maxGroups || agents > AGENT_LIMITS.maxAgents ? "TOO_MANY" : undefined;
  }

  /** Adds a group, and opens and funds its accounts. `whyNot` must have returned undefined. */
  async add(settings: AgentSettings, nowMs: number): Promise<AgentGroup> {
    const demo = this.#demoOf(settings.symbol);
    if (demo === undefined) throw new Error(`no bots trade ${settings.symbol}`);
    const id = ++this.#lastId;
    const { baseAsset, quoteAsset } = demo.spec;
    const grants = new Map([baseAsset, quoteAsset].map((asset) => [asset, grantOf(asset, WORTH)]));
    const { view, sequencer } = this.#parts;
    for (const name of labelsOf(id, settings)) {
      await ensureAccount({ view, sequencer }, { email: mailOf(name), name, makerBps: 0, takerBps: 0, grants });
    }
    return this.#put(id, settings, demo, nowMs);
  }

  /** Removes a group. Resolves when its orders are canceled. Its accounts are not closed. */
  async remove(group: AgentGroup): Promise<void> {
    this.#groups.delete(group.parts.id);
    for (const { accountId } of group.parts.accounts) this.#byAccount.delete(accountId);
    group.parts.saved.end();
    await this.#takeBack(group);
  }

  /** Pauses a group's agents and cancels their orders, or resumes them. */
  async turn(group: AgentGroup, isOn: boolean): Promise<void> {
    group.isOn = isOn;
    if (!isOn) await this.#takeBack(group);
  }

  /** Cancels a group's orders. An order may already have ended. */
  async #takeBack(group: AgentGroup): Promise<void> {
    const { sequencer } = this.#parts;
    await Promise.all(group.cancels(this.#parts).map((command) => sequencer.run(command)));
  }

  /** Runs a step of the agents, after the bots' step. All commands are submitted in this turn. */
  step(nowMs: number): void {
    for (const market of this.#markets.values()) market.step(nowMs);
    for (const group of this.#groups.values()) {
      if (group.isOn && this.#parts.isTrading(group.parts.settings.symbol)) group.step(nowMs, this.#parts);
    }
  }

  /** Returns the factor by which the price impact of agents and users changes a symbol's value. */
  priceImpactOf(symbol: string): number {
    return this.#markets.get(symbol)?.priceImpact.factor ?? 1;
  }

  /** Counts the trades of agents, and records the price impact of agents and users. */
  applied({ timeMs }: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "trade") continue;
      const { maker, taker } = event;
      if (this.#byAccount.size > 0) this.#byAccount.get(maker.order.accountId)?.note(event);
      const market = this.#answering(taker.order.accountId, event, timeMs);
      if (market === undefined) continue;
      const { precision } = this.#parts.view.asset(market.market.quoteAssetId).spec;
      market.priceImpact.take(((event.takerSide === "BUY" ? 1 : -1) * Number(event.quote)) / whole(10, precision));
    }
  }

  /** Returns the market whose value a taker's trade changes; undefined for bots, and for symbols without bots. */
  #answering(accountId: number, trade: Trade, nowMs: number): AgentMarket | undefined {
    const group = this.#byAccount.get(accountId);
    if (group !== undefined) {
      group.note(trade);
      return group.parts.market;
    }
    if (this.#isBots(accountId)) return undefined;
    const symbol = this.#parts.view.market(trade.symbolId).spec.symbol;
    const demo = this.#parts.isTrading(symbol) ? this.#demoOf(symbol) : undefined;
    return demo === undefined ? undefined : this.#marketOf(demo, nowMs);
  }

  /** Whether an account belongs to a bot or a former agent. The email address of such an account never changes. */
  #isBots(accountId: number): boolean {
    const known = this.#bots.get(accountId);
    if (known !== undefined) return known;
    const isBots = this.#parts.view.account(accountId)?.email.endsWith(BOT_ADDRESSES) === true;
    this.#bots.set(accountId, isBots);
    return isBots;
  }

  figuresOf(group: AgentGroup): ReturnType<AgentGroup["figures"]> {
    return group.figures(this.#parts.view);
  }

  #put(id: number, settings: AgentSettings, demo: DemoMarket, nowMs: number): AgentGroup {
    const market = this.#marketOf(demo, nowMs);
    const accounts = labelsOf(id, settings).map((label) => this.#accountOf(label, market));
    const { seed } = this.#parts;
    const saved = this.#parts.saved.within(`agents/${id}`);
    const group = new AgentGroup({ id, settings, market, accounts, seed, nowMs, saved });
    this.#groups.set(id, group);
    for (const { accountId } of accounts) this.#byAccount.set(accountId, group);
    return group;
  }

  #accountOf(label: string, { market }: AgentMarket): AgentAccount {
    const { view } = this.#parts;
    const accountId = view.accountByEmail(mailOf(label))?.accountId;
    if (accountId === undefined) throw new Error(`the account of ${label} is open`);
    const given = (assetId: number): bigint => {
      const { asset, precision } = view.asset(assetId).spec;
      return BigInt(grantOf(asset, WORTH)) * BigInt(whole(10, precision));
    };
    return { accountId, label, base: given(market.baseAssetId), quote: given(market.quoteAssetId) };
  }

  #marketOf(demo: DemoMarket, nowMs: number): AgentMarket {
    const { view, deviation, saved } = this.#parts;
    const { symbol } = demo.spec;
    const known = this.#markets.get(symbol);
    if (known !== undefined) return known;
    const market = new AgentMarket(view, demo, deviation(demo, DAY_MS), nowMs, saved);
    this.#markets.set(symbol, market);
    return market;
  }

  #demoOf(symbol: string): DemoMarket | undefined {
    return this.#parts.markets.find(({ spec }) => spec.symbol === symbol);
  }
}

function labelsOf(id: number, { type, count }: AgentSettings): string[] {
  return Array.from({ length: count }, (_, index) => `agent-${id}-${type}${count === 1 ? "" : `-${index + 1}`}`);
}

const mailOf = (label: string): string => `${label}${BOT_ADDRESSES}`;
