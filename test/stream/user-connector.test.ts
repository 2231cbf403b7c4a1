/**
 * User data as a client of `@binance/connector` gets it: a listen key over REST, its stream through the
 * connector's own socket. Each order, fill, cancel and balance arrives with the right values.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type Message, moveMoney } from "./user-ear.ts";

// Answers are of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Call = (...input: readonly unknown[]) => Promise<{ readonly data: any }>;
type SpotClient = Readonly<Record<string, Call>>;
interface StreamClient {
  userData(listenKey: string): void;
  /** Called again, five seconds after the stream was closed by the other side. */
  initConnect(url: string): void;
  disconnect(): void;
}
interface Callbacks {
  readonly open: () => void;
  readonly message: (text: string) => void;
  readonly close: () => void;
}
const { Spot, WebsocketStream } = createRequire(import.meta.url)("@binance/connector") as {
  Spot: new (apiKey: string, secretKey: string, options: object) => SpotClient;
  WebsocketStream: new (options: {
    wsURL: string;
    logger: Console;
    reconnectDelay: number;
    callbacks: Callbacks;
  }) => StreamClient;
};
const silent = { info() {}, warn() {}, error() {}, debug() {}, log() {} } as unknown as Console;

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off"] });
});
const traders: Trader[] = [];
after(async () => {
  for (const trader of traders) trader.leave();
  await exchange.stop();
});

/** One account, its calls and its stream. */
class Trader {
  readonly messages: Message[] = [];
  readonly email: string;
  readonly client: SpotClient;
  readonly stream: StreamClient;
  readonly opened: Promise<void>;
  listenKey = "";
  isClosed = false;
  #open: () => void = () => {};
  #seen = 0;

  constructor(at: number) {
    const account = exchange.accounts[at];
    assert.ok(account);
    this.email = account.email;
    this.client = new Spot(account.apiKey, account.secretKey, { baseURL: exchange.rest });
    this.opened = new Promise((resolve) => (this.#open = resolve));
    const callbacks = {
      open: () => this.#open(),
      message: (text: string) => void this.messages.push(JSON.parse(text) as Message),
      close: () => (this.isClosed = true),
    };
    this.stream = new WebsocketStream({ wsURL: exchange.ws, logger: silent, reconnectDelay: 50, callbacks });
  }

  static async connect(at: number): Promise<Trader> {
    const trader = new Trader(at);
    trader.listenKey = (await trader.call<{ listenKey: string }>("createListenKey")).listenKey;
    trader.stream.userData(trader.listenKey);
    await trader.opened;
    return trader;
  }

  async call<T = Message>(method: string, ...input: readonly unknown[]): Promise<T> {
    const run = this.client[method];
    assert.ok(run, `the connector has no ${method}`);
    return (await run.apply(this.client, [...input])).data as T;
  }

  /** The next messages, when that many have come. */
  async next(count: number): Promise<Message[]> {
    const told = (): string => `${count} messages, only ${JSON.stringify(this.messages.slice(this.#seen))}`;
    await until(told, () => this.messages.length >= this.#seen + count);
    this.#seen += count;
    return this.messages.slice(this.#seen - count, this.#seen);
  }

  /** The message says of exactly these assets what the account says. */
  async checkPosition(message: Message | undefined, assets: readonly string[]): Promise<void> {
    assert.equal(message?.e, "outboundAccountPosition");
    assert.deepEqual(message.B, await Promise.all(assets.map((asset) => this.balance(asset))));
  }

  /** It would come back for ever. */
  leave(): void {
    this.stream.initConnect = () => {};
    this.stream.disconnect();
  }

  async balance(asset: string): Promise<Message> {
    const { balances } = await this.call<{ balances: { asset: string; free: string; locked: string }[] }>("account");
    const found = balances.find((balance) => balance.asset === asset);
    return { a: asset, f: found?.free, l: found?.locked };
  }
}

const names = (messages: readonly Message[]): string[] => messages.map(({ e }) => e as string);
const BALANCES = ["outboundAccountInfo", "outboundAccountPosition"];

test("an order, its fill, a cancel, an OCO and a deposit, on both sides", async () => {
  const [seller, buyer] = [await Trader.connect(0), await Trader.connect(1)];
  traders.push(seller, buyer);

  // Placed.
  const sale = { quantity: 0.5, price: 50000, timeInForce: "GTC", newClientOrderId: "sale" };
  const placed = await seller.call("newOrder", "BTCUSDT", "SELL", "LIMIT", sale);
  const [opened, , locked] = await seller.next(3);
  assert.deepEqual(
    [opened?.i, opened?.c, opened?.S, opened?.x, opened?.X, opened?.q, opened?.p, opened?.T, opened?.w],
    [placed.orderId, "sale", "SELL", "NEW", "NEW", "0.50000000", "50000.00000000", placed.transactTime, true],
  );
  await seller.checkPosition(locked, ["USDT", "BTC"]);
  assert.equal((await seller.balance("BTC"))["l"], "0.50000000");

  // Filled in part.
  const bought = await buyer.call("newOrder", "BTCUSDT", "BUY", "LIMIT", {
    quantity: 0.2,
    price: 50100,
    timeInForce: "GTC",
  });
  const [taken, took, info, position] = await buyer.next(4);
  assert.deepEqual(names([taken, took, info, position] as Message[]), [
    "executionReport",
    "executionReport",
    ...BALANCES,
  ]);
  const fill = bought.fills[0] as Message;
  assert.deepEqual(
    [taken?.x, took?.x, took?.X, took?.i, took?.l, took?.L, took?.n, took?.N, took?.t, took?.Z, took?.m],
    [
      "NEW",
      "TRADE",
      "FILLED",
      bought.orderId,
      fill.qty,
      fill.price,
      fill.commission,
      "BTC",
      fill.tradeId,
      bought.cummulativeQuoteQty,
      false,
    ],
  );
  await buyer.checkPosition(position, ["USDT", "BTC"]);
  const [sold, , left] = await seller.next(3);
  assert.deepEqual(
    [sold?.x, sold?.X, sold?.i, sold?.z, sold?.t, sold?.N, sold?.m, sold?.w],
    ["TRADE", "PARTIALLY_FILLED", placed.orderId, "0.20000000", fill.tradeId, "USDT", true, true],
  );
  await seller.checkPosition(left, ["USDT", "BTC"]);

  // Cancelled.
  const canceled = await seller.call("cancelOrder", "BTCUSDT", { orderId: placed.orderId });
  const [ended, , free] = await seller.next(3);
  assert.deepEqual(
    [ended?.x, ended?.X, ended?.c, ended?.C, ended?.z, ended?.i],
    ["CANCELED", "CANCELED", canceled.clientOrderId, "sale", "0.20000000", placed.orderId],
  );
  await seller.checkPosition(free, ["USDT", "BTC"]);
  assert.equal((await seller.balance("BTC"))["l"], "0.00000000");

  // A list.
  const legs = { abovePrice: 52000, belowStopPrice: 48000 };
  const list = await seller.call("newOCOOrder", "BTCUSDT", "SELL", 0.1, "LIMIT_MAKER", "STOP_LOSS", legs);
  const [stop, limit, status] = await seller.next(5);
  assert.deepEqual([stop?.o, stop?.w, limit?.o, limit?.w], ["STOP_LOSS", false, "LIMIT_MAKER", true]);
  assert.deepEqual([status?.e, status?.g, status?.L], ["listStatus", list.orderListId, "EXECUTING"]);

  // Money.
  const move = { account: buyer.email, asset: "ETH", amount: "1.5", reference: "connector" };
  await moveMoney(exchange, "deposits", move);
  const [moved, , eth] = await buyer.next(3);
  assert.deepEqual([moved?.e, moved?.a, moved?.d], ["balanceUpdate", "ETH", "1.50000000"]);
  await buyer.checkPosition(eth, ["ETH"]);

  // Kept alive, then closed.
  assert.deepEqual(await buyer.call("renewListenKey", buyer.listenKey), {});
  assert.deepEqual(await buyer.call("closeListenKey", buyer.listenKey), {});
  const [last] = await buyer.next(1);
  assert.deepEqual([last?.e, last?.listenKey], ["listenKeyExpired", buyer.listenKey]);
  await until("it is closed", () => buyer.isClosed);
});
