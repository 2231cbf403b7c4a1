/**
 * A client: one request after another, each to a random node. Two clients share each account, so that a change by one
 * at a node is queried by the other at another node. It records everything and checks nothing.
 */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials } from "@pricetime/testkit/client";
import type { Dice } from "@pricetime/testkit/dice";
import { type Ask, type ListAsk, type Operation, QUANTITY_DECIMALS, type Stop } from "./operation.ts";
import { send } from "./request.ts";

/** A node as clients address it: its address changes with a restart. */
export interface NodeAddress {
  readonly name: string;
  readonly rest: string;
  readonly ws: string;
}

/** The state that the clients of one account share. */
export interface Memory {
  readonly account: number;
  readonly credentials: Credentials;
  /** Orders that may be open, with their symbols and quantities as placed; the oldest first. */
  readonly orders: { readonly order: string; readonly symbol: string; readonly quantity: number }[];
}

export interface TraderOptions {
  readonly client: number;
  readonly memory: Memory;
  readonly symbols: readonly string[];
  readonly places: () => readonly NodeAddress[];
  readonly dice: Dice;
  /** The longest pause between a response and the next request. */
  readonly mostPauseMs: number;
  readonly onOperation: (operation: Operation) => void;
}

/** Beyond this number, orders are canceled rather than placed. */
const MOST_REMEMBERED = 24;
/** After a rejection by the node, a client pauses and uses another node. */
const REBUFF_PAUSE_MS = 50;
/** Each client has so many quantities of amendments. */
const CLIENT_AMENDMENTS = 100_000;
const MID = 1_000;
const SPREAD = 12;

export class Trader {
  readonly #options: TraderOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** The last entry that any response has reported. */
  #seq = 0;
  #count = 0;
  #isStopped = false;

  constructor(options: TraderOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when it was stopped and the outcome of its last request is known. */
  async run(): Promise<void> {
    const { dice, mostPauseMs } = this.#options;
    while (!this.#isStopped) {
      const { outcome } = await this.#step();
      await sleep(outcome.is === "notTaken" ? REBUFF_PAUSE_MS : dice.below(mostPauseMs + 1));
    }
    this.#agent.destroy();
  }

  async #step(): Promise<Operation> {
    const { client, memory, places, dice, onOperation } = this.#options;
    const place = dice.pick(places());
    const ask = this.#draw();
    const atLeastSeq = dice.oneIn(4) ? this.#seq : 0;
    const beganMs = performance.now();
    const target = { rest: place.rest, agent: this.#agent, account: memory.credentials };
    const told = await send(target, ask, atLeastSeq);
    const endedMs = performance.now();
    const operation = { client, account: memory.account, node: place.name, ask, atLeastSeq, beganMs, endedMs, ...told };
    this.#seq = Math.max(this.#seq, told.seq);
    onOperation(operation);
    return operation;
  }

  #draw(): Ask {
    const { memory, dice } = this.#options;
    const { orders } = memory;
    const isFull = orders.length >= MOST_REMEMBERED;
    const kind = dice.weighted([
      [isFull ? 5 : 28, "place"],
      [isFull ? 1 : 7, "list"],
      [orders.length === 0 ? 0 : 5, "amend"],
      [orders.length === 0 ? 0 : 22, "cancel"],
      [orders.length === 0 ? 0 : 28, "query"],
      [7, "openOrders"],
      [8, "balances"],
    ] as const);
    if (kind === "place") return this.#place();
    if (kind === "list") return this.#list();
    if (kind === "balances") return { kind };
    if (kind === "openOrders") return { kind, symbol: dice.pick(this.#options.symbols) };
    const at = dice.below(orders.length);
    const { order, symbol, quantity } = orders[at] as Memory["orders"][number];
    if (kind === "query") return { kind, order, symbol };
    if (kind === "amend") return { kind, order, symbol, quantity: this.#newQuantity(quantity) };
    // Some are remembered, to be canceled again and queried.
    if (isFull || dice.oneIn(2)) orders.splice(at, 1);
    return { kind, order, symbol, cancelId: this.#newId("x") };
  }

  #place(): Ask {
    const { memory, dice, symbols } = this.#options;
    const symbol = dice.pick(symbols);
    const order = this.#newId("o");
    const side = dice.pick(["BUY", "SELL"] as const);
    // Most orders rest near the middle and some cross it; some exceed the account's balance.
    const away = dice.between(-3, SPREAD) * (side === "BUY" ? -1 : 1);
    const quantity = dice.oneIn(25) ? 4000 : dice.between(1, 9);
    memory.orders.push({ order, symbol, quantity });
    const stop = dice.oneIn(4) ? { stop: this.#stop(side) } : {};
    return { kind: "place", order, symbol, side, price: String(MID + away), quantity: String(quantity), ...stop };
  }

  /** A stop price that the last price often has not reached, a distance from the price, or both. */
  #stop(side: "BUY" | "SELL"): Stop {
    const { dice } = this.#options;
    const type = dice.pick(["STOP_LOSS_LIMIT", "TAKE_PROFIT_LIMIT"] as const);
    const isAbove = (type === "STOP_LOSS_LIMIT") === (side === "BUY");
    const stopPrice = String(MID + dice.between(1, SPREAD) * (isAbove ? 1 : -1));
    const trailingDelta = dice.between(10, 80);
    return { type, ...dice.pick([{ stopPrice }, { stopPrice }, { trailingDelta }, { stopPrice, trailingDelta }]) };
  }

  /** Two orders that sell, alone or after an order that buys. */
  #list(): ListAsk {
    const { memory, dice, symbols } = this.#options;
    const symbol = dice.pick(symbols);
    const listKind = dice.pick(["oco", "oto", "otoco", "opo"] as const);
    const quantity = dice.between(1, 9);
    const orders = Array.from({ length: listKind === "otoco" ? 3 : 2 }, () => this.#newId("o"));
    for (const order of orders) memory.orders.push({ order, symbol, quantity });
    const [above, below] = [MID + dice.between(1, SPREAD), MID - dice.between(1, SPREAD)].map(String);
    const [first, second] = listKind === "oco" ? ["above", "below"] : ["pendingAbove", "pendingBelow"];
    const pair = {
      ...{ [`${first}Type`]: "LIMIT_MAKER", [`${first}Price`]: above, [`${second}Type`]: "STOP_LOSS_LIMIT" },
      ...{ [`${second}Price`]: below, [`${second}StopPrice`]: below, [`${second}TimeInForce`]: "GTC" },
    };
    const stopped = { pendingType: "STOP_LOSS_LIMIT", pendingStopPrice: below };
    const single = dice.oneIn(2) ? { pendingType: "LIMIT" } : dice.oneIn(2) ? stopped : this.#trailing();
    const working = {
      ...{ workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingQuantity: String(quantity) },
      ...{ workingPrice: String(MID + dice.between(-3, 3)), pendingSide: "SELL" },
      ...(listKind === "opo" ? {} : { pendingQuantity: String(quantity) }),
    };
    const terms = {
      ...(listKind === "oco" ? { side: "SELL", quantity: String(quantity) } : working),
      ...(listKind === "oco" || listKind === "otoco"
        ? pair
        : { ...single, pendingPrice: String(below), pendingTimeInForce: "GTC" }),
    } as Record<string, string>;
    return { kind: "list", list: this.#newId("l"), listKind, symbol, orders, terms };
  }

  #trailing(): Record<string, string> {
    return { pendingType: "STOP_LOSS_LIMIT", pendingTrailingDelta: String(this.#options.dice.between(10, 80)) };
  }

  /** Less than `quantity`, mostly, and different from that of any other amendment. */
  #newQuantity(quantity: number): string {
    const { client, dice } = this.#options;
    const unique = client * CLIENT_AMENDMENTS + (++this.#count % CLIENT_AMENDMENTS);
    return `${dice.between(1, Math.max(1, quantity - 1))}.${String(unique).padStart(QUANTITY_DECIMALS, "0")}`;
  }

  /** An ID that no client has used or will use. */
  #newId(prefix: string): string {
    return `${prefix}-${this.#options.client}-${++this.#count}`;
  }
}
