/**
 * A seeded flow of orders, the same for every engine that is measured: about half adds around a mid
 * that wanders, two fifths cancels of orders that are open, a tenth orders that cross.
 */
import { type Command, Engine, type OrderType } from "@pricetime/engine";
import { Random } from "../test/random.ts";

/** Prices in ticks, quantities in lots. */
export type Step =
  | {
      readonly kind: "place";
      readonly orderId: number;
      readonly buys: boolean;
      readonly ticks: number;
      readonly lots: number;
    }
  | { readonly kind: "cancel"; readonly orderId: number };

export interface Flow {
  /** Fills an empty book with `RESTING_ORDERS`. */
  readonly opening: readonly Step[];
  /** What is measured. */
  readonly steps: readonly Step[];
  /** Shares of the measured steps. */
  readonly adds: number;
  readonly cancels: number;
  readonly crossing: number;
}

export const RESTING_ORDERS = 10_000;
export const ACCOUNTS = 200;
export const FIRST_ACCOUNT = 100;
const START_TICKS = 5_000_000;
const DEEPEST_TICKS = 2_000;

export const accountOf = (orderId: number): number => FIRST_ACCOUNT + (orderId % ACCOUNTS);

const SYMBOL_ID = 0;
const ORDER_TYPES: readonly OrderType[] = ["LIMIT", "LIMIT_MAKER", "MARKET"];

/** What a real venue has before the first order: assets, a symbol with filters, funded accounts. */
export function venueCommands(): Command[] {
  const by = "bench";
  const asset = (name: string, precision: number): Command => ({
    type: "listAsset",
    by,
    asset: { asset: name, name, precision, networks: [] },
  });
  const commands: Command[] = [asset("BTC", 8), asset("USDT", 8), listBitcoin(by)];
  for (let i = 0; i < ACCOUNTS; i++) {
    const accountId = FIRST_ACCOUNT + i;
    commands.push({ type: "openAccount", by, email: `${i}@example.org`, name: `${i}`, makerBps: 10, takerBps: 10 });
    for (const [name, amount] of [
      ["BTC", "1000000"],
      ["USDT", "50000000000"],
    ] as const) {
      commands.push({ type: "deposit", by, accountId, asset: name, amount, reference: `${i}-${name}` });
    }
  }
  return commands;
}

function listBitcoin(by: string): Command {
  return {
    type: "listSymbol",
    by,
    symbol: {
      symbol: "BTCUSDT",
      status: "TRADING",
      baseAsset: "BTC",
      quoteAsset: "USDT",
      orderTypes: ORDER_TYPES,
      icebergAllowed: true,
      ocoAllowed: true,
      quoteOrderQtyMarketAllowed: true,
      filters: {
        priceFilter: { minPrice: "0.01", maxPrice: "1000000.00", tickSize: "0.01" },
        percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
        lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
        minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
        maxNumOrders: { limit: 1000 },
      },
    },
  };
}

/** The command of the exchange for a step. */
export function commandOf(step: Step): Command {
  if (step.kind === "cancel") {
    return {
      type: "cancelOrder",
      accountId: accountOf(step.orderId),
      symbolId: SYMBOL_ID,
      orderId: step.orderId,
      origClientOrderId: "",
      newClientOrderId: `cancel${step.orderId}`,
    };
  }
  return {
    type: "placeOrder",
    accountId: accountOf(step.orderId),
    symbolId: SYMBOL_ID,
    side: step.buys ? "BUY" : "SELL",
    orderType: "LIMIT",
    timeInForce: "GTC",
    priceTicks: step.ticks,
    quantityLots: step.lots,
    stopTicks: 0,
    icebergLots: 0,
    quoteOrderQty: 0n,
    clientOrderId: `order${step.orderId}`,
  };
}

/** An engine with the venue set up, and the time and seq of its next entry. */
export class Venue {
  readonly engine = new Engine();
  #seq = 0;

  constructor() {
    for (const command of venueCommands()) {
      const [event] = this.apply(command);
      if (event?.type === "rejected") throw new Error(`${command.type}: ${event.reason}`);
    }
  }

  apply(command: Command): ReturnType<Engine["apply"]> {
    const seq = ++this.#seq;
    return this.engine.apply({ seq, timeMs: 1_700_000_000_000 + Math.floor(seq / 100), command });
  }
}

/** Orders that are open, to pick one at random in constant time. */
class OpenOrders {
  readonly #ids: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#ids.length;
  }
  add(id: number): void {
    this.#places.set(id, this.#ids.length);
    this.#ids.push(id);
  }
  remove(id: number): void {
    const place = this.#places.get(id);
    const last = this.#ids.pop();
    if (place === undefined || last === undefined) throw new Error(`order ${id} is not open`);
    this.#places.delete(id);
    if (last === id) return;
    this.#ids[place] = last;
    this.#places.set(last, place);
  }
  pick(random: Random): number {
    return random.pick(this.#ids) ?? 0;
  }
}

/** Makes the flow by running it, so that every cancel finds its order open. */
export function makeFlow(seed: number, count: number): Flow {
  const maker = new FlowMaker(seed);
  const opening: Step[] = [];
  while (maker.resting < RESTING_ORDERS) opening.push(maker.add());
  const steps: Step[] = [];
  const shares = { adds: 0, cancels: 0, crossing: 0 };
  const random = new Random(seed + 1);
  while (steps.length < count) {
    const dice = random.next();
    const kind = dice < 0.5 ? "adds" : dice < 0.9 ? "cancels" : "crossing";
    shares[kind]++;
    steps.push(kind === "adds" ? maker.add() : kind === "cancels" ? maker.cancel() : maker.cross());
  }
  return { opening, steps, ...shares };
}

class FlowMaker {
  readonly #random: Random;
  readonly #venue = new Venue();
  readonly #open = new OpenOrders();
  #orderId = 0;
  #midTicks = START_TICKS;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  get resting(): number {
    return this.#open.size;
  }

  /** Behind the mid, dense near it and thin far from it. */
  add(): Step {
    const buys = this.#random.next() < 0.5;
    this.#midTicks += this.#random.between(-1, 1);
    const away = 1 + Math.floor(this.#random.next() ** 2 * DEEPEST_TICKS);
    return this.#place(buys, this.#midTicks + (buys ? -away : away), this.#random.between(1_000, 500_000));
  }

  /** Through the best opposite price, for about one resting order. */
  cross(): Step {
    const buys = this.#random.next() < 0.5;
    const market = this.#venue.engine.market(SYMBOL_ID);
    const [best] = buys ? market.asks(1) : market.bids(1);
    const ticks = best?.[0] ?? this.#midTicks;
    return this.#place(buys, ticks + (buys ? 10 : -10), this.#random.between(1_000, 600_000));
  }

  cancel(): Step {
    const step: Step = { kind: "cancel", orderId: this.#open.pick(this.#random) };
    this.#learn(this.#venue.apply(commandOf(step)));
    return step;
  }

  #place(buys: boolean, ticks: number, lots: number): Step {
    const step: Step = { kind: "place", orderId: ++this.#orderId, buys, ticks, lots };
    this.#learn(this.#venue.apply(commandOf(step)));
    return step;
  }

  #learn(events: ReturnType<Engine["apply"]>): void {
    for (const event of events) {
      if (event.type === "rejected") throw new Error(`the flow was refused: ${event.reason}`);
      if (event.type === "orderOpened") this.#open.add(event.order.orderId);
      if (event.type === "orderEnded") this.#open.remove(event.order.orderId);
      if (event.type === "trade") {
        for (const { status, order } of [event.taker, event.maker]) {
          if (status === "FILLED") this.#open.remove(order.orderId);
        }
      }
    }
  }
}
