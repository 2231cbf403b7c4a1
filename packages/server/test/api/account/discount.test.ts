/** Commission in the discount asset through the whole gateway: fills, trades, reports, rates. Interface S.12. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { type Message, UserVenue } from "../streams/user-venue.ts";

const SYMBOL = "BTCUSDT";
const DISCOUNT = { asset: "BNB", factorBps: 7_500, excludedSymbols: ["ETHBTC"] };

/** A venue with a discount, on which a BNB is worth 300 USDT. */
async function discounting(): Promise<UserVenue> {
  const venue = new UserVenue();
  venue.listAsset("BNB", 8);
  venue.listSymbol("BNB/USDT");
  venue.give(venue.maker.accountId, "BNB", "10");
  venue.give(venue.trader.accountId, "BNB", "1");
  for (const side of ["SELL", "BUY"])
    await placed(venue, { symbol: "BNBUSDT", side, price: 300, quantity: 1 }, "maker");
  venue.act({ type: "setCommissionDiscount", by: "test", discount: DISCOUNT });
  return venue;
}

async function placed(venue: UserVenue, parameters: Parameters, by: "maker" | "trader" = "trader"): Promise<Message> {
  const { status, json } = await venue.order({ newOrderRespType: "FULL", ...parameters }, { key: venue[by] });
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const switched = (venue: UserVenue, spotBNBBurn: string) =>
  venue.signed("POST", "/sapi/v1/bnbBurn", { spotBNBBurn }, { key: venue.trader });

test("the switch, by the name that clients use", async () => {
  const venue = await discounting();
  const shown = async () => (await venue.signed("GET", "/sapi/v1/bnbBurn", {}, { key: venue.trader })).json;
  assert.deepEqual(await shown(), { spotBNBBurn: false, interestBNBBurn: false });
  const { status, json } = await switched(venue, "true");
  assert.deepEqual([status, json], [200, { spotBNBBurn: true, interestBNBBurn: false }]);
  assert.deepEqual(await shown(), json);
  assert.deepEqual((await switched(venue, "false")).json, { spotBNBBurn: false, interestBNBBurn: false });
  assert.equal((await switched(venue, "often")).status, 400);
});

test("the switch accepts both documented parameters, and journals only changes", async () => {
  const venue = await discounting();
  const post = async (parameters: Parameters) => {
    const { seq } = venue.engine;
    const { status, json } = await venue.signed("POST", "/sapi/v1/bnbBurn", parameters, { key: venue.trader });
    return [venue.engine.seq - seq, status, status === 200 ? json.spotBNBBurn : json.code];
  };
  assert.deepEqual(await post({ spotBNBBurn: "false", interestBNBBurn: "false" }), [0, 200, false]);
  assert.deepEqual(await post({ spotBNBBurn: "true", interestBNBBurn: "false" }), [1, 200, true]);
  assert.deepEqual(await post({ spotBNBBurn: "true" }), [0, 200, true]);
  assert.deepEqual(await post({ interestBNBBurn: "false" }), [0, 200, true]);
  assert.deepEqual(await post({ spotBNBBurn: "false", interestBNBBurn: "true" }), [0, 400, -1020]);
  assert.deepEqual(await post({}), [0, 400, -1102]);
});

test("the rates of an account and of an order say whether there is a discount", async () => {
  const venue = await discounting();
  const rates = async (symbol: string) =>
    (await venue.signed("GET", "/api/v3/account/commission", { symbol }, { key: venue.trader })).json.discount;
  const discount = { enabledForSymbol: true, discountAsset: "BNB", discount: "0.75000000" };
  assert.deepEqual(await rates(SYMBOL), { enabledForAccount: false, ...discount });
  await switched(venue, "true");
  assert.deepEqual(await rates(SYMBOL), { enabledForAccount: true, ...discount });
  assert.deepEqual(await rates("ETHBTC"), { enabledForAccount: true, ...discount, enabledForSymbol: false });
  const order = {
    symbol: SYMBOL,
    side: "SELL",
    type: "LIMIT",
    timeInForce: "GTC",
    price: 30_000,
    quantity: "0.5",
    computeCommissionRates: "true",
  };
  const tested = await venue.signed("POST", "/api/v3/order/test", order, { key: venue.trader });
  assert.deepEqual(tested.json.discount, { enabledForAccount: true, ...discount });
  venue.act({ type: "setCommissionDiscount", by: "test", discount: null });
  const none = { enabledForSymbol: false, discountAsset: null, discount: "0.00000000" };
  assert.deepEqual(await rates(SYMBOL), { enabledForAccount: true, ...none });
});

test("fills, trades, reports and balances name the asset of the commission", async () => {
  const venue = await discounting();
  await switched(venue, "true");
  const messages = venue.record(venue.trader);
  await placed(venue, { price: 30_000, quantity: "0.5" }, "maker");
  const { fills, orderId, ...order } = await placed(venue, { side: "SELL", price: 30_000, quantity: "0.5" });
  // 15,000 USDT at 20 basis points are 30 USDT, or 0.1 BNB, of which 75 % remain.
  const paid = { commission: "0.07500000", commissionAsset: "BNB" };
  assert.deepEqual([fills.length, fills[0].commission, fills[0].commissionAsset], [1, ...Object.values(paid)]);
  assert.deepEqual([order["commission"], order["commissionAsset"]], ["0.00000000", "USDT"]);
  const report = messages.find(({ x }) => x === "TRADE") as Message;
  assert.deepEqual([report["n"], report["N"]], Object.values(paid));
  const position = messages.findLast(({ e }) => e === "outboundAccountPosition") as Message;
  const balances = Object.fromEntries(position["B"].map(({ a, f }: Message) => [a, f]));
  assert.deepEqual(balances, { BTC: "99.50000000", USDT: "1015000.00000000", BNB: "0.92500000" });
  const { json } = await venue.signed("GET", "/api/v3/myTrades", { symbol: SYMBOL, orderId }, { key: venue.trader });
  assert.deepEqual(
    json.map(({ commission, commissionAsset }: Message) => ({ commission, commissionAsset })),
    [paid],
  );
  const makers = await venue.signed("GET", "/api/v3/myTrades", { symbol: SYMBOL }, { key: venue.maker });
  assert.deepEqual([makers.json[0].commission, makers.json[0].commissionAsset], ["0.00050000", "BTC"]);
});

test("an order that pays in both assets: each fill in one of them", async () => {
  const venue = await discounting();
  await switched(venue, "true");
  venue.act({
    ...{ type: "debit", by: "test", reference: "out" },
    accountId: venue.trader.accountId,
    asset: "BNB",
    amount: "0.92",
  });
  for (const price of [30_000, 29_000]) await placed(venue, { price, quantity: "0.5" }, "maker");
  const { fills, ...order } = await placed(venue, { side: "SELL", price: 29_000, quantity: "1" });
  assert.deepEqual(
    fills.map(({ commission, commissionAsset }: Message) => [commission, commissionAsset]),
    [
      ["0.07500000", "BNB"],
      ["29.00000000", "USDT"],
    ],
  );
  assert.deepEqual([order["commission"], order["commissionAsset"]], ["29.00000000", "USDT"]);
});

test("the switch is charged its weight, although other paths of the wallet weigh 1", async () => {
  const fresh = new UserVenue();
  const { headers } = await fresh.signed("POST", "/sapi/v1/bnbBurn", { spotBNBBurn: "false" }, { key: fresh.trader });
  assert.equal(headers.get("x-sapi-used-ip-weight-1m") ?? headers.get("x-mbx-used-weight-1m"), "100");
});
