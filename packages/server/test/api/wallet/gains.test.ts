/** Dust, dividends and daily balances. Interface 4.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DUST_ACCOUNT, TREASURY_ACCOUNT } from "@pricetime/engine";
import { sign } from "@pricetime/testkit/client";
import { assertRefused } from "@pricetime/testkit/gateway-venue";
import { WalletVenue } from "./wallet-venue.ts";

const DUST = "/sapi/v1/asset/dust";
const DIVIDENDS = "/sapi/v1/asset/assetDividend";
const SNAPSHOTS = "/sapi/v1/accountSnapshot";

const RULES = { dustAsset: "KRW", chargeBps: 200, limitAsset: "BTC", limit: "0.001", pauseMs: 86_400_000 };

/** KRW is bought with BTC at 50 000 000; ETH at 0.05 BTC. Dust is paid in KRW. */
async function dustVenue(): Promise<WalletVenue> {
  const venue = new WalletVenue();
  await venue.order(
    { symbol: "BTCKRW", side: "SELL", price: 50_000_000, quantity: "0.00000200" },
    { key: venue.maker },
  );
  await venue.order({ symbol: "BTCKRW", side: "BUY", price: 50_000_000, quantity: "0.00000200" }, { key: venue.maker });
  await venue.order({ symbol: "ETHBTC", side: "SELL", price: "0.05", quantity: 1 }, { key: venue.maker });
  await venue.order({ symbol: "ETHBTC", side: "BUY", price: "0.05", quantity: 1 }, { key: venue.maker });
  venue.act({ type: "setDustRules", by: "test", rules: RULES });
  const fund = { type: "deposit", by: "test", accountId: DUST_ACCOUNT, asset: "KRW", amount: "1000000" } as const;
  venue.act({ ...fund, reference: "dust fund" });
  return venue;
}

/** Leaves the trader this much of an asset. */
function leave(venue: WalletVenue, asset: string, has: number, amount: string): void {
  const { accountId } = venue.trader;
  venue.act({ type: "debit", by: "test", accountId, asset, amount: String(has), reference: `${asset} off` });
  venue.act({ type: "deposit", by: "test", accountId, asset, amount, reference: `${asset} dust` });
}

test("dust of several assets: gross less 2 %, one transaction, totals that add up", async () => {
  const venue = await dustVenue();
  leave(venue, "ETH", 1000, "0.01");
  leave(venue, "BTC", 100, "0.0002");
  const before = (await venue.balance("KRW"))[0];
  const answer = await venue.post(DUST, { asset: "ETH,BTC" });
  assert.equal(
    answer.body,
    '{"totalServiceCharge":"700.00000000","totalTransfered":"34300.00000000","transferResult":[' +
      `{"amount":"0.01000000","fromAsset":"ETH","operateTime":${venue.nowMs},"serviceChargeAmount":"500.00000000",` +
      '"tranId":1,"transferedAmount":"24500.00000000"},' +
      `{"amount":"0.00020000","fromAsset":"BTC","operateTime":${venue.nowMs},"serviceChargeAmount":"200.00000000",` +
      '"tranId":1,"transferedAmount":"9800.00000000"}]}',
  );
  assert.deepEqual(
    [before, (await venue.balance("KRW"))[0], await venue.balance("ETH")],
    ["1000000.00000000", "1034300.00000000", ["0.00000000", "0.00000000"]],
  );
  leave(venue, "XRP", 500, "1");
  assertRefused(await venue.post(DUST, { asset: "XRP" }), 400, -5006, "Only transfer once in 24 hours.");
});

test("the parameter repeats, in the query or in a form", async () => {
  for (const place of ["query", "body"] as const) {
    const venue = await dustVenue();
    leave(venue, "ETH", 1000, "0.01");
    leave(venue, "BTC", 100, "0.0002");
    const { apiKey, secretKey } = venue.all;
    const text = `asset=ETH&asset=BTC&timestamp=${venue.nowMs}`;
    const signed = `${text}&signature=${sign(secretKey, text)}`;
    const headers = { "x-mbx-apikey": apiKey, "content-type": "application/x-www-form-urlencoded" };
    const { json } = await venue.send("POST", DUST, { [place]: signed, headers });
    assert.deepEqual(
      json.transferResult.map((row: { fromAsset: string }) => row.fromAsset),
      ["ETH", "BTC"],
      place,
    );
  }
});

test("the same error for any order of assets, naming those that caused it", async () => {
  const venue = await dustVenue();
  // ETH and BTC are too much; XRP has no price; USDT is zero.
  leave(venue, "ETH", 1000, "0.5");
  venue.act({
    type: "debit",
    by: "test",
    accountId: venue.trader.accountId,
    asset: "USDT",
    amount: "1000000",
    reference: "u",
  });
  const refused = async (assets: string, code: number, msg: string): Promise<void> => {
    const names = assets.split(",");
    for (let turn = 0; turn < names.length; turn++) {
      names.push(names.shift() ?? "");
      for (const order of [names, [...names].reverse()]) {
        assertRefused(await venue.post(DUST, { asset: order.join(",") }), 400, code, msg);
      }
    }
  };
  const tooMuch = (names: string) => `The residual balances of ${names} have exceeded 0.001BTC, Please re-choose.`;
  await refused("ETH,USDT", -5004, tooMuch("ETH"));
  await refused("BTC,ETH,USDT", -5004, tooMuch("BTC,ETH"));
  await refused("USDT,XRP", -5002, "You have insufficient balance.");
  await refused("BTC,DOGE,USDT", -5003, "You don't have this asset.");
  await refused("BTC,BTC,USDT", -1130, "Data sent for paramter 'asset' is not valid.");
});

test("the error during the pause has its length, and wrong names are reported first", async () => {
  const venue = await dustVenue();
  venue.act({ type: "setDustRules", by: "test", rules: { ...RULES, pauseMs: 60_000 } });
  leave(venue, "ETH", 1000, "0.01");
  assert.equal((await venue.post(DUST, { asset: "ETH" })).status, 200);
  const { seq } = venue.engine;
  assertRefused(await venue.post(DUST, { asset: "DOGE" }), 400, -5003, "You don't have this asset.");
  assertRefused(await venue.post(DUST, { asset: "ETH,ETH" }), 400, -1130);
  assert.equal(venue.engine.seq, seq, "neither is journaled");
  assertRefused(await venue.post(DUST, { asset: "ETH" }), 400, -5006, "Only transfer once in 1 minute.");
  venue.nowMs += 60_000;
  assertRefused(await venue.post(DUST, { asset: "ETH" }), 400, -5002);
});

test("amounts that are not dust are rejected, and nothing is converted", async () => {
  const bare = new WalletVenue();
  const notOffered = "Don't allow transfer to micro assets.";
  assertRefused(await bare.post(DUST, { asset: "ETH" }), 400, -5001, notOffered);
  const venue = await dustVenue();
  leave(venue, "ETH", 1000, "0.02000001");
  const refused = async (asset: string, code: number, msg: string): Promise<void> =>
    assertRefused(await venue.post(DUST, { asset }), 400, code, msg);
  await refused("ETH", -5004, "The residual balances of ETH have exceeded 0.001BTC, Please re-choose.");
  await refused("KRW", -5001, notOffered);
  await refused("DOGE", -5003, "You don't have this asset.");
  await refused("XRP", -5001, notOffered);
  await refused("ETH,ETH", -1130, "Data sent for paramter 'asset' is not valid.");
  await refused(
    Array.from({ length: 101 }, (_, i) => `A${i}`).join(","),
    -1130,
    "Data sent for paramter 'asset' is not valid.",
  );
  const reader = venue.keyWith("USER_DATA");
  const lacking = "You are not authorized to execute this request.";
  assertRefused(await venue.post(DUST, { asset: "ETH" }, { key: reader }), 401, -1002, lacking);
  assert.equal((await venue.balance("KRW"))[0], "1000000.00000000");
});

test("dust of a zero balance, or without value", async () => {
  const venue = await dustVenue();
  const { accountId } = venue.trader;
  venue.act({ type: "debit", by: "test", accountId, asset: "ETH", amount: "1000", reference: "all" });
  assertRefused(await venue.post(DUST, { asset: "ETH" }), 400, -5002, "You have insufficient balance.");
  venue.act({ type: "deposit", by: "test", accountId, asset: "ETH", amount: "0.00000001", reference: "hardly any" });
  venue.act({ type: "setDustRules", by: "test", rules: { ...RULES, dustAsset: "BTC" } });
  const tooLow = "The residual balances of ETH is too low, Please re-choose.";
  assertRefused(await venue.post(DUST, { asset: "ETH" }), 400, -5005, tooLow);
});

test("dividends: exact, oldest first, by asset and time", async () => {
  const venue = new WalletVenue();
  const by = "test";
  for (const [asset, amount] of [
    ["USDT", "100"],
    ["KRW", "100"],
  ] as const) {
    venue.act({ type: "deposit", by, accountId: TREASURY_ACCOUNT, asset, amount, reference: `treasury ${asset}` });
  }
  const pay = (reference: string, paidAsset: string): void => {
    venue.act({
      type: "distributeDividend",
      by,
      reference,
      heldAsset: "ETH",
      paidAsset,
      amount: "20",
      info: reference,
    });
  };
  pay("USDT distribution", "USDT");
  venue.nowMs += 1000;
  pay("KRW distribution", "KRW");
  const first = `{"amount":"10.00000000","asset":"USDT","divTime":${venue.nowMs - 1000},"enInfo":"USDT distribution","tranId":1}`;
  const second = `{"amount":"10.00000000","asset":"KRW","divTime":${venue.nowMs},"enInfo":"KRW distribution","tranId":2}`;
  assert.equal((await venue.get(DIVIDENDS)).body, `{"rows":[${first},${second}],"total":2}`);
  assert.equal((await venue.get(DIVIDENDS, { asset: "KRW" })).body, `{"rows":[${second}],"total":1}`);
  assert.equal((await venue.get(DIVIDENDS, { endTime: venue.nowMs - 1 })).body, `{"rows":[${first}],"total":1}`);
  assert.equal((await venue.get(DIVIDENDS, {}, { key: venue.subKey })).body, '{"rows":[],"total":0}');
  assertRefused(await venue.get(DIVIDENDS, { asset: "DOGE" }), 400, -4018);
});

test("balances at the end of days; none of other markets", async () => {
  const venue = new WalletVenue();
  venue.nowMs += 2 * 86_400_000;
  // A day ends when the next one has begun.
  venue.act({ type: "tick" });
  const { json } = await venue.get(SNAPSHOTS, { type: "SPOT" });
  assert.deepEqual([json.code, json.msg], [200, ""]);
  assert.equal(json.snapshotVos.length, 2);
  const [vo] = json.snapshotVos;
  assert.deepEqual([vo.type, vo.updateTime], ["spot", Date.UTC(2021, 2, 4, 23, 59, 59)]);
  const bitcoin = vo.data.balances.find(({ asset }: { asset: string }) => asset === "BTC");
  assert.deepEqual(bitcoin, { asset: "BTC", free: "100.00000000", locked: "0.00000000" });
  assert.equal(vo.data.totalAssetOfBtc, "100.00000000", "nothing else has a price");
  const margin = await venue.get(SNAPSHOTS, { type: "MARGIN" });
  assert.deepEqual(margin.json, { code: 200, msg: "", snapshotVos: [] });
});
