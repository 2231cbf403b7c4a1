/** Many exchanges in one suite, and what happens to one whose test has ended. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { type LabExchange, startExchange } from "@pricetime/lab";

const MANY = 20;
const ORPHAN = fileURLToPath(new URL("./orphan.mjs", import.meta.url));

const sell = (price: string) => ({
  ...{ symbol: "BTCUSDT", side: "SELL", type: "LIMIT", timeInForce: "GTC" },
  ...{ quantity: "1", price },
});

test(`${MANY} exchanges side by side: each has its own time and its own book`, async (t) => {
  const started = performance.now();
  const exchanges = await Promise.all(Array.from({ length: MANY }, (_, seed) => startExchange({ seed })));
  t.after(() => Promise.all(exchanges.map((exchange) => exchange.stop())));
  const readyMs = exchanges.map((exchange) => exchange.readyMs).sort((one, other) => one - other);
  t.diagnostic(
    `${MANY} ready after ${Math.round(performance.now() - started)} ms, the last after ${Math.round(readyMs.at(-1) ?? 0)}`,
  );
  assert.equal(new Set(exchanges.map(({ rest }) => rest)).size, MANY);
  const live = async (exchange: LabExchange, index: number): Promise<void> => {
    await exchange.clock.advance(index * 1000);
    await exchange.send("bob", "POST /api/v3/order", sell(String(20_000 + index)));
  };
  await Promise.all(exchanges.map(live));
  const [first] = exchanges;
  const beginMs = (await first?.clock.now()) ?? 0;
  for (const [index, exchange] of exchanges.entries()) {
    assert.equal(await exchange.clock.now(), beginMs + index * 1000);
    const { asks } = await exchange.send<{ asks: readonly (readonly string[])[] }>(null, "GET /api/v3/depth", {
      symbol: "BTCUSDT",
    });
    assert.deepEqual(
      asks.map(([price]) => Number(price)),
      [20_000 + index],
    );
  }
});

test("equal seeds give equal exchanges: keys of accounts, ids of orders", async (t) => {
  const seen = async (seed: number): Promise<unknown> => {
    const exchange = await startExchange({ seed, accounts: ["erin"] });
    t.after(() => exchange.stop());
    const order = await exchange.send("bob", "POST /api/v3/order", sell("21000"));
    return [exchange.account("erin"), order];
  };
  const [one, again, other] = [await seen(11), await seen(11), await seen(12)];
  assert.deepEqual(again, one);
  assert.notDeepEqual(other, one);
});

const isThere = (address: string): Promise<boolean> =>
  fetch(`${address}/api/v3/ping`).then(
    () => true,
    () => false,
  );

test("a node of its own ends with its test: killed, or at its end, for which it does not wait", async () => {
  for (const how of ["waits", "ends"]) {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ORPHAN, how], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "exit");
    const [address] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    if (how === "waits") {
      assert.ok(await isThere(address));
      child.kill("SIGKILL");
    }
    await closed;
    assert.equal(child.exitCode, how === "waits" ? null : 0);
    await until(`the node of a test that ${how} is gone`, async () => !(await isThere(address)));
  }
});
