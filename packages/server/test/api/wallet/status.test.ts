/** The status of the exchange, its assets, an account and a key. Interface 4.5 and 3.8. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused } from "@pricetime/testkit/gateway-venue";
import { WalletVenue } from "./wallet-venue.ts";

test("the system status needs no key", async () => {
  const venue = new WalletVenue();
  const asked = async () => [
    (await venue.public("/wapi/v3/systemStatus.html")).body,
    (await venue.public("/sapi/v1/system/status")).body,
  ];
  const normal = '{"status":0,"msg":"normal"}';
  assert.deepEqual(await asked(), [normal, normal]);
  venue.act({ type: "setMaintenance", by: "test", isOn: true });
  const maintenance = '{"status":1,"msg":"system maintenance"}';
  assert.deepEqual(await asked(), [maintenance, maintenance]);
});

test("an account's status: normal, temporarily locked, or an operator's message", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  const both = async () => [
    (await venue.get("/wapi/v3/accountStatus.html")).body,
    (await venue.get("/sapi/v1/account/status")).body,
  ];
  assert.deepEqual(await both(), ['{"msg":"Normal","success":true,"objs":[]}', '{"data":"Normal"}']);
  venue.act({ type: "setAccountStatus", by: "test", accountId, message: "Under review.", objs: ["KYC"] });
  assert.deepEqual(await both(), ['{"msg":"Under review.","success":true,"objs":["KYC"]}', '{"data":"Under review."}']);
  venue.act({ type: "lockApiTrading", accountId, symbol: "BTCUSDT", indicator: "UFR" });
  venue.nowMs += 1;
  const text = "Order failed:Low Order fill rate! Will be reactivated after 5 minutes.";
  assert.deepEqual(await both(), [`{"msg":"${text}","success":true,"objs":["5"]}`, `{"data":"${text}"}`]);
  assertRefused(
    await venue.order({ price: 10000, quantity: 1 }),
    400,
    -2010,
    "This action disabled is on this account.",
  );
  venue.nowMs += 5 * 60_000;
  assert.match((await both())[0] ?? "", /Under review/);
  for (const [indicator, rule] of [
    ["IFER", "High rate of IOC and FOK orders that expire"],
    ["GCR", "High rate of GTC orders that are cancelled at once"],
  ] as const) {
    venue.act({ type: "lockApiTrading", accountId, symbol: "BTCUSDT", indicator });
    assert.match(
      (await both())[0] ?? "",
      new RegExp(`^{"msg":"Order failed:${rule}! Will be reactivated after \\d+ min`),
    );
    venue.act({ type: "unlockApiTrading", by: "test", accountId });
  }
  assert.equal((await venue.order({ price: 10000, quantity: 1 })).status, 200);
});

test("the indicators of API trading, and the resulting lock", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  const order = await venue.order({ price: 10000, quantity: "0.1" });
  assert.equal(
    (await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId: order.json.orderId })).status,
    200,
  );
  venue.nowMs += 60_000;
  const { json } = await venue.get("/wapi/v3/apiTradingStatus.html");
  const { updateTime, ...status } = json.status;
  assert.equal(json.success, true);
  assert.ok(Number.isInteger(updateTime));
  assert.deepEqual(status, {
    isLocked: false,
    plannedRecoverTime: 0,
    triggerCondition: { GCR: 150, IFER: 150, UFR: 300 },
    indicators: {
      BTCUSDT: [
        { i: "UFR", c: 1, v: 1, t: 0.995 },
        { i: "IFER", c: 0, v: 0, t: 0.99 },
        { i: "GCR", c: 1, v: 1, t: 0.99 },
      ],
    },
  });
  venue.act({ type: "lockApiTrading", accountId, symbol: "BTCUSDT", indicator: "GCR" });
  const { data } = (await venue.get("/sapi/v1/account/apiTradingStatus")).json;
  assert.deepEqual([data.isLocked, data.plannedRecoverTime], [true, venue.nowMs + 5 * 60_000]);
  assert.equal(data.lockedBy, "GCR");
  const older = (await venue.get("/wapi/v3/apiTradingStatus.html")).json.status;
  assert.deepEqual(Object.keys(older).sort(), [...Object.keys(status), "updateTime"].sort());
});

test("commission rates: numbers in wapi, strings in sapi", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  venue.act({ type: "setSymbolFee", by: "test", accountId, symbol: "ETHBTC", makerBps: 0, takerBps: 75 });
  assert.equal(
    (await venue.get("/wapi/v3/tradeFee.html")).body,
    '{"tradeFee":[{"symbol":"BTCUSDT","maker":0.001,"taker":0.002},{"symbol":"ETHBTC","maker":0,"taker":0.0075},' +
      '{"symbol":"BTCKRW","maker":0.001,"taker":0.002}],"success":true}',
  );
  assert.equal(
    (await venue.get("/wapi/v3/tradeFee.html", { symbol: "ETHBTC" })).body,
    '{"tradeFee":[{"symbol":"ETHBTC","maker":0,"taker":0.0075}],"success":true}',
  );
  const { json } = await venue.get("/wapi/v3/tradeFee.html", { symbol: "NONE" });
  assert.deepEqual(json, { success: false, msg: "Invalid symbol.", code: -1121 });
  assert.deepEqual((await venue.get("/sapi/v1/asset/tradeFee", { symbol: "ETHBTC" })).json, [
    { symbol: "ETHBTC", makerCommission: "0", takerCommission: "0.0075" },
  ]);
});

test("assets in detail: the default network's fee, enabled if any network is, and why not", async () => {
  const venue = new WalletVenue();
  venue.setNetworks(
    "ETH",
    { network: "BTC", isDefault: false, depositEnabled: false, withdrawEnabled: false, withdrawFee: "9" },
    { depositEnabled: false, withdrawMin: "70", withdrawFee: "35", depositTip: "Delisted, Deposit Suspended" },
  );
  const { json } = await venue.get("/wapi/v3/assetDetail.html");
  assert.equal(json.success, true);
  assert.deepEqual(Object.keys(json.assetDetail), ["BTC", "ETH", "USDT", "KRW", "XRP"]);
  const ether = {
    minWithdrawAmount: "70.00000000",
    depositStatus: false,
    withdrawFee: 35,
    withdrawStatus: true,
    depositTip: "Delisted, Deposit Suspended",
  };
  assert.deepEqual(json.assetDetail.ETH, ether);
  assert.deepEqual(json.assetDetail.USDT, {
    minWithdrawAmount: "0.00000000",
    depositStatus: false,
    withdrawFee: 0,
    withdrawStatus: false,
  });
  assert.equal(
    (await venue.get("/sapi/v1/asset/assetDetail", { asset: "BTC" })).body,
    '{"BTC":{"minWithdrawAmount":"0.00100000","depositStatus":true,"withdrawFee":"0.00050000","withdrawStatus":true}}',
  );
  assertRefused(await venue.get("/sapi/v1/asset/assetDetail", { asset: "DOGE" }), 400, -4018);
  const shut = { network: "BTC", isDefault: false, depositEnabled: false, depositTip: "Not by this one." };
  venue.setNetworks("XRP", { network: "XRP" }, shut);
  const { XRP } = (await venue.get("/sapi/v1/asset/assetDetail")).json;
  assert.deepEqual([XRP.depositStatus, XRP.depositTip], [true, undefined], "another network is open");
  const [, coin] = (await venue.get("/sapi/v1/capital/config/getall")).json;
  assert.deepEqual([coin.depositAllEnable, coin.withdrawAllEnable], [false, true]);
  const network = coin.networkList[1];
  assert.deepEqual(
    [
      network.isDefault,
      network.withdrawIntegerMultiple,
      network.minConfirm,
      network.unLockConfirm,
      network.depositDesc,
    ],
    [true, "0.00100000", 2, 12, "Delisted, Deposit Suspended"],
  );
});

test("a network that the node does not serve is disabled", async () => {
  const venue = new WalletVenue();
  venue.setNetworks("ETH", { network: "MOON" });
  const [, coin] = (await venue.get("/sapi/v1/capital/config/getall")).json;
  const [network] = coin.networkList;
  assert.deepEqual([network.network, network.depositEnable, network.withdrawEnable], ["MOON", false, false]);
  const { ETH } = (await venue.get("/sapi/v1/asset/assetDetail")).json;
  assert.deepEqual([ETH.depositStatus, ETH.withdrawStatus], [false, false]);
});

test("the permissions of a key", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  const of = async (key: typeof venue.all) => (await venue.get("/sapi/v1/account/apiRestrictions", {}, { key })).json;
  const nothing = {
    enableMargin: false,
    enableFutures: false,
    enableVanillaOptions: false,
    enablePortfolioMarginTrading: false,
  };
  assert.deepEqual(await of(venue.all), {
    ...nothing,
    ipRestrict: false,
    createTime: venue.nowMs,
    enableReading: true,
    enableWithdrawals: true,
    enableInternalTransfer: true,
    enableSpotAndMarginTrading: true,
    permitsUniversalTransfer: true,
  });
  const reader = await of(venue.key(accountId, ["USER_DATA"], ["127.0.0.1"]));
  assert.deepEqual(reader, {
    ...nothing,
    ipRestrict: true,
    createTime: venue.nowMs,
    enableReading: true,
    enableWithdrawals: false,
    enableInternalTransfer: false,
    enableSpotAndMarginTrading: false,
    permitsUniversalTransfer: false,
  });
  assert.equal((await of(venue.subKey)).enableInternalTransfer, false, "a sub-account moves nothing");
});

test("the log of conversions is not supported in wapi, and empty in sapi", async () => {
  const venue = new WalletVenue();
  const { status, json } = await venue.get("/wapi/v3/userAssetDribbletLog.html");
  assert.deepEqual([status, json], [200, { success: false, msg: "This operation is not supported.", code: -1020 }]);
  assert.equal((await venue.get("/sapi/v1/asset/dribblet")).body, '{"total":0,"userAssetDribblets":[]}');
});
