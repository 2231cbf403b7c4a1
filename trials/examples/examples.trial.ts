/**
 * The examples trade on a demo with its default settings. The exchange must then have one filled and one canceled order,
 * no open order, and a balance that changed by the filled quantity. Examples in languages that are not installed are
 * skipped.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, suite, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoAccount, type Exchange, startExchange } from "@pricetime/testkit/venue";
import { lacking } from "../tools.ts";
import { type Example, GRID_BOT, MARKET_MAKER, RunningExample, SHORT } from "./example.ts";

interface Order {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly side: string;
  readonly type: string;
  readonly status: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
}
interface Trade {
  readonly orderId: number;
  readonly qty: string;
  readonly commission: string;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
}

const folder = temporaryFolder();
let exchange: Exchange;
let alice: DemoAccount;
/** Clients of alice, whose key the examples use, and of bob, who trades with her. */
let account: Client;
let other: Client;

async function start(...args: string[]): Promise<void> {
  exchange = await startExchange({ dataFolder: folder, args });
  const [first, second] = exchange.accounts;
  assert.ok(first && second);
  alice = first;
  account = new Client(exchange.rest, first);
  other = new Client(exchange.rest, second);
}
async function stop(): Promise<void> {
  for (const client of [account, other]) client.close();
  assert.equal(await exchange.stop(), 0);
}
before(() => start());
after(async () => {
  await Promise.all(started.map((running) => running.stop()));
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const started: RunningExample[] = [];
function run(example: Example, ...args: string[]): RunningExample {
  const running = new RunningExample(example, exchange.rest, alice, ...args);
  started.push(running);
  return running;
}

const ordersOf = async (symbol: string): Promise<Order[]> =>
  (await account.patient<Order[]>("/api/v3/allOrders", { symbol })).json;
const openOrders = async (symbol: string): Promise<Order[]> =>
  (await account.signed<Order[]>("GET", "/api/v3/openOrders", { symbol })).json;
const tradesOf = async (symbol: string): Promise<Trade[]> =>
  (await account.patient<Trade[]>("/api/v3/myTrades", { symbol })).json;

async function balanceOf(asset: string): Promise<number> {
  type Balances = { readonly balances: readonly { asset: string; free: string; locked: string }[] };
  const { json } = await account.signed<Balances>("GET", "/api/v3/account");
  const found = json.balances.find((balance) => balance.asset === asset);
  return Number(found?.free ?? 0) + Number(found?.locked ?? 0);
}

for (const example of SHORT) {
  const { name, symbol, needs } = example;
  test(`${name} buys, and cancels an order`, { skip: lacking(needs) }, async () => {
    const asset = symbol.replace("USDT", "");
    const had = await balanceOf(asset);
    const lastId = (await ordersOf(symbol)).at(-1)?.orderId ?? -1;

    const running = run(example);
    assert.equal(await running.ended(), 0, running.output);

    const placed = (await ordersOf(symbol)).filter(({ orderId }) => orderId > lastId);
    assert.deepEqual(
      placed.map(({ type, side, status }) => [type, side, status]),
      [
        ["MARKET", "BUY", "FILLED"],
        ["LIMIT", "BUY", "CANCELED"],
      ],
      running.output,
    );
    assert.deepEqual(await openOrders(symbol), []);
    const trades = (await tradesOf(symbol)).filter(({ orderId }) => orderId === placed[0]?.orderId);
    const bought = trades.reduce((sum, { qty, commission }) => sum + Number(qty) - Number(commission), 0);
    assert.ok(bought > 0);
    assert.ok(Math.abs((await balanceOf(asset)) - had - bought) < 1e-6, "the balance changed by the bought quantity");
  });
}

/** Bob sells to all bids at or above the price of this order, so that it is filled. */
async function sellTo({ price }: Order, symbol: string): Promise<void> {
  type Depth = { readonly bids: readonly [string, string][] };
  const { bids } = (await other.public<Depth>("/api/v3/depth", { symbol, limit: 100 })).json;
  const bid = bids.filter(([each]) => Number(each) >= Number(price)).reduce((sum, [, size]) => sum + Number(size), 0);
  const quantity = (bid + 1).toFixed(2);
  const terms = { symbol, side: "SELL", type: "LIMIT", timeInForce: "IOC", quantity, price };
  const { status, text } = await other.signed("POST", "/api/v3/order", terms);
  assert.equal(status, 200, text);
}

/** Sells until one of the example's bids is filled: the market may move in between. */
async function sellUntilFilled(running: RunningExample, symbol: string): Promise<void> {
  const known = (await tradesOf(symbol)).length;
  await running.until("a bid is filled", async () => {
    const bids = (await openOrders(symbol)).filter(({ side }) => side === "BUY");
    const [best] = bids.sort((one, another) => Number(another.price) - Number(one.price));
    if (best !== undefined) await sellTo(best, symbol);
    return (await tradesOf(symbol)).slice(known).some(({ isMaker, isBuyer }) => isMaker && isBuyer);
  });
}

test("the grid bot sells one step higher after a buy, and cancels its orders at the end", async () => {
  const { symbol } = GRID_BOT;
  const lastId = (await ordersOf(symbol)).at(-1)?.orderId ?? -1;
  const running = run(GRID_BOT, "--levels", "3", "--step", "0.1");
  await running.until("the grid is placed", async () => (await openOrders(symbol)).length === 6);
  await sellUntilFilled(running, symbol);
  const mine = async (): Promise<Order[]> => (await ordersOf(symbol)).filter(({ orderId }) => orderId > lastId);
  await running.until("a sell is placed", async () => {
    const orders = await mine();
    const filledBuys = orders.filter(({ side, status }) => side === "BUY" && status === "FILLED").length;
    const filledSells = orders.filter(({ side, status }) => side === "SELL" && status === "FILLED").length;
    assert.ok((await openOrders(symbol)).length <= 6, "never more than twice the levels");
    // Each filled order adds an opposite one to the initial six.
    return filledBuys > 0 && orders.length === 6 + filledBuys + filledSells;
  });
  assert.equal(await running.stop(), 0, running.output);
  assert.deepEqual(await openOrders(symbol), []);
  for (const { status } of await mine()) assert.match(status, /^(?:FILLED|CANCELED)$/);
});

suite("the market maker", () => {
  const { symbol } = MARKET_MAKER;
  let running: RunningExample;
  const quotes = async (): Promise<string> => {
    const open = await openOrders(symbol);
    assert.ok(open.length <= 2, running.output);
    return open
      .map(({ side }) => side)
      .sort()
      .join();
  };

  test("quotes both sides, and again after a fill", async () => {
    running = run(MARKET_MAKER, "--quantity", "1", "--most", "3", "--spread", "0.1");
    await running.until("both sides are quoted", async () => (await quotes()) === "BUY,SELL");
    await sellUntilFilled(running, symbol);
    await running.until("the fill is reported", () => Promise.resolve(running.output.includes("filled: BUY 1.")));
    await running.until("both sides are quoted again", async () => (await quotes()) === "BUY,SELL");
  });

  test("continues after the exchange has restarted", async () => {
    const { port } = new URL(exchange.rest);
    await stop();
    await start("--port", port);
    await running.until("the streams are open again", () =>
      Promise.resolve(running.output.split("the book is in sync").length > 2),
    );
    await running.until("both sides are quoted again", async () => (await quotes()) === "BUY,SELL");
    await sellUntilFilled(running, symbol);
  });

  test("cancels its quotes when it is stopped", async () => {
    assert.equal(await running.stop(), 0, running.output);
    assert.deepEqual(await openOrders(symbol), []);
    assert.match(running.output, /all orders canceled; position/);
  });
});

test("the market maker exits after --seconds", async () => {
  const bounded = run(MARKET_MAKER, "--seconds", "3");
  assert.equal(await bounded.ended(), 0, bounded.output);
  assert.deepEqual(await openOrders(MARKET_MAKER.symbol), []);
});
