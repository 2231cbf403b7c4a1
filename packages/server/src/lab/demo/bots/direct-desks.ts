/**
 * Carries out the moves of a symbol's driver without the gateway: a look reads the engine's state, and an action goes to
 * the sequencer as the command that the gateway would make of it. The limits of clients do not hold here.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import type { Command, EngineView, MarketView } from "@pricetime/engine";
import type { Outcome } from "../../../journal/sequencer/port.ts";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { readKept } from "../../../platform/world/read-kept.ts";
import { whole } from "../exact.ts";
import type { SymbolAccounts } from "./bot-accounts.ts";
import type { Credentials } from "./client.ts";
import type { Tell } from "./desk.ts";
import type { Action, Job, Moves } from "./driver.ts";
import type { Grid } from "./grid.ts";
import { OrderCommands } from "./order-commands.ts";
import type { OpenQuote } from "./orders.ts";

export interface DirectVenue {
  readonly view: EngineView;
  readonly submit: (command: Command, settle: (outcome: Outcome | Error) => void) => void;
  /** A new client order id. */
  readonly newId: () => string;
  readonly tell: Tell;
}

const turnsShape = z.strictObject({ bids: z.int(), asks: z.int(), depth: z.int(), taker: z.int() });

export class DirectDesks implements Keeping {
  readonly #venue: DirectVenue;
  readonly #market: MarketView;
  readonly #accounts: Readonly<Record<Job, readonly number[]>>;
  readonly #commands: OrderCommands;
  /** What the last look of each job saw; it stays valid until the book changes. */
  readonly #seen: Record<Job, { readonly bookUpdateId: number; readonly open: readonly OpenQuote[] }>;
  /** Accounts take turns at a job. */
  readonly #turns: Record<Job, number>;

  constructor(venue: DirectVenue, symbol: string, grid: Grid, accounts: SymbolAccounts, kept?: KeptValue) {
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
    this.#turns =
      kept === undefined ? { bids: 0, asks: 0, depth: 0, taker: 0 } : readKept(`desks of ${symbol}`, turnsShape, kept);
  }

  kept(): KeptValue {
    return { ...this.#turns };
  }

  /** The last price in the quote asset; 0 when there was no trade yet. */
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
      this.#venue.view.visitQuotes(accountId, symbolId, ({ orderId, side, priceTicks, quantityLots, executedLots }) => {
        open.push({ orderId, side, ticks: priceTicks / tick, lots: (quantityLots - executedLots) / lot });
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

  /** The account whose turn it is. */
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

/** Sorts by order id; a job has a few dozen quotes, mostly in order already. */
export function sortFrom(open: OpenQuote[], from: number): void {
  for (let at = from + 1; at < open.length; at++) {
    const one = open[at] as OpenQuote;
    let to = at;
    for (; to > from && (open[to - 1] as OpenQuote).orderId > one.orderId; to--) open[to] = open[to - 1] as OpenQuote;
    open[to] = one;
  }
}
