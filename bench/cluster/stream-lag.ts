/** How much later than the node that executed a trade the other nodes send it to a subscriber. */
import { setTimeout as sleep } from "node:timers/promises";
import { Peer } from "@pricetime/testkit/peer";
import { quantile } from "@pricetime/testkit/quantile";
import { LoadProcess } from "../load/load.ts";
import { table } from "../measure.ts";
import type { ClientOrder, ClientReport } from "../stream/messages.ts";
import { SYMBOL } from "../venue/listing.ts";
import type { Side } from "./sides.ts";

const TRADES = 400;
const ORDERS_PER_SECOND = 200;
const SETTLE_MS = 1000;
const PRICE_CENTS = 4_500_000;
/** The prefix of this part's client order IDs. */
const MARKER = "f";

/** One subscriber at each node; the trades are made at the first one. */
export async function streamLag({ nodes }: Side, accounts: number): Promise<string[]> {
  const program = new URL("../stream/client-process.ts", import.meta.url);
  const subscribers = nodes.map(() => new Peer<ClientOrder, ClientReport>(program));
  const load = new LoadProcess();
  try {
    for (const [at, subscriber] of subscribers.entries()) {
      const path = `/ws/${SYMBOL.toLowerCase()}@trade`;
      subscriber.order({ type: "open", port: nodes[at]?.port ?? 0, path, count: 1 });
      await subscriber.told("open");
      subscriber.order({ type: "hear" });
      await subscriber.told("hearing");
    }
    // Orders at one price: each second order trades with the one before.
    const orders = { kind: "place", side: "BY_TURNS", symbol: SYMBOL, quantity: "0.010000" } as const;
    await load.run({
      ...{ port: nodes[0]?.port ?? 0, accounts, marker: MARKER, connections: 1, perSecond: ORDERS_PER_SECOND },
      requests: { ...orders, priceCents: PRICE_CENTS, prices: 1, firstNumber: 0, count: 2 * TRADES },
      expected: '"symbol"',
    });
    await sleep(SETTLE_MS);
    const arrivals: ReadonlyMap<number, number>[] = [];
    for (const subscriber of subscribers) {
      subscriber.order({ type: "heard" });
      arrivals.push(new Map((await subscriber.told("heard")).arrivals));
    }
    const [first, ...others] = arrivals;
    const rows = others.map((times, at) => {
      const laterMs = [...times].flatMap(([trade, atMs]) => {
        const own = first?.get(trade);
        return own === undefined ? [] : [atMs - own];
      });
      return [
        `n${at + 2} after n1`,
        laterMs.length,
        ...[0.5, 0.99, 1].map((share) => quantile(laterMs, share).toFixed(2)),
      ];
    });
    return table(["lag of", "trades", "p50 ms", "p99 ms", "max ms"], rows);
  } finally {
    load.stop();
    for (const subscriber of subscribers) subscriber.end();
  }
}
