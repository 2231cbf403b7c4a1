/** What clients see while operators have suspended trading, withdrawals, an asset or a network. Interface 3.11. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hmacKey } from "@pricetime/testkit/client";
import type { TestVenue } from "@pricetime/testkit/gateway-venue";
import { assertRefused } from "@pricetime/testkit/gateway-venue";
import { WalletVenue } from "./wallet/wallet-venue.ts";
import { ApiVenue } from "./ws/api-venue.ts";

const CLOSED = "Market is closed.";
const LIST = {
  ...{ symbol: "BTCUSDT", side: "SELL", quantity: 1, price: 20000 },
  ...{ stopPrice: 9000, stopLimitPrice: 8900, stopLimitTimeInForce: "GTC" },
};

const stop = (venue: TestVenue, scope: string, untilMs: number | null = null): unknown =>
  venue.act({ type: "setStop", by: "test", scope, why: "a drill", untilMs });
const lift = (venue: TestVenue, scope: string): unknown => venue.act({ type: "liftStop", by: "test", scope });
const place = (venue: TestVenue): ReturnType<TestVenue["order"]> => venue.order({ price: 10000, quantity: "0.1" });
const cancel = (venue: TestVenue, orderId: number) =>
  venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId });
const replace = (venue: TestVenue, cancelOrderId: number) =>
  venue.signed("POST", "/api/v3/order/cancelReplace", {
    ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 1, price: 10000 },
    ...{ cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId },
  });
const statusOf = async (venue: TestVenue, symbol?: string): Promise<string[]> => {
  const { json } = await venue.public("/api/v3/exchangeInfo", symbol === undefined ? {} : { symbol });
  return json.symbols.map((one: { status: string }) => one.status);
};

test("while new orders are suspended, cancels are possible", async () => {
  const venue = new WalletVenue();
  const [first, second] = [(await place(venue)).json.orderId, (await place(venue)).json.orderId];
  stop(venue, "placing");
  assertRefused(await place(venue), 400, -2010, CLOSED);
  assertRefused(await venue.signed("POST", "/api/v3/order/oco", LIST), 400, -2010, CLOSED);
  const replaced = await replace(venue, first);
  assert.deepEqual([replaced.status, replaced.json.data.cancelResult], [409, "SUCCESS"]);
  assert.deepEqual(replaced.json.data.newOrderResponse, { code: -2010, msg: CLOSED });
  assert.equal((await cancel(venue, second)).json.status, "CANCELED");
  assert.deepEqual(await statusOf(venue), ["HALT", "HALT", "HALT"]);
  assert.deepEqual(await statusOf(venue, "BTCUSDT"), ["HALT"]);
  assert.equal((await venue.public("/sapi/v1/system/status")).json.status, 0);
  lift(venue, "placing");
  assert.equal((await place(venue)).status, 200);
  assert.deepEqual(await statusOf(venue), ["TRADING", "TRADING", "TRADING"]);
});

test("while all trading is suspended, nothing is placed or canceled, and the system is in maintenance", async () => {
  const venue = new WalletVenue();
  const { orderId } = (await place(venue)).json;
  stop(venue, "trading", venue.nowMs + 60_000);
  assertRefused(await place(venue), 400, -2010, CLOSED);
  assertRefused(await cancel(venue, orderId), 400, -2011, CLOSED);
  assertRefused(await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" }), 400, -2011, CLOSED);
  const replaced = await replace(venue, orderId);
  assert.deepEqual([replaced.status, replaced.json.code], [400, -2022]);
  assert.deepEqual(replaced.json.data.cancelResponse, { code: -2011, msg: CLOSED });
  assert.deepEqual(await statusOf(venue), ["POST_TRADING", "POST_TRADING", "POST_TRADING"]);
  assert.equal((await venue.public("/wapi/v3/systemStatus.html")).body, '{"status":1,"msg":"system maintenance"}');
  venue.nowMs += 60_000;
  venue.act({ type: "tick" });
  assert.equal((await cancel(venue, orderId)).json.status, "CANCELED", "it ends by itself");
  assert.deepEqual(await statusOf(venue, "ETHBTC"), ["TRADING"]);
});

test("a symbol that is not trading keeps its own status", async () => {
  const venue = new WalletVenue();
  venue.act({ type: "setSymbolStatus", by: "test", symbol: "ETHBTC", status: "BREAK" });
  stop(venue, "trading");
  assert.deepEqual(await statusOf(venue), ["POST_TRADING", "BREAK", "POST_TRADING"]);
});

test("over the WebSocket API, the errors are the same", async (t) => {
  const { venue, ...api } = await opened();
  t.after(() => api.close());
  const { orderId } = (await place(venue)).json;
  stop(venue, "trading");
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "10000" };
  const placed = await api.ask("order.place", order);
  assert.deepEqual([placed.status, placed.error], [400, { code: -2010, msg: CLOSED }]);
  const cancelled = await api.ask("order.cancel", { symbol: "BTCUSDT", orderId });
  assert.deepEqual([cancelled.status, cancelled.error], [400, { code: -2011, msg: CLOSED }]);
});

for (const scope of ["withdrawals", "coin:ETH", "network:ETH"]) {
  test(`while ${scope} is suspended, withdrawals are rejected, and clients can see it`, async () => {
    const venue = new WalletVenue();
    stop(venue, scope);
    const refused = await venue.withdraw();
    assert.deepEqual(
      [refused.json.success, refused.json.msg],
      [false, "The current currency is not open for withdrawal"],
    );
    const sapi = { coin: "ETH", address: "0xabc", amount: "1" };
    assertRefused(await venue.post("/sapi/v1/capital/withdraw/apply", sapi), 400, -4019);
    const isShut = scope !== "withdrawals";
    const coins = (await venue.get("/sapi/v1/capital/config/getall")).json;
    const [ether, xrp] = ["ETH", "XRP"].map((name) => coins.find((one: { coin: string }) => one.coin === name));
    assert.deepEqual(
      [ether.withdrawAllEnable, ether.networkList[0].withdrawEnable, ether.depositAllEnable],
      [false, false, !isShut],
    );
    assert.deepEqual([xrp.withdrawAllEnable, xrp.depositAllEnable], [isShut, true]);
    const detail = (await venue.get("/wapi/v3/assetDetail.html")).json.assetDetail;
    assert.deepEqual([detail.ETH.withdrawStatus, detail.ETH.depositStatus], [false, !isShut]);
    const address = await venue.get("/sapi/v1/capital/deposit/address", { coin: "ETH" });
    assert.equal(address.status, isShut ? 400 : 200, "nobody is told to send what will wait");
    assert.equal((await place(venue)).status, 200, "trading goes on");
    lift(venue, scope);
    assert.equal((await venue.withdraw()).json.success, true);
  });
}

test("deposits during a suspension of their asset stay pending, and are credited afterwards", async () => {
  const venue = new WalletVenue();
  const [before] = await venue.balance("ETH");
  stop(venue, "coin:ETH");
  const coin = venue.seeCoin("0x1", "2");
  const { events } = venue.apply({ type: "creditDeposit", ...coin });
  assert.equal(events[0]?.type, "rejected");
  const listed = async () => (await venue.get("/sapi/v1/capital/deposit/hisrec", { coin: "ETH" })).json[0].status;
  assert.equal(await listed(), 0);
  lift(venue, "coin:ETH");
  venue.act({ type: "creditDeposit", ...coin });
  assert.deepEqual([await listed(), Number((await venue.balance("ETH"))[0])], [6, Number(before) + 2]);
});

async function opened() {
  const api = new ApiVenue();
  await api.listen();
  const client = await api.connect();
  const key = hmacKey(api.venue.trader);
  const ask = (method: string, params: Record<string, string | number>) => client.signed(method, key, params);
  return { venue: api.venue, ask, close: () => api.close() };
}
