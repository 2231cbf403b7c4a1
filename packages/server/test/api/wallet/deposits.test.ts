/** Deposits and deposit addresses, at both interfaces. Interface 2.10, 4.5 and 3.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused } from "@pricetime/testkit/gateway-venue";
import { WalletVenue } from "./wallet-venue.ts";

const ADDRESS = "/wapi/v3/depositAddress.html";
const COIN_ADDRESS = "/sapi/v1/capital/deposit/address";
const HISTORY = "/wapi/v3/depositHistory.html";
const COIN_HISTORY = "/sapi/v1/capital/deposit/hisrec";

test("an account's own address, the same every time, with a tag where addresses are shared", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  const mine = `{"address":"ETH-${accountId}","success":true,"addressTag":"","asset":"ETH"}`;
  assert.equal((await venue.get(ADDRESS, { asset: "ETH" })).body, mine);
  assert.equal((await venue.get(ADDRESS, { asset: "ETH", status: "true" })).body, mine);
  assert.equal(
    (await venue.get(ADDRESS, { asset: "XRP" })).body,
    `{"address":"shared","success":true,"addressTag":"${accountId}","asset":"XRP"}`,
  );
  assert.deepEqual((await venue.get(COIN_ADDRESS, { coin: "XRP", network: "XRP" })).json, {
    address: "shared",
    coin: "XRP",
    tag: String(accountId),
    url: "",
  });
  const other = await venue.get(COIN_ADDRESS, { coin: "ETH" }, { key: venue.maker });
  assert.equal(other.json.address, `ETH-${venue.maker.accountId}`);
});

test("no address where a deposit would not be accepted", async () => {
  const venue = new WalletVenue();
  const none = "This asset cannot get deposit address again.";
  assertRefused(await venue.get(COIN_ADDRESS, { coin: "DOGE" }), 400, -4018, "We don't have this asset.");
  assertRefused(await venue.get(COIN_ADDRESS, { coin: "USDT" }), 400, -4042, none);
  assertRefused(
    await venue.get(COIN_ADDRESS, { coin: "ETH", network: "TRX" }),
    400,
    -1130,
    "Data sent for paramter 'network' is not valid.",
  );
  venue.setNetworks("ETH", { depositEnabled: false });
  const { json, status } = await venue.get(ADDRESS, { asset: "ETH" });
  assert.deepEqual([status, json], [200, { success: false, msg: none, code: -4042 }]);
  venue.setNetworks("ETH", { network: "LISTED, BUT NOT SERVED" });
  assertRefused(await venue.get(COIN_ADDRESS, { coin: "ETH" }), 400, -4042, none);
  venue.setNetworks("ETH", {});
  const { accountId } = venue.trader;
  venue.act({ type: "changeAccount", by: "test", accountId, canDeposit: false });
  assertRefused(await venue.get(COIN_ADDRESS, { coin: "ETH" }), 400, -4042, none);
  assert.deepEqual([...venue.engine.funds.depositAddresses("ETH")], []);
});

test("a chain that does not respond at the moment", async () => {
  const venue = new WalletVenue();
  venue.setNetworks("ETH", { network: "DOWN" });
  const again = "Internal error; unable to process your request. Please try again.";
  assertRefused(await venue.get(COIN_ADDRESS, { coin: "ETH" }), 503, -1001, again);
  assert.equal((await venue.get(ADDRESS, { asset: "ETH" })).json.msg, again);
});

test("a deposit goes through 0, 6, 1, with exact amounts", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  // Not representable as a double: 2^53 units are not enough.
  const coin = venue.seeCoin("0xcafe", "90071992547.40993001");
  const listed = async (status: number): Promise<void> => {
    assert.equal(
      (await venue.get(HISTORY)).body,
      `{"depositList":[{"insertTime":${venue.nowMs},"amount":90071992547.40993001,"asset":"ETH",` +
        `"address":"ETH-${accountId}","txId":"0xcafe","status":${status}}],"success":true}`,
    );
  };
  const [pending] = (await venue.get(COIN_HISTORY)).json;
  assert.deepEqual(pending, {
    id: "1",
    amount: "90071992547.40993001",
    coin: "ETH",
    network: "ETH",
    status: 0,
    address: `ETH-${accountId}`,
    addressTag: "",
    txId: "0xcafe",
    insertTime: venue.nowMs,
    transferType: 0,
    confirmTimes: "0/12",
    unlockConfirm: 12,
    walletType: 0,
  });
  await listed(0);
  assert.deepEqual(await venue.balance("ETH"), ["1000.00000000", "0.00000000"]);
  venue.act({ type: "creditDeposit", ...coin });
  await listed(6);
  assert.equal((await venue.get(COIN_HISTORY)).json[0].confirmTimes, "2/12");
  assert.deepEqual(await venue.balance("ETH"), ["90071993547.40993001", "0.00000000"]);
  venue.act({ type: "finishDeposit", ...coin });
  await listed(1);
  assert.equal((await venue.get(COIN_HISTORY)).json[0].confirmTimes, "12/12");
});

test("a deposit that left the chain is not shown", async () => {
  const venue = new WalletVenue();
  venue.act({ type: "dropDeposit", ...venue.seeCoin("0x1", "5") });
  assert.equal((await venue.get(HISTORY)).body, '{"depositList":[],"success":true}');
  assert.equal((await venue.get(COIN_HISTORY)).body, "[]");
});

test("lists by asset, status, transaction and time; oldest first in wapi, newest first in sapi", async () => {
  const venue = new WalletVenue();
  venue.act({ type: "finishDeposit", ...venue.seeCoin("0x1", "1") });
  venue.nowMs += 1000;
  venue.seeCoin("0x2", "2");
  venue.nowMs += 1000;
  venue.seeCoin("0x3", "3", "XRP");
  const old = async (parameters: Parameters, key = venue.all) =>
    (await venue.get(HISTORY, parameters, { key })).json.depositList.map((row: { txId: string }) => row.txId);
  const later = async (parameters: Parameters) =>
    (await venue.get(COIN_HISTORY, parameters)).json.map((row: { txId: string }) => row.txId);
  assert.deepEqual(await old({}), ["0x1", "0x2", "0x3"]);
  assert.deepEqual(await old({ asset: "XRP" }), ["0x3"]);
  assert.deepEqual(await old({ status: 0 }), ["0x2", "0x3"]);
  assert.deepEqual(await old({ status: 1 }), ["0x1"]);
  assert.deepEqual(await old({ startTime: venue.nowMs - 1000, endTime: venue.nowMs - 1 }), ["0x2"]);
  assert.deepEqual(await old({}, venue.maker), []);
  assert.deepEqual(await later({}), ["0x3", "0x2", "0x1"]);
  assert.deepEqual(await later({ coin: "ETH" }), ["0x2", "0x1"]);
  assert.deepEqual(await later({ txId: "0x2" }), ["0x2"]);
  assert.deepEqual(await later({ status: 7 }), [], "no deposit is ever wrong here");
  assert.deepEqual(await later({ limit: 1, offset: 1 }), ["0x2"]);
  assertRefused(await venue.get(COIN_HISTORY, { coin: "DOGE" }), 400, -4018, "We don't have this asset.");
  assertRefused(await venue.get(COIN_HISTORY, { startTime: 2, endTime: 1 }), 400, -4047);
  assert.equal(
    (await venue.get(HISTORY, { asset: "XRP" })).json.depositList[0].addressTag,
    String(venue.trader.accountId),
  );
});
