/**
 * ccxt as a user has it: orders, trades and balances come over the WebSocket API, which is the only
 * user stream that its newest version speaks.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@pricetime/testkit/waiting";
import type { Balances, Order, Trade } from "ccxt";
import { ccxt, type CcxtPro, connectCcxtPro, follow, followEach } from "@pricetime/testkit/ccxt";
import { type DemoAccount, type Exchange, registerEd25519, startExchange } from "@pricetime/testkit/venue";

const SYMBOL = "BTC/USDT";
const PATIENCE_MS = 60_000;

let exchange: Exchange;
let maker: CcxtPro;
let taker: CcxtPro;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off"] });
  const [first, second] = exchange.accounts;
  assert.ok(first && second);
  maker = await connect(first);
  taker = await connect(second);
});
after(async () => {
  await Promise.all([maker.close(), taker.close()]);
  await exchange.stop();
});

const connect = (keys: Pick<DemoAccount, "apiKey" | "secretKey">): Promise<CcxtPro> => connectCcxtPro(exchange, keys);

/** How many messages all nodes have sent to sockets: that an answer is out says that its request was done. */
async function messagesSent(): Promise<number> {
  let sent = 0;
  for (const { admin } of exchange.nodes) {
    const text = await (await fetch(`${admin}/metrics`)).text();
    sent += Number(/^pricetime_stream_messages_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
  }
  return sent;
}

/** Waits until so many were sent since there were `before`. */
async function answered(before: number, count: number): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const sent = (await messagesSent()) - before;
    if (sent >= count) return;
    assert.ok(Date.now() < end, `only ${sent} of ${count} answers were sent`);
    await sleep(10);
  }
}

suite("watching", () => {
  let orders: Order[];
  let trades: Trade[];
  let balances: Balances[];
  let takerTrades: Trade[];
  let takerOrders: Order[];
  let startUsdt = 0;
  let startBtc = 0;
  const last = (): Order | undefined => orders.at(-1);
  before(async () => {
    const start = await taker.fetchBalance();
    startUsdt = start.USDT?.free ?? 0;
    startBtc = start.BTC?.free ?? 0;
    const sent = await messagesSent();
    orders = followEach(() => maker.watchOrders(SYMBOL));
    trades = followEach(() => maker.watchMyTrades(SYMBOL));
    balances = follow(() => maker.watchBalance());
    takerTrades = followEach(() => taker.watchMyTrades(SYMBOL));
    takerOrders = followEach(() => taker.watchOrders());
    // Each of the two subscribes once; ccxt asks for what it was told of balances besides.
    await answered(sent, 2);
    await sleep(500);
  });

  test("an order that rests", async () => {
    const placed = await maker.createOrder(SYMBOL, "limit", "sell", 0.5, 50000, { clientOrderId: "resting" });
    await until("the order", () => orders.length >= 1);
    const [order] = orders;
    assert.equal(order?.id, placed.id);
    assert.equal(order?.clientOrderId, "resting");
    assert.deepEqual([order?.status, order?.side, order?.type], ["open", "sell", "limit"]);
    assert.deepEqual([order?.price, order?.amount, order?.filled, order?.remaining], [50000, 0.5, 0, 0.5]);
    await until("the balance", () => balances.at(-1)?.BTC?.used === 0.5);
  });

  test("a fill, on both sides", async () => {
    await taker.createOrder(SYMBOL, "limit", "buy", 0.2, 50000);
    await until("the fill", () => last()?.filled === 0.2);
    assert.deepEqual([last()?.status, last()?.remaining, last()?.average], ["open", 0.3, 50000]);
    await until("the trades", () => trades.length >= 1 && takerTrades.length >= 1);
    const [own] = trades;
    assert.deepEqual([own?.price, own?.amount, own?.side, own?.takerOrMaker], [50000, 0.2, "sell", "maker"]);
    const [theirs] = takerTrades;
    assert.deepEqual([theirs?.price, theirs?.amount, theirs?.takerOrMaker], [50000, 0.2, "taker"]);
    assert.equal(theirs?.id, own?.id);
    const [rest] = await maker.fetchMyTrades(SYMBOL);
    assert.equal(own?.id, rest?.id);
    assert.deepEqual(own?.fee, { cost: rest?.fee?.cost, currency: "USDT" });
    assert.equal(takerOrders.at(-1)?.status, "closed");
    await until("the balance", () => balances.at(-1)?.BTC?.used === 0.3);
    const { free, used } = (await maker.fetchBalance()).BTC ?? {};
    assert.deepEqual([balances.at(-1)?.BTC?.free, balances.at(-1)?.BTC?.used], [free, used]);
    const { USDT, BTC } = await taker.fetchBalance();
    assert.equal(USDT?.free, startUsdt - 10_000);
    assert.ok((BTC?.free ?? 0) > startBtc + 0.19);
  });

  test("a cancel", async () => {
    await maker.cancelOrder(String(last()?.id), SYMBOL);
    await until("the cancel", () => last()?.status === "canceled");
    assert.deepEqual([last()?.filled, last()?.remaining, last()?.clientOrderId], [0.2, 0.3, "resting"]);
    await until("the balance", () => balances.at(-1)?.BTC?.used === 0);
    const { USDT } = await maker.fetchBalance();
    assert.equal(balances.at(-1)?.USDT?.free, USDT?.free);
  });
});

suite("calling", () => {
  const other = "ETH/USDT";

  test("orders are placed, seen, changed and canceled", async () => {
    const placed = await maker.createOrderWs(other, "limit", "sell", 1, 3000);
    assert.deepEqual([placed.status, placed.amount, placed.filled], ["open", 1, 0]);
    for (const type of ["limit", "market"] as const) {
      const taken = await taker.createOrderWs(other, type, "buy", 0.2, type === "limit" ? 3000 : undefined);
      assert.deepEqual([taken.status, taken.filled, taken.average], ["closed", 0.2, 3000]);
    }
    const seen = await maker.fetchOrderWs(String(placed.id), other);
    assert.deepEqual([seen.status, seen.filled, seen.remaining], ["open", 0.4, 0.6]);
    assert.equal((await maker.fetchOpenOrdersWs(other)).length, 1);
    const edited = await maker.editOrderWs(String(placed.id), other, "limit", "sell", 0.5, 3100);
    assert.deepEqual([edited.price, edited.amount, edited.status], [3100, 0.5, "open"]);
    const canceled = await maker.cancelOrderWs(String(edited.id), other);
    assert.equal(canceled.status, "canceled");
    assert.equal((await maker.fetchOrdersWs(other)).map(({ status }) => status).join(), "canceled,canceled");
    assert.equal((await taker.fetchClosedOrdersWs(other)).length, 2);
    await maker.createOrderWs(other, "limit", "sell", 1, 3200);
    await maker.createOrderWs(other, "limit", "sell", 1, 3300);
    assert.equal((await maker.cancelAllOrdersWs(other)).length, 2);
    assert.equal((await maker.fetchOpenOrdersWs(other)).length, 0);
  });

  test("trades, balance and market data", async () => {
    const [trade] = await taker.fetchMyTradesWs(other);
    assert.deepEqual([trade?.price, trade?.amount, trade?.takerOrMaker], [3000, 0.2, "taker"]);
    // ccxt does not read the balances of spot accounts here, but brings what was answered.
    const [rest, ws] = [await taker.fetchBalance(), await taker.fetchBalanceWs()];
    assert.deepEqual(ws.info.balances, rest.info.balances);
    assert.ok(ws.info.balances.length >= 3);
    assert.equal((await taker.fetchTradesWs(other)).at(-1)?.price, 3000);
    assert.equal((await taker.fetchOHLCVWs(other, "1m")).at(-1)?.[4], 3000);
  });

  test("with an Ed25519 key, over both ways", async () => {
    const [, second] = exchange.accounts;
    assert.ok(second);
    const { apiKey, privateKey } = await registerEd25519(exchange, second.email);
    const secretKey = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
    const client = await connect({ ...second, apiKey, secretKey });
    const placed = await client.createOrderWs(other, "limit", "buy", 0.1, 2000);
    assert.equal((await client.fetchOrder(String(placed.id), other)).status, "open");
    const before = await messagesSent();
    const watched = client.watchOrders(other);
    await answered(before, 1);
    await client.cancelOrder(String(placed.id), other);
    assert.equal((await watched)[0]?.status, "canceled");
    await client.close();
  });

  test("errors are of the classes that REST's are", async () => {
    await assert.rejects(taker.createOrderWs(SYMBOL, "limit", "sell", 8000, 50000), ccxt.InsufficientFunds);
    await assert.rejects(taker.cancelOrderWs("999999", other), ccxt.OrderNotFound);
    await assert.rejects(taker.fetchOrderWs("999999", other), ccxt.OrderNotFound);
    const [first] = exchange.accounts;
    assert.ok(first);
    const stranger = await connect(first);
    stranger.secret = "A".repeat(64);
    await assert.rejects(stranger.fetchBalanceWs(), ccxt.AuthenticationError);
    await stranger.close();
  });
});
