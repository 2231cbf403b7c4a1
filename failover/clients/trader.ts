/**
 * A client: one request after another, each to a node drawn by lot. Two share each account, so that what one has done
 * at a node is asked for by the other at another. It records everything and draws no conclusion.
 */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials } from "@pricetime/testkit/client";
import type { Dice } from "@pricetime/testkit/dice";
import type { Ask, Operation } from "./operation.ts";
import { send } from "./request.ts";

/** A node as clients know it: its address changes when it starts anew. */
export interface Place {
  readonly name: string;
  readonly rest: string;
  readonly ws: string;
}

/** What the clients of one account know together. */
export interface Memory {
  readonly account: number;
  readonly credentials: Credentials;
  /** Orders that may be open, with their symbols; the oldest first. */
  readonly orders: { readonly order: string; readonly symbol: string }[];
}

export interface TraderOptions {
  readonly client: number;
  readonly memory: Memory;
  readonly symbols: readonly string[];
  readonly places: () => readonly Place[];
  readonly dice: Dice;
  /** Between an answer and the next request, at most. */
  readonly mostPauseMs: number;
  readonly onOperation: (operation: Operation) => void;
}

/** More are cancelled rather than placed. */
const MOST_REMEMBERED = 24;
/** After a refusal to be served a client goes elsewhere, not at once. */
const REBUFF_PAUSE_MS = 50;
const MID = 1_000;
const SPREAD = 12;

export class Trader {
  readonly #options: TraderOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** The last entry that any answer has told of. */
  #seq = 0;
  #count = 0;
  #isStopped = false;

  constructor(options: TraderOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when it was stopped and its last request has its outcome. */
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
      [isFull ? 5 : 35, "place"],
      [orders.length === 0 ? 0 : 22, "cancel"],
      [orders.length === 0 ? 0 : 28, "query"],
      [7, "openOrders"],
      [8, "balances"],
    ] as const);
    if (kind === "place") return this.#place();
    if (kind === "balances") return { kind };
    if (kind === "openOrders") return { kind, symbol: dice.pick(this.#options.symbols) };
    const at = dice.below(orders.length);
    const { order, symbol } = orders[at] as Memory["orders"][number];
    if (kind === "query") return { kind, order, symbol };
    // Some stay in mind, to be cancelled again and asked for.
    if (isFull || dice.oneIn(2)) orders.splice(at, 1);
    return { kind, order, symbol, cancelId: this.#newId("x") };
  }

  #place(): Ask {
    const { memory, dice, symbols } = this.#options;
    const symbol = dice.pick(symbols);
    const order = this.#newId("o");
    const side = dice.pick(["BUY", "SELL"] as const);
    // Most rest near the middle, some cross it; some ask for more than the account has.
    const away = dice.between(-3, SPREAD) * (side === "BUY" ? -1 : 1);
    const quantity = dice.oneIn(25) ? "4000" : String(dice.between(1, 9));
    memory.orders.push({ order, symbol });
    return { kind: "place", order, symbol, side, price: String(MID + away), quantity };
  }

  /** An id that no client has used or will use. */
  #newId(prefix: string): string {
    return `${prefix}-${this.#options.client}-${++this.#count}`;
  }
}
