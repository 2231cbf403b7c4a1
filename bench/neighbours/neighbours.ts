/**
 * The effect of one client on all others: the delay of orders in an open loop, alone and with one client that
 * continuously requests the longest pages, sends the longest bodies, or subscribes without reading.
 */
import assert from "node:assert/strict";
import { LoadProcess } from "../load/load.ts";
import type { LoadOrder, LoadResult } from "../load/messages.ts";
import { median } from "@pricetime/testkit/quantile";
import type { BenchOptions } from "../options.ts";
import { DELAY_HEAD, delayRow, table } from "../order-path/report.ts";
import { type JournalMaker, limitOrder } from "../venue/journal-maker.ts";
import { SYMBOL } from "../venue/listing.ts";
import { type Venue, withVenue } from "../venue/venue.ts";
import { SlowSubscriber } from "./slow-subscriber.ts";

const ROUNDS = 5;
const PER_SECOND = 2000;
const ROUND_MS = 2000;
const ACCOUNTS = 10;
/** Pairs of orders that trade, a minute apart: the history to query. */
const PAIRS = 40_000;
/** Open orders of the first account, each at a price of its own, on each side. */
const LEVELS = 1000;
const MID_TICKS = 5_000_000;
const LOTS = 10_000;
/** The default limit of a body. */
const LARGEST_BODY_BYTES = 16 * 1024;

type Asks = Pick<LoadOrder, "requests" | "expected" | "status" | "accounts">;

function get(path: string, query: string, expected: string, signed = false): Asks {
  // Only the first account, which has the longest lists.
  return { accounts: 1, expected, requests: { kind: "get", path, query, signed, count: 20 } };
}

const NEIGHBOURS: Readonly<Record<string, Asks>> = {
  "allOrders, 1,000 per page": get("/api/v3/allOrders", `symbol=${SYMBOL}&orderId=1&limit=1000`, '[{"symbol"', true),
  "myTrades, 1,000 per page": get("/api/v3/myTrades", `symbol=${SYMBOL}&fromId=0&limit=1000`, '[{"symbol"', true),
  "klines, 1,000 per page": get("/api/v3/klines", `symbol=${SYMBOL}&interval=1m&limit=1000`, "[["),
  "aggTrades, 1,000 per page": get("/api/v3/aggTrades", `symbol=${SYMBOL}&fromId=0&limit=1000`, '[{"a"'),
  "depth, 1,000 levels": get("/api/v3/depth", `symbol=${SYMBOL}&limit=1000`, '"bids":[['),
  "openOrders, 2,000 orders": get("/api/v3/openOrders", `symbol=${SYMBOL}`, '[{"symbol"', true),
  "bodies of 16 KiB, rejected": {
    accounts: 1,
    expected: '"code":-1',
    status: 400,
    requests: { kind: "oversized", bodyBytes: LARGEST_BODY_BYTES, count: 20 },
  },
};

function fill(maker: JournalMaker): void {
  const [first = 0, second = 0] = maker.accountIds;
  for (let n = 0; n < PAIRS; n++) {
    const ticks = MID_TICKS + (n % 100);
    maker.apply(limitOrder(first, { side: "SELL", ticks, lots: LOTS, id: `s${n}` }));
    maker.apply(limitOrder(second, { side: "BUY", ticks, lots: LOTS, id: `t${n}` }));
    maker.pass(60_000);
  }
  for (let n = 1; n <= LEVELS; n++) {
    maker.apply(limitOrder(first, { side: "BUY", ticks: MID_TICKS - 1000 - n, lots: LOTS, id: `low${n}` }));
    maker.apply(limitOrder(first, { side: "SELL", ticks: MID_TICKS + 1000 + n, lots: LOTS, id: `high${n}` }));
  }
}

class Neighbourhood {
  readonly #venue: Venue;
  readonly #orders = new LoadProcess();
  readonly #other = new LoadProcess();
  #number = 0;

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** Orders that alternately rest and trade. */
  orders(): Promise<LoadResult> {
    const count = (PER_SECOND * ROUND_MS) / 1000;
    const firstNumber = this.#number;
    this.#number += count;
    return this.#orders.run({
      port: this.#venue.port,
      accounts: ACCOUNTS - 1,
      marker: "o",
      requests: {
        kind: "place",
        symbol: SYMBOL,
        side: "BY_TURNS",
        priceCents: MID_TICKS,
        prices: 1,
        quantity: "0.010000",
        firstNumber,
        count,
      },
      connections: 64,
      perSecond: PER_SECOND,
      warmUp: count / 10,
      expected: '"status":"',
    });
  }

  /** Orders while the other client sends its requests continuously. */
  async beside(asks: Asks): Promise<{ readonly orders: LoadResult; readonly asked: number }> {
    const order = { port: this.#venue.port, marker: "n", connections: 1, perSecond: 0, warmUp: 0, ...asks };
    const over = new AbortController();
    let asked = 0;
    const neighbour = (async (): Promise<void> => {
      for (; !over.signal.aborted; asked += asks.requests.count) await this.#other.run(order);
    })();
    const orders = await this.orders();
    over.abort();
    await neighbour;
    assert.ok(asked > 0);
    return { orders, asked };
  }

  stop(): void {
    this.#orders.stop();
    this.#other.stop();
  }
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const startMs = Date.now() - (PAIRS + 10) * 60_000;
  return withVenue({ accounts: ACCOUNTS, keys: ACCOUNTS, startMs, fill }, async (venue) => {
    const hood = new Neighbourhood(venue);
    try {
      await hood.orders();
      return report(await measure(hood, venue, rounds), rounds);
    } finally {
      hood.stop();
    }
  });
}

interface Beside {
  readonly orders: LoadResult[];
  readonly askedPerSecond: number[];
}

async function measure(hood: Neighbourhood, venue: Venue, rounds: number): Promise<ReadonlyMap<string, Beside>> {
  const beside = new Map<string, Beside>();
  const note = (name: string, orders: LoadResult, asked: number): void => {
    const so = beside.get(name) ?? { orders: [], askedPerSecond: [] };
    beside.set(name, so);
    so.orders.push(orders);
    so.askedPerSecond.push((asked * 1000) / ROUND_MS);
  };
  for (let round = 0; round < rounds; round++) {
    note("quiet", await hood.orders(), 0);
    const subscriber = new SlowSubscriber(venue.port, SYMBOL);
    note("a subscriber that never reads", await hood.orders(), 0);
    assert.ok(subscriber.opened > 0, "the slow subscriber was not let in");
    subscriber.stop();
    for (const [name, asks] of Object.entries(NEIGHBOURS)) {
      const { orders, asked } = await hood.beside(asks);
      note(name, orders, asked);
    }
  }
  return beside;
}

function report(measured: ReadonlyMap<string, Beside>, rounds: number): string[] {
  const quiet = p99(measured.get("quiet")?.orders ?? []);
  const rows = [...measured].map(([name, { orders, askedPerSecond }]) => [
    ...delayRow(name, orders).slice(0, -1),
    median(askedPerSecond).toFixed(0),
    `**${(p99(orders) / quiet).toFixed(1)}**`,
  ]);
  return [
    `orders that rest and trade alternately, ${PER_SECOND} per second in an open loop; the neighbor on one connection, without pause; medians of ${rounds} rounds`,
    "",
    ...table([...DELAY_HEAD.slice(0, -1), "neighbor's requests/s", "p99 / quiet"], rows),
  ];
}

const p99 = (results: readonly LoadResult[]): number => median(results.map((result) => result.delayMs.p99));
