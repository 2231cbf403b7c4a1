/** Sub-accounts: lists, balances and transfers, only by the master's keys. Interface 4.5, 3.9. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { assertRefused, type SignedOptions, type TestAnswer } from "@pricetime/testkit/gateway-venue";
import { WalletVenue } from "./wallet-venue.ts";

type Fields = Readonly<Record<string, unknown>>;
const LIST = "/wapi/v3/sub-account/list.html";
const ASSETS = "/wapi/v3/sub-account/assets.html";
const TRANSFER = "/wapi/v3/sub-account/transfer.html";
const HISTORY = "/wapi/v3/sub-account/transfer/history.html";
const MASTER = "trader@example.org";
const SUB = "sub@example.org";

function assertWapiRefused({ status, json }: TestAnswer, code: number, msg: string): void {
  assert.deepEqual({ status, json }, { status: 200, json: { success: false, msg, code } });
}

function move(venue: WalletVenue, parameters: Parameters = {}, options: SignedOptions = {}): Promise<TestAnswer> {
  const good = { fromEmail: MASTER, toEmail: SUB, asset: "ETH", amount: "1.5" };
  return venue.post(TRANSFER, { ...good, ...parameters }, options);
}

test("the list: email, creation, enabled or not, in pages", async () => {
  const venue = new WalletVenue();
  const second = venue.openAccount("second@example.org", venue.trader.accountId);
  venue.act({ type: "changeAccount", by: "test", accountId: second, isEnabled: false });
  const row = (email: string, status: string) => ({
    email,
    status,
    activated: true,
    mobile: "",
    gAuth: false,
    createTime: venue.nowMs,
  });
  const [one, two] = [row(SUB, "enabled"), row("second@example.org", "disabled")];
  assert.deepEqual((await venue.get(LIST)).json, { success: true, subAccounts: [one, two] });
  const found = async (parameters: Parameters) =>
    (await venue.get(LIST, parameters)).json.subAccounts.map(({ email }: { email: string }) => email);
  assert.deepEqual(await found({ status: "disabled" }), ["second@example.org"]);
  assert.deepEqual(await found({ status: "enabled" }), [SUB]);
  assert.deepEqual(await found({ email: SUB }), [SUB]);
  assert.deepEqual(await found({ email: "maker@example.org" }), []);
  assert.deepEqual(await found({ limit: 1 }), [SUB]);
  assert.deepEqual(await found({ limit: 1, page: 2 }), ["second@example.org"]);
  assert.deepEqual(await found({ limit: 1, page: 3 }), []);
  venue.act({ type: "setTotp", by: "test", accountId: second, sealedSecret: "sealed" });
  const { subAccounts } = (await venue.get("/sapi/v1/sub-account/list", { isFreeze: "true" })).json;
  assert.deepEqual(subAccounts, [
    {
      subUserId: second,
      email: "second@example.org",
      remark: "second@example.org",
      isFreeze: true,
      createTime: venue.nowMs,
      isManagedSubAccount: false,
      isAssetManagementSubAccount: false,
    },
  ]);
  assert.equal((await venue.get(LIST)).json.subAccounts[1].gAuth, true);
});

test("a transfer moves funds between related accounts, and is reported to both exactly", async () => {
  const venue = new WalletVenue();
  const there = await move(venue);
  assert.equal(there.body, '{"success":true,"txnId":"1"}');
  assert.deepEqual(await venue.balance("ETH"), ["998.50000000", "0.00000000"]);
  assert.deepEqual(await venue.balance("ETH", venue.subKey), ["1.50000000", "0.00000000"]);
  assert.equal(
    (await venue.get(ASSETS, { email: SUB, symbol: "ETH" })).body,
    '{"success":true,"balances":[{"asset":"ETH","free":1.5,"locked":0}]}',
  );
  const { balances } = (await venue.get("/sapi/v3/sub-account/assets", { email: SUB })).json;
  assert.deepEqual(
    balances.map(({ asset }: { asset: string }) => asset),
    ["BTC", "ETH", "USDT", "KRW", "XRP"],
  );
  venue.nowMs += 1000;
  const back = await venue.post("/sapi/v1/sub-account/universalTransfer", {
    fromEmail: SUB,
    fromAccountType: "SPOT",
    toAccountType: "SPOT",
    asset: "ETH",
    amount: "0.00000001",
  });
  assert.equal(back.body, '{"tranId":2}');
  const times = [venue.nowMs - 1000, venue.nowMs];
  assert.equal(
    (await venue.get(HISTORY, { email: SUB })).body,
    `{"success":true,"transfers":[{"from":"${MASTER}","to":"${SUB}","asset":"ETH","qty":"1.50000000","time":${times[0]}},` +
      `{"from":"${SUB}","to":"${MASTER}","asset":"ETH","qty":"0.00000001","time":${times[1]}}]}`,
  );
  const rows = (await venue.get("/sapi/v1/sub-account/sub/transfer/history")).json;
  assert.deepEqual(rows[0], {
    from: MASTER,
    to: SUB,
    asset: "ETH",
    qty: "1.50000000",
    time: times[0],
    status: "SUCCESS",
    tranId: 1,
  });
  assert.equal(rows.length, 2);
  const later = await venue.get(HISTORY, { email: SUB, limit: 1, page: 2 });
  assert.deepEqual(
    later.json.transfers.map(({ qty }: { qty: string }) => qty),
    ["0.00000001"],
  );
  venue.nowMs += 101 * 86_400_000;
  assert.deepEqual((await venue.get(HISTORY, { email: SUB })).json.transfers, [], "of the last 100 days");
  assert.equal((await venue.get(HISTORY, { email: SUB, startTime: 0 })).json.transfers.length, 2);
});

test("a universal transfer with a client id is made once, with the same response", async () => {
  const venue = new WalletVenue();
  const path = "/sapi/v1/sub-account/universalTransfer";
  const sent = { fromAccountType: "SPOT", toAccountType: "SPOT", asset: "ETH", toEmail: SUB, clientTranId: "own 1" };
  const first = await venue.post(path, { ...sent, amount: "1.5" });
  assert.equal(first.body, '{"tranId":1,"clientTranId":"own 1"}');
  await venue.post(path, { ...sent, clientTranId: "own 2", amount: "1" });
  const balance = await venue.balance("ETH");
  for (const amount of ["1.5", "1.50000000"])
    assert.equal((await venue.post(path, { ...sent, amount })).body, first.body);
  assertRefused(
    await venue.post(path, { ...sent, amount: "2" }),
    400,
    -1130,
    "Data sent for paramter 'clientTranId' is not valid.",
  );
  assertRefused(await venue.post(path, { ...sent, asset: "BTC", amount: "1.5" }), 400, -1130);
  assert.deepEqual(await venue.balance("ETH"), balance, "repeats move nothing");
  const { result, totalCount } = (await venue.get(path)).json;
  assert.deepEqual(
    [totalCount, result.map(({ tranId, clientTranId }: Fields) => [tranId, clientTranId])],
    [
      2,
      [
        [1, "own 1"],
        [2, "own 2"],
      ],
    ],
  );
});

test("transfers as later clients list them: from, to, or all, with the total count", async () => {
  const venue = new WalletVenue();
  const path = "/sapi/v1/sub-account/universalTransfer";
  const types = { fromAccountType: "SPOT", toAccountType: "SPOT", asset: "ETH" };
  for (const amount of ["1", "2", "3"]) await venue.post(path, { ...types, toEmail: SUB, amount });
  await venue.post(path, { ...types, fromEmail: SUB, amount: "4" });
  const listed = async (parameters: Parameters): Promise<[amounts: string[], totalCount: number]> => {
    const { json } = await venue.get(path, parameters);
    return [json.result.map(({ amount }: { amount: string }) => amount.slice(0, 1)), json.totalCount];
  };
  assert.deepEqual(await listed({}), [["1", "2", "3", "4"], 4]);
  assert.deepEqual(await listed({ fromEmail: MASTER }), [["1", "2", "3"], 3]);
  assert.deepEqual(await listed({ toEmail: SUB, limit: 1, page: 2 }), [["2"], 3]);
  assert.deepEqual(await listed({ fromEmail: SUB }), [["4"], 1]);
  assert.deepEqual(await listed({ toEmail: SUB, page: 9 }), [[], 3]);
  assert.deepEqual(await listed({ endTime: venue.nowMs - 1 }), [[], 0]);
  assertRefused(await venue.get(path, { fromEmail: SUB, toEmail: MASTER }), 400, -1128);
  assertRefused(await venue.get(path, {}, { key: venue.subKey }), 400, -4006);
  assertRefused(await venue.get(path, { toEmail: "maker@example.org" }), 400, -5021);
  assert.deepEqual((await venue.get(path, { fromEmail: SUB })).json.result[0], {
    tranId: 4,
    fromEmail: SUB,
    toEmail: MASTER,
    asset: "ETH",
    amount: "4.00000000",
    createTimeStamp: venue.nowMs,
    fromAccountType: "SPOT",
    toAccountType: "SPOT",
    status: "SUCCESS",
    clientTranId: "",
  });
  const history = "/sapi/v1/sub-account/sub/transfer/history";
  assert.equal((await venue.get(history, { fromEmail: SUB })).json.length, 1, "what it was paid is another question");
  assert.equal((await venue.get(history, { toEmail: SUB })).json.length, 3);
});

test("balances of a sub-account as strings", async () => {
  const venue = new WalletVenue();
  await move(venue);
  const { balances } = (await venue.get("/sapi/v4/sub-account/assets", { email: SUB })).json;
  const [none, zero] = ["0.00000000", { locked: "0.00000000", freeze: "0.00000000", withdrawing: "0.00000000" }];
  assert.deepEqual(balances.slice(0, 2), [
    { asset: "BTC", free: none, ...zero },
    { asset: "ETH", free: "1.50000000", ...zero },
  ]);
});

test("only masters may request, and only their own sub-accounts", async () => {
  const venue = new WalletVenue();
  const foreign = venue.openAccount("foreign@example.org", venue.maker.accountId);
  venue.act({ type: "deposit", by: "test", accountId: foreign, asset: "ETH", amount: "5", reference: "foreign" });
  const masterOnly = "Support main account only.";
  const sub: SignedOptions = { key: venue.subKey };
  assertWapiRefused(await venue.get(LIST, {}, sub), -4006, masterOnly);
  assertWapiRefused(await venue.get(ASSETS, { email: MASTER }, sub), -4006, masterOnly);
  assertWapiRefused(await venue.get(HISTORY, { email: SUB }, sub), -4006, masterOnly);
  assertWapiRefused(await move(venue, {}, sub), -4006, masterOnly);
  assertWapiRefused(await move(venue, { fromEmail: MASTER, toEmail: SUB }, sub), -4006, masterOnly);
  const universal = { fromAccountType: "SPOT", toAccountType: "SPOT", asset: "ETH", amount: 1 };
  const path = "/sapi/v1/sub-account/universalTransfer";
  assertRefused(await venue.post(path, { ...universal, fromEmail: MASTER }, sub), 400, -4006, masterOnly);
  const unrelated = "This parent sub have no relation";
  for (const email of ["foreign@example.org", "maker@example.org", "nobody@example.org"]) {
    assertWapiRefused(await venue.get(ASSETS, { email }), -5021, unrelated);
    assertWapiRefused(await venue.get(HISTORY, { email }), -5021, unrelated);
    assertWapiRefused(await move(venue, { fromEmail: email, toEmail: MASTER }), -5021, unrelated);
    assertWapiRefused(await move(venue, { toEmail: email }), -5021, unrelated);
    assertRefused(await venue.post(path, { ...universal, toEmail: email }), 400, -5021, unrelated);
  }
  assert.deepEqual(await venue.balance("ETH"), ["1000.00000000", "0.00000000"]);
  const ether = venue.engine.assets().find(({ spec }) => spec.asset === "ETH")?.assetId ?? -1;
  assert.equal(venue.engine.balance(foreign, ether).free, 500_000_000n);
});

test("a transfer needs the trade permission, a valid amount, and funds", async () => {
  const venue = new WalletVenue();
  const reader = venue.keyWith("USER_DATA");
  assertWapiRefused(await move(venue, {}, { key: reader }), -1002, "You don't have permission.");
  assertWapiRefused(await move(venue, { toEmail: MASTER }), -4001, "Invalid operation.");
  assertWapiRefused(await move(venue, { asset: "DOGE" }), -4018, "We don't have this asset.");
  assertWapiRefused(await move(venue, { amount: "0" }), -1013, "Invalid amount.");
  const fine = "Precision is over the maximum defined for this asset.";
  assertWapiRefused(await move(venue, { asset: "KRW", amount: "0.001" }), -1111, fine);
  const insufficient = "The user has insufficient balance available";
  assertWapiRefused(await move(venue, { amount: "1000.00000001" }), -4026, insufficient);
  assertWapiRefused(await move(venue, { fromEmail: SUB, toEmail: MASTER }), -4026, insufficient);
  assertWapiRefused(await move(venue, { amount: "99999999999999999999" }), -4026, insufficient);
  venue.act({ type: "setMaintenance", by: "test", isOn: true });
  assert.equal((await move(venue)).status, 503);
  assert.deepEqual(await venue.balance("ETH"), ["1000.00000000", "0.00000000"]);
});
