/**
 * Operators end orders, on the real program: a frozen account's orders stop filling, orders end by order, account and
 * symbol, the steps of a symbol go on after a kill, and a delisting comes at its time.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Engine } from "@pricetime/engine";
import { JournalFile, replayBatch } from "@pricetime/server/data-folder";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import {
  type DemoAccount,
  type Exchange,
  openAccount,
  operate,
  STEERED,
  startExchange,
  tryToOperate,
} from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";

const YAML = `
demo: false
limits: { enabled: false }
assets: [{ asset: BTC, name: Bitcoin }, { asset: USDT, name: TetherUS }]
symbols:
  - symbol: BTCUSDT
    baseAsset: BTC
    quoteAsset: USDT
    filters:
      priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" }
      lotSize: { minQty: "0.0001", maxQty: "1000", stepSize: "0.0001" }
`;
const WHY = { why: "a test" };
const END_SYMBOL = "/v1/symbols/BTCUSDT/open-orders/end";

interface More {
  readonly folder?: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
}

async function startVenue(t: TestContext, more: More = {}): Promise<Exchange> {
  const { folder = scratchFolder(t), args = [], nodeArgs = [] } = more;
  const config = join(folder, "venue.yaml");
  writeFileSync(config, YAML);
  const exchange = await startExchange({
    dataFolder: join(folder, "data"),
    args: ["--no-demo", "--config", config, ...args],
    nodeArgs,
  });
  inTheEnd(t, () => exchange.kill());
  return exchange;
}

class Trader {
  readonly account: DemoAccount;
  readonly #client: Client;

  constructor(t: TestContext, { rest }: Exchange, account: DemoAccount) {
    this.account = account;
    this.#client = new Client(rest, account);
    inTheEnd(t, () => this.#client.close());
  }

  static async open(t: TestContext, exchange: Exchange, name: string): Promise<Trader> {
    const grants = { BTC: "100", USDT: "10000000" };
    return new Trader(t, exchange, await openAccount(exchange, `${name}@example.com`, grants));
  }

  async send<T = Record<string, unknown>>(method: string, path: string, parameters: Parameters = {}) {
    const { serverTime } = (await this.#client.public<{ serverTime: number }>("/api/v3/time")).json;
    return this.#client.signed<T>(method, path, { ...parameters, timestamp: serverTime, recvWindow: 60_000 });
  }

  /** Resolves to the order's id. */
  async place(parameters: Parameters): Promise<number> {
    const order = { symbol: "BTCUSDT", type: "LIMIT", ...parameters };
    const limit = order.type === "LIMIT" ? { timeInForce: "GTC" } : {};
    const answer = await this.send<{ orderId: number }>("POST", "/api/v3/order", { ...order, ...limit });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.orderId;
  }

  async statusOf(orderId: number): Promise<string> {
    const answer = await this.send<{ status: string }>("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
    return answer.json.status;
  }

  /** Its user stream: what comes of executionReport, and the end. */
  async listen(t: TestContext, exchange: Exchange) {
    const { listenKey } = (await this.#client.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json;
    const socket = new WebSocket(`${exchange.ws}/ws/${listenKey}`);
    inTheEnd(t, () => socket.close());
    const reports: Readonly<Record<string, unknown>>[] = [];
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as Record<string, unknown>;
      if (message["e"] === "executionReport") reports.push(message);
    });
    await new Promise((open) => socket.addEventListener("open", open, { once: true }));
    return reports;
  }
}

async function bookOf(exchange: Exchange): Promise<{ bids: string[][]; asks: string[][] }> {
  return (await (await fetch(`${exchange.rest}/api/v3/depth?symbol=BTCUSDT`)).json()) as never;
}

interface SymbolState {
  readonly status: string;
  readonly isEndingOrders: boolean;
  readonly openOrders: number;
}
const symbolAt = (exchange: Exchange): Promise<SymbolState> => operate(exchange, "GET", "/v1/symbols/BTCUSDT");
const setStatus = (exchange: Exchange, status: string) =>
  tryToOperate(exchange, "PUT", "/v1/symbols/BTCUSDT/status", { status });

test("orders of a frozen account end, and nobody trades with them any more", async (t) => {
  const exchange = await startVenue(t);
  const [victim, stranger, other] = await Promise.all(["v", "s", "o"].map((name) => Trader.open(t, exchange, name)));
  assert.ok(victim !== undefined && stranger !== undefined && other !== undefined);
  // A first trade, so that a stop order has a last price to wait for.
  await other.place({ side: "SELL", price: "18000", quantity: "0.1" });
  await stranger.place({ side: "BUY", price: "18000", quantity: "0.1" });
  const reports = await victim.listen(t, exchange);
  await victim.place({ side: "SELL", price: "20000", quantity: "1" });
  await victim.place({ side: "SELL", type: "STOP_LOSS", stopPrice: "15000", quantity: "1" });
  await operate(exchange, "POST", `/v1/accounts/${victim.account.email}/lock`, {});
  await until("both orders are reported as expired", () => reports.filter(({ x }) => x === "EXPIRED").length === 2);

  assert.equal(await stranger.statusOf(await stranger.place({ side: "BUY", price: "20000", quantity: "1" })), "NEW");
  await other.place({ side: "SELL", price: "15000", quantity: "0.1" });
  await stranger.send("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  await stranger.place({ side: "BUY", price: "14000", quantity: "5" });
  await other.place({ side: "SELL", price: "14000", quantity: "0.1" });
  const { balances } = await operate<{ balances: { asset: string; free: string; locked: string }[] }>(
    exchange,
    "GET",
    `/v1/accounts/${victim.account.email}`,
  );
  const btc = balances.find(({ asset }) => asset === "BTC");
  assert.deepEqual([Number(btc?.free), Number(btc?.locked)], [100, 0]);
});

test("operators end orders by order, account and symbol, with their reason in the audit log", async (t) => {
  const exchange = await startVenue(t);
  const [one, two] = [await Trader.open(t, exchange, "one"), await Trader.open(t, exchange, "two")];
  const order = { side: "SELL", price: "30000", quantity: "1" };
  const [first, second] = [await one.place(order), await one.place(order)];
  const third = await two.place(order);
  const ended = await operate<{ ended: { orderId: number }[] }>(exchange, "POST", `/v1/orders/${first}/end`, WHY);
  assert.deepEqual(
    ended.ended.map(({ orderId }) => orderId),
    [first],
  );
  assert.deepEqual(await Promise.all([first, second].map((id) => one.statusOf(id))), ["EXPIRED", "NEW"]);
  assert.equal((await tryToOperate(exchange, "POST", `/v1/orders/${first}/end`, WHY)).status, 404);
  assert.equal((await tryToOperate(exchange, "POST", `/v1/orders/${second}/end`, {})).status, 400, "without a reason");

  // An account's orders end in every status of the symbol and under every suspension.
  assert.equal((await setStatus(exchange, "POST_TRADING")).status, 200);
  await operate(exchange, "PUT", "/v1/suspensions/trading", WHY);
  const ends = `/v1/accounts/${one.account.email}/open-orders/end`;
  assert.equal((await operate<{ ended: number }>(exchange, "POST", ends, { ...WHY, symbol: "BTCUSDT" })).ended, 1);
  assert.equal((await operate<{ ended: number }>(exchange, "POST", ends, WHY)).ended, 0);
  await operate(exchange, "DELETE", "/v1/suspensions/trading");
  assert.equal((await setStatus(exchange, "TRADING")).status, 200);

  const traded = await tryToOperate(exchange, "POST", END_SYMBOL, WHY);
  assert.deepEqual([traded.status, JSON.parse(traded.text).error], [409, "SYMBOL_TRADES"]);
  assert.equal((await setStatus(exchange, "HALT")).status, 200);
  assert.equal((await operate<{ ended: number }>(exchange, "POST", END_SYMBOL, WHY)).ended, 1);
  assert.equal(await two.statusOf(third), "EXPIRED");
  assert.equal((await setStatus(exchange, "TRADING")).status, 200);

  // Trading off, with the choice to end what is open.
  const fourth = await two.place(order);
  const account = `/v1/accounts/${two.account.email}`;
  assert.equal((await tryToOperate(exchange, "PATCH", account, { endOrders: true })).status, 400);
  await operate(exchange, "PATCH", account, { canTrade: false, endOrders: true });
  assert.equal(await two.statusOf(fourth), "EXPIRED");

  const recorded = async (): Promise<string> =>
    JSON.stringify(await operate(exchange, "GET", "/v1/audit-log?limit=100"));
  await until("the audit log has all of it", async () => {
    const text = await recorded();
    return ["endOrder", "endAccountOrders", "endSymbolOrders"].every((type) => text.includes(type));
  });
  assert.ok((await recorded()).includes(WHY.why));
});

test("a symbol's orders end in steps, which go on after a kill", async (t) => {
  const folder = scratchFolder(t);
  const steering = join(folder, "steering.json");
  writeFileSync(steering, "{}");
  process.env["TEST_STEERING_FILE"] = steering;
  const exchange = await startVenue(t, { folder, nodeArgs: STEERED });
  const trader = await Trader.open(t, exchange, "many");
  const orders = 1200;
  const order = { side: "SELL", price: "30000", quantity: "0.001" };
  for (let left = orders; left > 0; left -= 50)
    await Promise.all(Array.from({ length: 50 }, () => trader.place(order)));
  await setStatus(exchange, "HALT");
  // A slow disk, so that the kill comes before the step after the first is durable.
  writeFileSync(steering, JSON.stringify({ commitMs: 2000 }));
  const first = await operate<SymbolState & { ended: number }>(exchange, "POST", END_SYMBOL, WHY);
  assert.deepEqual([first.ended, first.isEndingOrders], [1000, true]);
  await exchange.kill();

  const engine = new Engine();
  const journal = JournalFile.openReadOnly(join(folder, "data/journal.sqlite"));
  for (const batch of journal.read(1)) replayBatch(engine, batch, () => {});
  journal.close();
  const left = engine.marketBySymbol("BTCUSDT");
  assert.deepEqual([left?.isEndingOrders, left?.openOrderCount], [true, orders - 1000]);

  writeFileSync(steering, "{}");
  const again = await startVenue(t, { folder, nodeArgs: STEERED });
  await until("all orders have ended", async () => (await symbolAt(again)).openOrders === 0);
  assert.equal((await symbolAt(again)).isEndingOrders, false);
  assert.deepEqual((await bookOf(again)).asks, []);
  assert.equal((await setStatus(again, "TRADING")).status, 200);
  assert.equal(await again.stop(), 0);
});

test("a delisting is announced, comes at its time and is final", async (t) => {
  const exchange = await startVenue(t, { args: ["--lab", "--clock", "manual"] });
  const trader = await Trader.open(t, exchange, "holder");
  const orderId = await trader.place({ side: "SELL", price: "30000", quantity: "1" });
  const announced = async () => {
    const info = await (await fetch(`${exchange.rest}/api/v3/exchangeInfo?symbol=BTCUSDT`)).json();
    const { status, delistTime } = (info as { symbols: { status: string; delistTime?: number }[] }).symbols[0] ?? {};
    return { status, delistTime };
  };
  assert.deepEqual(await announced(), { status: "TRADING", delistTime: undefined });
  const { serverTime } = (await (await fetch(`${exchange.rest}/api/v3/time`)).json()) as { serverTime: number };
  const path = "/v1/symbols/BTCUSDT/delisting";
  const delist = (atMs: number) => tryToOperate(exchange, "PUT", path, { atMs, ...WHY });
  const withdraw = () => tryToOperate(exchange, "POST", `${path}/withdraw`, WHY);
  assert.equal((await delist(serverTime - 1)).status, 400, "in the past");
  assert.equal((await delist(serverTime + 60_000)).status, 200);
  assert.equal((await withdraw()).status, 200);
  assert.deepEqual(await announced(), { status: "TRADING", delistTime: undefined });
  const atMs = serverTime + 3_600_000;
  assert.equal((await delist(atMs)).status, 200);
  assert.deepEqual(await announced(), { status: "TRADING", delistTime: atMs });

  await operate(exchange, "POST", "/v1/lab/clock/advance", { ms: 3_600_000 });
  assert.deepEqual(await announced(), { status: "BREAK", delistTime: atMs });
  assert.equal(await trader.statusOf(orderId), "EXPIRED");
  const late = await trader.send("POST", "/api/v3/order", {
    ...{ symbol: "BTCUSDT", side: "SELL", type: "LIMIT", timeInForce: "GTC", price: "30000", quantity: "1" },
  });
  assert.notEqual(late.status, 200);
  const trade = await setStatus(exchange, "TRADING");
  assert.deepEqual([trade.status, JSON.parse(trade.text).error], [409, "DELISTED"]);
  assert.equal((await withdraw()).status, 409);
});
