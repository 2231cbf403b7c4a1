/** The markets that panels show, compared with the data of a real node. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { formatUnits } from "../../src/exact/decimal.ts";
import { Feed } from "../../src/market/feed.ts";
import type { Book } from "../../src/market/port.ts";
import { Rest } from "../../src/wire/rest.ts";
import { Streams } from "../../src/wire/streams.ts";
import { portOf, startQuietNode, streamAddress, type WatchedWorld, watchedWorld } from "../venue.ts";

const dataFolder = temporaryFolder();
const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const dice = new Dice(seed);
let node: Exchange;
let traders: Client[] = [];
before(async () => {
  process.stdout.write(`# SEED=${seed}\n`);
  node = await startQuietNode({ dataFolder });
  connect();
});
after(async () => {
  for (const trader of traders) trader.close();
  await node.kill();
});

function connect(): void {
  for (const trader of traders) trader.close();
  traders = node.accounts.slice(0, 2).map((account) => new Client(node.rest, account));
}

interface Opened {
  readonly feed: Feed;
  readonly world: WatchedWorld;
  /** Every published book. */
  readonly books: Book[];
  close(): void;
}

function open(symbol?: string): Opened {
  const world = watchedWorld();
  const streams = new Streams(streamAddress(node), world);
  const feed = new Feed({ rest: new Rest(node.rest, world), streams, world, symbol });
  const books: Book[] = [];
  feed.book.subscribe((book) => void books.push(book));
  return {
    ...{ feed, world, books },
    close() {
      feed.close();
      streams.close();
      for (const { bids, asks } of books) {
        const [bid, ask] = [bids[0]?.price, asks[0]?.price];
        assert.ok(bid === undefined || ask === undefined || bid < ask, `a crossed book: ${bid} ${ask}`);
      }
    },
  };
}

/** Resting orders and trades around 20,000. */
async function trade(count: number, symbol = "BTCUSDT"): Promise<void> {
  for (let i = 0; i < count; i++) {
    const side = dice.pick(["BUY", "SELL"] as const);
    const price = (20_000 + dice.below(200) / 10 - (side === "BUY" ? 12 : 8)).toFixed(2);
    const quantity = (0.01 + dice.below(1000) / 10_000).toFixed(6);
    const order = { symbol, side, type: "LIMIT", timeInForce: "GTC", price, quantity };
    const answer = await dice.pick(traders).signed("POST", "/api/v3/order", order);
    assert.equal(answer.status, 200, answer.text);
  }
}

interface Depth {
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

/** Waits until the shown book equals the node's, level by level. */
async function isTheNodes(feed: Feed): Promise<void> {
  const rest = new Rest(node.rest, watchedWorld());
  const symbol = feed.book.value.symbol;
  const theirs = await rest.get<Depth>("/api/v3/depth", { symbol, limit: 5000 });
  await until(
    () =>
      `the book at ${theirs.lastUpdateId}: it is at ${feed.book.value.lastUpdateId} and ${feed.book.value.freshness}`,
    () => feed.book.value.freshness === "live" && feed.book.value.lastUpdateId >= theirs.lastUpdateId,
  );
  const market = feed.market.value;
  assert.ok(market !== null);
  const text = ({ price, quantity }: { price: number; quantity: number }): string =>
    `${Number(formatUnits(price, market.priceDigits))} ${Number(formatUnits(quantity, market.quantityDigits))}`;
  const ofTheirs = ([price, quantity]: readonly [string, string]): string => `${Number(price)} ${Number(quantity)}`;
  assert.deepEqual(feed.book.value.bids.map(text), theirs.bids.map(ofTheirs));
  assert.deepEqual(feed.book.value.asks.map(text), theirs.asks.map(ofTheirs));
}

test("markets, tickers, book, trades and the newest candle equal the node's", async () => {
  const { feed, world, books, close } = open("BTCUSDT");
  await trade(30);
  await until("the book is there", () => feed.book.value.freshness === "live");
  await trade(200);
  await isTheNodes(feed);
  assert.equal(feed.market.value?.symbol, "BTCUSDT");
  assert.deepEqual([feed.market.value?.priceDigits, feed.market.value?.quantityDigits], [2, 6]);
  const rest = new Rest(node.rest, watchedWorld());
  const trades = await rest.get<readonly { id: number }[]>("/api/v3/trades", { symbol: "BTCUSDT", limit: 200 });
  await until("the prints are the node's", () => {
    const shown = feed.prints.value.map(({ tradeId }) => tradeId);
    return JSON.stringify(shown) === JSON.stringify(trades.map(({ id }) => id).reverse());
  });
  const last = feed.prints.value[0]?.price;
  await until("the ticker says the last price", () => feed.tickers.value.get("BTCUSDT")?.lastPrice === last);
  assert.equal(feed.tickers.value.size, feed.markets.value.size);
  await until("the average is known", () => feed.averagePrice.value !== null);
  assert.ok(Math.abs(feed.clockOffsetMs.value ?? Infinity) < 1000);
  assert.ok(world.requests.filter((name) => name === "GET /api/v3/depth").length === 1);
  assert.ok(books.length > 3);
  close();
});

test("the reference price is known in a market with a price range, and only there", async () => {
  await operate(node, "PUT", "/v1/symbols/BTCUSDT/price-range", { bidLimitMultUp: "5" });
  await trade(30);
  const { feed, world, close } = open("BTCUSDT");
  await until("it is known", () => feed.referencePrice.value !== null);
  assert.ok(Math.abs(Number(feed.referencePrice.value) - 20_000) < 50, feed.referencePrice.value ?? "");
  const asked = (): number => world.requests.filter((name) => name === "GET /api/v3/referencePrice").length;
  const before = asked();
  feed.select("ETHUSDT");
  await until(
    "the rules were requested",
    () => world.requests.filter((name) => /executionRules/.test(name)).length > 1,
  );
  assert.deepEqual([feed.referencePrice.value, asked()], [null, before]);
  await operate(node, "DELETE", "/v1/symbols/BTCUSDT/price-range");
  close();
});

const isTickers = (stream: string): boolean => stream === "!miniTicker@arr";

async function buy(price: string): Promise<void> {
  const order = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price };
  for (const [trader, side] of [
    [traders[0], "SELL"],
    [traders[1], "BUY"],
  ] as const) {
    const answer = await trader?.signed("POST", "/api/v3/order", { ...order, side });
    assert.equal(answer?.status, 200, answer?.text);
  }
}

test("the price of a trade becomes the last price at once, and an older ticker does not revert it", async () => {
  for (const trader of traders) await trader.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  await buy("20000.00");
  const { feed, world, close } = open("BTCUSDT");
  const lastPrice = (): string | undefined => feed.tickers.value.get("BTCUSDT")?.lastPrice;
  await until("both are there", () => lastPrice() === "20000.00000000" && feed.prints.value.length > 0);
  // As the stream sends it: with the price before the trade, and only then with the new one.
  let kept = 0;
  world.hears = (stream) => (isTickers(stream) ? (kept++, "later") : true);
  await buy("20001.00");
  await until("the tape's price is the last one", () => lastPrice() === "20001.00000000");
  await until("a ticker that says so is kept back", () => kept > 0);
  await buy("20002.00");
  const seen: (string | undefined)[] = [];
  await until("the next one", () => lastPrice() === "20002.00000000");
  const unwatch = feed.tickers.subscribe(() => void seen.push(lastPrice()));
  world.tellLate();
  unwatch();
  assert.ok(seen.length > 1, "the old ticker came");
  assert.deepEqual([...new Set(seen)], ["20002.00000000"]);
  // If the stream is ahead of the trades, the stream is right.
  world.hears = (stream) => !stream.endsWith("@trade");
  await buy("20003.00");
  await until("the stream's price is the last one", () => lastPrice() === "20003.00000000");
  close();
});

test("a published view does not change", async () => {
  const { feed, books, close } = open("BTCUSDT");
  await until("the book is there", () => feed.book.value.freshness === "live");
  const copies = new Map<Book, string>();
  const unwatch = feed.book.subscribe((book) => void copies.set(book, JSON.stringify(book)));
  await trade(60);
  await isTheNodes(feed);
  unwatch();
  assert.ok(copies.size > 1);
  for (const [book, text] of copies) assert.equal(JSON.stringify(book), text);
  const gaps = books.slice(2).map(({ atMs }, i) => atMs - (books[i + 1]?.atMs ?? 0));
  assert.ok(gaps.filter((gap) => gap < 90).length <= 1, `at most ten a second: ${gaps.join(" ")}`);
  close();
});

test("after lost messages the book is stale until a new snapshot has replaced it", async () => {
  const { feed, world, books, close } = open("BTCUSDT");
  await until("the book is there", () => feed.book.value.freshness === "live");
  let lost = 0;
  world.hears = (stream) => (stream.includes("@depth") ? (lost++, false) : true);
  // One of the messages may precede the snapshot.
  await until("some are lost", async () => {
    await trade(1);
    return lost > 2;
  });
  world.hears = () => true;
  await trade(30);
  await isTheNodes(feed);
  assert.ok(books.some(({ freshness }) => freshness === "stale"));
  close();
});

test("after the node is killed and restarted, no old level is left, and stale data is never called live", async () => {
  const { feed, books, close } = open("BTCUSDT");
  const candles = feed.candles("BTCUSDT", "1m");
  await until("the book is there", () => feed.book.value.freshness === "live");
  await trade(40);
  await node.kill();
  await until("it is seen", () => feed.connection.value.state === "down" && feed.book.value.freshness === "stale");
  const resets = candles.reset.value;
  node = await startQuietNode({ dataFolder, port: portOf(node) });
  connect();
  // The level that the page knew is removed from the book before the connection is back.
  for (const trader of traders) await trader.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  await trade(40);
  await isTheNodes(feed);
  await until("candles are to be read anew", () => candles.reset.value > resets);
  const page = await candles.before(null);
  // A minute may begin between the two requests.
  const last = page.slice(-2).map(({ openTimeMs }) => openTimeMs);
  assert.ok(last.includes(candles.newest.value?.openTimeMs ?? 0), last.join());
  const ids = feed.prints.value.map(({ tradeId }) => tradeId);
  assert.deepEqual(
    ids,
    ids.map((_, i) => (ids[0] ?? 0) - i),
    "prints without a gap",
  );
  assert.ok(books.filter(({ freshness }) => freshness === "stale").length >= 1);
  candles.close();
  close();
});

test("a node that restores a state before its last trades, as a lab does, shows its own trades", async () => {
  const { feed, close } = open("BTCUSDT");
  await until("prints are there", () => feed.prints.value.length > 0);
  await node.kill();
  await until("it is seen", () => feed.connection.value.state === "down");
  node = await startQuietNode({ port: portOf(node) });
  connect();
  for (let i = 0; i < 3; i++) await buy("20000.00");
  await until("the prints are the node's", () => feed.prints.value.map(({ tradeId }) => tradeId).join() === "3,2,1");
  await buy("20001.00");
  await until("and the next one", () => feed.prints.value.map(({ tradeId }) => tradeId).join() === "4,3,2,1");
  assert.equal(feed.failure.value, null);
  close();
});

test("after fifty quick changes of the market, the last market's book is live and the only one requested", async () => {
  const { feed, world, close } = open("BTCUSDT");
  await until("markets are known", () => feed.markets.value.size > 1);
  for (let i = 0; i < 50; i++) {
    feed.select(i % 2 === 0 ? "ETHUSDT" : "BTCUSDT");
    await new Promise((done) => setTimeout(done, 10));
  }
  await until("the book is there", () => feed.book.value.freshness === "live");
  await trade(20);
  await isTheNodes(feed);
  const on = new Set<string>();
  for (const { method, params } of world.messages) {
    for (const name of params)
      if (method === "SUBSCRIBE") on.add(name);
      else on.delete(name);
  }
  assert.deepEqual([...on].sort(), ["!miniTicker@arr", "btcusdt@depth@100ms", "btcusdt@trade"]);
  const snapshots = world.requests.filter((name) => name === "GET /api/v3/depth").length;
  assert.ok(snapshots <= 6, `${snapshots} snapshots`);
  close();
});

test("a selected symbol that the node does not list shows no other market, until one is selected", async () => {
  const { feed, close } = open("BTCUSDT");
  const shown = () => [feed.market.value?.symbol, feed.unlisted.value];
  feed.select("NOSUCH");
  await until("it is known to be unlisted", () => feed.unlisted.value === "NOSUCH");
  assert.deepEqual(shown(), [undefined, "NOSUCH"]);
  feed.select("ethusdt");
  assert.deepEqual(shown(), ["ETHUSDT", null]);
  feed.select("BTCUSDT");
  feed.select("GONE");
  assert.deepEqual(shown(), [undefined, "GONE"]);
  close();
});

test("an error is not an empty list: the shown data stays, and the failure is reported", async () => {
  const { feed, world, close } = open("BTCUSDT");
  await until("the book is there", () => feed.book.value.freshness === "live" && feed.prints.value.length > 0);
  const [levels, prints] = [feed.book.value.bids.length, feed.prints.value.length];
  world.lose = () => "request";
  for (const socket of world.sockets) socket.close();
  await until("the failure is told", () => feed.failure.value !== null && feed.book.value.freshness === "stale");
  assert.ok(
    feed.book.value.bids.length === levels && feed.prints.value.length === prints && feed.markets.value.size > 0,
  );
  world.lose = () => null;
  await isTheNodes(feed);
  await until("it is over", () => feed.failure.value === null);
  close();
});

test("candle pages reach back to the first candle, and an error rejects", async () => {
  const { feed, world, close } = open("BTCUSDT");
  const candles = feed.candles("BTCUSDT", "1m");
  await until("one is there", async () => (await candles.before(null)).length > 0);
  const page = await candles.before(null);
  assert.deepEqual(await candles.before(page[0]?.openTimeMs ?? 0), []);
  const other = feed.candles("NOSUCH", "1m");
  await assert.rejects(other.before(null), { code: -1121 });
  world.lose = () => "answer";
  await assert.rejects(candles.before(null), { isUnknown: true });
  candles.close();
  other.close();
  close();
});

test("a market whose tick was made coarser still shows finer resting orders", async () => {
  const order = {
    symbol: "ETHUSDT",
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    price: "1000.07",
    quantity: "0.1",
  };
  assert.equal((await traders[0]?.signed("POST", "/api/v3/order", order))?.status, 200);
  await operate(node, "PUT", "/v1/symbols/ETHUSDT/filters", {
    priceFilter: { minPrice: "1", maxPrice: "100000", tickSize: "1" },
    lotSize: { minQty: "0.1", maxQty: "9000", stepSize: "0.1" },
  });
  const { feed, close } = open("ETHUSDT");
  await until("the book is there", () => feed.book.value.freshness === "live");
  await isTheNodes(feed);
  assert.deepEqual(feed.book.value.bids.at(-1), { price: 100_007, quantity: 1 });
  assert.deepEqual([feed.market.value?.priceDigits, feed.market.value?.tickSize], [2, "1.00000000"]);
  close();
});
