/** WebSocket listeners, each connected to one node until the connection is lost, then to another. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "@pricetime/testkit/dice";
import { amount } from "@pricetime/testkit/models";
import { WebSocket } from "ws";
import { executionKey } from "../checks/course.ts";
import type { DepthMessages, TradeMessages, UserMessages } from "./heard.ts";
import type { NodeAddress } from "./trader.ts";

const RECONNECT_PAUSE_MS = 100;
const OPEN_WITHIN_MS = 3_000;
/** A listener also switches nodes at intervals without a fault. */
const MOST_STAY_MS = 20_000;

export interface ListenerOptions {
  readonly places: () => readonly NodeAddress[];
  readonly dice: Dice;
}

/** Opens connections one after another. `begin` is called for each and returns a function that takes its messages. */
class Listener<Heard extends { isWhole: boolean }> {
  readonly heard: Heard[] = [];
  readonly #options: ListenerOptions;
  readonly #path: string;
  readonly #begin: (node: string) => Heard;
  readonly #take: (heard: Heard, message: Record<string, unknown>) => void;
  #socket: WebSocket | undefined;
  #isSettled = false;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    options: ListenerOptions,
    path: string,
    begin: (node: string) => Heard,
    take: (heard: Heard, message: Record<string, unknown>) => void,
  ) {
    this.#options = options;
    this.#path = path;
    this.#begin = begin;
    this.#take = take;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** From now on the listener switches nodes only when its connection is lost. */
  settle(): void {
    this.#isSettled = true;
  }

  /** Must be called in a quiet cluster: connections that are open then have received everything. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const last = this.heard.at(-1);
    if (last !== undefined && this.#socket?.readyState === WebSocket.OPEN) last.isWhole = true;
    this.#socket?.terminate();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { places, dice } = this.#options;
    while (!this.#isStopped) {
      await this.#listen(dice.pick(places()));
      await sleep(RECONNECT_PAUSE_MS);
    }
  }

  #listen({ name, ws }: NodeAddress): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${ws}${this.#path}`, { handshakeTimeout: OPEN_WITHIN_MS });
      this.#socket = socket;
      let heard: Heard | undefined;
      const stay = setTimeout(
        () => {
          if (!this.#isSettled) socket.terminate();
        },
        this.#options.dice.between(1_000, MOST_STAY_MS),
      );
      socket.on("open", () => {
        heard = this.#begin(name);
        this.heard.push(heard);
      });
      socket.on("message", (data) => {
        if (heard !== undefined) this.#take(heard, JSON.parse(String(data)) as Record<string, unknown>);
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        clearTimeout(stay);
        resolve();
      });
    });
  }
}

const opened = (node: string): { readonly node: string; readonly openedMs: number; isWhole: boolean } => ({
  node,
  openedMs: performance.now(),
  isWhole: false,
});

export function userListener(options: ListenerOptions, account: number, listenKey: string): Listener<UserMessages> {
  return new Listener<UserMessages>(
    options,
    `/ws/${listenKey}`,
    (node) => ({ ...opened(node), account, keys: [] }),
    (heard, { e, i, X, z, t }) => {
      if (e !== "executionReport") return;
      heard.keys.push(executionKey(Number(i), String(X), amount(String(z)), Number(t)));
    },
  );
}

export function tradeListener(options: ListenerOptions, symbol: string): Listener<TradeMessages> {
  return new Listener<TradeMessages>(
    options,
    `/ws/${symbol.toLowerCase()}@trade`,
    (node) => ({ ...opened(node), symbol, trades: [] }),
    (heard, { t, p, q }) => void heard.trades.push({ tradeId: Number(t), price: String(p), quantity: String(q) }),
  );
}

export function depthListener(options: ListenerOptions, symbol: string): Listener<DepthMessages> {
  return new Listener<DepthMessages>(
    options,
    `/ws/${symbol.toLowerCase()}@depth@100ms`,
    (node) => ({ ...opened(node), symbol, events: [] }),
    (heard, message) => void heard.events.push(message as unknown as DepthMessages["events"][number]),
  );
}
