/** Agents beside a lab's bots, through the library for tests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startExchange } from "@pricetime/lab";

const SYMBOL = "BTCUSDT";
const MINUTE_MS = 60_000;

test("agents trade from when they are added, stand still when they are told to, and are removed", async (t) => {
  const exchange = await startExchange({ bots: "on", symbols: [SYMBOL], seed: 2 });
  t.after(() => exchange.stop());
  const { agents, clock } = exchange;
  assert.deepEqual(await agents.list(), []);
  const made = await agents.add({ type: "noise", symbol: SYMBOL, count: 3, everyMs: 2000 });
  assert.deepEqual([made.type, made.symbol, made.count, made.isOn, made.trades], ["noise", SYMBOL, 3, true, 0]);
  assert.equal(made.settings["everyMs"], 2000);
  assert.equal(made.accounts.length, 3);

  await clock.advance(5 * MINUTE_MS);
  const [traded] = await agents.list();
  assert.ok(traded !== undefined && traded.trades > 20, `${traded?.trades} trades`);
  assert.ok(Number(traded.volumeQuote) > 0);

  const still = await agents.turnOff(made);
  assert.equal(still.isOn, false);
  await clock.advance(5 * MINUTE_MS);
  assert.equal((await agents.list())[0]?.trades, still.trades);
  assert.equal((await agents.turnOn(made.id)).isOn, true);
  await clock.advance(5 * MINUTE_MS);
  assert.ok(((await agents.list())[0]?.trades ?? 0) > still.trades);

  await agents.remove(made);
  assert.deepEqual(await agents.list(), []);
  await assert.rejects(agents.remove(made), { status: 404, code: "UNKNOWN_AGENT" });
  await assert.rejects(agents.add({ type: "noise", symbol: SYMBOL, everyMs: 1 }), { code: "BAD_REQUEST" });
});

test("agents need bots beside them", async (t) => {
  const exchange = await startExchange();
  t.after(() => exchange.stop());
  await assert.rejects(exchange.agents.add({ type: "momentum", symbol: SYMBOL }), { status: 409, code: "NOT_DRIVEN" });
  const market = (await exchange.markets()).find(({ symbol }) => symbol === SYMBOL);
  assert.deepEqual([market?.driver, market?.status, market?.scheduled], [null, "TRADING", []]);
});
