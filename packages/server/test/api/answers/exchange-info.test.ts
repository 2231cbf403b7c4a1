/** exchangeInfo: made and compressed once for each change, with an ETag; the time is that of the response. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { SYMBOLS_A_PIECE } from "../../../src/api/exchange-info.ts";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import type { GatewayRequest } from "../../../src/api/edge/request.ts";
import { converse } from "../edge/raw-socket.ts";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { ManualTurns } from "./manual-turns.ts";

const PATH = "/api/v3/exchangeInfo";
const FILTERS = { priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" } };

let held: ManualTurns;
let venue: TestVenue;
let port: number;
let turnsRun = 0;
before(async () => {
  held = new ManualTurns();
  venue = new TestVenue({ limits: DEFAULT_LIMITS, soon: (next) => held.soon(next) });
  for (let n = 0; n < 5 * SYMBOLS_A_PIECE; n++) list(`COIN${n}`);
  port = await venue.gateway.listen("127.0.0.1", 0);
  await settled();
});
after(() => venue.gateway.close());
beforeEach(() => {
  turnsRun = 0;
  venue.nowMs += 60_000;
});

function list(asset: string): void {
  venue.act({ type: "listAsset", by: "test", asset: { asset, name: asset, precision: 8, networks: [] } });
  venue.listSymbol(`${asset}/USDT`, FILTERS);
}

/** Runs deferred turns until none is left. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    const step = (): void => {
      const ran = held.run();
      turnsRun += ran;
      if (ran === 0) resolve();
      else setImmediate(step);
    };
    setImmediate(step);
  });
}

const REQUEST: GatewayRequest = { method: "GET", path: PATH, query: "", body: "", headers: {}, ip: "127.0.0.1" };

async function ask(query = ""): Promise<{ symbols: { symbol: string; status: string }[]; serverTime: number }> {
  const answer = venue.gateway.handle({ ...REQUEST, query });
  await settled();
  return JSON.parse((await answer).body) as never;
}

async function get(headers: Record<string, string> = {}, method = "GET") {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = converse(port, `${method} ${PATH} HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n`, { halfClose: true });
  for (const isDone = answer.then(() => true); (await Promise.race([isDone, settled()])) !== true; );
  const [only] = (await answer).answers;
  assert.ok(only !== undefined);
  return only;
}

test("the response is made once for each change, which remakes only the changed symbols", async () => {
  const all = await ask();
  assert.equal(all.symbols.length, venue.engine.markets().length);
  turnsRun = 0;
  assert.deepEqual((await ask()).symbols, all.symbols);
  await venue.order({ price: 10_000, quantity: 1 });
  assert.deepEqual((await ask()).symbols, all.symbols);
  assert.equal(turnsRun, 0, "nothing is made anew");

  venue.act({ type: "setSymbolStatus", by: "test", symbol: "COIN7USDT", status: "HALT" });
  const halted = await ask();
  assert.equal(halted.symbols.find(({ symbol }) => symbol === "COIN7USDT")?.status, "HALT");
  assert.ok(turnsRun > 0 && turnsRun < 4, `${turnsRun} turns for one symbol`);

  list("LATE");
  assert.equal((await ask()).symbols.at(-1)?.symbol, "LATEUSDT");
  venue.act({ type: "setSymbolFilters", by: "test", symbol: "LATEUSDT", filters: {} });
  assert.deepEqual((await ask()).symbols.at(-1), { ...(await ask("symbol=LATEUSDT")).symbols[0], filters: [] });
  venue.act({ type: "setExchangeFilters", by: "test", filters: { maxNumOrders: { maxNumOrders: 7 } } });
  assert.match(JSON.stringify(await ask()), /"EXCHANGE_MAX_NUM_ORDERS","maxNumOrders":7/);
});

test("the first response makes a few symbols per turn", async () => {
  const fresh = new TestVenue({ soon: (next) => held.soon(next) });
  for (let n = 0; n < 5 * SYMBOLS_A_PIECE; n++) {
    const asset = `COIN${n}`;
    fresh.act({ type: "listAsset", by: "test", asset: { asset, name: asset, precision: 8, networks: [] } });
    fresh.listSymbol(`${asset}/USDT`, FILTERS);
  }
  await settled();
  turnsRun = 0;
  const answers = [fresh.gateway.handle(REQUEST), fresh.gateway.handle(REQUEST)];
  const some = fresh.gateway.handle({ ...REQUEST, query: `symbols=["COIN1USDT","COIN2USDT"]` });
  assert.equal(JSON.parse((await some).body).symbols[1].symbol, "COIN2USDT");
  await settled();
  assert.ok(turnsRun >= 5 && turnsRun <= 8, `${turnsRun} turns for two who ask at once`);
  const [one, other] = await Promise.all(answers);
  assert.equal(one?.body, other?.body);
});

test("the time is that of the response, in a complete JSON object", async () => {
  const { serverTime } = await ask();
  assert.equal(serverTime, venue.nowMs);
  venue.nowMs += 5;
  const { headers, body } = await get();
  assert.equal(JSON.parse(body).serverTime, venue.nowMs);
  assert.equal(Number(headers.get("content-length")), body.length);
  assert.deepEqual(Object.keys(JSON.parse(body)), [
    "timezone",
    "serverTime",
    "rateLimits",
    "exchangeFilters",
    "symbols",
  ]);
});

test("a client that sends the ETag gets 304 while nothing has changed", async () => {
  const first = await get();
  const etag = first.headers.get("etag") ?? "";
  assert.match(etag, /^W\/"/);
  assert.equal(first.headers.get("vary"), "Accept-Encoding");
  for (const sent of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
    const again = await get({ "If-None-Match": sent, "Accept-Encoding": "gzip" });
    assert.deepEqual([again.status, again.body], [304, ""], sent);
    assert.equal(again.headers.get("etag"), etag);
    assert.equal(again.headers.has("content-length"), false);
    assert.ok(Number(again.headers.get("x-mbx-used-weight-1m")) > 0, "and it was counted");
  }
  assert.equal((await get({ "If-None-Match": `"other"` })).status, 200);
  venue.act({ type: "setSymbolStatus", by: "test", symbol: "COIN3USDT", status: "BREAK" });
  const changed = await get({ "If-None-Match": etag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get("etag"), etag);
  venue.act({ type: "setSymbolStatus", by: "test", symbol: "COIN3USDT", status: "TRADING" });
  assert.equal((await get({ "If-None-Match": etag })).status, 304, "what is as it was has the tag that it had");
});

test("compressed, it is the same, with the same ETag", async () => {
  const plain = await get();
  const packed = await get({ "Accept-Encoding": "gzip" });
  assert.equal(packed.headers.get("content-encoding"), "gzip");
  assert.equal(packed.headers.get("etag"), plain.headers.get("etag"));
  assert.equal(packed.headers.get("vary"), "Accept-Encoding");
  assert.deepEqual(gunzipSync(Buffer.from(packed.body, "latin1")).toString(), plain.body);
  const answer = await fetch(`http://127.0.0.1:${port}${PATH}`);
  assert.deepEqual(await answer.json(), JSON.parse(plain.body), "as a client of our day reads it");
});

test("HEAD reports the length, and scripts of other origins can read the ETag", async () => {
  const headers = { Origin: "http://elsewhere", "Accept-Encoding": "identity" };
  // Requests that are not ordinary are read a slice per turn.
  const turns = setInterval(() => held.run(), 1);
  const head = await fetch(`http://127.0.0.1:${port}${PATH}`, { method: "HEAD", headers });
  clearInterval(turns);
  const whole = await get();
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  assert.equal(head.headers.get("content-length"), whole.headers.get("content-length"));
  assert.equal(head.headers.get("etag"), whole.headers.get("etag"));
  assert.match(head.headers.get("access-control-expose-headers") ?? "", /\bETag\b/);
});

test("the OpenAPI document is cached in the same way", async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`);
  const etag = answer.headers.get("etag") ?? "";
  assert.ok(Object.keys((await answer.json()) as object).includes("openapi"));
  const again = await fetch(`http://127.0.0.1:${port}/openapi.json`, { headers: { "If-None-Match": etag } });
  assert.equal(again.status, 304);
});
