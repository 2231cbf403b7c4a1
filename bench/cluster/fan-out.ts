/**
 * Trades made at one node and received from all three: the lag of the other nodes, and the throughput of subscribers.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Peer } from "@pricetime/testkit/peer";
import { quantile } from "@pricetime/testkit/quantile";
import { LoadProcess } from "../load/load.ts";
import { thousands } from "../measure.ts";
import { table } from "../order-path/report.ts";
import type { ClientOrder, ClientReport } from "../stream/messages.ts";
import { SYMBOL } from "../venue/listing.ts";
import type { Venue } from "../venue/venue.ts";
import type { Side } from "./sides.ts";

type Clients = Peer<ClientOrder, ClientReport>;
type Arrivals = ReadonlyMap<number, readonly number[]>;

const TRADES = 400;
const ORDERS_PER_SECOND = 200;
const SETTLE_MS = 1000;
const PRICE_CENTS = 4_500_000;
/** The prefix of this part's client order IDs. */
const MARKER = "f";
const SUBSCRIBERS = 300;

export class FanOut {
  readonly #accounts: number;
  readonly #load = new LoadProcess();
  readonly #clients: readonly Clients[];
  #number = 0;

  constructor(accounts: number, nodes: number) {
    this.#accounts = accounts;
    this.#clients = Array.from(
      { length: nodes },
      () => new Peer(new URL("../stream/client-process.ts", import.meta.url)),
    );
  }

  close(): void {
    this.#load.stop();
    for (const clients of this.#clients) clients.end();
  }

  /** One subscriber at each node: how much later than the node that executed a trade the others send it. */
  async lag({ nodes }: Side): Promise<string[]> {
    const heard = await this.#hear(nodes, 1);
    const [first, ...others] = heard;
    const rows = others.map((arrivals, at) => {
      const laterMs = [...arrivals].flatMap(([trade, [atMs = 0]]) => {
        const own = first?.get(trade)?.[0];
        return own === undefined ? [] : [atMs - own];
      });
      const cells = [0.5, 0.99, 1].map((share) => quantile(laterMs, share).toFixed(2));
      return [`n${at + 2} after n1`, laterMs.length, ...cells];
    });
    return table(["lag of", "trades", "p50 ms", "p99 ms", "max ms"], rows);
  }

  /** The same number of subscribers at one node, and spread over three. */
  async spread({ nodes }: Side): Promise<string[]> {
    const rows: (string | number)[][] = [];
    for (const some of [nodes.slice(0, 1), nodes]) {
      const each = Math.floor(SUBSCRIBERS / some.length);
      const heard = await this.#hear(some, each);
      const arrivals = heard.flatMap((one) => [...one]);
      const count = arrivals.reduce((sum, [, times]) => sum + times.length, 0);
      const delays = delaysOf(heard);
      const cells = [0.5, 0.99].map((share) => quantile(delays, share).toFixed(2));
      rows.push([
        `${each} at each of ${some.length}`,
        thousands(count),
        thousands(TRADES * each * some.length),
        ...cells,
      ]);
    }
    return table(["subscribers", "messages received", "expected", "p50 ms after the first subscriber", "p99 ms"], rows);
  }

  /** The time at which each subscriber of each node received each trade. */
  async #hear(nodes: readonly Venue[], each: number): Promise<readonly Arrivals[]> {
    const clients = nodes.map((_, at) => this.#clients[at] as Clients);
    for (const [at, client] of clients.entries()) {
      client.order({
        type: "open",
        port: nodes[at]?.port ?? 0,
        path: `/ws/${SYMBOL.toLowerCase()}@trade`,
        count: each,
      });
      await client.told("open");
      client.order({ type: "hear" });
      await client.told("hearing");
    }
    await this.#trade(nodes[0] as Venue);
    await sleep(SETTLE_MS);
    const heard: Arrivals[] = [];
    for (const client of clients) {
      client.order({ type: "heard" });
      heard.push(byTrade((await client.told("heard")).arrivals));
      client.order({ type: "close" });
      await client.told("closed");
    }
    return heard;
  }

  /** Places orders alternately at one price: each second order trades with the one before. */
  async #trade({ port }: Venue): Promise<void> {
    const count = 2 * TRADES;
    const one = {
      symbol: SYMBOL,
      quantity: "0.010000",
      priceCents: PRICE_CENTS,
      prices: 1,
      firstNumber: this.#number,
    } as const;
    this.#number += count;
    await this.#load.run({
      ...{ port, accounts: this.#accounts, marker: MARKER, connections: 1, perSecond: ORDERS_PER_SECOND, warmUp: 0 },
      ...{ requests: { kind: "place", side: "BY_TURNS", count, ...one }, expected: '"symbol"' },
    });
  }
}

function byTrade(arrivals: readonly (readonly [tradeId: number, atMs: number])[]): Arrivals {
  const found = new Map<number, number[]>();
  for (const [trade, atMs] of arrivals) found.set(trade, [...(found.get(trade) ?? []), atMs]);
  return found;
}

/** How much later than the first subscriber each subscriber received each trade. */
function delaysOf(heard: readonly Arrivals[]): number[] {
  const trades = new Set(heard.flatMap((one) => [...one.keys()]));
  return [...trades].flatMap((trade) => {
    const times = heard.flatMap((one) => one.get(trade) ?? []);
    const first = Math.min(...times);
    return times.map((atMs) => atMs - first);
  });
}
