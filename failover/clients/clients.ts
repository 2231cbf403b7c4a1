/** All clients and listeners of a run, and everything that they have recorded. */
import { Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { DepthMessages, TradeMessages, UserMessages } from "./heard.ts";
import { depthListener, tradeListener, userListener } from "./listeners.ts";
import type { Operation } from "./operation.ts";
import { type Memory, type NodeAddress, Trader } from "./trader.ts";

const CLIENTS_AN_ACCOUNT = 2;
const MOST_PAUSE_MS = 60;

export interface ClientsOptions {
  readonly accounts: readonly DemoAccount[];
  readonly symbols: readonly string[];
  readonly places: () => readonly NodeAddress[];
  readonly seed: number;
}

export interface Record {
  readonly operations: readonly Operation[];
  readonly users: readonly UserMessages[];
  readonly trades: readonly TradeMessages[];
  readonly depths: readonly DepthMessages[];
}

export class Clients {
  readonly operations: Operation[] = [];
  readonly #traders: Trader[];
  readonly #users: ReturnType<typeof userListener>[];
  readonly #trades: ReturnType<typeof tradeListener>[];
  readonly #depths: ReturnType<typeof depthListener>[];
  #running: Promise<unknown> = Promise.resolve();

  private constructor(options: ClientsOptions, listenKeys: readonly string[]) {
    const { accounts, symbols, places, seed } = options;
    const onOperation = (operation: Operation): void => void this.operations.push(operation);
    const memories = accounts.map((credentials, account): Memory => ({ account, credentials, orders: [] }));
    const all = memories.flatMap((memory) => Array.from({ length: CLIENTS_AN_ACCOUNT }, () => memory));
    this.#traders = all.map((memory, client) => {
      const dice = new Dice(seed * 1_000 + client);
      return new Trader({ client, memory, symbols, places, dice, mostPauseMs: MOST_PAUSE_MS, onOperation });
    });
    let listeners = 0;
    const listening = (): { places: () => readonly NodeAddress[]; dice: Dice } => {
      return { places, dice: new Dice(seed * 1_000 + 500 + listeners++) };
    };
    this.#users = listenKeys.map((key, account) => userListener(listening(), account, key));
    // Two listeners per symbol, so that nodes can be compared.
    const twice = [...symbols, ...symbols];
    this.#trades = twice.map((symbol) => tradeListener(listening(), symbol));
    this.#depths = twice.map((symbol) => depthListener(listening(), symbol));
  }

  static async gather(options: ClientsOptions): Promise<Clients> {
    const [first] = options.places();
    const listenKeys: string[] = [];
    for (const account of options.accounts) {
      const client = new Client(first?.rest ?? "", account);
      const { json } = await client.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream");
      listenKeys.push(json.listenKey);
      client.close();
    }
    return new Clients(options, listenKeys);
  }

  get #listeners(): { start(): void; settle(): void; stop(): Promise<void> }[] {
    return [...this.#users, ...this.#trades, ...this.#depths];
  }

  start(): void {
    for (const listener of this.#listeners) listener.start();
    this.#running = Promise.all(this.#traders.map((trader) => trader.run()));
  }

  /** Stops the traders; resolves when each has the outcome of its last request. Listeners stay connected. */
  async stopTrading(): Promise<void> {
    for (const trader of this.#traders) trader.stop();
    for (const listener of this.#listeners) listener.settle();
    await this.#running;
  }

  /** Disconnects the listeners, after the nodes have sent all messages. */
  async leave(): Promise<Record> {
    await Promise.all(this.#listeners.map((listener) => listener.stop()));
    return this.record;
  }

  /** Everything that was recorded so far. */
  get record(): Record {
    const heard = <T>(listeners: readonly { readonly heard: readonly T[] }[]): T[] =>
      listeners.flatMap((listener) => listener.heard);
    return {
      operations: this.operations,
      users: heard(this.#users),
      trades: heard(this.#trades),
      depths: heard(this.#depths),
    };
  }
}
