/**
 * The types of agents: informed traders, noise traders, trend takers, stop hunters, and large orders that are worked.
 */
import { z } from "zod";
import type { AgentSettings, SettingsOf } from "../../../platform/config/lab-schema.ts";
import type { SavedValue } from "../../../platform/world/port.ts";
import { savedCount } from "../../../platform/world/saved-state.ts";
import { exp, log } from "../exact.ts";
import { Random } from "../bots/random.ts";
import {
  type Agent,
  type AgentAct,
  type AgentParts,
  type AgentView,
  closing,
  lotsAtLeast,
  lotsWithin,
  midOf,
  pauseMs,
  takeLots,
} from "./agent.ts";
import { cellsOf, lotsFor, type OpenQuote, type Side, SIDES } from "../bots/orders.ts";
import { DAY_MS } from "@pricetime/engine";
import { volumeFactor } from "../bots/volatility.ts";

/** The base of all agent types: settings, random numbers and state. */
abstract class StatefulAgent<Settings extends AgentSettings, State extends { nextMs: number }> implements Agent {
  readonly parts: AgentParts;
  readonly settings: Settings;
  readonly random: Random;
  /** The agent's state as plain data, which is saved in checkpoints. */
  readonly state: State;

  constructor(parts: AgentParts, settings: Settings, shape: z.ZodType<State>) {
    const restored = parts.saved.restore(parts.name, shape, () => structuredClone(this.state) as SavedValue);
    this.parts = parts;
    this.settings = settings;
    this.random = new Random(parts.seed, parts.name, parts.saved);
    this.state = restored ?? this.begin(parts.nowMs + this.pauseMs());
  }

  get nextMs(): number {
    return this.state.nextMs;
  }

  /** Returns the state of a new agent. */
  abstract begin(nextMs: number): State;

  abstract wake(view: AgentView): AgentAct[];

  pauseMs(): number {
    return pauseMs(this.random, this.settings.everyMs);
  }

  /** Makes the agent idle until `untilMs` or later. */
  sleep(untilMs: number): AgentAct[] {
    this.state.nextMs = Math.max(this.state.nextMs, untilMs);
    return [];
  }

  /** Sends a taker order with a value of `quote`, reduced to the position limit. */
  take(view: AgentView, side: Side, quote: number): AgentAct[] {
    const lots = lotsWithin(this.parts, view, side, quote);
    return lots === 0 ? [] : [{ type: "take", order: takeLots(this.parts, view, side, lots) }];
  }
}

// Occasionally learns how much the value will change, trades until the price reflects it, and closes its position once
// the news is public.

/**
 * The agent stops trading at half the expected move, because its own price impact fades before it closes its position.
 */
const LEAVES = 0.5;
/** The minimum relative change of value that is worth a trade. */
const LEAST_NEWS = 0.0003;
/** How long the market has to follow public news before the agent closes its position. */
const SETTLE_MS = 2000;

/** News that is not public yet: its size as a logarithm, and the mid price when the agent learned it. */
const newsShape = z.strictObject({ size: z.number(), publicMs: savedCount, from: z.number().positive() });
const SAVED_INFORMED = z.strictObject({
  nextMs: savedCount,
  /** The time at which the agent learns the next news. */
  hearsMs: savedCount,
  news: newsShape.nullable(),
  closesMs: savedCount,
});

export class InformedTrader extends StatefulAgent<SettingsOf<"informed">, z.output<typeof SAVED_INFORMED>> {
  constructor(parts: AgentParts, settings: SettingsOf<"informed">) {
    super(parts, settings, SAVED_INFORMED);
  }

  begin(nextMs: number): z.output<typeof SAVED_INFORMED> {
    const hearsMs = this.parts.nowMs + pauseMs(this.random, this.settings.newsEveryMs);
    return { nextMs, hearsMs, news: null, closesMs: 0 };
  }

  wake(view: AgentView): AgentAct[] {
    const { nowMs } = view;
    this.state.nextMs = nowMs + this.pauseMs();
    if (this.state.news === null && nowMs >= this.state.hearsMs) this.#hear(view);
    if (this.state.news === null)
      return nowMs < this.state.closesMs ? this.sleep(this.state.closesMs) : this.#close(view);
    const { size, publicMs } = this.state.news;
    if (nowMs < publicMs) return this.#trade(view);
    this.state.news = null;
    this.state.closesMs = nowMs + SETTLE_MS;
    return [{ type: "news", size }];
  }

  #hear(view: AgentView): void {
    const { newsEveryMs, newsBps, aheadMs } = this.settings;
    const size = (this.random.normal() * newsBps) / 10_000;
    this.state.hearsMs = view.nowMs + aheadMs + pauseMs(this.random, newsEveryMs);
    this.state.news = { size, publicMs: view.nowMs + aheadMs, from: midOf(this.parts.grid, view) };
  }

  #trade(view: AgentView): AgentAct[] {
    if (this.state.news === null) return [];
    const { size, publicMs, from } = this.state.news;
    if (Math.abs(size) < LEAST_NEWS) return this.sleep(publicMs);
    const left = (from * exp(size)) / midOf(this.parts.grid, view) - 1;
    // If the price has randomly moved beyond the target, the agent does nothing. It never trades against its news.
    if (left * size <= 0 || Math.abs(left) < LEAVES * Math.abs(size)) return [];
    const side = left > 0 ? "BUY" : "SELL";
    return this.take(view, side, this.parts.orderQuote);
  }

  #close(view: AgentView): AgentAct[] {
    const order = closing(this.parts, view, this.parts.orderQuote);
    return order === undefined ? this.sleep(this.state.hearsMs) : [{ type: "take", order }];
  }
}

// Trades on either side without a reason: immediately, or with an order that rests near the price for a while.

/** The standard deviation of the logarithm of an order's size, and the largest size as a multiple of the average. */
const SIZE_DEVIATION = 1;
const LARGEST = 10;
/** The mean of sizes with this deviation: e to the power of half their variance. */
const MEAN = 1.6487212707001282;

const restingShape = z.strictObject({ orderId: z.int(), sinceMs: savedCount });
/** `resting`: when each of the agent's orders was first seen resting. */
const SAVED_NOISE = z.strictObject({ nextMs: savedCount, resting: z.array(restingShape) });

export class NoiseTrader extends StatefulAgent<SettingsOf<"noise">, z.output<typeof SAVED_NOISE>> {
  constructor(parts: AgentParts, settings: SettingsOf<"noise">) {
    super(parts, settings, SAVED_NOISE);
  }

  begin(nextMs: number): z.output<typeof SAVED_NOISE> {
    return { nextMs, resting: [] };
  }

  wake(view: AgentView): AgentAct[] {
    this.state.nextMs = view.nowMs + this.pauseMs();
    const acts = this.#takeBack(view);
    const act = this.#trade(view);
    return act === undefined ? acts : [...acts, act];
  }

  #trade(view: AgentView): AgentAct | undefined {
    const side = this.random.chance(0.5) ? SIDES[0] : SIDES[1];
    const times = Math.min(LARGEST, this.random.lognormal(SIZE_DEVIATION) / MEAN);
    const rests = this.random.chance(this.settings.restShare);
    const lots = lotsWithin(this.parts, view, side, times * this.parts.orderQuote);
    const ticks = this.#restingTicks(view, side);
    if (lots === 0) return undefined;
    if (!rests) return { type: "take", order: takeLots(this.parts, view, side, lots) };
    return view.open.length < this.settings.maxOpen ? { type: "quote", side, quote: { ticks, lots } } : undefined;
  }

  /** Returns a price at the best price of the agent's own side, or up to `reachBps` behind it. */
  #restingTicks({ bid, ask }: AgentView, side: Side): number {
    const { tick } = this.parts.grid;
    const best = side === "BUY" ? bid : ask;
    const behind = Math.floor((this.random.next() * best * this.settings.reachBps) / 10_000 / tick) * tick;
    return Math.max(tick, side === "BUY" ? best - behind : best + behind);
  }

  #takeBack({ open, nowMs }: AgentView): AgentAct[] {
    const sinceMs = new Map(this.state.resting.map((one) => [one.orderId, one.sinceMs]));
    const since = ({ orderId }: OpenQuote): number => sinceMs.get(orderId) ?? nowMs;
    const isStale = (order: OpenQuote): boolean => nowMs - since(order) >= this.settings.patienceMs;
    this.state.resting = open
      .filter((order) => !isStale(order))
      .map((order) => ({ orderId: order.orderId, sinceMs: since(order) }));
    return open.filter(isStale).map(({ orderId }) => ({ type: "cancel", orderId }));
  }

  override pauseMs(): number {
    return Math.ceil(-log(1 - this.random.next()) * this.settings.everyMs);
  }
}

// Trades on past price changes: in their direction (momentum) or against it (reversion).

const SAVED_TREND = z.strictObject({ nextMs: savedCount });

export class TrendTaker extends StatefulAgent<SettingsOf<"momentum" | "reversion">, z.output<typeof SAVED_TREND>> {
  constructor(parts: AgentParts, settings: SettingsOf<"momentum" | "reversion">) {
    super(parts, settings, SAVED_TREND);
  }

  begin(nextMs: number): z.output<typeof SAVED_TREND> {
    return { nextMs };
  }

  wake(view: AgentView): AgentAct[] {
    const { lookbackMs, thresholdBps } = this.settings;
    this.state.nextMs = view.nowMs + this.pauseMs();
    const gone = view.tape.returnOver(lookbackMs);
    if (gone === 0 || Math.abs(gone) * 10_000 < thresholdBps) return [];
    const side = this.#sideOf(gone);
    return this.take(view, side, this.parts.orderQuote);
  }

  #sideOf(gone: number): Side {
    return gone > 0 === (this.settings.type === "momentum") ? "BUY" : "SELL";
  }
}

// Waits until the price is near its recent extreme, beyond which other traders have stop orders. Then pushes the price
// through and closes its position when the stop orders have moved the market.

/** The maximum number of pushes in one attempt. */
const MOST_PUSHES = 5;
/** The minimum number of orders in which the position is closed. */
const CLOSING_PIECES = 5;

const huntShape = z.strictObject({ side: z.enum(SIDES), targetTicks: z.number(), pushes: z.number() });
type Hunt = z.output<typeof huntShape>;
const SAVED_HUNTER = z.strictObject({
  nextMs: savedCount,
  hunt: huntShape.nullable(),
  /** The earliest time at which the agent closes its position. */
  closesMs: savedCount,
  /** The earliest time at which the agent makes its next attempt. */
  quietMs: savedCount,
});

export class StopHunter extends StatefulAgent<SettingsOf<"stop-hunter">, z.output<typeof SAVED_HUNTER>> {
  constructor(parts: AgentParts, settings: SettingsOf<"stop-hunter">) {
    super(parts, settings, SAVED_HUNTER);
  }

  begin(nextMs: number): z.output<typeof SAVED_HUNTER> {
    // The agent needs some price history before it can determine an extreme.
    return { nextMs, hunt: null, closesMs: 0, quietMs: this.parts.nowMs + this.settings.pauseMs };
  }

  wake(view: AgentView): AgentAct[] {
    const { nowMs } = view;
    this.state.nextMs = nowMs + this.pauseMs();
    if (this.state.hunt !== null) return this.#push(view, this.state.hunt);
    if (nowMs < this.state.closesMs) return this.sleep(this.state.closesMs);
    const order = closing(this.parts, view, this.parts.maxPositionQuote / CLOSING_PIECES);
    if (order !== undefined) return [{ type: "take", order }];
    if (nowMs < this.state.quietMs) return this.sleep(this.state.quietMs);
    this.state.hunt = this.#prey(view);
    return this.state.hunt === null ? [] : this.#push(view, this.state.hunt);
  }

  #push(view: AgentView, hunt: Hunt): AgentAct[] {
    const { side, targetTicks, pushes } = hunt;
    const last = cellsOf(this.parts.grid, view.tape.last) * this.parts.grid.tick;
    // Only a trade triggers stop orders; quotes that move away do not.
    const isThrough = side === "BUY" ? last >= targetTicks : last <= targetTicks;
    const isOver = isThrough || pushes === MOST_PUSHES;
    const lots = isOver ? 0 : lotsWithin(this.parts, view, side, this.parts.maxPositionQuote / MOST_PUSHES);
    if (lots > 0) {
      this.state.hunt = { ...hunt, pushes: pushes + 1 };
      return [{ type: "take", order: takeLots(this.parts, view, side, lots) }];
    }
    this.state.hunt = null;
    this.state.closesMs = view.nowMs + this.settings.holdMs;
    this.state.quietMs = this.state.closesMs + this.settings.pauseMs;
    return [];
  }

  /** Returns an attempt at the nearer extreme, if the price is close to it. */
  #prey(view: AgentView): Hunt | null {
    const { lookbackMs, withinBps, pushBps } = this.settings;
    const { grid } = this.parts;
    const mid = midOf(grid, view);
    const [high, low] = [view.tape.high(lookbackMs), view.tape.low(lookbackMs)];
    if (high === 0 || low === 0) return null;
    const [up, down] = [Math.max(0, high / mid - 1), Math.max(0, 1 - low / mid)];
    if (Math.min(up, down) * 10_000 > withinBps) return null;
    const side: Side = up <= down ? "BUY" : "SELL";
    const goal =
      side === "BUY" ? Math.max(high, mid) * (1 + pushBps / 10_000) : Math.min(low, mid) * (1 - pushBps / 10_000);
    const cells = cellsOf(grid, goal);
    const targetTicks = Math.max(1, side === "BUY" ? Math.ceil(cells) : Math.floor(cells)) * grid.tick;
    return { side, targetTicks, pushes: 0 };
  }
}

// Works a large order: splits it into small ones, at a fraction of the usual volume of the hour, until it is filled.

const SAVED_WORK = z.strictObject({
  nextMs: savedCount,
  lookedMs: savedCount,
  /** The value that is due but not sent yet. */
  owedQuote: z.number(),
  /** The position at which the order is filled, set in the agent's first step; null before that. */
  targetLots: z.number().nullable(),
});

export class WorkedOrder extends StatefulAgent<SettingsOf<"worked">, z.output<typeof SAVED_WORK>> {
  constructor(parts: AgentParts, settings: SettingsOf<"worked">) {
    super(parts, settings, SAVED_WORK);
  }

  begin(nextMs: number): z.output<typeof SAVED_WORK> {
    return { nextMs, lookedMs: this.parts.nowMs, owedQuote: 0, targetLots: null };
  }

  wake(view: AgentView): AgentAct[] {
    const { side, totalQuote, participation } = this.settings;
    const { grid, dailyVolume, minNotional } = this.parts;
    const { nowMs, positionLots } = view;
    const mid = midOf(grid, view);
    const sign = side === "BUY" ? 1 : -1;
    this.state.nextMs = nowMs + this.pauseMs();
    this.state.targetLots ??= positionLots + sign * lotsFor(grid, totalQuote, mid);
    this.state.owedQuote +=
      ((nowMs - this.state.lookedMs) / DAY_MS) * dailyVolume * volumeFactor(nowMs) * participation;
    this.state.lookedMs = nowMs;
    const left = sign * (this.state.targetLots - positionLots);
    const lots = lotsAtLeast(grid, Math.min(left, lotsFor(grid, this.state.owedQuote, mid)), minNotional, mid);
    if (lots === 0) return [];
    this.state.owedQuote = 0;
    return [{ type: "take", order: takeLots(this.parts, view, side, lots) }];
  }
}
