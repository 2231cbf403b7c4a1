import assert from "node:assert/strict";
import { connect } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { type Command, decodeCommands, ORDER_TYPES } from "@pricetime/engine";
import { type RunningAdmin, startAdmin, TOKEN } from "./running.ts";

let admin: RunningAdmin;
beforeEach(async () => {
  admin = await startAdmin();
});
afterEach(() => admin.close());

async function journaled(): Promise<Command[]> {
  const commands: Command[] = [];
  for await (const { bytes, count } of admin.journal.read(1)) commands.push(...decodeCommands(bytes, count));
  return commands;
}

const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
  lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" },
};

async function listBtcUsdt(): Promise<void> {
  await admin.wanted(201, "POST", "/v1/assets", { asset: "BTC", name: "Bitcoin" });
  await admin.wanted(201, "POST", "/v1/assets", { asset: "USDT", name: "Tether", precision: 6 });
  const pair = { symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", acceptRounding: true };
  await admin.wanted(201, "POST", "/v1/symbols", { ...pair, filters: FILTERS });
}

test("assets and symbols are listed, shown and changed", async () => {
  await listBtcUsdt();
  const assets = (await admin.wanted(200, "GET", "/v1/assets")) as unknown as { asset: string; precision: number }[];
  assert.deepEqual(
    assets.map(({ asset, precision }) => [asset, precision]),
    [
      ["BTC", 8],
      ["USDT", 6],
    ],
  );
  const symbol = await admin.wanted(200, "GET", "/v1/symbols/BTCUSDT");
  assert.deepEqual([symbol["status"], symbol["priceDecimals"], symbol["quantityDecimals"]], ["TRADING", 2, 6]);
  assert.deepEqual([symbol["orderTypes"], symbol["icebergAllowed"], symbol["ocoAllowed"]], [ORDER_TYPES, true, true]);
  const few = { orderTypes: ["LIMIT", "TAKE_PROFIT_LIMIT"], icebergAllowed: false, ocoAllowed: false };
  const second = await admin.wanted(201, "POST", "/v1/symbols", {
    ...{ symbol: "BTCUSDT2", baseAsset: "BTC", quoteAsset: "USDT", acceptRounding: true },
    ...few,
  });
  assert.deepEqual([second["orderTypes"], second["icebergAllowed"], second["ocoAllowed"]], Object.values(few));
  assert.equal((await admin.wanted(200, "PUT", "/v1/symbols/BTCUSDT/status", { status: "HALT" }))["status"], "HALT");
  const filters = { lotSize: { ...FILTERS.lotSize, minQty: "0.001" } };
  assert.deepEqual((await admin.wanted(200, "PUT", "/v1/symbols/BTCUSDT/filters", filters))["filters"], filters);
  const limit = { maxNumOrders: { maxNumOrders: 500 } };
  assert.deepEqual(await admin.wanted(200, "PUT", "/v1/exchange-filters", limit), limit);
  assert.deepEqual(await admin.wanted(200, "GET", "/v1/exchange-filters"), limit);
});

test("accounts are opened, shown and changed", async () => {
  const opened = await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  assert.deepEqual([opened["accountId"], opened["makerBps"], opened["takerBps"]], [100, 10, 20]);
  await admin.wanted(201, "POST", "/v1/accounts", { email: "b@example.com", name: "B", makerBps: 0, takerBps: 5 });
  const changed = await admin.wanted(200, "PATCH", "/v1/accounts/b@example.com", { canTrade: false, takerBps: 6 });
  assert.deepEqual([changed["canTrade"], changed["makerBps"], changed["takerBps"]], [false, 0, 6]);
  const ids = async (query: string): Promise<unknown> =>
    ((await admin.wanted(200, "GET", `/v1/accounts${query}`)) as unknown as { accountId: number }[]).map(
      (a) => a.accountId,
    );
  assert.deepEqual(await ids(""), [100, 101]);
  assert.deepEqual(await ids("?limit=1"), [100]);
  assert.deepEqual(await ids("?after=100"), [101]);
});

test("fee rates of one symbol override the account's and can be removed", async () => {
  await listBtcUsdt();
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  const path = "/v1/accounts/100/fees/BTCUSDT";
  const all = async (): Promise<object> => admin.wanted(200, "GET", "/v1/symbols/BTCUSDT/fees");
  const venues = { symbol: "BTCUSDT", makerBps: 10, takerBps: 20 };
  assert.deepEqual(await all(), { ...venues, accounts: [], next: null });
  assert.equal((await admin.wanted(200, "PUT", path, { makerBps: 0, takerBps: 1 }))["takerBps"], 1);
  await admin.wanted(201, "POST", "/v1/accounts", { email: "b@example.com", name: "B", makerBps: 5, takerBps: 20 });
  const [a, b] = [
    { accountId: 100, email: "a@example.com", makerBps: 0, takerBps: 1, isOfSymbol: true },
    { accountId: 101, email: "b@example.com", makerBps: 5, takerBps: 20, isOfSymbol: false },
  ];
  assert.deepEqual(await all(), { ...venues, accounts: [a, b], next: null });
  const page = "/v1/symbols/BTCUSDT/fees?limit=1";
  assert.deepEqual(await admin.wanted(200, "GET", page), { ...venues, accounts: [a], next: 100 });
  assert.deepEqual(await admin.wanted(200, "GET", `${page}&after=100`), { ...venues, accounts: [b], next: 101 });
  assert.deepEqual(await admin.wanted(200, "GET", `${page}&after=101`), { ...venues, accounts: [], next: null });
  await admin.wanted(404, "GET", "/v1/symbols/NONE/fees");
  assert.equal((await admin.wanted(200, "DELETE", path))["takerBps"], 20);
  await admin.wanted(404, "PUT", "/v1/accounts/100/fees/NONE", { makerBps: 0, takerBps: 1 });
});

test("deposits and withdrawals are booked once per reference", async () => {
  await listBtcUsdt();
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  const deposit = { account: "a@example.com", asset: "BTC", amount: "1.5", reference: "r1" };
  assert.equal((await admin.wanted(201, "POST", "/v1/deposits", deposit))["free"], "1.50000000");
  const other = await admin.wanted(409, "POST", "/v1/deposits", { ...deposit, amount: "7" });
  assert.equal(other["error"], "REPEAT_DIFFERS");
  const debit = { account: 100, asset: "BTC", amount: "0.5", reference: "r2" };
  assert.equal((await admin.wanted(201, "POST", "/v1/debits", debit))["free"], "1.00000000");
  const tooMuch = { ...debit, amount: "1.00000001", reference: "r3" };
  assert.equal((await admin.wanted(409, "POST", "/v1/debits", tooMuch))["error"], "INSUFFICIENT_BALANCE");
  const shown = await admin.wanted(200, "GET", "/v1/accounts/100");
  assert.deepEqual(shown["balances"], [{ asset: "BTC", free: "1.00000000", locked: "0.00000000" }]);
});

test("an API key's secret is shown once and journaled encrypted", async () => {
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  const asked = { permissions: ["TRADE", "MARKET_DATA"], ipAllowList: ["127.0.0.1", "2001:DB8:0::1"], label: "bot" };
  const made = await admin.wanted(201, "POST", "/v1/accounts/100/keys", asked);
  assert.match(String(made["apiKey"]), /^[A-Za-z0-9]{64}$/);
  assert.match(String(made["secretKey"]), /^[A-Za-z0-9]{64}$/);
  assert.deepEqual(made["permissions"], ["MARKET_DATA", "TRADE"]);
  assert.deepEqual(made["ipAllowList"], ["127.0.0.1", "2001:db8::1"]);
  const key = admin.engine.apiKey(String(made["apiKey"]));
  assert.equal(admin.sealer.unseal(key?.sealedSecret ?? ""), made["secretKey"]);
  const listed = JSON.stringify(await admin.wanted(200, "GET", "/v1/accounts/100/keys"));
  assert.match(listed, new RegExp(String(made["apiKey"])));
  assert.doesNotMatch(listed, /secret/i);
  assert.doesNotMatch(JSON.stringify(await journaled()), new RegExp(String(made["secretKey"])));
  await admin.wanted(200, "DELETE", `/v1/keys/${made["apiKey"]}`);
  await admin.wanted(404, "DELETE", `/v1/keys/${made["apiKey"]}`);
});

test("by default a key has all permissions except withdrawals", async () => {
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  const made = await admin.wanted(201, "POST", "/v1/accounts/100/keys");
  assert.deepEqual(made["permissions"], ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"]);
});

test("every command is journaled with its operator", async () => {
  await listBtcUsdt();
  const acts = (await journaled()).map((command) => [command.type, "by" in command ? command.by : ""]);
  assert.deepEqual(acts, [
    // Journaled by the node at its start.
    ["adoptRules", ""],
    ["listAsset", "dora"],
    ["listAsset", "dora"],
    ["listSymbol", "dora"],
  ]);
});

test("the journal's end and the state hash are shown", async () => {
  await listBtcUsdt();
  const told = await admin.wanted(200, "GET", "/v1/journal");
  const head = await admin.journal.head();
  assert.deepEqual([told["lastSeq"], told["stateSeq"], told["chainHash"]], [4, 4, head.chainHash]);
  assert.equal(told["eventDigest"], admin.engine.eventDigest());
});

const REFUSED: readonly (readonly [status: number, method: string, path: string, body: unknown, error: RegExp])[] = [
  [404, "GET", "/v1/nothing", undefined, /UNKNOWN_PATH/],
  [404, "GET", "/", undefined, /UNKNOWN_PATH/],
  [405, "DELETE", "/v1/assets", undefined, /METHOD_NOT_ALLOWED/],
  [404, "GET", "/v1/accounts/7", undefined, /UNKNOWN_ACCOUNT/],
  [404, "GET", "/v1/accounts/none@example.com", undefined, /UNKNOWN_ACCOUNT/],
  [404, "GET", "/v1/accounts/%E0%A4%A", undefined, /UNKNOWN_PATH/],
  [404, "GET", "/v1/symbols/NONE", undefined, /UNKNOWN_SYMBOL/],
  [404, "PUT", "/v1/symbols/NONE/status", { status: "HALT" }, /UNKNOWN_SYMBOL/],
  [400, "GET", "/v1/accounts?limit=0", undefined, /limit/],
  [400, "GET", "/v1/accounts?before=1", undefined, /unknown key before/],
  [400, "POST", "/v1/assets", undefined, /asset/],
  [400, "POST", "/v1/assets", { asset: "btc", name: "B" }, /asset/],
  [400, "POST", "/v1/assets", { asset: "B", name: "B", extra: 1 }, /unknown key extra/],
  [400, "POST", "/v1/assets", { asset: "B", name: "a\u0000b" }, /name: without control/],
  [400, "POST", "/v1/assets", [], /must be keys and values/],
  [404, "POST", "/v1/symbols", { symbol: "AB", baseAsset: "A", quoteAsset: "B" }, /UNKNOWN_ASSET/],
  [400, "POST", "/v1/accounts", { email: "nobody", name: "N" }, /email/],
  [400, "POST", "/v1/accounts", { email: "a@b.cd", name: "N", makerBps: -1 }, /makerBps/],
  [400, "POST", "/v1/accounts", { email: "a@b.cd", name: "N", makerBps: 10_001 }, /makerBps/],
  [400, "POST", "/v1/deposits", { account: 1, asset: "BTC", amount: "-1", reference: "r" }, /amount/],
  [400, "POST", "/v1/deposits", { account: 1, asset: "BTC", amount: 1, reference: "r" }, /amount/],
  [400, "POST", "/v1/deposits", { account: 1, asset: "BTC", amount: "1" }, /reference/],
  [404, "POST", "/v1/deposits", { account: 1, asset: "BTC", amount: "1", reference: "r" }, /UNKNOWN_ACCOUNT/],
  [404, "DELETE", "/v1/keys/none", undefined, /UNKNOWN_API_KEY/],
];

test("an invalid request gets a code and a message, and changes nothing", async () => {
  for (const [status, method, path, body, error] of REFUSED) {
    const refused = await admin.wanted(status, method, path, body);
    assert.match(`${refused["error"]} ${refused["message"]}`, error, `${method} ${path}`);
  }
  const { engine } = admin;
  assert.deepEqual([engine.assets().length, engine.markets().length, [...engine.accounts()].length], [0, 0, 0]);
});

test("a value out of the engine's range is a bad request", async () => {
  await listBtcUsdt();
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  const deposit = { account: 100, asset: "USDT", amount: "0.0000001", reference: "r" };
  assert.equal((await admin.wanted(400, "POST", "/v1/deposits", deposit))["error"], "INVALID_VALUE");
  await admin.wanted(404, "POST", "/v1/deposits", { ...deposit, asset: "NONE" });
  const change = await admin.wanted(400, "PATCH", "/v1/accounts/100", {});
  assert.match(String(change["message"]), /changes nothing/);
});

test("an operator switches fees in the discount asset, also of a sub-account", async () => {
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  await admin.wanted(201, "POST", "/v1/accounts", { email: "sub@example.com", name: "Sub", master: "a@example.com" });
  for (const paysInDiscountAsset of [true, false]) {
    const sub = await admin.wanted(200, "PATCH", "/v1/accounts/sub@example.com", { paysInDiscountAsset });
    assert.equal(sub["paysInDiscountAsset"], paysInDiscountAsset);
  }
});

test("a price range has a bound, and the reference price is within it", async () => {
  await listBtcUsdt();
  for (const [body, message] of [
    [{}, /at least one bound/],
    [{ bucketCount: 5 }, /at least one bound/],
    [{ bidLimitMultUp: "0.5" }, /bidLimitMultUp: at least 1/],
    [{ askLimitMultDown: "1.1" }, /askLimitMultDown: above 0 and at most 1/],
    [{ askLimitMultDown: "0" }, /askLimitMultDown: above 0/],
    [{ bidLimitMultUp: "1.000000001" }, /bidLimitMultUp: at most 8 decimal places/],
  ] as const) {
    assert.match(String((await admin.wanted(400, "PUT", "/v1/symbols/BTCUSDT/price-range", body))["message"]), message);
  }
  const least = { bidLimitMultUp: "1", askLimitMultDown: "1.00000000" };
  const { priceRange } = await admin.wanted(200, "PUT", "/v1/symbols/BTCUSDT/price-range", least);
  assert.deepEqual(priceRange, { ...least, bucketCount: 30, bucketWidthMs: 60_000 });
});

test("what older rules do not have is rejected before it is journaled", async () => {
  await listBtcUsdt();
  await admin.wanted(201, "POST", "/v1/accounts", { email: "a@example.com", name: "A" });
  const { state } = admin.engine;
  const { edition, seq } = state;
  state.edition = 4;
  const modes = { defaultMode: "NONE", allowedModes: ["NONE"] };
  for (const [method, path, body] of [
    ["PATCH", "/v1/accounts/100", { takerBps: 6, isTradeGroup: true }],
    ["PATCH", "/v1/accounts/100", { paysInDiscountAsset: true }],
    ["PUT", "/v1/symbols/BTCUSDT/self-trade-prevention", modes],
    ["PUT", "/v1/symbols/BTCUSDT/price-range", { askLimitMultDown: "0.8" }],
    ["DELETE", "/v1/symbols/BTCUSDT/price-range", undefined],
  ] as const) {
    assert.equal((await admin.wanted(409, method, path, body))["error"], "NOT_POSSIBLE", path);
  }
  assert.equal(state.seq, seq);
  state.edition = edition;
});

test("every route needs the token", async () => {
  const status = async (authorization?: string): Promise<number> =>
    (await fetch(`${admin.url}/v1/assets`, authorization === undefined ? {} : { headers: { authorization } })).status;
  for (const wrong of [undefined, "", "Bearer", "Bearer ", `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`]) {
    assert.equal(await status(wrong), 401, String(wrong));
  }
  assert.equal(await status(`Bearer ${TOKEN}`), 200);
  assert.equal(await status(`bearer ${TOKEN}`), 200);
});

test("a body that is not JSON or too long is rejected", async () => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const send = async (body: string): Promise<number> =>
    (await fetch(`${admin.url}/v1/assets`, { method: "POST", headers, body })).status;
  assert.equal(await send("{"), 400);
  assert.equal(await send(`"${"x".repeat(300_000)}"`), 413);
  assert.equal(admin.engine.seq, 1, "nothing but the rules");
});

test("the operator name must be plain", async () => {
  const headers = { authorization: `Bearer ${TOKEN}`, "x-pricetime-user": "a b" };
  assert.equal((await fetch(`${admin.url}/v1/assets`, { headers })).status, 400);
});

test("health, readiness and metrics need no token", async () => {
  const get = async (path: string): Promise<[number, string]> => {
    const response = await fetch(admin.url + path);
    return [response.status, await response.text()];
  };
  assert.deepEqual(await get("/healthz"), [200, '{"alive":true,"version":"1.2.3"}\n']);
  assert.deepEqual(await get("/readyz"), [200, '{"ready":true,"interface":"2019","orderIds":"exchange"}\n']);
  admin.health.isServing = false;
  assert.deepEqual(await get("/readyz"), [
    503,
    '{"ready":false,"interface":"2019","orderIds":"exchange","serving":"not accepting clients"}\n',
  ]);
  admin.metrics.requestDone("ping", 200, 1);
  assert.match((await get("/metrics"))[1], /^pricetime_requests_total\{endpoint="ping",status="200"\} 1$/m);
});

test("it listens on one loopback address, and an occupied port is an error", async () => {
  const port = Number(new URL(admin.url).port);
  const elsewhere = new Promise((done, failed) => connect(port, "127.0.0.2", () => done(null)).once("error", failed));
  await assert.rejects(elsewhere, { code: "ECONNREFUSED" });
  await assert.rejects(startAdmin({ port }), { code: "EADDRINUSE" });
});

test("a stopping exchange answers 503", async () => {
  await admin.sequencer.stop();
  const refused = await admin.wanted(503, "POST", "/v1/assets", { asset: "BTC", name: "B" });
  assert.equal(refused["error"], "NOT_ACCEPTED");
});
