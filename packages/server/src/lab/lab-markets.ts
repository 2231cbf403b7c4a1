/**
 * Changes of a lab's markets, immediate or at a time of the lab's clock, and their routes in the admin API. Bots
 * receive the changes in each of their steps; halts are operator commands. The state is plain data and part of
 * checkpoints.
 */
import type { MarketState } from "@pricetime/protocol";
import { z } from "zod";
import type { EngineView, MarketView } from "@pricetime/engine";
import type { Conditions, MarketControl } from "./demo/bots/orders.ts";
import { whole } from "./demo/exact.ts";
import type { Sequencer } from "../journal/sequencer/port.ts";
import type { Cancel, Clock, Saves, Timers } from "../platform/world/port.ts";
import { savedCount } from "../platform/world/saved-state.ts";
import { HeldMarket, type HeldState, heldState, type PriceBounds } from "./market-state.ts";
import {
  asksBots,
  MARKET_LIMITS,
  type MarketMove,
  moveShape,
  pathOf,
  sentMove,
  type SentMove,
  whatOf,
} from "./market-move.ts";
import { created, ok, Rejection } from "../people/http/answer.ts";
import { findMarket } from "../people/admin/parse.ts";
import { type AdminRoute, labRoute } from "../people/admin/router.ts";

/** Bots quote up to this factor above and below the price, so the symbol's filters must allow such quotes. */
const ROOM = 1.15;

const SAVED = z.strictObject({
  lastId: savedCount,
  held: z.record(z.string(), heldState),
  scheduled: z.array(moveShape).max(MARKET_LIMITS.maxScheduled),
});

/** The parts of the node that are needed for market changes. */
export interface MarketsNode {
  readonly view: Pick<EngineView, "marketBySymbol">;
  readonly sequencer: Pick<Sequencer, "run">;
}

export type NewMove = Omit<MarketMove, "id">;

export class LabMarkets implements MarketControl {
  readonly #world: Pick<Clock, "nowMs"> & Pick<Timers, "after">;
  readonly #drivers = new Map<string, string>();
  /** The drivers that temporarily replace a symbol's bots, by symbol. */
  readonly #standIns = new Map<string, string>();
  readonly #held = new Map<string, HeldMarket>();
  /** Scheduled moves, ordered by time; at equal times, in the order of their requests. */
  #scheduled: MarketMove[] = [];
  #lastId = 0;
  #node: MarketsNode | undefined;
  #stopTimer: Cancel = () => {};

  constructor(world: Pick<Clock, "nowMs"> & Pick<Timers, "after"> & Saves) {
    this.#world = world;
    const takeBack = (state: z.output<typeof SAVED>): void => this.#goBackTo(state);
    const restored = world.saved.restore("markets", SAVED, () => this.#state(), takeBack);
    if (restored !== undefined) this.#goBackTo(restored);
  }

  #state(): z.output<typeof SAVED> {
    const held = Object.fromEntries([...this.#held].map(([symbol, { state }]) => [symbol, structuredClone(state)]));
    return { lastId: this.#lastId, held, scheduled: structuredClone(this.#scheduled) };
  }

  /** Restores the state. Nothing is executed until `start`. */
  #goBackTo({ lastId, scheduled, held }: z.output<typeof SAVED>): void {
    this.#stopTimer();
    this.#node = undefined;
    this.#standIns.clear();
    this.#lastId = lastId;
    this.#scheduled = scheduled;
    this.#held.clear();
    for (const [symbol, state] of Object.entries(held)) this.#held.set(symbol, new HeldMarket(0, state));
  }

  /** Drops moves that were due by `timeMs`, because the exchange has continued without them. */
  forgetUntil(timeMs: number): void {
    this.#scheduled = this.#scheduled.filter(({ atMs }) => atMs > timeMs);
  }

  /** Called once the node exists. Scheduled moves are executed from now on. */
  start(node: MarketsNode): void {
    this.#node = node;
    this.#watch();
  }

  stop(): void {
    this.#stopTimer();
  }

  drives(symbol: string, driver: string): void {
    this.#drivers.set(symbol, driver);
  }

  /** Returns the driver that makes the market of a symbol; undefined if there is none. */
  driverOf(symbol: string): string | undefined {
    return this.#standIns.get(symbol) ?? this.#drivers.get(symbol);
  }

  /** Makes `driver` the market maker of a symbol and pauses its bots; null resumes the bots. */
  standIn(symbol: string, driver: string | null): void {
    if (driver === null) this.#standIns.delete(symbol);
    else this.#standIns.set(symbol, driver);
  }

  isStoodInFor(symbol: string): boolean {
    return this.#standIns.has(symbol);
  }

  begin(nowMs: number): Promise<void> | undefined {
    const [next] = this.#scheduled;
    return next === undefined || next.atMs > nowMs ? undefined : this.#doDue(nowMs);
  }

  conditions(symbol: string, usualPrice: number, nowMs: number): Conditions | undefined {
    const held = this.#held.get(symbol);
    if (held === undefined) return undefined;
    return held.step(usualPrice, nowMs, this.#boundsOf(symbol, nowMs));
  }

  /** Returns the controlled state of a symbol; undefined if the user has never changed it. */
  stateOf(symbol: string): Readonly<HeldState> | undefined {
    return this.#held.get(symbol)?.state;
  }

  scheduledOf(symbol: string): readonly MarketMove[] {
    return this.#scheduled.filter((move) => move.symbol === symbol);
  }

  get takesMore(): boolean {
    return this.#scheduled.length < MARKET_LIMITS.maxScheduled;
  }

  /** Schedules a move, or performs it immediately if it is due, and then resolves when it is done. Returns its id. */
  async ask(move: NewMove): Promise<number> {
    const id = ++this.#lastId;
    const asked = { ...move, id };
    if (move.atMs <= this.#world.nowMs()) {
      await this.#do(asked);
      return id;
    }
    const after = this.#scheduled.findIndex(({ atMs }) => atMs > move.atMs);
    this.#scheduled.splice(after === -1 ? this.#scheduled.length : after, 0, asked);
    this.#watch();
    return id;
  }

  /** Cancels a scheduled move of a symbol, or all of them without `id`. Returns the number of canceled moves. */
  takeBack(symbol: string, id?: number): number {
    const before = this.#scheduled.length;
    this.#scheduled = this.#scheduled.filter((move) => move.symbol !== symbol || (id !== undefined && move.id !== id));
    this.#watch();
    return before - this.#scheduled.length;
  }

  #watch(): void {
    this.#stopTimer();
    const [next] = this.#scheduled;
    if (next === undefined || this.#node === undefined) return;
    this.#stopTimer = this.#world.after(Math.max(0, next.atMs - this.#world.nowMs()), () => {
      void this.#doDue(this.#world.nowMs());
    });
  }

  /** Performs the moves that are due. Never rejects: a symbol whose status cannot be changed keeps it. */
  async #doDue(nowMs: number): Promise<void> {
    const due = this.#scheduled.filter(({ atMs }) => atMs <= nowMs);
    this.#scheduled = this.#scheduled.slice(due.length);
    const done = due.map((move) => this.#do(move).catch(() => {}));
    this.#watch();
    await Promise.all(done);
  }

  /** Performs a move. Changes that concern the bots take effect in their next step. */
  async #do(move: MarketMove): Promise<void> {
    const { symbol, halt, resume, by } = move;
    let held = this.#held.get(symbol);
    held ??= new HeldMarket(move.atMs);
    this.#held.set(symbol, held);
    held.apply(move);
    if (halt === undefined && resume === undefined) return;
    const status = halt === true ? "HALT" : "TRADING";
    await this.#node?.sequencer.run({ type: "setSymbolStatus", symbol, status, by });
  }

  /**
   * Returns the prices at which bots can place orders. PERCENT_PRICE applies to bots, too: a price that jumps beyond it
   * is reached gradually, as the average follows.
   */
  #boundsOf(symbol: string, nowMs: number): PriceBounds {
    const market = this.#node?.view.marketBySymbol(symbol);
    return market === undefined ? NO_BOUNDS : boundsOf(market, nowMs);
  }
}

const NO_BOUNDS: PriceBounds = {
  low: MARKET_LIMITS.minPrice,
  high: MARKET_LIMITS.maxPrice,
  average: MARKET_LIMITS.maxPrice,
};

function boundsOf(market: MarketView, nowMs: number): PriceBounds {
  const { priceFilter, percentPrice, percentPriceBySide: bySide, minNotional, notional } = market.spec.filters;
  let { low, high, average }: { low: number; high: number; average: number } = NO_BOUNDS;
  if (priceFilter !== undefined) {
    if (Number(priceFilter.minPrice) > 0) low = Number(priceFilter.minPrice) * ROOM;
    if (Number(priceFilter.maxPrice) > 0) high = Number(priceFilter.maxPrice) / ROOM;
  }
  const within = (down: string, up: string, mins: number): void => {
    const around = averageOf(market, mins, nowMs);
    if (around === undefined) return;
    low = Math.max(low, around * Number(down) * ROOM);
    high = Math.min(high, (around * Number(up)) / ROOM);
  };
  if (percentPrice !== undefined)
    within(percentPrice.multiplierDown, percentPrice.multiplierUp, percentPrice.avgPriceMins);
  if (bySide !== undefined) {
    within(bySide.bidMultiplierDown, bySide.bidMultiplierUp, bySide.avgPriceMins);
    within(bySide.askMultiplierDown, bySide.askMultiplierUp, bySide.avgPriceMins);
  }
  if (minNotional?.applyToMarket === true) average = averageOf(market, minNotional.avgPriceMins, nowMs) ?? average;
  if (notional?.applyMinToMarket === true) {
    average = Math.min(average, averageOf(market, notional.avgPriceMins, nowMs) ?? average);
  }
  return { low, high: Math.max(low, high), average };
}

/** Returns the average price in the quote asset; undefined if nothing has traded. */
function averageOf(market: MarketView, mins: number, nowMs: number): number | undefined {
  const { numerator, denominator } = market.filterPrice(mins, nowMs);
  if (denominator === 0n) return undefined;
  return Number(numerator) / Number(denominator) / whole(10, market.scale.priceDecimals);
}

export interface MarketParts {
  readonly markets: LabMarkets;
  readonly view: EngineView;
  readonly nowMs: () => number;
}

const ANSWERS =
  "`symbol`, `status`, `driver` (what makes its market; null: nothing), `price` (the value around which quotes are placed; null before the first controlled step), `holds` (the current changes; null: none was ever requested), `scheduled`.";

export function marketRoutes({ markets, view, nowMs }: MarketParts): AdminRoute[] {
  const bodyOf = (market: MarketView): MarketState => bodyOfMarket(markets, market);
  return [
    labRoute({
      endpoint: "GET /v1/lab/markets",
      summary: "Lists all markets with their current and scheduled changes.",
      answers: `For each: ${ANSWERS}`,
      handle: () => ok(view.markets().map(bodyOf)),
    }),
    labRoute({
      endpoint: "GET /v1/lab/markets/:symbol",
      summary: "Shows one market with its current and scheduled changes.",
      answers: ANSWERS,
      handle: ({ path }) => ok(bodyOf(findMarket(view, path.symbol))),
    }),
    labRoute({
      endpoint: "POST /v1/lab/markets/:symbol",
      summary:
        "Changes a market at once, or at the time `at` or `inMs` of the lab's clock: its price, the behavior of its bots, whether it trades.",
      answers:
        "The market, and the `id` of the move. 409 (NOT_DRIVEN) if no bots trade or a recording is replayed, 409 (TIME_GOES_BACK).",
      status: 201,
      body: sentMove,
      handle: async ({ path, body, by }) => {
        const market = findMarket(view, path.symbol);
        const { symbol } = market.spec;
        const move = moveOf(body, nowMs());
        checkPrices(move, market);
        if (asksBots(move) && (markets.driverOf(symbol) === undefined || markets.isStoodInFor(symbol))) {
          throw new Rejection(409, "NOT_DRIVEN", `No bots trade ${symbol} now: it can be halted and resumed.`);
        }
        if (!markets.takesMore) {
          throw new Rejection(409, "TOO_MANY", `${MARKET_LIMITS.maxScheduled} moves can be scheduled.`);
        }
        const id = await markets.ask({ ...move, symbol, by });
        return created({ id, ...bodyOf(findMarket(view, symbol)) });
      },
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/markets/:symbol",
      summary: "Cancels all scheduled changes of a market. Current changes stay in effect: see `reset`.",
      answers: ANSWERS,
      handle: ({ path }) => {
        const market = findMarket(view, path.symbol);
        markets.takeBack(market.spec.symbol);
        return ok(bodyOf(market));
      },
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/markets/:symbol/:id",
      summary: "Cancels one scheduled change.",
      answers: `${ANSWERS} 404 (UNKNOWN_MOVE) if it has happened already or does not exist.`,
      handle: ({ path }) => {
        const market = findMarket(view, path.symbol);
        const id = /^[1-9][0-9]{0,15}$/.test(path.id) ? Number(path.id) : 0;
        if (id === 0 || markets.takeBack(market.spec.symbol, id) === 0) {
          throw new Rejection(404, "UNKNOWN_MOVE", "No scheduled change has this id.");
        }
        return ok(bodyOf(market));
      },
    }),
  ];
}

function moveOf(sent: SentMove, nowMs: number): Omit<MarketMove, "id" | "symbol" | "by"> {
  const { at, inMs = 0 } = sent;
  const atMs = at ?? nowMs + inMs;
  if (atMs < nowMs) {
    throw new Rejection(409, "TIME_GOES_BACK", `It is ${new Date(nowMs).toISOString()} already.`);
  }
  const path = pathOf(sent, atMs);
  if (typeof path === "string") throw new Rejection(400, "BAD_REQUEST", `path: ${path}.`);
  return { atMs, ...whatOf(sent), ...(path !== undefined && { path }) };
}

/**
 * Rejects prices that the symbol's filter does not allow. Called when the move is requested, so that it does not fail
 * when it is due.
 */
function checkPrices({ fairPrice, path }: Pick<MarketMove, "fairPrice" | "path">, { spec }: MarketView): void {
  const { minPrice = "0", maxPrice = "0" } = spec.filters.priceFilter ?? {};
  const prices = [...(fairPrice === undefined ? [] : [fairPrice]), ...(path?.points.map(({ price }) => price) ?? [])];
  const high = Number(maxPrice) === 0 ? Number.POSITIVE_INFINITY : Number(maxPrice);
  if (prices.some((price) => price < Number(minPrice) || price > high)) {
    throw new Rejection(400, "BAD_REQUEST", `PRICE_FILTER of ${spec.symbol} is from ${minPrice} to ${maxPrice}.`);
  }
}

function bodyOfMarket(markets: LabMarkets, { spec }: MarketView): MarketState {
  const { symbol, status } = spec;
  const state = markets.stateOf(symbol);
  return {
    symbol,
    status,
    driver: markets.driverOf(symbol) ?? null,
    price: state?.price ?? null,
    holds: state === undefined ? null : holdsOf(state),
    scheduled: markets.scheduledOf(symbol),
  };
}

function holdsOf(state: Readonly<HeldState>): MarketState["holds"] {
  const { path, shocks, drift, volatility, spread, spreadBps, depth, tradeRate, dryUntilMs } = state;
  return { path, shocks, drift, volatility, spread, spreadBps, depth, tradeRate, dryUntilMs };
}
