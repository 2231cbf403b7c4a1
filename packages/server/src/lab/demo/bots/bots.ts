/**
 * All bots of a demo. Like any client, they trade through the gateway, so that every symbol has an active book, trades
 * and klines.
 */
import {
  type Action,
  type Grid,
  type Job,
  type Moves,
  type OpenQuote,
  priceText,
  priceTicks,
  quantityText,
  type Quote,
  type Side,
  type TakerOrder,
} from "./orders.ts";
import { toScale } from "@pricetime/engine";
import { BotClient, type Credentials, Refused, type Venue } from "./bot-accounts.ts";
import type { Cancel, Saves, Timers } from "../../../platform/world/port.ts";
import { Random } from "./random.ts";
import { STEP_MS, type TradedSymbol, Traders, type TradersParts } from "./traders.ts";

type SymbolSenders = Readonly<Record<Job, OrderSenders>>;

/**
 * Performs the actions of a symbol's driver through the gateway. The actions of one move are sent together. Rejects if
 * a request fails for any reason but a rejection.
 */
export async function carryOut(moves: Moves, senders: SymbolSenders): Promise<void> {
  let seen: readonly (readonly OpenQuote[])[] = [];
  for (;;) {
    const { done, value: move } = moves.next(seen);
    if (done === true) return;
    if (move.type === "look") seen = await Promise.all(move.jobs.map((job) => senders[job].open()));
    else await Promise.all(move.actions.map((action) => act(action, senders)));
  }
}

function act(action: Action, senders: SymbolSenders): Promise<void> {
  if (action.type === "take") return senders.taker.take(action.order);
  if (action.type === "cancel") return senders[action.job].cancel(action.orderId);
  return senders[action.job].quote(action.side, action.quote);
}

interface OpenOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
}

/** Receives a description of each action: the same seed on the same market leads to the same texts. */
export type Tell = (decision: string) => void;

const ORDER = "/api/v3/order";

class OrderSender {
  readonly #client: BotClient;
  readonly #symbol: string;
  readonly #grid: Grid;
  readonly #tell: Tell;

  constructor(client: BotClient, symbol: string, grid: Grid, tell: Tell) {
    this.#client = client;
    this.#symbol = symbol;
    this.#grid = grid;
    this.#tell = tell;
  }

  /** Resolves to the last price; 0 if nothing has traded. */
  async lastPrice(): Promise<number> {
    const latest = { symbol: this.#symbol, limit: 1 };
    const trades = await this.#client.public<{ price: string }[]>("/api/v3/trades", latest);
    return Number(trades[0]?.price ?? 0);
  }

  /** Resolves to the open orders with their remaining quantities. */
  async open(): Promise<OpenQuote[]> {
    const orders = await this.#client.signed<OpenOrder[]>("GET", "/api/v3/openOrders", { symbol: this.#symbol });
    const lotsOf = (quantity: string): number => toScale(quantity, this.#grid.quantityDecimals);
    return orders.map(({ orderId, side, price, origQty, executedQty }) => ({
      ...{ orderId, side, ticks: priceTicks(this.#grid, price) },
      lots: lotsOf(origQty) - lotsOf(executedQty),
    }));
  }

  cancel(orderId: number): Promise<void> {
    this.#tell(`cancel ${this.#symbol} ${orderId}`);
    return this.#send("DELETE", { orderId });
  }

  quote(side: Side, { ticks, lots }: Quote): Promise<void> {
    const price = priceText(this.#grid, ticks);
    const quantity = quantityText(this.#grid, lots);
    this.#tell(`quote ${this.#symbol} ${side} ${quantity} at ${price}`);
    return this.#send("POST", { side, type: "LIMIT", timeInForce: "GTC", quantity, price });
  }

  take({ side, lots, limitTicks }: TakerOrder): Promise<void> {
    const quantity = quantityText(this.#grid, lots);
    const price = priceText(this.#grid, limitTicks);
    const terms = limitTicks === 0 ? { type: "MARKET" } : { type: "LIMIT", timeInForce: "IOC", price };
    this.#tell(`take ${this.#symbol} ${side} ${quantity}${limitTicks === 0 ? "" : ` to ${price}`}`);
    return this.#send("POST", { side, ...terms, quantity });
  }

  async #send(method: string, parameters: Readonly<Record<string, string | number>>): Promise<void> {
    try {
      await this.#client.signed(method, ORDER, { symbol: this.#symbol, ...parameters });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(`refused ${error.message}`);
    }
  }
}

// Several accounts with the same job on one symbol. They take turns, so that their order limits add up.

class OrderSenders {
  readonly #senders: readonly [OrderSender, ...OrderSender[]];
  /** The account that placed each order. */
  #owners = new Map<number, OrderSender>();
  #turns = 0;

  constructor(senders: readonly [OrderSender, ...OrderSender[]]) {
    this.#senders = senders;
  }

  /** Resolves to the last price; 0 if nothing has traded. */
  lastPrice(): Promise<number> {
    return this.#senders[0].lastPrice();
  }

  async open(): Promise<OpenQuote[]> {
    const all = await Promise.all(this.#senders.map(async (sender) => ({ sender, open: await sender.open() })));
    this.#owners = new Map(all.flatMap(({ sender, open }) => open.map(({ orderId }) => [orderId, sender] as const)));
    return all.flatMap(({ open }) => open);
  }

  /** Cancels an order that `open` returned. */
  async cancel(orderId: number): Promise<void> {
    await this.#owners.get(orderId)?.cancel(orderId);
  }

  quote(side: Side, quote: Quote): Promise<void> {
    return this.#next().quote(side, quote);
  }

  take(order: TakerOrder): Promise<void> {
    return this.#next().take(order);
  }

  #next(): OrderSender {
    return this.#senders[this.#turns++ % this.#senders.length] ?? this.#senders[0];
  }
}

/**
 * The maximum by which a step begins early or late, as a fraction of a step, so that the bots' activity is not
 * periodic.
 */
export const UNEVEN = 0.4;

export interface BotsOptions extends Omit<TradersParts, "control"> {
  readonly venue: Venue;
  /** The exchange's clock, for timestamps and the time of day. */
  readonly nowMs: () => number;
  readonly world: Timers & Saves;
  /** Whether the symbol accepts orders; otherwise the bots send none. */
  readonly isTrading: (symbol: string) => boolean;
  /** Called when a step fails for any reason but a rejection. */
  readonly onError: (error: unknown) => void;
  readonly tell?: Tell;
}

export class Bots {
  readonly #options: BotsOptions;
  readonly #traders: Traders;
  readonly #senders: readonly SymbolSenders[];
  readonly #pace: Random;
  #stopTimer: Cancel = () => {};
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: BotsOptions) {
    this.#options = options;
    this.#traders = new Traders(options, options.world.saved);
    this.#senders = this.#traders.symbols.map((symbol) => this.#sendersOf(symbol));
    this.#pace = new Random(options.seed, "pace", options.world.saved);
  }

  /** Runs the first step, which gives every symbol a book and a trade; then runs about four steps a second. */
  start(): Promise<void> {
    this.#running = this.#begin()
      .then(() => this.step())
      .then(() => this.#next());
    return this.#running;
  }

  /**
   * Stops the bots. Resolves when the current step has ended. Open orders are not canceled, and the next start takes
   * them over.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#running;
  }

  /** Runs one step of every symbol that accepts orders. Never rejects. */
  async step(): Promise<void> {
    const { nowMs, isTrading, onError } = this.#options;
    const atMs = nowMs();
    this.#traders.step(atMs);
    const steps = this.#traders.symbols.map(async ({ driver }, index) => {
      const senders = this.#senders[index];
      if (senders !== undefined && isTrading(driver.symbol)) await carryOut(driver.step(atMs), senders);
    });
    await Promise.all(steps.map((step) => step.catch(onError)));
  }

  #sendersOf({ grid, accounts, driver }: TradedSymbol): SymbolSenders {
    const { venue, nowMs, tell = () => {} } = this.#options;
    const sender = (one: Credentials): OrderSender =>
      new OrderSender(new BotClient(venue, one, nowMs), driver.symbol, grid, tell);
    const senders = ([first, ...more]: readonly [Credentials, ...Credentials[]]): OrderSenders =>
      new OrderSenders([sender(first), ...more.map(sender)]);
    const { bids, asks, depth, taker } = accounts;
    return { bids: senders(bids), asks: senders(asks), depth: senders(depth), taker: senders(taker) };
  }

  /** Schedules the next step about `STEP_MS` after this one has ended. */
  #next(): void {
    if (this.#isStopped) return;
    const waitMs = STEP_MS * this.#pace.between(1 - UNEVEN, 1 + UNEVEN);
    this.#stopTimer = this.#options.world.after(waitMs, () => {
      this.#running = this.step().then(() => this.#next());
    });
  }

  async #begin(): Promise<void> {
    this.#traders.begin(await Promise.all(this.#senders.map(({ taker }) => taker.lastPrice().catch(() => 0))));
  }
}
