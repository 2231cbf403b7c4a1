/** The account, its trades, its user stream and its coins. Interface 4.2, 4.4, S.16. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

test("balances: every listed asset, free and locked", async () => {
  const venue = new TestVenue();
  venue.nowMs += 1000;
  await venue.order({ price: 10000, quantity: "0.5" });
  const { json } = await venue.signed("GET", "/api/v3/account");
  const { balances, ...account } = json;
  assert.deepEqual(account, {
    makerCommission: 10,
    takerCommission: 20,
    buyerCommission: 0,
    sellerCommission: 0,
    canTrade: true,
    canWithdraw: true,
    canDeposit: true,
    updateTime: START_MS + 1000,
    accountType: "SPOT",
    commissionRates: { maker: "0.00100000", taker: "0.00200000", buyer: "0.00000000", seller: "0.00000000" },
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    permissions: ["SPOT"],
    uid: venue.trader.accountId,
  });
  assert.deepEqual(balances, [
    { asset: "BTC", free: "100.00000000", locked: "0.00000000" },
    { asset: "ETH", free: "1000.00000000", locked: "0.00000000" },
    { asset: "USDT", free: "995000.00000000", locked: "5000.00000000" },
    { asset: "KRW", free: "1000000.00000000", locked: "0.00000000" },
  ]);
});

test("filters of the account: those of the exchange, of the symbol, and none of assets", async () => {
  const venue = new TestVenue();
  venue.act({
    ...{ type: "setExchangeFilters", by: "test" },
    filters: { maxNumIcebergOrders: { maxNumIcebergOrders: 7 }, maxNumOrderLists: { maxNumOrderLists: 3 } },
  });
  const sides = { bidMultiplierUp: "1.1", bidMultiplierDown: "0.8", askMultiplierUp: "1.2", askMultiplierDown: "0.9" };
  const switches = { applyMinToMarket: true, applyMaxToMarket: false, avgPriceMins: 5 };
  venue.act({
    ...{ type: "setSymbolFilters", by: "test", symbol: "BTCUSDT" },
    filters: {
      percentPriceBySide: { ...sides, avgPriceMins: 5 },
      notional: { minNotional: "5", maxNotional: "9000000", ...switches },
      maxPosition: { maxPosition: "1000.5" },
      maxNumOrderLists: { maxNumOrderLists: 20 },
    },
  });
  const shown = [
    { filterType: "PERCENT_PRICE_BY_SIDE", ...sides, avgPriceMins: 5 },
    { filterType: "NOTIONAL", minNotional: "5.00000000", maxNotional: "9000000.00000000", ...switches },
    { filterType: "MAX_POSITION", maxPosition: "1000.50000000" },
    { filterType: "MAX_NUM_ORDER_LISTS", maxNumOrderLists: 20 },
  ];
  const { json } = await venue.signed("GET", "/api/v3/myFilters", { symbol: "BTCUSDT" });
  assert.deepEqual(json, {
    exchangeFilters: [
      { filterType: "EXCHANGE_MAX_NUM_ICEBERG_ORDERS", maxNumIcebergOrders: 7 },
      { filterType: "EXCHANGE_MAX_NUM_ORDER_LISTS", maxNumOrderLists: 3 },
    ],
    symbolFilters: shown,
    assetFilters: [],
  });
  const info = await venue.public("/api/v3/exchangeInfo", { symbol: "BTCUSDT" });
  assert.deepEqual([info.json.symbols[0].filters, info.json.exchangeFilters], [shown, json.exchangeFilters]);
  assertRefused(await venue.signed("GET", "/api/v3/myFilters", { symbol: "NONE" }), 400, -1121, "Invalid symbol.");
  const small = await venue.order({ price: 4, quantity: 1 });
  assertRefused(small, 400, -1013, "Filter failure: NOTIONAL");
});

test("trades of the account: both sides of a self-trade, by order, from an id", async () => {
  const venue = new TestVenue();
  await venue.order({ side: "SELL", price: 10000, quantity: 1 });
  await venue.order({ price: 10000, quantity: 1 });
  await venue.order({ side: "SELL", price: 10000, quantity: 1 }, { key: venue.maker });
  await venue.order({ price: 10000, quantity: 1 });
  const trades = async (parameters: Record<string, number> = {}) =>
    (await venue.signed("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", ...parameters })).json;
  const all = await trades();
  assert.deepEqual(
    all.map(({ id, orderId, isBuyer, isMaker }: Record<string, unknown>) => [id, orderId, isBuyer, isMaker]).toSorted(),
    [
      [1, 1, false, true],
      [1, 2, true, false],
      [2, 4, true, false],
    ],
  );
  assert.deepEqual(all.at(-1), {
    symbol: "BTCUSDT",
    id: 2,
    orderId: 4,
    orderListId: -1,
    price: "10000.00000000",
    qty: "1.00000000",
    quoteQty: "10000.00000000",
    commission: "0.00200000",
    commissionAsset: "BTC",
    time: START_MS,
    isBuyer: true,
    isMaker: false,
    isBestMatch: true,
  });
  assert.deepEqual(
    (await trades({ fromId: 2 })).map(({ id }: { id: number }) => id),
    [2],
  );
  assert.deepEqual(
    (await trades({ orderId: 2 })).map(({ orderId }: { orderId: number }) => orderId),
    [2],
  );
  assert.equal((await trades({ limit: 1 })).length, 1);
});

test("open, keep alive and close a listen key", async () => {
  const venue = new TestVenue();
  const call = (method: string, query = "", key = venue.trader) =>
    venue.send(method, "/api/v3/userDataStream", { query, headers: { "x-mbx-apikey": key.apiKey } });
  const { listenKey } = (await call("POST")).json;
  assert.match(listenKey, /^[A-Za-z0-9]{64}$/);
  assert.equal((await call("POST")).json.listenKey, listenKey, "the open stream's key");
  assert.equal(venue.engine.listenKeyAccount(listenKey, venue.nowMs), venue.trader.accountId);
  assert.deepEqual((await call("PUT", `listenKey=${listenKey}`)).json, {});
  const unknown = "This listenKey does not exist.";
  assertRefused(await call("PUT", `listenKey=${listenKey}`, venue.maker), 400, -1125, unknown);
  assertRefused(await call("DELETE", `listenKey=${"x".repeat(64)}`), 400, -1125, unknown);
  assertRefused(await call("PUT"), 400, -1102);
  assert.deepEqual((await call("DELETE", `listenKey=${listenKey}`)).json, {});
  assertRefused(await call("PUT", `listenKey=${listenKey}`), 400, -1125, unknown);
  const viaV1 = await venue.send("POST", "/api/v1/userDataStream", {
    headers: { "x-mbx-apikey": venue.trader.apiKey },
  });
  assert.notEqual(viaV1.json.listenKey, listenKey);
});

test("coins, networks and fees as clients load them", async () => {
  const venue = new TestVenue();
  const [bitcoin, ether] = (await venue.signed("GET", "/sapi/v1/capital/config/getall")).json;
  assert.deepEqual(bitcoin.networkList[0], {
    network: "BTC",
    coin: "BTC",
    name: "BTC",
    isDefault: true,
    depositEnable: true,
    withdrawEnable: true,
    withdrawFee: "0.00050000",
    withdrawMin: "0.00100000",
    withdrawMax: "100.00000000",
    withdrawIntegerMultiple: "0.00000001",
    minConfirm: 1,
    unLockConfirm: 1,
    sameAddress: false,
    depositDesc: "",
  });
  assert.deepEqual([bitcoin.coin, bitcoin.free, bitcoin.depositAllEnable], ["BTC", "100.00000000", true]);
  assert.deepEqual([ether.coin, ether.networkList, ether.depositAllEnable], ["ETH", [], false]);
  const { accountId } = venue.trader;
  venue.act({ type: "setSymbolFee", by: "test", accountId, symbol: "ETHBTC", makerBps: 0, takerBps: 100 });
  assert.deepEqual((await venue.signed("GET", "/sapi/v1/asset/tradeFee", { symbol: "ETHBTC" })).json, [
    { symbol: "ETHBTC", makerCommission: "0", takerCommission: "0.01" },
  ]);
  assert.equal((await venue.signed("GET", "/sapi/v1/asset/tradeFee")).json.length, 3);
});

test("omitZeroBalances omits zero balances", async () => {
  const venue = new TestVenue();
  const accountId = venue.openAccount("poor@example.org");
  venue.act({ type: "deposit", by: "test", accountId, asset: "USDT", amount: "100", reference: "poor" });
  const key = venue.key(accountId);
  const assets = async (parameters: Record<string, string>) =>
    (await venue.signed("GET", "/api/v3/account", parameters, { key })).json.balances.map(
      ({ asset }: { asset: string }) => asset,
    );
  assert.deepEqual(await assets({ omitZeroBalances: "true" }), ["USDT"]);
  assert.deepEqual(await assets({ omitZeroBalances: "false" }), ["BTC", "ETH", "USDT", "KRW"]);
  assert.deepEqual(await assets({}), ["BTC", "ETH", "USDT", "KRW"]);
  await venue.order({ price: 10000, quantity: "0.01" }, { key });
  assert.deepEqual(await assets({ omitZeroBalances: "true" }), ["USDT"], "all of it is locked");
});
