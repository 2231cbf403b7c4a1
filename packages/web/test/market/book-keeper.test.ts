/** A book whose snapshot does not arrive, and one with more digits than its market declares. */
import type { ExchangeInfo } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { BookKeeper, MOST_EVENTS_BUFFERED } from "../../src/market/order-book.ts";
import { type Digits, marketsOf } from "../../src/market/markets.ts";
import type { Book, Market } from "../../src/market/port.ts";
import { Rest } from "../../src/wire/rest.ts";
import { Streams } from "../../src/wire/streams.ts";
import { clientOf } from "../account/signed-in.ts";
import { startQuietNode, streamAddress, type WatchedWorld, watchedWorld } from "../venue.ts";

let node: Exchange;
before(async () => {
  node = await startQuietNode({ dataFolder: temporaryFolder() });
});
after(() => node.kill());

async function rest(side: "BUY" | "SELL", price: string): Promise<void> {
  const bob = clientOf(node, "bob");
  const order = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", price, quantity: "0.01" };
  assert.equal((await bob.signed("POST", "/api/v3/order", order)).status, 200);
  bob.close();
}

interface Kept {
  readonly keeper: BookKeeper;
  readonly books: Book[];
  readonly finer: Digits[];
  close(): void;
}

async function keep(world: WatchedWorld, change: (market: Market) => Market = (market) => market): Promise<Kept> {
  const asks = new Rest(node.rest, watchedWorld());
  const market = marketsOf(await asks.get<ExchangeInfo>("/api/v3/exchangeInfo"), new Map()).get("BTCUSDT");
  assert.ok(market !== undefined);
  const streams = new Streams(streamAddress(node), world);
  const [books, finer]: [Book[], Digits[]] = [[], []];
  const keeper = new BookKeeper({
    ...{ rest: new Rest(node.rest, world), streams, world, market: change(market) },
    publish: (book) => void books.push(book),
    failed: () => {},
    finer: (digits) => void finer.push(digits),
  });
  return {
    ...{ keeper, books, finer },
    close() {
      keeper.close();
      streams.close();
    },
  };
}

test("while no snapshot arrives, few events are buffered, and with the snapshot the book is correct", async () => {
  const world = watchedWorld();
  world.lose = (request) => (request === "GET /api/v3/depth" ? "request" : null);
  await rest("BUY", "19000");
  const { keeper, books, close } = await keep(world);
  await until("it has asked", () => world.requests.includes("GET /api/v3/depth"));
  const [socket] = world.sockets;
  for (let u = 1; u <= MOST_EVENTS_BUFFERED * 3; u++) {
    // As a busy node would send them, ahead of this node's own update ids.
    const event = { e: "depthUpdate", U: u, u, b: [["18000.00", "1"]], a: [] };
    const data = JSON.stringify({ stream: "btcusdt@depth@100ms", data: event });
    socket?.onmessage?.call(socket, new MessageEvent("message", { data }));
    assert.ok(keeper.waiting <= MOST_EVENTS_BUFFERED);
  }
  assert.equal(keeper.waiting, MOST_EVENTS_BUFFERED);
  assert.equal(books.length, 0, "nothing is shown of what is not known");
  // The connection ends, and with it the buffered events.
  socket?.close();
  world.lose = () => null;
  await rest("SELL", "21000");
  await until("the book is there", () => books.at(-1)?.freshness === "live");
  assert.deepEqual(
    [books.at(-1)?.bids, books.at(-1)?.asks],
    [[{ price: 1_900_000, quantity: 10_000 }], [{ price: 2_100_000, quantity: 10_000 }]],
  );
  close();
});

test("a price with more digits than the market is reported, not rounded", async () => {
  await rest("BUY", "19000.07");
  const { books, finer, close } = await keep(watchedWorld(), (market) => ({ ...market, priceDigits: 1 }));
  await until("it is told", () => finer.length > 0);
  assert.deepEqual(finer, [{ priceDigits: 2, quantityDigits: 6 }]);
  assert.equal(books.length, 0);
  close();
});
