/**
 * Performs the actions of bots without the gateway: reads the engine's state directly, and submits the commands that
 * the gateway would create. Client limits do not apply.
 */
import assert from "node:assert/strict";
import { type Command, type EngineView, type MarketView, openLotsOf, type PlaceOrder } from "@pricetime/engine";
import { whole } from "../exact.ts";
import type { Action, Grid, Job, Moves, OpenQuote, Quote, Side, TakerOrder } from "./orders.ts";
import { z } from "zod";
import type { Outcome } from "../../../journal/sequencer/port.ts";
import { LETTERS_AND_DIGITS, type SavedState } from "../../../platform/world/port.ts";
import type { Credentials, SymbolAccounts } from "./bot-accounts.ts";
import type { Tell } from "./bots.ts";
import { Random } from "./random.ts";

const NO_TERMS = { stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n } as const;

export class OrderCommands {
  readonly symbolId: number;
  /** The number of the engine's ticks and lots in a tick and a lot of the grid. */
  readonly tick: number;
  readonly lot: number;

  constructor({ symbolId, scale }: MarketView, grid: Grid) {
    this.symbolId = symbolId;
    this.tick = scaleOf(scale.priceDecimals - grid.priceDecimals);
    this.lot = scaleOf(scale.quantityDecimals - grid.quantityDecimals);
  }

  /** Returns the command that cancels an order. `clientOrderId`: the id of the cancel request. */
  cancel(accountId: number, orderId: number, clientOrderId: string): Command {
    const names = { origClientOrderId: "", newClientOrderId: clientOrderId };
    return { type: "cancelOrder", accountId, symbolId: this.symbolId, orderId, ...names };
  }

  quote(accountId: number, side: Side, { ticks, lots }: Quote, clientOrderId: string): PlaceOrder {
    return this.#place(accountId, side, { orderType: "LIMIT", timeInForce: "GTC" }, ticks, lots, clientOrderId);
  }

  take(accountId: number, { side, lots, limitTicks }: TakerOrder, clientOrderId: string): PlaceOrder {
    const kind =
      limitTicks === 0
        ? ({ orderType: "MARKET", timeInForce: "GTC" } as const)
        : ({ orderType: "LIMIT", timeInForce: "IOC" } as const);
    return this.#place(accountId, side, kind, limitTicks, lots, clientOrderId);
  }

  #place(
    accountId: number,
    side: Side,
    kind: Pick<PlaceOrder, "orderType" | "timeInForce">,
    ticks: number,
    lots: number,
    clientOrderId: string,
  ): PlaceOrder {
    return {
      type: "placeOrder",
      accountId,
      symbolId: this.symbolId,
      side,
      orderType: kind.orderType,
      timeInForce: kind.timeInForce,
      priceTicks: ticks * this.tick,
      quantityLots: lots * this.lot,
      ...NO_TERMS,
      clientOrderId,
    };
  }
}

/**
 * Returns the factor from the grid's units to the engine's. The engine's units are fixed at the symbol's listing, and
 * its filters are never finer.
 */
function scaleOf(decimals: number): number {
  assert(decimals >= 0, "a filter is as fine as its symbol at most");
  return whole(10, decimals);
}

export interface DirectVenue {
  readonly view: EngineView;
  readonly submit: (command: Command, settle: (outcome: Outcome | Error) => void) => void;
  /** Returns a new client order id. */
  readonly newId: () => string;
  readonly tell: Tell;
}

const SAVED_TURNS = z.strictObject({ bids: z.int(), asks: z.int(), depth: z.int(), taker: z.int() });

export class DirectSenders {
  readonly #venue: DirectVenue;
  readonly #market: MarketView;
  readonly #accounts: Readonly<Record<Job, readonly number[]>>;
  readonly #commands: OrderCommands;
  /** The open quotes when they were last read for each job. They stay valid until the book changes. */
  readonly #seen: Record<Job, { readonly bookUpdateId: number; readonly open: readonly OpenQuote[] }>;
  /** The number of orders of each job so far, because its accounts take turns. */
  readonly #turns: Record<Job, number>;

  constructor(venue: DirectVenue, symbol: string, grid: Grid, accounts: SymbolAccounts, saved: SavedState) {
    const market = venue.view.marketBySymbol(symbol);
    assert(market !== undefined, "bots trade what is listed");
    const numberOf = ({ apiKey }: Credentials): number => {
      const accountId = venue.view.apiKey(apiKey)?.accountId;
      assert(accountId !== undefined, "the accounts of bots are open");
      return accountId;
    };
    const { bids, asks, depth, taker } = accounts;
    this.#venue = venue;
    this.#market = market;
    this.#accounts = {
      bids: bids.map(numberOf),
      asks: asks.map(numberOf),
      depth: depth.map(numberOf),
      taker: taker.map(numberOf),
    };
    this.#commands = new OrderCommands(market, grid);
    const nothing = { bookUpdateId: -1, open: [] };
    this.#seen = { bids: nothing, asks: nothing, depth: nothing, taker: nothing };
    const restored = saved.restore(`senders of ${symbol}`, SAVED_TURNS, () => ({ ...this.#turns }));
    this.#turns = restored ?? { bids: 0, asks: 0, depth: 0, taker: 0 };
  }

  /** The last price in the quote asset; 0 if nothing has traded. */
  get lastPrice(): number {
    const { firstTradeMs, lastTradeTicks, scale } = this.#market;
    return firstTradeMs === 0 ? 0 : lastTradeTicks / whole(10, scale.priceDecimals);
  }

  /** Submits all commands of a step in this turn. */
  carryOut(moves: Moves): void {
    let seen: readonly (readonly OpenQuote[])[] = [];
    for (;;) {
      const { done, value: move } = moves.next(seen);
      if (done === true) return;
      if (move.type === "look") seen = move.jobs.map((job) => this.#open(job));
      else for (const action of move.actions) this.#act(action);
    }
  }

  #open(job: Job): readonly OpenQuote[] {
    const seen = this.#seen[job];
    const { bookUpdateId, symbolId } = this.#market;
    if (seen.bookUpdateId === bookUpdateId) return seen.open;
    const { tick, lot } = this.#commands;
    const open: OpenQuote[] = [];
    for (const accountId of this.#accounts[job]) {
      const from = open.length;
      this.#venue.view.visitQuotes(accountId, symbolId, (order) => {
        const { orderId, side, priceTicks } = order;
        open.push({ orderId, side, ticks: priceTicks / tick, lots: openLotsOf(order) / lot });
      });
      sortFrom(open, from);
    }
    this.#seen[job] = { bookUpdateId, open };
    return open;
  }

  #act(action: Action): void {
    const { newId } = this.#venue;
    if (action.type === "cancel") this.#cancel(action.job, action.orderId);
    else if (action.type === "quote") {
      this.#submit(this.#commands.quote(this.#next(action.job), action.side, action.quote, newId()));
    } else this.#submit(this.#commands.take(this.#next("taker"), action.order, newId()));
  }

  #cancel(job: Job, orderId: number): void {
    const [first = 0, ...more] = this.#accounts[job];
    const accountId = more.length === 0 ? first : (this.#venue.view.openOrder(orderId)?.accountId ?? first);
    this.#submit(this.#commands.cancel(accountId, orderId, this.#venue.newId()));
  }

  /** Returns the next account of a job. */
  #next(job: Job): number {
    const accounts = this.#accounts[job];
    const turn = this.#turns[job];
    this.#turns[job] = (turn + 1) % accounts.length;
    return accounts[turn % accounts.length] as number;
  }

  #submit(command: Command): void {
    const { submit, tell } = this.#venue;
    submit(command, (outcome) => {
      if (outcome instanceof Error) tell(`refused ${this.#market.spec.symbol} ${command.type}: ${outcome.message}`);
      else if (outcome.events[0]?.type === "rejected") {
        tell(`refused ${this.#market.spec.symbol} ${command.type}: ${outcome.events[0].reason}`);
      }
    });
  }
}

/** Sorts by order id. It is an insertion sort, because a job has a few dozen quotes that are mostly in order. */
export function sortFrom(open: OpenQuote[], from: number): void {
  for (let at = from + 1; at < open.length; at++) {
    const one = open[at] as OpenQuote;
    let to = at;
    for (; to > from && (open[to - 1] as OpenQuote).orderId > one.orderId; to--) open[to] = open[to - 1] as OpenQuote;
    open[to] = one;
  }
}

// Client order ids of a lab's bots, in the gateway's format: 22 letters and digits that begin with the time.

const TIME_LETTERS = 8;
/** The number of letters from each 32-bit random number; the last number provides one less. */
const LETTERS = [5, 5, 4] as const;

export class OrderIds {
  readonly #random: Random;
  #timeMs = -1;
  #timeText = "";

  /** `name`: a different name for each user of the seed, so that each has its own ids. */
  constructor(seed: number, name: string, saved: SavedState) {
    this.#random = new Random(seed, name, saved);
  }

  next(nowMs: number): string {
    if (nowMs !== this.#timeMs) {
      this.#timeMs = nowMs;
      this.#timeText = lettersOf(nowMs, TIME_LETTERS);
    }
    let id = this.#timeText;
    for (const count of LETTERS) id += lettersOf(this.#random.bits(), count);
    return id;
  }
}

function lettersOf(value: number, count: number): string {
  let [text, left] = ["", value];
  for (let letter = 0; letter < count; letter++) {
    text = (LETTERS_AND_DIGITS[left % LETTERS_AND_DIGITS.length] as string) + text;
    left = Math.floor(left / LETTERS_AND_DIGITS.length);
  }
  return text;
}
