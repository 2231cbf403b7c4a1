/** A list at each point of its life, and orders that wait, come through a kill: the same, and still at work. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

const SYMBOL = "BTCUSDT";
const ARGS = ["--bots", "off", "--limits", "off"];
type Fields = Record<string, string & number>;

class Trader {
  readonly client: Client;

  constructor(exchange: Exchange, account: number) {
    this.client = new Client(exchange.rest, exchange.accounts[account]);
  }

  async call<T = Fields>(method: string, path: string, parameters: Parameters = {}): Promise<T> {
    const { client } = this;
    const answer = method === "GET" ? client.patient<T>(path, parameters) : client.signed<T>(method, path, parameters);
    const { status, json, text } = await answer;
    assert.equal(status, 200, text);
    return json;
  }

  limit(side: string, quantity: string, price: string): Promise<Fields> {
    const order = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", quantity, price };
    return this.call("POST", "/api/v3/order", order);
  }

  /** The last price comes here: a trade with oneself. */
  async tradeAt(price: string): Promise<void> {
    await this.limit("SELL", "0.01", price);
    assert.equal((await this.limit("BUY", "0.01", price)).status, "FILLED");
  }

  oco(price: string, stopPrice: string, more: Parameters = {}): Promise<Fields> {
    const list = { symbol: SYMBOL, side: "SELL", quantity: "0.1", price, stopPrice, ...more };
    return this.call("POST", "/api/v3/order/oco", list);
  }

  /** Everything that can be asked about orders, lists and money. */
  everything(): Promise<unknown[]> {
    const paths = ["allOrderList", "openOrderList", "openOrders", "allOrders", "myTrades", "account"];
    return Promise.all(
      paths.map((path) => this.call("GET", `/api/v3/${path}`, /all.*s$|my/.test(path) ? { symbol: SYMBOL } : {})),
    );
  }

  async statuses(list: Fields): Promise<unknown[]> {
    const { orderListId = 0 } = list;
    const found = await this.call<{ listOrderStatus: string; orders: Fields[] }>("GET", "/api/v3/orderList", {
      orderListId,
    });
    const legs = found.orders.map(({ orderId = 0 }) => this.call("GET", "/api/v3/order", { symbol: SYMBOL, orderId }));
    return [found.listOrderStatus, ...(await Promise.all(legs)).map((leg) => leg.status)];
  }
}

test("lists and waiting orders are what they were after a kill, and go on", async () => {
  const dataFolder = temporaryFolder();
  let exchange = await startExchange({ dataFolder, args: ARGS });
  try {
    let [maker, taker] = [new Trader(exchange, 0), new Trader(exchange, 1)];
    await maker.tradeAt("50000");
    const limited = { stopLimitPrice: "48900", stopLimitTimeInForce: "GTC" };
    const stopped = await taker.oco("54000", "49500", { stopLimitPrice: "49700", stopLimitTimeInForce: "GTC" });
    const toStop = await taker.oco("53000", "49000", limited);
    const toFill = await taker.oco("52000", "48500");
    const touched = await taker.oco("51000", "49000");
    const canceled = await taker.oco("53000", "49000");
    await taker.call("DELETE", "/api/v3/orderList", { symbol: SYMBOL, orderListId: canceled.orderListId ?? 0 });
    await maker.limit("BUY", "0.04", "51000");
    await maker.tradeAt("49500");
    const before = [
      ["ALL_DONE", "NEW", "EXPIRED"],
      ["EXECUTING", "NEW", "NEW"],
      ["EXECUTING", "NEW", "NEW"],
      ["ALL_DONE", "EXPIRED", "PARTIALLY_FILLED"],
      ["ALL_DONE", "CANCELED", "CANCELED"],
    ];
    const lists = [stopped, toStop, toFill, touched, canceled];
    assert.deepEqual(await Promise.all(lists.map((list) => taker.statuses(list))), before);
    const told = await taker.everything();

    await exchange.kill();
    exchange = await startExchange({ dataFolder, args: ARGS });
    [maker, taker] = [new Trader(exchange, 0), new Trader(exchange, 1)];
    assert.deepEqual(await taker.everything(), told);

    await maker.limit("BUY", "0.1", "49700");
    assert.deepEqual(await taker.statuses(stopped), ["ALL_DONE", "FILLED", "EXPIRED"]);
    await maker.limit("BUY", "0.16", "52000");
    assert.deepEqual(await taker.statuses(toFill), ["ALL_DONE", "EXPIRED", "FILLED"]);
    assert.deepEqual(await taker.statuses(touched), ["ALL_DONE", "EXPIRED", "FILLED"]);
    await maker.limit("BUY", "0.1", "48900");
    await maker.tradeAt("49000");
    assert.deepEqual(await taker.statuses(toStop), ["ALL_DONE", "FILLED", "EXPIRED"]);
    assert.deepEqual(await taker.call("GET", "/api/v3/openOrders"), []);
    const { balances } = await taker.call<{ balances: Fields[] }>("GET", "/api/v3/account");
    assert.ok(balances.every(({ locked }) => Number(locked) === 0));
  } finally {
    await exchange.kill();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
