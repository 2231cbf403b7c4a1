/** Keys, permissions, time and signatures. Interface 5; order of checks: Interface 7.7. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { Permission } from "@pricetime/engine";
import { HmacKey, isSignedBy, Secrets } from "../../../src/api/edge/authentication.ts";
import { encode, sign } from "@pricetime/testkit/client";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";

const SECRET = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j";
const VECTOR_MS = 1499827319559;
const HEAD = "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC";
const TAIL = "quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559";
const WHOLE_SIGNATURE = "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71";
const MIXED_SIGNATURE = "0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77";

test("published test vectors", () => {
  const secret = new HmacKey(Buffer.from(SECRET));
  const withdraw =
    "asset=ETH&address=0x6915f16f8791d0a1cc2bf47c13a6b2a92000504b&amount=1&recvWindow=5000&name=test&timestamp=1510903211000";
  assert.ok(isSignedBy(secret, `${HEAD}&${TAIL}`, WHOLE_SIGNATURE));
  assert.ok(isSignedBy(secret, `${HEAD}${TAIL}`, MIXED_SIGNATURE));
  assert.ok(isSignedBy(secret, withdraw, "157fb937ec848b5f802daa4d9f62bea08becbf4f311203bda2bd34cd9853e320"));
  assert.ok(isSignedBy(secret, `${HEAD}&${TAIL}`, WHOLE_SIGNATURE.toUpperCase()), "hex of either case");
  assert.ok(!isSignedBy(secret, `${HEAD}&${TAIL} `, WHOLE_SIGNATURE));
  for (const signature of ["", "zz", WHOLE_SIGNATURE.slice(1), `${WHOLE_SIGNATURE}00`, "é".repeat(64)]) {
    assert.ok(!isSignedBy(secret, `${HEAD}&${TAIL}`, signature), signature);
  }
});

test("signatures equal those of Node's HMAC for all lengths of secret and message", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1 }),
      (secret, texts) => {
        const key = new HmacKey(Buffer.from(secret));
        for (const text of texts) {
          const expected = sign(secret, text);
          assert.equal(key.sign(Buffer.from(text).toString("latin1")).toString("hex"), expected);
        }
      },
    ),
  );
});

test("every placement of parameters and signature, through the whole gateway", async () => {
  const venue = new TestVenue({}, VECTOR_MS);
  const key = venue.key(venue.trader.accountId, undefined, [], SECRET);
  const headers = { "x-mbx-apikey": key.apiKey };
  const whole = `${HEAD}&${TAIL}`;
  const signed = (text: string, signature: string): string => `${text}&signature=${signature}`;
  const table: readonly [string, string, string][] = [
    ["all in the query", signed(whole, WHOLE_SIGNATURE), ""],
    ["all in the body", "", signed(whole, WHOLE_SIGNATURE)],
    ["signature first", `signature=${WHOLE_SIGNATURE}&${whole}`, ""],
    ["signature in the middle", `${HEAD}&signature=${WHOLE_SIGNATURE}&${TAIL}`, ""],
    ["parameters in the body, signature alone in the query", `signature=${WHOLE_SIGNATURE}`, whole],
    ["parameters in the query, signature alone in the body", whole, `signature=${WHOLE_SIGNATURE}`],
    ["mixed, signature in the body", HEAD, signed(TAIL, MIXED_SIGNATURE)],
    ["mixed, signature in the query", signed(HEAD, MIXED_SIGNATURE), TAIL],
    ["upper case", signed(whole, WHOLE_SIGNATURE.toUpperCase()), ""],
  ];
  for (const [what, query, body] of table) {
    // LTCBTC is not listed: -1121 comes after the signature check.
    assertRefused(await venue.send("POST", "/api/v3/order", { query, body, headers }), 400, -1121, "Invalid symbol.");
    const spoiled = (text: string): string => text.replace(/signature=./, "signature=9");
    const answer = await venue.send("POST", "/api/v3/order", { query: spoiled(query), body: spoiled(body), headers });
    assert.equal(answer.json.code, -1022, what);
    assert.equal(answer.status, 400, what);
  }
});

test("the signature covers the bytes as sent, including percent signs", async () => {
  const venue = new TestVenue();
  const text = `symbol=BTCUSDT&orig%43lientOrderId=a%3Ab&timestamp=${START_MS}`;
  const signature = sign(venue.trader.secretKey, text);
  const headers = { "x-mbx-apikey": venue.trader.apiKey };
  const answer = await venue.send("GET", "/api/v3/order", { query: `${text}&signature=${signature}`, headers });
  assertRefused(answer, 400, -2013, "Order does not exist.");
});

test("a missing or malformed key is -2014, an unknown or unauthorized one -2015", async () => {
  const venue = new TestVenue();
  const query = encode({ timestamp: START_MS, signature: "0".repeat(64) });
  const account = (headers: Record<string, string | string[]>) =>
    venue.send("GET", "/api/v3/account", { query, headers: headers as Record<string, string> });
  const malformed: (string | string[])[] = [
    "",
    "short",
    "x".repeat(63),
    `${"x".repeat(63)}-`,
    "é".repeat(64),
    ["a", "b"],
  ];
  for (const sent of malformed) {
    assertRefused(await account({ "x-mbx-apikey": sent }), 401, -2014, "API-key format invalid.");
  }
  assertRefused(await account({}), 401, -2014);
  const unknown = await account({ "x-mbx-apikey": "x".repeat(64) });
  assertRefused(unknown, 401, -2015, "Invalid API-key, IP, or permissions for action.");
});

test("each type of endpoint needs its permission", async () => {
  const venue = new TestVenue();
  const all: Permission[] = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"];
  const calls: readonly [Permission, string, string][] = [
    ["MARKET_DATA", "GET", "/api/v3/historicalTrades"],
    ["USER_STREAM", "POST", "/api/v3/userDataStream"],
    ["TRADE", "POST", "/api/v3/order/test"],
    ["USER_DATA", "GET", "/api/v3/openOrders"],
  ];
  for (const [needed, method, path] of calls) {
    const order = { side: "BUY", type: "LIMIT", timeInForce: "GTC", price: 10000, quantity: 1 };
    const parameters = {
      ...(path.includes("userDataStream") ? {} : { symbol: "BTCUSDT" }),
      ...(path.includes("test") ? order : {}),
    };
    const isSigned = needed === "TRADE" || needed === "USER_DATA";
    const send = async (permissions: Permission[]) => {
      const key = venue.key(venue.trader.accountId, permissions);
      if (isSigned) return venue.signed(method, path, parameters, { key });
      return venue.send(method, path, { query: encode(parameters), headers: { "x-mbx-apikey": key.apiKey } });
    };
    assert.equal((await send([needed])).status, 200, `${needed} alone reaches ${path}`);
    assertRefused(await send(all.filter((permission) => permission !== needed)), 401, -2015);
  }
});

test("a key may be restricted to addresses, however they are written", async () => {
  const venue = new TestVenue();
  const key = venue.key(venue.trader.accountId, undefined, ["10.0.0.1", "2001:DB8:0:0::1", "::ffff:10.0.0.2"]);
  for (const ip of ["10.0.0.1", "2001:db8::1", "10.0.0.2"]) {
    assert.equal((await venue.signed("GET", "/api/v3/account", {}, { key, ip })).status, 200, ip);
  }
  for (const ip of ["10.0.0.3", "::1", ""]) {
    assertRefused(await venue.signed("GET", "/api/v3/account", {}, { key, ip }), 401, -2015);
  }
});

test("a deleted key is rejected", async () => {
  const venue = new TestVenue();
  const key = venue.key(venue.trader.accountId);
  assert.equal((await venue.signed("GET", "/api/v3/account", {}, { key })).status, 200);
  venue.act({ type: "deleteApiKey", by: "test", apiKey: key.apiKey });
  assertRefused(await venue.signed("GET", "/api/v3/account", {}, { key }), 401, -2015);
});

test("timing: less than a second ahead, and recvWindow inclusive", async () => {
  const venue = new TestVenue();
  const account = (timestampMs: number, parameters = {}) =>
    venue.signed("GET", "/api/v3/account", parameters, { timestampMs });
  const ahead = "Timestamp for this request was 1000ms ahead of the server's time.";
  const old = "Timestamp for this request is outside of the recvWindow.";
  assert.equal((await account(START_MS + 999)).status, 200);
  assertRefused(await account(START_MS + 1000), 400, -1021, ahead);
  assert.equal((await account(START_MS - 5000)).status, 200);
  assertRefused(await account(START_MS - 5001), 400, -1021, old);
  assert.equal((await account(START_MS - 60_000, { recvWindow: 60_000 })).status, 200);
  assertRefused(await account(START_MS, { recvWindow: 60_001 }), 400, -1131, "recvWindow must be less than 60000");
  assertRefused(await account(START_MS - 1, { recvWindow: 0 }), 400, -1021, old);
});

test("errors are reported in the order of the interface", async () => {
  const venue = new TestVenue();
  const key = venue.trader;
  const bad = "0".repeat(64);
  const known = { "x-mbx-apikey": key.apiKey };
  const stranger = { "x-mbx-apikey": "x".repeat(64) };
  const table: readonly [string, string, Record<string, string>, number][] = [
    ["no key before bad parameters", "symbol=btc", {}, -2014],
    ["bad parameters before an unknown key", "symbol=btc&timestamp=1&signature=1", stranger, -1100],
    ["missing ones too", `symbol=BTCUSDT&timestamp=1&signature=${bad}`, stranger, -1102],
    ["an unknown key before time", `symbol=BTCUSDT&orderId=1&timestamp=1&signature=${bad}`, stranger, -2015],
    ["time before the signature", `symbol=BTCUSDT&orderId=1&timestamp=1&signature=${bad}`, known, -1021],
    ["the signature before unread ones", `symbol=X&orderId=1&x=1&timestamp=${START_MS}&signature=${bad}`, known, -1022],
  ];
  for (const [what, query, headers, code] of table) {
    assert.equal((await venue.send("GET", "/api/v3/order", { query, headers })).json.code, code, what);
  }
  const unread = await venue.signed("GET", "/api/v3/order", { symbol: "NOSUCH", orderId: 1, x: 1 });
  assertRefused(unread, 400, -1104, "Not all sent parameters were read; read '4' parameter(s) but was sent '5'.");
  assertRefused(await venue.signed("GET", "/api/v3/order", { symbol: "NOSUCH", orderId: 1 }), 400, -1121);
});

test("bodies that are not forms are rejected, whatever they contain", async () => {
  const venue = new TestVenue();
  const before = venue.engine.seq;
  for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain", "application/xml"]) {
    const headers = { "x-mbx-apikey": venue.trader.apiKey, "content-type": type };
    const answer = await venue.send("POST", "/api/v3/order", { body: '{"symbol":"BTCUSDT"}', headers });
    const text =
      "This content type is not supported; send parameters in the query or as application/x-www-form-urlencoded.";
    assertRefused(answer, 415, -1020, text);
  }
  assert.equal(venue.engine.seq, before);
  const form = "application/x-www-form-urlencoded;charset=UTF-8";
  const headers = { "x-mbx-apikey": venue.trader.apiKey, "content-type": form };
  assertRefused(await venue.send("POST", "/api/v3/order", { body: "a=b", headers }), 400, -1102);
});

test("secrets are decrypted once, dropped when deleted or replaced, and bounded in number", () => {
  let unsealed = 0;
  const secrets = new Secrets((sealed) => {
    unsealed++;
    return sealed.slice(1);
  }, 2);
  const key = (name: string, sealedSecret: string) =>
    ({ apiKey: name, accountId: 1, sealedSecret, permissions: [], ipAllowList: [], label: "", createdMs: 0 }) as const;
  const signs = (name: string, sealed: string, secret: string): void => {
    const signature = createHmac("sha256", secret).update("text").digest("hex");
    assert.ok(isSignedBy(secrets.of(key(name, sealed)), "text", signature));
  };
  signs("a", "*one", "one");
  signs("a", "*one", "one");
  assert.equal(unsealed, 1);
  signs("a", "*two", "two");
  signs("b", "*b", "b");
  signs("c", "*c", "c");
  assert.equal(secrets.size, 2);
  secrets.forget("c");
  assert.equal(secrets.size, 1);
});
