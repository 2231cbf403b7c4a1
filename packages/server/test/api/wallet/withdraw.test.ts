/** Withdrawals by both interfaces: responses, rejections and their messages. Interface 4.5, 4.6, 3.6 and 7.10. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { encode, type Parameters, sign } from "@pricetime/testkit/client";
import { assertRefused, sealed, type SignedOptions, type TestAnswer } from "@pricetime/testkit/gateway-venue";
import { WalletVenue } from "./wallet-venue.ts";

const APPLY = "/sapi/v1/capital/withdraw/apply";
const HISTORY = "/wapi/v3/withdrawHistory.html";
const COIN_HISTORY = "/sapi/v1/capital/withdraw/history";

/** The wallet family rejects with 200. */
function assertWapiRefused({ status, json }: TestAnswer, code: number, msg: string): void {
  assert.deepEqual({ status, json }, { status: 200, json: { success: false, msg, code } });
}

test("a withdrawal is accepted, its funds locked, and listed net of the fee", async () => {
  const venue = new WalletVenue();
  const before = await venue.balance("ETH");
  const { status, body, json } = await venue.withdraw({ amount: "1.500", name: "my wallet" });
  assert.equal(status, 200);
  assert.equal(body, `{"msg":"success","success":true,"id":"${json.id}"}`);
  assert.match(json.id, /^[0-9a-f]{32}$/);
  assert.deepEqual(
    [before, await venue.balance("ETH")],
    [
      ["1000.00000000", "0.00000000"],
      ["998.50000000", "1.50000000"],
    ],
  );
  assert.equal(venue.engine.funds.withdrawal(json.id)?.name, "my wallet");
  const list = await venue.get(HISTORY);
  assert.equal(
    list.body,
    `{"withdrawList":[{"id":"${json.id}","amount":1.49,"transactionFee":0.01,"address":"0xabc","asset":"ETH",` +
      `"applyTime":${venue.nowMs},"status":4}],"success":true}`,
  );
  const [row] = (await venue.get(COIN_HISTORY)).json;
  assert.deepEqual(row, {
    id: json.id,
    amount: "1.49000000",
    transactionFee: "0.01000000",
    coin: "ETH",
    status: 4,
    address: "0xabc",
    addressTag: "",
    txId: "",
    applyTime: "2021-03-04 05:06:07",
    network: "ETH",
    transferType: 0,
    info: "",
    walletType: 0,
    txKey: "",
  });
  const others = venue.key(venue.maker.accountId, ["TRADE", "WITHDRAW"]);
  assert.equal((await venue.withdraw({}, { key: others })).json.success, true);
  const [, ether] = (await venue.get("/sapi/v1/capital/config/getall")).json;
  assert.deepEqual([ether.free, ether.locked, ether.withdrawing], ["998.50000000", "0.00000000", "1.50000000"]);
});

test("the same by sapi, with a client id", async () => {
  const venue = new WalletVenue();
  const sent = { coin: "ETH", address: "0xabc", amount: "1", withdrawOrderId: "mine-1", transactionFeeFlag: "false" };
  const { status, body, json } = await venue.post(APPLY, { ...sent, walletType: 0 });
  assert.equal(status, 200);
  assert.equal(body, `{"id":"${json.id}"}`);
  const find = async (parameters: Parameters) =>
    (await venue.get(COIN_HISTORY, parameters)).json.map((row: { id: string }) => row.id);
  assert.deepEqual(await find({ withdrawOrderId: "mine-1" }), [json.id]);
  assert.deepEqual(await find({ withdrawOrderId: "mine-2" }), []);
  assertRefused(await venue.post(APPLY, sent), 400, -1130, "Data sent for paramter 'withdrawOrderId' is not valid.");
});

test("its progress: sent with a transaction, completed, and when", async () => {
  const venue = new WalletVenue();
  const { id } = (await venue.withdraw({ amount: "11" })).json;
  const status = async () => (await venue.get(HISTORY)).json.withdrawList[0];
  assert.equal((await status()).status, 2, "an operator looks at it first");
  venue.act({ type: "approveWithdrawal", by: "test", withdrawalId: id });
  assert.equal((await status()).status, 4);
  venue.act({ type: "signWithdrawal", withdrawalId: id, txId: "0xfeed", nonce: 0, signedTx: "0xbeef" });
  assert.deepEqual([(await status()).status, (await status()).txId], [4, "0xfeed"]);
  venue.nowMs += 61_000;
  venue.act({ type: "completeWithdrawal", withdrawalId: id, txId: "0xfeed" });
  assert.equal((await status()).status, 6);
  const [row] = (await venue.get(COIN_HISTORY, { status: 6 })).json;
  assert.deepEqual([row.applyTime, row.completeTime], ["2021-03-04 05:06:07", "2021-03-04 05:07:08"]);
  assert.deepEqual(await venue.balance("ETH"), ["989.00000000", "0.00000000"]);
  const other = (await venue.withdraw({ amount: "12" })).json.id;
  venue.act({ type: "rejectWithdrawal", by: "test", withdrawalId: other, why: "looks odd" });
  const [rejected] = (await venue.get(COIN_HISTORY)).json;
  assert.deepEqual([rejected.id, rejected.status, rejected.info], [other, 3, "looks odd"], "the newest is first");
  const ids = (await venue.get(HISTORY)).json.withdrawList.map((one: { id: string }) => one.id);
  assert.deepEqual(ids, [id, other], "the oldest is first");
});

test("parameters are read from the query, from a form, and from a form signed in the query", async () => {
  const venue = new WalletVenue();
  assert.equal((await venue.withdraw({}, { in: "body" })).json.success, true);
  const { apiKey, secretKey } = venue.all;
  const body = encode({ asset: "ETH", address: "0xabc", amount: "1", name: "a b", timestamp: venue.nowMs });
  const query = `signature=${sign(secretKey, body)}`;
  const headers = { "x-mbx-apikey": apiKey, "content-type": "application/x-www-form-urlencoded" };
  const answer = await venue.send("POST", "/wapi/v3/withdraw.html", { query, body, headers });
  assert.equal(answer.json.success, true);
  assert.equal((await venue.get(HISTORY)).json.withdrawList.length, 2);
});

test("withdrawing needs its own permission, and that of the endpoint", async () => {
  const venue = new WalletVenue();
  const noPermission = "You don't have permission.";
  const reader = venue.keyWith("USER_DATA", "TRADE");
  assertWapiRefused(await venue.withdraw({}, { key: reader }), -1002, noPermission);
  const sent = { coin: "ETH", address: "0xabc", amount: "1" };
  assertRefused(
    await venue.post(APPLY, sent, { key: reader }),
    401,
    -1002,
    "You are not authorized to execute this request.",
  );
  const rejected = "Invalid API-key, IP, or permissions for action.";
  assertWapiRefused(await venue.withdraw({}, { key: venue.keyWith("WITHDRAW") }), -2015, rejected);
  assertRefused(await venue.post(APPLY, sent, { key: venue.keyWith("WITHDRAW") }), 401, -2015, rejected);
  const elsewhere = venue.key(venue.trader.accountId, ["TRADE", "WITHDRAW"], ["10.0.0.1"]);
  assertWapiRefused(await venue.withdraw({}, { key: elsewhere }), -2015, rejected);
  assert.deepEqual(await venue.balance("ETH"), ["1000.00000000", "0.00000000"]);
});

/** The changed parameters, the code, the text in sapi, and in wapi if it differs. */
const REFUSALS: readonly (readonly [sent: Parameters, code: number, msg: string, wapiMsg?: string])[] = [
  [{ asset: "DOGE" }, -4018, "We don't have this asset."],
  [{ asset: "eth" }, -4018, "We don't have this asset."],
  [
    { asset: "USDT" },
    -4019,
    "Current asset is not open for withdrawal.",
    "The current currency is not open for withdrawal",
  ],
  [{ network: "TRX" }, -1130, "Data sent for paramter 'network' is not valid."],
  [{ address: "nowhere" }, -4007, "Address validation is not passed."],
  [{ addressTag: "1" }, -4008, "Address tag validation is not passed."],
  [{ asset: "XRP", addressTag: "no tag" }, -4008, "Address tag validation is not passed."],
  [{ asset: "XRP", amount: "1.1234567" }, -1111, "Precision is over the maximum defined for this asset."],
  [{ amount: "0.000000001" }, -1111, "Precision is over the maximum defined for this asset."],
  [{ amount: "0" }, -1013, "Invalid amount."],
  [{ amount: "0.000" }, -1013, "Invalid amount."],
  [
    { amount: "-1" },
    -1100,
    "Illegal characters found in parameter 'amount'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
  ],
  [
    { amount: "1e30" },
    -1100,
    "Illegal characters found in parameter 'amount'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
  ],
  [
    { amount: "NaN" },
    -1100,
    "Illegal characters found in parameter 'amount'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
  ],
  [{ amount: "0.001" }, -4022, "Not less than the minimum pick-up quantity 0.02."],
  [{ amount: "1.0001" }, -4021, "Asset withdrawal must be an integer multiple of 0.001."],
  [{ amount: "100.001" }, -4023, "Within 24 hours, the withdrawal exceeds the maximum amount."],
  [{ amount: "99999999999999999999" }, -4023, "Within 24 hours, the withdrawal exceeds the maximum amount."],
  [{ asset: "BTC", amount: "100.5" }, -4023, "Within 24 hours, the withdrawal exceeds the maximum amount."],
  [{ address: "" }, -1102, "Mandatory parameter 'address' was not sent, was empty/null, or malformed."],
];

test("invalid withdrawals are rejected with a message, and no funds move", async () => {
  const venue = new WalletVenue();
  for (const [sent, code, msg, wapiMsg] of REFUSALS) {
    assertWapiRefused(await venue.withdraw(sent), code, wapiMsg ?? msg);
    const { asset = "ETH", ...more } = sent;
    const apply = { coin: asset, address: "0xabc", amount: "1", ...more };
    assertRefused(await venue.post(APPLY, apply), 400, code, msg);
  }
  assert.equal(venue.engine.funds.openWithdrawals().length, 0);
  assert.deepEqual(await venue.balance("ETH"), ["1000.00000000", "0.00000000"]);
});

test("an account's own limits: funds, permissions, allowlist, its own addresses", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  const insufficient = "The user has insufficient balance available";
  venue.setNetworks("ETH", { withdrawMax: "100000" });
  assertWapiRefused(await venue.withdraw({ amount: "1000.001" }), -4026, insufficient);
  const own = (await venue.get("/wapi/v3/depositAddress.html", { asset: "ETH" })).json.address;
  assertWapiRefused(await venue.withdraw({ address: own }), -4033, "Illegal address.");
  venue.act({ type: "setAddressList", by: "test", accountId, isEnforced: true });
  const notListed = "This address is not on the whitelist. Please join and try again.";
  assertWapiRefused(await venue.withdraw(), -4035, notListed);
  venue.act({ type: "allowAddress", by: "test", accountId, network: "ETH", address: "0xabc", tag: "", name: "cold" });
  assert.equal((await venue.withdraw()).json.success, true);
  venue.act({ type: "changeAccount", by: "test", accountId, canWithdraw: false });
  assertWapiRefused(await venue.withdraw(), -4015, "Withdraw is limited.");
});

test("funds of a deposit that is not final cannot be withdrawn", async () => {
  const venue = new WalletVenue();
  venue.setNetworks("ETH", { withdrawMax: "100000", approvalAbove: "100000" });
  const coin = venue.seeCoin("0x1", "5");
  venue.act({ type: "creditDeposit", ...coin });
  assert.deepEqual(await venue.balance("ETH"), ["1005.00000000", "0.00000000"]);
  assertWapiRefused(await venue.withdraw({ amount: "1000.001" }), -4026, "The user has insufficient balance available");
  venue.act({ type: "finishDeposit", ...coin });
  assert.equal((await venue.withdraw({ amount: "1005" })).json.success, true);
});

test("two-factor codes: required, checked, valid once, and protected against guessing", async () => {
  const venue = new WalletVenue();
  const { accountId } = venue.trader;
  const secret = new Secret({ size: 20 });
  venue.act({ type: "setTotp", by: "test", accountId, sealedSecret: sealed(secret.base32) });
  const totp = new TOTP({ secret });
  const codeAt = (timestamp: number): string => totp.generate({ timestamp });
  const wrong = "Withdraw verification exception.";
  assertWapiRefused(
    await venue.withdraw(),
    -1102,
    "Mandatory parameter 'code' was not sent, was empty/null, or malformed.",
  );
  const code = codeAt(venue.nowMs);
  assertWapiRefused(await venue.withdraw({ code: code === "000000" ? "000001" : "000000" }), -4032, wrong);
  assertWapiRefused(await venue.withdraw({ code: codeAt(venue.nowMs - 90_000) }), -4032, wrong);
  assert.equal((await venue.withdraw({ code })).json.success, true);
  assertWapiRefused(await venue.withdraw({ code }), -4032, wrong);
  assertRefused(await venue.post(APPLY, { coin: "ETH", address: "0xabc", amount: "1", code }), 400, -4032, wrong);
  venue.nowMs += 30_000;
  assert.equal((await venue.withdraw({ code: codeAt(venue.nowMs) })).json.success, true);
  venue.nowMs += 30_000;
  for (let i = 0; i < 5; i++) assertWapiRefused(await venue.withdraw({ code: "12345" }), -4032, wrong);
  assertWapiRefused(await venue.withdraw({ code: codeAt(venue.nowMs) }), -4032, wrong);
  assert.equal(venue.engine.funds.openWithdrawals().length, 2);
});

test("during maintenance nothing is withdrawn or placed, and canceling is possible", async () => {
  const venue = new WalletVenue();
  const placed = await venue.order({ price: 10000, quantity: "0.1" });
  venue.act({ type: "setMaintenance", by: "test", isOn: true });
  const refused = await venue.withdraw();
  assert.deepEqual([refused.status, refused.body], [503, '{"success":false,"msg":"system maintenance","code":-1016}']);
  const gone = "This service is no longer available.";
  assertRefused(await venue.post(APPLY, { coin: "ETH", address: "0xabc", amount: "1" }), 503, -1016, gone);
  assertRefused(await venue.order({ price: 10000, quantity: "0.1" }), 503, -1016, gone);
  const test_ = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: 10000, quantity: 1 };
  assertRefused(await venue.signed("POST", "/api/v3/order/test", test_), 503, -1016, gone);
  const { orderId } = placed.json;
  assert.equal((await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId })).status, 200);
  venue.act({ type: "setMaintenance", by: "test", isOn: false });
  assert.equal((await venue.withdraw()).json.success, true);
});

test("a bad signature, time or key gets the wallet's envelope, too", async () => {
  const venue = new WalletVenue();
  const wrongKey: SignedOptions = { key: { ...venue.all, secretKey: "x".repeat(64) } };
  assertWapiRefused(await venue.withdraw({}, wrongKey), -1022, "Signature for this request is not valid.");
  const late: SignedOptions = { timestampMs: venue.nowMs - 5001 };
  assertWapiRefused(await venue.withdraw({}, late), -1021, "Timestamp for this request is outside of the recvWindow.");
  assertWapiRefused(await venue.send("POST", "/wapi/v3/withdraw.html"), -2014, "API-key format invalid.");
  const { status, json } = await venue.send("GET", "/wapi/v3/withdraw.html");
  assert.deepEqual([status, json.success], [405, false]);
});

test("histories contain the account's own withdrawals, by asset, status and time", async () => {
  const venue = new WalletVenue();
  await venue.withdraw();
  venue.nowMs += 1000;
  await venue.withdraw({ asset: "XRP", address: "r1", addressTag: "77", amount: "50.5" });
  const assets = async (parameters: Parameters, options: SignedOptions = {}) =>
    (await venue.get(HISTORY, parameters, options)).json.withdrawList.map((row: { asset: string }) => row.asset);
  assert.deepEqual(await assets({}), ["ETH", "XRP"]);
  assert.deepEqual(await assets({ asset: "XRP" }), ["XRP"]);
  assert.deepEqual(await assets({ status: 2 }), ["XRP"]);
  assert.deepEqual(await assets({ startTime: venue.nowMs }), ["XRP"]);
  assert.deepEqual(await assets({ endTime: venue.nowMs - 1 }), ["ETH"]);
  assert.deepEqual(await assets({}, { key: venue.maker }), []);
  assert.equal((await venue.get(HISTORY, { asset: "XRP" })).json.withdrawList[0].addressTag, "77");
  const backwards = await venue.get(HISTORY, { startTime: 2, endTime: 1 });
  assertWapiRefused(backwards, -1128, "Combination of optional parameters invalid.");
  const tooLong = "Time interval must be within 0-90 days.";
  const days = (count: number): Parameters => ({ startTime: venue.nowMs - count * 86_400_000, endTime: venue.nowMs });
  assert.equal((await venue.get(COIN_HISTORY, days(90))).json.length, 2);
  assertRefused(await venue.get(COIN_HISTORY, days(90.5)), 400, -4047, tooLong);
  const ids = async (parameters: Parameters) =>
    (await venue.get(COIN_HISTORY, parameters)).json.map((row: { coin: string }) => row.coin);
  assert.deepEqual(await ids({ offset: 1 }), ["ETH"]);
  assert.deepEqual(await ids({ limit: 1 }), ["XRP"]);
  venue.nowMs += 91 * 86_400_000;
  assert.deepEqual([await ids({}), await assets({})], [[], ["ETH", "XRP"]]);
});
