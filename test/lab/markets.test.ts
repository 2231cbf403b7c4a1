/** The hand on a lab's markets, from outside: what an operator asks for is what clients see. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, operate, startExchange, tryToOperate } from "@pricetime/testkit/venue";

const MINUTE_MS = 60_000;

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--lab", "--clock", "manual"] });
});
after(async () => {
  assert.equal(await exchange.stop(), 0);
});

const advance = (ms: number): Promise<unknown> => operate(exchange, "POST", "/v1/lab/clock/advance", { ms });

async function priceOf(symbol: string): Promise<number> {
  const answer = await fetch(`${exchange.rest}/api/v3/ticker/price?symbol=${symbol}`);
  return Number(((await answer.json()) as { price: string }).price);
}

test("a crash is seen by clients of its symbol, at its time, and by nobody else", async () => {
  await advance(MINUTE_MS);
  const [btc, eth] = [await priceOf("BTCUSDT"), await priceOf("ETHUSDT")];
  const crash = { crash: { percent: 20, overMs: 30_000 }, inMs: MINUTE_MS };
  const asked = await operate(exchange, "POST", "/v1/lab/markets/BTCUSDT", crash);
  assert.equal((asked["scheduled"] as unknown[]).length, 1);
  await advance(MINUTE_MS);
  assert.ok(Math.abs((await priceOf("BTCUSDT")) / btc - 1) < 0.01, "not before its time");
  await advance(31_000);
  assert.ok(Math.abs((await priceOf("BTCUSDT")) / (btc * 0.8) - 1) < 0.01, `${await priceOf("BTCUSDT")} of ${btc}`);
  assert.ok(Math.abs((await priceOf("ETHUSDT")) / eth - 1) < 0.01);
  const markets = await operate<readonly { symbol: string; driver: string }[]>(exchange, "GET", "/v1/lab/markets");
  assert.ok(markets.length > 10 && markets.every(({ driver }) => driver === "bots"));
});

test("a mistake is told in a sentence", async () => {
  const { status, text } = await tryToOperate(exchange, "POST", "/v1/lab/markets/BTCUSDT", { crash: { percent: 200 } });
  assert.equal(status, 400);
  assert.match(text, /"error":"BAD_REQUEST".*percent/);
});
