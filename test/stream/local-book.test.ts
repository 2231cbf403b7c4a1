/**
 * Local books on the real program, under load: connected at random moments and kept by the published
 * rule (Interface 10.4), they are what GET depth says at the same update id. So are those of ccxt.pro and of
 * the connector's own sockets.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import ccxt from "ccxt";
import { WebSocket } from "ws";
import { OrderLog, runConnection, SYMBOL } from "@pricetime/testkit/load";
import { Client, encode } from "@pricetime/testkit/client";
import { type Exchange, isOnTwoNodes, startExchange } from "@pricetime/testkit/venue";
import { type DepthEvent, type DepthSnapshot, LocalBook } from "@pricetime/testkit/local-book";
import { Dice } from "@pricetime/testkit/dice";

const ROUNDS = Number(process.env.BOOK_ROUNDS ?? 2);
const FOLLOWERS_A_ROUND = 20;
const CONNECTIONS = 8;
/** The time in which the followers of a round connect. */
const ROUND_MS = 1200;
/** Levels of each side at the end of each round: more than what `@depth20` shows. */
const LEVELS = 20;
const DEPTH = "btcusdt@depth@100ms";
const BEST = "btcusdt@depth20@100ms";

let exchange: Exchange;
let client: Client;
const random = new Dice(20_190_909);
const log = new OrderLog();

before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  client = new Client(exchange.rest);
});
after(async () => {
  client.close();
  await exchange.stop();
});

async function depth(headers: Readonly<Record<string, string>> = {}): Promise<DepthSnapshot> {
  const query = encode({ symbol: SYMBOL, limit: 5000 });
  return (await client.send<DepthSnapshot>("GET", "/api/v3/depth", { query, headers })).json;
}

/** With all that has been answered: a node that did not give these answers may be behind the one that did. */
const depthAfterAll = (): Promise<DepthSnapshot> => depth(isOnTwoNodes ? { "X-PRICETIME-SEQ": String(log.seq) } : {});

/** Starts a book whose stream is open. */
async function start(book: LocalBook): Promise<void> {
  // Another node's snapshot may be older than the stream of this one: an event must tell (Interface 10.4).
  if (isOnTwoNodes) await until("an event", () => book.isWaiting);
  while (!book.start(await depth()));
}

/** A book that is worth the comparison. */
async function untilDeep(): Promise<void> {
  await untilAnswer("levels", depth, ({ bids, asks }) => bids.length > LEVELS && asks.length > LEVELS);
}

/** Orders from several connections until told to stop; then everything sent has been answered. */
function startLoad(): { readonly stop: () => Promise<void> } {
  let isOver = false;
  const runs = Array.from({ length: CONNECTIONS }, (_, n) => {
    const account = exchange.accounts[n % 2];
    assert.ok(account);
    return runConnection(exchange.rest, account, log, random, () => isOver);
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(runs);
    },
  };
}

/** A client that does what Interface 10.4 says, and compares its best levels with those that it is sent. */
class Follower {
  readonly book = new LocalBook();
  readonly #socket = new WebSocket(`${exchange.ws}/stream?streams=${DEPTH}/${BEST}`);
  #best: DepthSnapshot | undefined;
  comparedBest = 0;
  events = 0;

  async follow(): Promise<void> {
    // Waiting for 'open' rejects with the first; a later one would have nobody to hear it.
    this.#socket.on("error", () => {});
    this.#socket.on("message", (text) => {
      const { stream, data } = JSON.parse(String(text)) as { stream: string; data: DepthEvent & DepthSnapshot };
      if (stream === BEST) this.#best = data;
      else this.book.apply(data);
      this.events++;
      this.#compareBest();
    });
    await once(this.#socket, "open");
    await start(this.book);
  }

  #compareBest(): void {
    if (this.#best?.lastUpdateId !== this.book.updateId) return;
    const { bids, asks } = this.#best;
    assert.deepEqual([this.book.bids().slice(0, 20), this.book.asks().slice(0, 20)], [bids, asks]);
    this.#best = undefined;
    this.comparedBest++;
  }

  close(): void {
    this.#socket.terminate();
  }
}

test(`${ROUNDS * FOLLOWERS_A_ROUND} local books, begun at random moments of a heavy run`, async (t) => {
  let comparedBest = 0;
  let followed = 0;
  let events = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const load = startLoad();
    const followers: Follower[] = [];
    const begin = async (): Promise<void> => {
      await sleep(random.next() * ROUND_MS);
      const follower = new Follower();
      followers.push(follower);
      await follower.follow();
    };
    await Promise.all(Array.from({ length: FOLLOWERS_A_ROUND }, begin));
    await sleep(150);
    await untilDeep();
    await load.stop();
    const { lastUpdateId, bids, asks } = await depthAfterAll();
    for (const follower of followers) {
      const { book } = follower;
      await until(`update ${lastUpdateId}`, () => book.updateId === lastUpdateId);
      assert.deepEqual([book.bids(), book.asks()], [bids, asks]);
      comparedBest += follower.comparedBest;
      events += follower.events;
      followed++;
      follower.close();
    }
  }
  assert.equal(followed, ROUNDS * FOLLOWERS_A_ROUND);
  assert.ok(comparedBest > followed, "the best levels were compared too, while the load ran");
  t.diagnostic(`${log.answers} orders and cancels, ${events} messages, best levels compared ${comparedBest} times`);
});

test("ccxt.pro keeps the exchange's book", async () => {
  const pro = new ccxt.pro.binance();
  const addresses = pro.urls.api as Record<string, unknown>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === "string") addresses[name] = exchange.rest + new URL(address).pathname;
  }
  addresses["ws"] = { spot: `${exchange.ws}/ws` };
  // ccxt speaks ws:// only once it has looked for a proxy.
  await pro.loadHttpProxyAgent();
  const load = startLoad();
  try {
    let book = await pro.watchOrderBook("BTC/USDT");
    for (const end = Date.now() + 1500; Date.now() < end; ) book = await pro.watchOrderBook("BTC/USDT");
    await load.stop();
    const { lastUpdateId, bids, asks } = await depthAfterAll();
    const orderBooks = pro.orderbooks as Record<string, { readonly nonce?: number }>;
    await until("ccxt is at the last update", () => orderBooks["BTC/USDT"]?.nonce === lastUpdateId);
    const numbers = (levels: DepthSnapshot["bids"]): number[][] =>
      levels.slice(0, 100).map((level) => level.map(Number));
    book = orderBooks["BTC/USDT"] as typeof book;
    // ccxt's sides are arrays of a class of its own.
    const sides = [book.bids, book.asks].map((side) => Array.from(side).slice(0, 100));
    const plain = sides.map((side) => side.map(([price, quantity]) => [price, quantity]));
    assert.deepEqual(plain, [numbers(bids), numbers(asks)]);
  } finally {
    await load.stop();
    await pro.close();
  }
});

interface Connector {
  diffBookDepth(symbol: string, speed: string): void;
  disconnect(): void;
}
interface Callbacks {
  readonly open: () => void;
  readonly message: (text: string) => void;
}
const { WebsocketStream } = createRequire(import.meta.url)("@binance/connector") as {
  WebsocketStream: new (options: { wsURL: string; logger: object; callbacks: Callbacks }) => Connector;
};
const logger = { info() {}, warn() {}, error() {}, debug() {}, log() {} };

for (const speed of ["100ms", "1000ms"]) {
  test(`a book over the connector's own sockets, at ${speed}`, async () => {
    const book = new LocalBook();
    const opened = Promise.withResolvers<void>();
    const callbacks = {
      open: () => opened.resolve(),
      message: (text: string) => book.apply(JSON.parse(text) as DepthEvent),
    };
    const connector = new WebsocketStream({ wsURL: exchange.ws, logger, callbacks });
    const load = startLoad();
    try {
      connector.diffBookDepth("BTCUSDT", speed);
      await opened.promise;
      await sleep(500);
      await start(book);
      await sleep(1000);
      await load.stop();
      const { lastUpdateId, bids, asks } = await depthAfterAll();
      await until("the connector is at the last update", () => book.updateId === lastUpdateId);
      assert.deepEqual([book.bids(), book.asks()], [bids, asks]);
    } finally {
      await load.stop();
      connector.disconnect();
    }
  });
}
