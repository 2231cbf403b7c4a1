/** Self-trade prevention through the whole gateway: answers, reports and prevented matches. Decision 93. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, START_MS } from "@pricetime/testkit/gateway-venue";
import { type Message, story, UserVenue } from "../streams/user-venue.ts";

const SYMBOL = "BTCUSDT";
const SELL = { side: "SELL", newOrderRespType: "FULL" } as const;

async function placed(venue: UserVenue, parameters: Parameters, key = venue.trader): Promise<Message> {
  const { status, json } = await venue.order({ newOrderRespType: "FULL", ...parameters }, { key });
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const lookup = async (venue: UserVenue, orderId: number): Promise<Message> =>
  (await venue.signed("GET", "/api/v3/order", { symbol: SYMBOL, orderId })).json;
const matches = (venue: UserVenue, parameters: Parameters, key = venue.trader) =>
  venue.signed("GET", "/api/v3/myPreventedMatches", { symbol: SYMBOL, ...parameters }, { key });

/** The worked example of DECREMENT: an own bid, one of another account, and a SELL that meets both. */
async function decremented(venue: UserVenue): Promise<{ maker: Message; taker: Message }> {
  const maker = await placed(venue, { price: 100, quantity: 5 });
  await placed(venue, { price: 99, quantity: 2 }, venue.maker);
  venue.nowMs += 5;
  const taker = await placed(venue, { ...SELL, price: 98, quantity: 8, selfTradePreventionMode: "DECREMENT" });
  return { maker, taker };
}

const MATCH = {
  preventedMatchId: 0,
  makerSymbol: SYMBOL,
  price: "100.00000000",
  takerPreventedQuantity: "5.00000000",
  makerPreventedQuantity: "5.00000000",
};

test("the answer of the taker contains its prevented matches and what it lost", async () => {
  const venue = new UserVenue();
  const { maker, taker } = await decremented(venue);
  assert.deepEqual(taker["preventedMatches"], [{ ...MATCH, makerOrderId: maker["orderId"] }]);
  const { status, origQty, executedQty, preventedQuantity, preventedMatchId, fills, tradeGroupId } = taker;
  assert.deepEqual([status, origQty, executedQty], ["PARTIALLY_FILLED", "8.00000000", "2.00000000"]);
  assert.deepEqual([preventedQuantity, preventedMatchId, tradeGroupId], ["5.00000000", 0, undefined]);
  assert.deepEqual([taker["selfTradePreventionMode"], fills.length], ["DECREMENT", 1]);
  const ofMaker = await lookup(venue, maker["orderId"]);
  const { status: ended, isWorking, expiryReason } = ofMaker;
  assert.deepEqual([ended, ofMaker["preventedQuantity"], isWorking], ["EXPIRED_IN_MATCH", "5.00000000", true]);
  assert.equal(expiryReason, undefined);
  const canceled = (await venue.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId: taker["orderId"] })).json;
  assert.deepEqual([canceled.status, canceled.preventedQuantity], ["CANCELED", "5.00000000"]);
  const plain = await placed(venue, { price: 90, quantity: 1 });
  assert.ok(!("preventedQuantity" in plain) && !("preventedMatches" in plain));
});

test("reports of prevented matches: the taker before the maker, then what the rest does, balances once", async () => {
  const venue = new UserVenue();
  const heard = venue.record(venue.trader);
  const { maker, taker } = await decremented(venue);
  assert.deepEqual(story(heard).slice(3), [
    "SELL LIMIT NEW/NEW on book",
    "SELL LIMIT TRADE_PREVENTION/NEW on book",
    "BUY LIMIT TRADE_PREVENTION/EXPIRED_IN_MATCH",
    "SELL LIMIT TRADE/PARTIALLY_FILLED on book",
    "outboundAccountInfo",
    "outboundAccountPosition",
  ]);
  const [ofTaker, ofMaker] = heard.filter(({ x }) => x === "TRADE_PREVENTION") as [Message, Message];
  const common = { v: 0, A: "5.00000000", B: "5.00000000", u: -1, Cs: SYMBOL, V: "DECREMENT", t: -1, M: false };
  const nothing = { l: "0.00000000", L: "0.00000000", Y: "0.00000000", n: "0", N: null, r: "NONE" };
  const prevented = { pl: "5.00000000", pL: "100.00000000", pY: "500.00000000" };
  const [takerId, makerId] = [taker["orderId"], maker["orderId"]];
  assert.partialDeepStrictEqual(ofTaker, {
    ...common,
    ...nothing,
    ...prevented,
    i: takerId,
    U: makerId,
    c: ofTaker["c"],
  });
  assert.partialDeepStrictEqual(ofMaker, { ...common, ...nothing, ...prevented, i: makerId, U: takerId });
  assert.ok(ofTaker["I"] < ofMaker["I"]);
});

test("EXPIRE_TAKER reports only to the taker; a leg of a list takes the other leg along", async () => {
  const venue = new UserVenue();
  for (const side of ["SELL", "BUY"]) await placed(venue, { side, price: 100, quantity: 1 }, venue.maker);
  const heard = venue.record(venue.trader);
  const list = { symbol: SYMBOL, side: "SELL", quantity: 2, price: 110, stopPrice: 90 };
  await venue.signed("POST", "/api/v3/order/oco", list);
  const before = heard.length;
  await placed(venue, { price: 110, quantity: 1, selfTradePreventionMode: "EXPIRE_TAKER" });
  await placed(venue, { price: 110, quantity: 0.5, selfTradePreventionMode: "DECREMENT" });
  await placed(venue, { price: 110, quantity: 1, selfTradePreventionMode: "EXPIRE_MAKER" });
  const told = story(heard.slice(before)).filter((line) => !line.startsWith("outbound"));
  assert.deepEqual(told, [
    "BUY LIMIT NEW/NEW on book",
    "BUY LIMIT TRADE_PREVENTION/EXPIRED_IN_MATCH",
    "BUY LIMIT NEW/NEW on book",
    "BUY LIMIT TRADE_PREVENTION/EXPIRED_IN_MATCH",
    "SELL LIMIT_MAKER TRADE_PREVENTION/NEW on book",
    "SELL STOP_LOSS TRADE_PREVENTION/NEW",
    "BUY LIMIT NEW/NEW on book",
    "SELL LIMIT_MAKER TRADE_PREVENTION/EXPIRED_IN_MATCH",
    "SELL STOP_LOSS EXPIRED/EXPIRED",
    "list ALL_DONE/ALL_DONE",
  ]);
  const ids = heard.filter(({ e }) => e === "executionReport").map(({ I }) => I);
  assert.equal(new Set(ids).size, ids.length, "execution ids are unique");
});

test("each mode names the quantities that it takes", async () => {
  for (const [mode, taker, maker] of [
    ["EXPIRE_TAKER", "3.00000000", undefined],
    ["EXPIRE_MAKER", undefined, "2.00000000"],
    ["EXPIRE_BOTH", "3.00000000", "2.00000000"],
    ["TRANSFER", "2.00000000", "2.00000000"],
  ] as const) {
    const venue = new UserVenue();
    await placed(venue, { price: 100, quantity: 2, selfTradePreventionMode: mode });
    const order = await placed(venue, { ...SELL, price: 100, quantity: 3, selfTradePreventionMode: mode });
    const [match] = order["preventedMatches"];
    assert.deepEqual([match.takerPreventedQuantity, match.makerPreventedQuantity], [taker, maker], mode);
    const [stored] = (await matches(venue, { preventedMatchId: 0 })).json;
    assert.deepEqual([stored.takerPreventedQuantity, stored.makerPreventedQuantity], [taker, maker], mode);
    assert.equal(stored.selfTradePreventionMode, mode);
  }
});

test("prevented matches are found by id or by an order of the account", async () => {
  const venue = new UserVenue();
  const { maker, taker } = await decremented(venue);
  const record = {
    symbol: SYMBOL,
    ...MATCH,
    takerOrderId: taker["orderId"],
    makerOrderId: maker["orderId"],
    tradeGroupId: -1,
    selfTradePreventionMode: "DECREMENT",
    transactTime: START_MS + 5,
  };
  assert.deepEqual((await matches(venue, { preventedMatchId: 0 })).json, [record]);
  assert.deepEqual((await matches(venue, { orderId: taker["orderId"] })).json, [record]);
  assert.deepEqual((await matches(venue, { orderId: maker["orderId"], limit: 1 })).json, [record]);
  assert.deepEqual((await matches(venue, { orderId: maker["orderId"], fromPreventedMatchId: 1 })).json, []);
  assert.deepEqual((await matches(venue, { preventedMatchId: 1 })).json, []);
  const ofOthers = [{ preventedMatchId: 0 }, { orderId: taker["orderId"] }, { orderId: maker["orderId"] }];
  for (const asked of ofOthers) assert.deepEqual((await matches(venue, asked, venue.maker)).json, []);
});

test("pages of an order's prevented matches", async () => {
  const venue = new UserVenue();
  const { orderId } = await placed(venue, { price: 100, quantity: 5 });
  for (let n = 0; n < 4; n++) {
    await placed(venue, { ...SELL, price: 100, quantity: 1, selfTradePreventionMode: "DECREMENT" });
  }
  const ids = async (parameters: Parameters): Promise<number[]> =>
    (await matches(venue, { orderId, ...parameters })).json.map((match: Message) => match["preventedMatchId"]);
  assert.deepEqual(await ids({}), [0, 1, 2, 3]);
  assert.deepEqual(await ids({ limit: 2 }), [0, 1]);
  assert.deepEqual(await ids({ limit: 2, fromPreventedMatchId: 2 }), [2, 3]);
  const found = await lookup(venue, orderId);
  assert.deepEqual([found["preventedMatchId"], found["preventedQuantity"], found["status"]], [3, "4.00000000", "NEW"]);
});

test("parameters that do not go together", async () => {
  const venue = new UserVenue();
  for (const parameters of [
    {},
    { limit: 1 },
    { fromPreventedMatchId: 1 },
    { preventedMatchId: 1, orderId: 1 },
    { preventedMatchId: 1, limit: 1 },
    { preventedMatchId: 1, fromPreventedMatchId: 1 },
  ]) {
    const { status, json } = await matches(venue, parameters);
    assert.deepEqual([status, json.code], [400, -1128], JSON.stringify(parameters));
  }
});

test("a symbol's modes: exchangeInfo, the default of orders, and a mode that is not allowed", async () => {
  const venue = new UserVenue();
  const rules = { defaultMode: "EXPIRE_MAKER", allowedModes: ["EXPIRE_MAKER", "EXPIRE_TAKER"] } as const;
  venue.apply({ type: "setSelfTradePrevention", by: "test", symbol: SYMBOL, ...rules });
  const info = (await venue.send("GET", "/api/v3/exchangeInfo", { query: `symbol=${SYMBOL}` })).json.symbols[0];
  assert.equal(info.defaultSelfTradePreventionMode, rules.defaultMode);
  assert.deepEqual(info.allowedSelfTradePreventionModes, rules.allowedModes);
  const { orderId } = await placed(venue, { price: 100, quantity: 1 });
  const taker = await placed(venue, { ...SELL, price: 100, quantity: 1 });
  assert.deepEqual([taker["status"], taker["preventedQuantity"]], ["NEW", undefined]);
  assert.equal((await lookup(venue, orderId))["status"], "EXPIRED_IN_MATCH");
  const forbidden = { price: 100, quantity: 1, selfTradePreventionMode: "DECREMENT" };
  const text = "This symbol does not allow the specified self-trade prevention mode.";
  assertRefused(await venue.order(forbidden), 400, -1013, text);
  const test = { symbol: SYMBOL, side: "BUY", type: "LIMIT", timeInForce: "GTC", ...forbidden };
  assertRefused(await venue.signed("POST", "/api/v3/order/test", test), 400, -1013, text);
  assert.equal((await venue.order({ ...forbidden, selfTradePreventionMode: "SOME" })).json.code, -1130);
});

test("a trade group: its number is in answers and reports of both accounts", async () => {
  const venue = new UserVenue();
  const masterId = venue.trader.accountId;
  const sub = venue.key(venue.openAccount("sub@example.org", masterId));
  venue.give(sub.accountId, "BTC", "10");
  venue.apply({ type: "changeAccount", by: "test", accountId: masterId, isTradeGroup: true });
  for (const [key, tradeGroupId] of [
    [venue.trader, masterId],
    [sub, masterId],
    [venue.maker, undefined],
  ] as const) {
    assert.equal((await venue.signed("GET", "/api/v3/account", {}, { key })).json.tradeGroupId, tradeGroupId);
  }
  const heard = { master: venue.record(venue.trader), sub: venue.record(sub) };
  await placed(venue, { price: 200, quantity: 0.5, selfTradePreventionMode: "TRANSFER" });
  const taker = await placed(venue, { ...SELL, price: 200, quantity: 0.2, selfTradePreventionMode: "TRANSFER" }, sub);
  assert.deepEqual([taker["tradeGroupId"], taker["status"], taker["fills"]], [masterId, "EXPIRED_IN_MATCH", []]);
  for (const messages of [heard.master, heard.sub]) {
    const report = messages.find(({ x }) => x === "TRADE_PREVENTION") as Message;
    assert.deepEqual(
      [report["u"], report["V"], report["l"], report["pl"]],
      [masterId, "TRANSFER", "0.00000000", "0.20000000"],
    );
  }
  const [position] = heard.master.filter(({ e }) => e === "outboundAccountPosition").slice(-1);
  assert.deepEqual(
    position?.["B"].map(({ a }: Message) => a),
    ["BTC", "USDT"],
  );
  assert.equal((await matches(venue, { preventedMatchId: 0 }, sub)).json[0].tradeGroupId, masterId);
});

test("nothing reaches public trades, but the book's changes do", async () => {
  const venue = new UserVenue();
  await placed(venue, { price: 100, quantity: 2 });
  await placed(venue, { ...SELL, price: 100, quantity: 1, selfTradePreventionMode: "DECREMENT" });
  const get = async (path: string): Promise<Message> =>
    (await venue.send("GET", path, { query: `symbol=${SYMBOL}` })).json;
  assert.deepEqual(await get("/api/v3/trades"), []);
  assert.deepEqual((await get("/api/v3/depth"))["bids"], [["100.00000000", "1.00000000"]]);
  assert.equal((await get("/api/v3/ticker/24hr"))["count"], 0);
});
