/** The terminal's account at a real node: it shows the node's data, also after lost responses and connections. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import type { Notice, OrderDraft, OrderRow } from "../../src/account/port.ts";
import { portOf, startQuietNode } from "../venue.ts";
import { clientOf, isTheNodes, openTerminal, signedIn } from "./signed-in.ts";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const dice = new Dice(seed);
const dataFolder = temporaryFolder();
const LIMIT: OrderDraft = {
  ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "10000", quantity: "0.5" },
};

let node: Exchange;
before(async () => {
  process.stdout.write(`# SEED=${seed}\n`);
  node = await startQuietNode({ dataFolder });
  const alice = clientOf(node, "alice");
  for (const side of ["SELL", "BUY"]) {
    const order = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", price: "20000", quantity: "0.01" };
    await alice.signed("POST", "/api/v3/order", order);
  }
  alice.close();
});
after(() => node.kill());
beforeEach(async () => {
  for (const name of ["alice", "bob"]) {
    const client = clientOf(node, name);
    await client.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
    client.close();
  }
});

/** How long a market is shown before the account's data on it is fetched. */
const SETTLED_MS = 400;

const only = (rows: readonly OrderRow[]): OrderRow => {
  assert.equal(rows.length, 1, JSON.stringify(rows));
  return rows[0] as OrderRow;
};

test("a wrong key is rejected, a valid one shows the account, and the tab stores it", async () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const first = openTerminal(node, store);
  const [alice] = node.accounts;
  await assert.rejects(first.account.signIn(alice?.apiKey ?? "", "wrong"), { code: -1022 });
  await assert.rejects(first.account.signIn("nonsense", "wrong"), { code: -2014 });
  assert.deepEqual([first.account.session.value, kept.size], [null, 0]);
  first.close();
  const second = await signedIn(node, "alice", store);
  await isTheNodes(second, node, "alice");
  assert.deepEqual(second.account.commission.value, { maker: "0.0010", taker: "0.0010", discount: null });
  second.close();
  const third = openTerminal(node, store);
  await until("it is signed in again", () => third.account.freshness.value === "live");
  assert.equal(third.account.session.value?.label, "alice");
  await third.account.signOut();
  assert.deepEqual([third.account.session.value, kept.size, third.account.orders.value.length], [null, 0, 0]);
  third.close();
});

test("the fee discount is the shown market's, and is requested once for each market until the page is seen again", async () => {
  const discount = { asset: "BNB", factorBps: 7_500, excludedSymbols: ["ETHUSDT"] };
  await operate(node, "PUT", "/v1/commission-discount", discount);
  const alice = clientOf(node, "alice");
  await alice.signed("POST", "/sapi/v1/bnbBurn", { spotBNBBurn: "true" });
  const { account, feed, world, close } = await signedIn(node, "alice");
  const requested = (): number => world.requests.filter((name) => name.endsWith("/account/commission")).length;
  const shown = (): unknown => account.commission.value?.discount;
  const select = async (symbol: string): Promise<void> => {
    feed.select(symbol);
    await until(`${symbol} is shown`, () => feed.market.value?.symbol === symbol);
  };
  await until("the discount is shown", () => shown() !== null);
  const ofBtc = { asset: "BNB", remains: "0.75000000" };
  assert.deepEqual([shown(), requested()], [ofBtc, 1]);
  await select("ETHUSDT");
  assert.equal(shown(), null);
  await until("it is requested", () => requested() === 2);
  const after = world.after;
  const ran = new Set<number>();
  world.after = (delayMs, run) => after(delayMs, () => (run(), ran.add(delayMs)));
  await select("BTCUSDT");
  assert.deepEqual(shown(), ofBtc);
  // Whether another request is sent is decided by the timer that fetches what a market shows.
  await until("the market has been shown for a while", () => ran.has(SETTLED_MS));
  await select("BNBUSDT");
  await until("the discount is shown", () => shown() !== null);
  assert.equal(requested(), 3);
  await alice.signed("POST", "/sapi/v1/bnbBurn", { spotBNBBurn: "false" });
  world.wake();
  await until("the discount is no longer shown", () => shown() === null);
  await select("BTCUSDT");
  await until("that of another market is requested again", () => requested() === 5);
  await operate(node, "DELETE", "/v1/commission-discount");
  alice.close();
  close();
});

test("an order is shown at once, then as the node reports it, and disappears when it is canceled", async () => {
  const opened = await signedIn(node, "alice");
  const { account } = opened;
  const placing = account.place(LIMIT);
  assert.equal(only(account.orders.value).state, "sending");
  assert.equal(await placing, null);
  const row = only(account.orders.value);
  assert.deepEqual([row.state, row.status, row.price], ["known", "NEW", "10000.00000000"]);
  await isTheNodes(opened, node, "alice");
  assert.equal(await account.cancel(row), true);
  await isTheNodes(opened, node, "alice");
  assert.equal(account.orders.value.length, 0);
  assert.equal(await account.cancel(row), true, "it is cancelled, and the node says so");
  opened.close();
});

test("a rejected order leaves no row and no notice: the caller shows its code and message", async () => {
  const { account, close } = await signedIn(node, "alice");
  const refusal = await account.place({ ...LIMIT, quantity: "0.0000001" });
  assert.equal(refusal?.code, -1013);
  assert.match(refusal?.message ?? "", /LOT_SIZE$/);
  assert.deepEqual([account.orders.value, account.notices.value], [[], []]);
  close();
});

test("an order whose response is lost is unknown until a query finds it", async () => {
  const opened = await signedIn(node, "alice");
  const { account, world } = opened;
  // The stream loses its messages too, so only a query can find the order.
  world.hears = () => false;
  world.lose = (request) => (request === "POST /api/v3/order" ? "answer" : null);
  const placing = account.place(LIMIT);
  await until("it is unknown", () => account.orders.value[0]?.state === "unknown");
  assert.equal(await placing, null);
  assert.deepEqual(
    account.notices.value.map(({ text }) => text.split(":")[0]),
    ["The order was placed after all"],
  );
  assert.equal(only(account.orders.value).state, "known");
  world.lose = (request) => (request === "DELETE /api/v3/order" ? "answer" : null);
  assert.equal(await account.cancel(only(account.orders.value)), true);
  assert.ok(account.notices.value.some(({ text }) => text.startsWith("Cancellation status unknown")));
  opened.close();
});

test("an order that never arrived counts as rejected once it can no longer arrive, and not earlier", async () => {
  const { account, world, close } = await signedIn(node, "alice");
  const elapsed = world.elapsedMs.bind(world);
  let aheadMs = 0;
  world.elapsedMs = () => elapsed() + aheadMs;
  world.lose = (request) => (request === "POST /api/v3/order" ? "request" : null);
  const placing = account.place(LIMIT);
  const asked = (): number => world.requests.filter((name) => name === "GET /api/v3/order").length;
  await until("it was asked for", () => asked() >= 2);
  assert.equal(only(account.orders.value).state, "unknown");
  aheadMs = 20_000;
  assert.equal((await placing)?.message, "The exchange did not receive this order.");
  assert.deepEqual([account.orders.value, account.notices.value], [[], []]);
  close();
});

test("moving an order places its remainder at the new price", async () => {
  const opened = await signedIn(node, "alice");
  const { account } = opened;
  const bob = clientOf(node, "bob");
  await account.place({ ...LIMIT, price: "19000" });
  await bob.signed("POST", "/api/v3/order", { ...LIMIT, side: "SELL", price: "19000", quantity: "0.2" });
  await until("a part is filled", () => account.orders.value[0]?.status === "PARTIALLY_FILLED");
  assert.equal(await account.move(only(account.orders.value), { price: "18000" }), true);
  const row = only(account.orders.value);
  assert.deepEqual([row.price, row.origQty, row.state], ["18000.00000000", "0.30000000", "known"]);
  await isTheNodes(opened, node, "alice");
  // The node rejects the new price: the old order is canceled, and a notice says so.
  assert.equal(await account.move(row, { price: "18000.001" }), false);
  assert.equal(account.orders.value.length, 0);
  await isTheNodes(opened, node, "alice");
  const isGone = ({ text }: Notice): boolean => text.startsWith("The order was canceled, but the new order was not");
  assert.ok(account.notices.value.some(isGone));
  // An order that has already closed is not moved.
  assert.equal(await account.move(row, { price: "17000" }), false);
  assert.match(account.notices.value[0]?.text ?? "", /^Order not moved: .* The order is now canceled\.$/);
  assert.equal(account.orders.value.length, 0);
  bob.close();
  opened.close();
});

test("reducing an order keeps the order, and both legs of a list", async () => {
  const opened = await signedIn(node, "alice");
  const { account } = opened;
  await account.place({ ...LIMIT, price: "19000", quantity: "0.5" });
  const before = only(account.orders.value);
  assert.equal(await account.reduce(before, "0.3"), true);
  const row = only(account.orders.value);
  assert.deepEqual([row.origQty, row.orderId, row.clientOrderId], ["0.30000000", before.orderId, before.clientOrderId]);
  assert.match(account.notices.value[0]?.text ?? "", /^Order reduced, with its place in the queue: /);
  await isTheNodes(opened, node, "alice");
  assert.equal(await account.reduce(row, "0.4"), false);
  assert.match(account.notices.value[0]?.text ?? "", /^Order not reduced: .* is not supported\.$/);
  await account.cancel(row);
  assert.equal(await account.reduce(row, "0.1"), false);
  assert.match(account.notices.value[0]?.text ?? "", /The order is now canceled\.$/);
  opened.close();
});

test("a stop order is moved by its stop price", async () => {
  const opened = await signedIn(node, "alice");
  const { account } = opened;
  const stop = { type: "STOP_LOSS_LIMIT", quantity: "0.1", price: "14900", stopPrice: "15000" };
  await account.place({ ...LIMIT, ...stop, side: "SELL" });
  assert.equal(await account.move(only(account.orders.value), { stopPrice: "15500" }), true);
  const row = only(account.orders.value);
  assert.deepEqual([row.stopPrice, row.price, row.isWorking], ["15500.00000000", "14900.00000000", false]);
  await isTheNodes(opened, node, "alice");
  opened.close();
});

test("an order list is placed, one of its legs is moved, a response is lost, and the list is canceled", async () => {
  const opened = await signedIn(node, "alice");
  const { account, world } = opened;
  const both = { symbol: "BTCUSDT", side: "SELL" as const, quantity: "0.1", stopPrice: "15000" };
  const draft = { ...both, limitType: "LIMIT_MAKER", price: "30000" };
  const limited = { ...draft, stopLimitPrice: "14900", stopLimitTimeInForce: "GTC" };
  const leg = (type: string): OrderRow => only(account.orders.value.filter((row) => row.type === type));
  assert.equal(await account.placeOco(limited), null);
  assert.equal(account.orders.value.length, 2);
  assert.equal(await account.move(leg("STOP_LOSS_LIMIT"), { stopPrice: "16000" }), true);
  assert.equal(await account.move(leg("LIMIT_MAKER"), { price: "31000" }), true);
  await isTheNodes(opened, node, "alice");
  assert.deepEqual(
    [leg("STOP_LOSS_LIMIT").stopPrice, leg("STOP_LOSS_LIMIT").price, leg("LIMIT_MAKER").price],
    ["16000.00000000", "14900.00000000", "31000.00000000"],
  );
  world.lose = (request) =>
    request === "DELETE /api/v3/orderList" || request === "POST /api/v3/orderList/oco" ? "answer" : null;
  assert.equal(await account.move(leg("LIMIT_MAKER"), { price: "32000" }), true, "with both answers lost");
  world.lose = () => null;
  await isTheNodes(opened, node, "alice");
  assert.equal(leg("LIMIT_MAKER").price, "32000.00000000");
  // A limit leg on the wrong side of the market: the list is canceled.
  assert.equal(await account.move(leg("LIMIT_MAKER"), { price: "12000" }), false);
  await isTheNodes(opened, node, "alice");
  assert.equal(account.orders.value.length, 0);
  assert.match(account.notices.value[0]?.text ?? "", /^The order list was canceled, but the new one was not placed/);
  assert.equal(await account.placeOco(draft), null);
  assert.equal(await account.cancelList("BTCUSDT", account.orders.value[0]?.orderListId ?? 0), true);
  assert.equal(account.orders.value.length, 0);
  // Both legs wait: each trigger price is moved, and the other leg does not change.
  const profit = { limitType: "TAKE_PROFIT_LIMIT", limitStopPrice: "30000", price: "29900", limitTimeInForce: "IOC" };
  assert.equal(await account.placeOco({ ...both, ...profit }), null);
  assert.equal(await account.move(leg("TAKE_PROFIT_LIMIT"), { stopPrice: "31000" }), true);
  assert.equal(await account.move(leg("STOP_LOSS"), { stopPrice: "14000" }), true);
  await isTheNodes(opened, node, "alice");
  const { stopPrice, price, timeInForce } = leg("TAKE_PROFIT_LIMIT");
  assert.deepEqual([stopPrice, price, timeInForce], ["31000.00000000", "29900.00000000", "IOC"]);
  assert.equal(leg("STOP_LOSS").stopPrice, "14000.00000000");
  assert.equal(await account.cancelList("BTCUSDT", leg("STOP_LOSS").orderListId), true);
  opened.close();
});

test("after thousands of messages, orders, balances and fills equal the node's", async () => {
  const opened = await signedIn(node, "alice");
  const { account } = opened;
  const bob = clientOf(node, "bob");
  for (let i = 0; i < 150; i++) {
    const side = dice.pick(["BUY", "SELL"] as const);
    const price = String(19_990 + dice.below(20));
    const draft = { ...LIMIT, side, price, quantity: `0.0${dice.between(1, 9)}` };
    const other = { symbol: "BTCUSDT", side, type: "MARKET", quantity: `0.0${dice.between(1, 5)}` };
    await Promise.all([
      account.place(dice.oneIn(4) ? other : draft),
      bob.signed("POST", "/api/v3/order", { ...draft, side: dice.pick(["BUY", "SELL"]) }),
    ]);
    const open = account.orders.value.filter(({ state }) => state === "known");
    if (dice.oneIn(6) && open.length > 0) await account.cancel(dice.pick(open));
    if (dice.oneIn(8) && open.length > 0) await account.move(dice.pick(open), { price });
  }
  await isTheNodes(opened, node, "alice");
  const wanted = { symbol: "BTCUSDT", limit: 1000 };
  const theirs = (await clientOf(node, "alice").signed<{ id: number }[]>("GET", "/api/v3/myTrades", wanted)).json;
  const key = (fill: { tradeId?: number; id?: number; side?: string; isBuyer?: boolean }): string =>
    `${fill.tradeId ?? fill.id} ${fill.side ?? (fill.isBuyer ? "BUY" : "SELL")}`;
  await until("the fills are the node's", () => {
    const ours = account.fills.value.map(key);
    return JSON.stringify(ours.sort()) === JSON.stringify(theirs.map(key).sort());
  });
  bob.close();
  opened.close();
});

test("after the node is killed and restarted, orders and balances equal the node's", async () => {
  const opened = await signedIn(node, "alice");
  const { account } = opened;
  await account.place(LIMIT);
  await account.place({ ...LIMIT, price: "11000" });
  const gone = only(account.orders.value.filter(({ price }) => price.startsWith("11000")));
  await node.kill();
  await until("it is seen", () => account.freshness.value === "stale");
  assert.equal(account.orders.value.length, 2, "what was there is shown, as old");
  node = await startQuietNode({ dataFolder, port: portOf(node) });
  const alice = clientOf(node, "alice");
  await alice.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: gone.orderId });
  await alice.signed("POST", "/api/v3/order", { ...LIMIT, price: "12000" });
  await isTheNodes(opened, node, "alice");
  assert.deepEqual(account.orders.value.map(({ price }) => Number(price)).sort(), [10_000, 12_000]);
  await alice.signed("POST", "/api/v3/order", { ...LIMIT, price: "12500" });
  await isTheNodes(opened, node, "alice");
  assert.equal(await account.cancelAll(null), true);
  await isTheNodes(opened, node, "alice");
  alice.close();
  opened.close();
});

test("all orders are canceled although the response is lost; without open orders, no response is awaited", async () => {
  const opened = await signedIn(node, "alice");
  const { account, world } = opened;
  for (const price of ["10000", "10001", "10002"]) await account.place({ ...LIMIT, price });
  world.lose = (request) => (request === "DELETE /api/v3/openOrders" ? "answer" : null);
  assert.equal(await account.cancelAll("BTCUSDT"), true);
  world.lose = () => null;
  await isTheNodes(opened, node, "alice");
  const asked = world.requests.length;
  assert.equal(await account.cancelAll(null), true);
  assert.equal(world.requests.length, asked);
  opened.close();
});

test("a lost subscription is made again, and no event is missed", async () => {
  const opened = await signedIn(node, "alice");
  const { world } = opened;
  const isOfEvents = ({ url }: WebSocket): boolean => url.includes("/ws-api/v3");
  world.sockets.find(isOfEvents)?.close();
  await until("it is seen", () => opened.account.freshness.value === "stale");
  const alice = clientOf(node, "alice");
  await alice.signed("POST", "/api/v3/order", { ...LIMIT });
  await isTheNodes(opened, node, "alice");
  assert.equal(opened.account.orders.value.length, 1);
  assert.ok(world.sockets.filter(isOfEvents).length >= 2);
  assert.ok(!world.requests.some((request) => request.includes("userDataStream")), "there are no listen keys");
  alice.close();
  opened.close();
});

test("the terminal trades with today's interface, and counts steps from zero", async () => {
  const today = await startQuietNode({ venueInterface: "today" });
  try {
    const opened = await signedIn(today, "alice");
    assert.equal(await opened.account.place(LIMIT), null);
    await isTheNodes(opened, today, "alice");
    assert.equal(opened.feed.market.value?.stepOrigin, "zero");
    opened.close();
  } finally {
    await today.kill();
  }
  const opened = openTerminal(node);
  await until("the market is loaded", () => opened.feed.market.value !== null);
  assert.equal(opened.feed.market.value?.stepOrigin, "minimum");
  opened.close();
});

test("histories load page by page, and new rows are added on top; a failure is not shown as an empty page", async () => {
  const { account, world, close } = await signedIn(node, "alice");
  const [orders, trades] = [account.orderHistory("BTCUSDT"), account.tradeHistory("BTCUSDT")];
  world.lose = (request) => (request === "GET /api/v3/allOrders" ? "answer" : null);
  await orders.more();
  assert.ok(typeof orders.state.value === "object" && orders.state.value.isUnknown);
  world.lose = () => null;
  await Promise.all([orders.more(), trades.more()]);
  const wanted = { symbol: "BTCUSDT", limit: 1000 };
  const alice = clientOf(node, "alice");
  const all = (await alice.signed<{ orderId: number }[]>("GET", "/api/v3/allOrders", wanted)).json;
  const idsOf = (rows: readonly { orderId: number }[]): readonly number[] => rows.map(({ orderId }) => orderId);
  assert.deepEqual(idsOf(orders.rows.value), idsOf(all).toReversed().slice(0, 500));
  assert.equal(orders.state.value, all.length < 500 ? "done" : "idle");
  const before = orders.rows.value.length;
  await account.place(LIMIT);
  await until("it is on top", () => orders.rows.value.length === before + 1);
  assert.equal(orders.rows.value[0]?.status, "NEW");
  await account.cancelAll("BTCUSDT");
  assert.equal(orders.rows.value[0]?.status, "CANCELED");
  close();
});
