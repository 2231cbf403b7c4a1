/** Fixtures: set up once, restored for each test, and separate from the user's own checkpoints. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture, type LabError, type LabExchange, startExchange } from "@pricetime/lab";

const symbol = "ETHUSDT";
const offer = (price: string) => ({
  ...{ symbol, side: "SELL", type: "LIMIT", timeInForce: "GTC" },
  ...{ quantity: "1", price },
});
const sell = (exchange: LabExchange, price: string): Promise<unknown> =>
  exchange.send("bob", "POST /api/v3/order", offer(price));
async function asks(exchange: LabExchange): Promise<number[]> {
  const depth = await exchange.send<{ asks: readonly (readonly string[])[] }>(null, "GET /api/v3/depth", { symbol });
  return depth.asks.map(([price]) => Number(price));
}

let setUps = 0;
const offered = (): Promise<LabExchange> =>
  fixture("offered", async (exchange) => {
    setUps++;
    await exchange.clock.advance(5000);
    await sell(exchange, "3000");
  });
const deeper = (): Promise<LabExchange> => fixture("deeper", (exchange) => sell(exchange, "4000"));

test("each call gives the exchange as it was set up: book and clock", async () => {
  const seen: unknown[] = [];
  for (let round = 0; round < 5; round++) {
    const exchange = await offered();
    seen.push([await asks(exchange), await exchange.clock.now(), exchange.rest]);
    await sell(exchange, String(3100 + round));
    await exchange.clock.advance(1000 * round);
    assert.deepEqual(await asks(exchange), [3000, 3100 + round]);
  }
  assert.equal(setUps, 1);
  for (const each of seen) assert.deepEqual(each, seen[0]);
});

test("another fixture begins at the start, not where the last one was; both can be gone back to in turn", async () => {
  const second = await deeper();
  assert.deepEqual(await asks(second), [4000]);
  const first = await offered();
  assert.equal(first.rest, second.rest, "fixtures with equal options share an exchange");
  assert.deepEqual(await asks(first), [3000]);
  assert.deepEqual(await asks(await deeper()), [4000]);
});

test("a user's checkpoints and a fixture's do not meet, whatever their names", async () => {
  const exchange = await offered();
  const names = (await exchange.checkpoints.list()).map(({ name }) => name);
  assert.ok(!names.includes("offered") && !names.includes("start"), names.join());
  await sell(exchange, "3500");
  const taken = await exchange.checkpoint("offered");
  assert.deepEqual(await asks(await offered()), [3000]);
  assert.equal((await exchange.restore("offered")).hash, taken.hash);
  assert.deepEqual(await asks(exchange), [3000, 3500]);
  await assert.rejects(exchange.checkpoint("offered"), { code: "ALREADY_EXISTS" });
  await exchange.checkpoint("offered", { replace: true });
  await exchange.checkpoints.delete("offered");
  await assert.rejects(exchange.restore("offered"), (error: LabError) => error.status === 404);
});

test("one name for two set-ups is a mistake, and is told; a set-up that fails is tried again", async () => {
  await offered();
  await assert.rejects(
    fixture("offered", (exchange) => sell(exchange, "1")),
    /fixture "offered" with another set-up exists already/,
  );
  let tries = 0;
  const failing = (): Promise<LabExchange> =>
    fixture("failing", async (exchange) => {
      await sell(exchange, "5000");
      if (++tries === 1) throw new Error("not yet");
    });
  await assert.rejects(failing(), /not yet/);
  assert.deepEqual(await asks(await failing()), [5000]);
});

test("calls at the same time wait for one another", async () => {
  const exchanges = await Promise.all([offered(), deeper(), offered()]);
  assert.equal(new Set(exchanges).size, 1);
  assert.deepEqual(await asks(await offered()), [3000]);
});

test("a checkpoint goes as a file into another exchange", async (t) => {
  const exchange = await offered();
  const taken = await exchange.checkpoint("to-go", { replace: true });
  const file = await exchange.checkpoints.export("to-go");
  const other = await startExchange();
  t.after(() => other.stop());
  assert.equal((await other.checkpoints.import("came", file)).hash, taken.hash);
  await other.restore("came");
  assert.deepEqual(await asks(other), [3000]);
  assert.equal(await other.clock.now(), taken.nowMs);
  await assert.rejects(other.checkpoints.import("broken", file.subarray(0, 100)), { status: 400 });
  assert.equal((await exchange.checkpoints.show("to-go"))["name"], "to-go");
});
