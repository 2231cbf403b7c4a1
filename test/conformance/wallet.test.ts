/** Interface 2.10, 4.5, 4.6 and 7.3 on the running program: every endpoint of the wallet, to the letter of its shape. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, Client, type Parameters, sign } from "@pricetime/testkit/client";
import { type Fields, type Market, ok, openMarket, place, limit, SYMBOL, tradeABit } from "./market.ts";
import { assertShape, type Shape, words } from "./shape.ts";

const SUCCESS = words(true);
const DEPOSIT_ADDRESS = { address: "string", success: SUCCESS, addressTag: "string", asset: "string" } as const;
const WITHDRAWAL = {
  id: "string",
  amount: "number",
  transactionFee: "number",
  address: "string",
  "addressTag?": "string",
  asset: "string",
  "txId?": "string",
  applyTime: "time",
  status: words(0, 1, 2, 3, 4, 5, 6),
} as const;
const INDICATORS = [{ i: words("UFR", "IFER", "GCR"), c: "integer", v: "number", t: "number" }] as const;

let market: Market;
before(async () => {
  market = await openMarket();
});
after(() => market.close());

const get = <T = Fields>(path: string, parameters: Parameters = {}): Promise<Answer<T>> =>
  market.maker.signed<T>("GET", path, parameters);

async function shaped(path: string, parameters: Parameters, shape: Shape): Promise<Fields> {
  const body = ok(await get(path, parameters));
  assertShape(body, shape);
  return body;
}

/** Interface 7.3, with the code that may stand beside. */
function wapiRefused({ status, json }: Answer<unknown>, msg: string, code: number): void {
  assert.deepEqual([status, json], [200, { success: false, msg, code }]);
}

test("an address to deposit to", async () => {
  const first = await shaped("/wapi/v3/depositAddress.html", { asset: "BTC" }, DEPOSIT_ADDRESS);
  const again = await shaped("/wapi/v3/depositAddress.html", { asset: "BTC", status: "true" }, DEPOSIT_ADDRESS);
  assert.deepEqual(again, first);
  const shape = { address: "string", coin: "string", tag: "string", url: "string" } as const;
  const later = await shaped("/sapi/v1/capital/deposit/address", { coin: "BTC" }, shape);
  assert.equal(later.address, first.address);
});

test("a withdrawal is asked for at both doors, and listed", async () => {
  const { address } = ok(await market.taker.signed<Fields>("GET", "/wapi/v3/depositAddress.html", { asset: "BTC" }));
  const parameters = { asset: "BTC", address: String(address), amount: "0.5", name: "the other" };
  const body = ok(await market.maker.signed<Fields>("POST", "/wapi/v3/withdraw.html", parameters));
  assertShape(body, { msg: words("success"), success: SUCCESS, id: "string" });
  const list = await shaped("/wapi/v3/withdrawHistory.html", {}, { withdrawList: [WITHDRAWAL], success: SUCCESS });
  const [row] = list.withdrawList as unknown as Fields[];
  assert.deepEqual([row?.id, row?.amount, row?.transactionFee], [body.id, 0.4995, 0.0005]);
  const applied = ok(
    await market.maker.signed<Fields>("POST", "/sapi/v1/capital/withdraw/apply", {
      coin: "BTC",
      address: String(address),
      amount: "0.5",
    }),
  );
  assertShape(applied, { id: "string" });
  const own = ok(await market.maker.signed<Fields>("GET", "/wapi/v3/depositAddress.html", { asset: "BTC" }));
  const toSelf = { asset: "BTC", address: String(own.address), amount: "0.5" };
  wapiRefused(await market.maker.signed("POST", "/wapi/v3/withdraw.html", toSelf), "Illegal address.", -4033);
});

test("histories", async () => {
  const none = ok(await get("/wapi/v3/depositHistory.html", { asset: "BTC", status: 1, startTime: 1 }));
  assert.deepEqual(none, { depositList: [], success: true });
  assert.deepEqual(ok(await get("/sapi/v1/capital/deposit/hisrec")), []);
  const rows = ok(await get<Fields[]>("/sapi/v1/capital/withdraw/history"));
  assertShape(rows, [
    {
      id: "string",
      amount: "decimal",
      transactionFee: "decimal",
      coin: "string",
      status: words(4, 6),
      address: "string",
      addressTag: "string",
      txId: "string",
      applyTime: "string",
      network: "string",
      transferType: words(0),
      info: "string",
      walletType: words(0),
      txKey: "string",
      "completeTime?": "string",
    },
  ]);
  assert.ok(rows.length > 0);
});

test("status of the system, the account, its trading and its key", async () => {
  const normal = { status: words(0), msg: words("normal") } as const;
  assertShape(ok(await market.maker.public("/wapi/v3/systemStatus.html")), normal);
  assertShape(ok(await market.maker.public("/sapi/v1/system/status")), normal);
  await shaped("/wapi/v3/accountStatus.html", {}, { msg: words("Normal"), success: SUCCESS, objs: ["string"] });
  await shaped("/sapi/v1/account/status", {}, { data: words("Normal") });
  await tradeABit(market);
  await place(market.maker, limit("BUY", "0.1", "40000"));
  const status = {
    isLocked: words(false),
    plannedRecoverTime: words(0),
    triggerCondition: { GCR: "integer", IFER: "integer", UFR: "integer" },
    indicators: { [SYMBOL]: INDICATORS },
    updateTime: "time",
  } as const;
  await shaped("/wapi/v3/apiTradingStatus.html", {}, { success: SUCCESS, status });
  await shaped("/sapi/v1/account/apiTradingStatus", {}, { data: status });
  const restrictions = ok(await get("/sapi/v1/account/apiRestrictions"));
  assert.deepEqual([restrictions.enableReading, restrictions.enableWithdrawals], [true, true]);
});

test("fees of markets and assets", async () => {
  const fees = { tradeFee: [{ symbol: "string", maker: "number", taker: "number" }], success: SUCCESS } as const;
  const all = await shaped("/wapi/v3/tradeFee.html", {}, fees);
  const one = await shaped("/wapi/v3/tradeFee.html", { symbol: SYMBOL }, fees);
  assert.ok((all.tradeFee as unknown as Fields[]).length > (one.tradeFee as unknown as Fields[]).length);
  const { assetDetail } = ok(await get("/wapi/v3/assetDetail.html"));
  const detail = {
    minWithdrawAmount: "decimal",
    depositStatus: "boolean",
    withdrawFee: "number",
    withdrawStatus: "boolean",
    "depositTip?": "string",
  } as const;
  for (const each of Object.values(assetDetail as unknown as Fields)) assertShape(each, detail);
  const texts = ok(await get("/sapi/v1/asset/assetDetail"));
  assert.deepEqual(Object.keys(texts), Object.keys(assetDetail as unknown as Fields));
  for (const each of Object.values(texts)) assertShape(each, { ...detail, withdrawFee: "decimal" });
});

test("sub-accounts: the list, balances, a transfer and its history", async () => {
  const list = await shaped(
    "/wapi/v3/sub-account/list.html",
    {},
    {
      success: SUCCESS,
      subAccounts: [
        {
          email: "string",
          status: words("enabled", "disabled"),
          activated: "boolean",
          mobile: "string",
          gAuth: "boolean",
          createTime: "time",
        },
      ],
    },
  );
  const [sub] = list.subAccounts as unknown as Fields[];
  assert.ok(sub !== undefined, "the demo has a sub-account");
  const email = String(sub.email);
  const from = market.exchange.accounts[0]?.email ?? "";
  const move = { fromEmail: from, toEmail: email, asset: "BTC", amount: "0.25" };
  const moved = ok(await market.maker.signed<Fields>("POST", "/wapi/v3/sub-account/transfer.html", move));
  assertShape(moved, { success: SUCCESS, txnId: "string" });
  const transfer = { from: "string", to: "string", asset: "string", qty: "decimal", time: "time" } as const;
  const history = await shaped(
    "/wapi/v3/sub-account/transfer/history.html",
    { email },
    {
      success: SUCCESS,
      transfers: [transfer],
    },
  );
  assert.ok((history.transfers as unknown as Fields[]).length >= 1);
  await shaped(
    "/wapi/v3/sub-account/assets.html",
    { email },
    {
      success: SUCCESS,
      balances: [{ asset: "string", free: "number", locked: "number" }],
    },
  );
  const text = {
    asset: "string",
    free: "decimal",
    locked: "decimal",
    freeze: "decimal",
    withdrawing: "decimal",
  } as const;
  await shaped("/sapi/v4/sub-account/assets", { email }, { balances: [text] });
  const universal = {
    tranId: "integer",
    fromEmail: "string",
    toEmail: "string",
    asset: "string",
    amount: "decimal",
    createTimeStamp: "time",
    fromAccountType: words("SPOT"),
    toAccountType: words("SPOT"),
    status: words("SUCCESS"),
    clientTranId: "string",
  } as const;
  const path = "/sapi/v1/sub-account/universalTransfer";
  await shaped(path, { toEmail: email }, { result: [universal], totalCount: "integer" });
  // Signed as text, sent as a form, as python-binance does it.
  const { apiKey, secretKey } = market.exchange.accounts[0]!;
  const form = `toEmail=${email}&fromAccountType=SPOT&toAccountType=SPOT&asset=BTC&amount=0.1&timestamp=${Date.now()}`;
  const body = `${new URLSearchParams(form).toString()}&signature=${sign(secretKey, form)}`;
  assert.ok(body.includes("%40"));
  ok(await market.maker.send("POST", path, { body, headers: { "X-MBX-APIKEY": apiKey } }));
  const taker = market.exchange.accounts[1]?.email ?? "";
  const unrelated = await get("/wapi/v3/sub-account/assets.html", { email: taker });
  wapiRefused(unrelated, "This parent sub have no relation", -5021);
});

test("the log of dust is declined; dividends and snapshots have their shapes", async () => {
  wapiRefused(await get("/wapi/v3/userAssetDribbletLog.html"), "This operation is not supported.", -1020);
  await shaped(
    "/sapi/v1/asset/assetDividend",
    {},
    {
      rows: [{ amount: "decimal", asset: "string", divTime: "time", enInfo: "string", tranId: "integer" }],
      total: "integer",
    },
  );
  await shaped(
    "/sapi/v1/accountSnapshot",
    { type: "SPOT" },
    { code: words(200), msg: words(""), snapshotVos: ["any"] },
  );
});

test("refusals of /wapi: 200, success false and words; a stranger's too", async () => {
  const stranger = new Client(market.exchange.rest);
  wapiRefused(await stranger.send("GET", "/wapi/v3/accountStatus.html"), "API-key format invalid.", -2014);
  stranger.close();
  const missing = "Mandatory parameter 'asset' was not sent, was empty/null, or malformed.";
  wapiRefused(await get("/wapi/v3/depositAddress.html"), missing, -1102);
});
