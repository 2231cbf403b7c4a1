/** A lab's clock after restores, and what waited for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { type RunningLab, startLab } from "./running-lab.ts";

interface ClockBody {
  readonly mode: string;
  readonly speed: number;
  readonly nowMs: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const clockOf = (lab: RunningLab): Promise<ClockBody> => lab.ask<ClockBody>("GET", "/v1/lab/clock");
const restore = (lab: RunningLab): Promise<ClockBody> => lab.ask("POST", "/v1/lab/checkpoints/one/restore");
const advance = (lab: RunningLab, ms: number): Promise<unknown> => lab.ask("POST", "/v1/lab/clock/advance", { ms });

test("a scaled clock has its mode, speed and time again, however it was set and moved since, and goes on", async (t) => {
  const lab = await startLab(t);
  await lab.ask("POST", "/v1/lab/clock", { mode: "scaled", speed: 20 });
  const { nowMs: takenMs } = await lab.ask<ClockBody>("POST", "/v1/lab/checkpoints", { name: "one" });
  for (let round = 0; round < 2; round++) {
    await lab.ask("POST", "/v1/lab/clock", { mode: "manual" });
    await advance(lab, 60_000);
    if (round === 1) await lab.ask("POST", "/v1/lab/clock", { mode: "real" });
    // Machine time that must not count: a minute at the clock's speed.
    await pause(3_000);
    const sinceMs = performance.now();
    assert.equal((await restore(lab)).nowMs, takenMs);
    await pause(300);
    await until("time goes on", async () => (await clockOf(lab)).nowMs > takenMs + 1_000);
    const { mode, speed, nowMs } = await clockOf(lab);
    assert.deepEqual([mode, speed], ["scaled", 20]);
    const mostMs = (performance.now() - sinceMs) * 20;
    assert.ok(nowMs <= takenMs + mostMs, `${nowMs - takenMs} ms have passed, of ${mostMs} at most`);
  }
});

test("a request on its way at a restore ends as at a restart; the fault that held it back is as it was", async (t) => {
  const lab = await startLab(t);
  await lab.ask("POST", "/v1/lab/faults", { fault: "delay", ms: 5_000, where: { endpoint: "order.place" }, count: 2 });
  const struck = async (): Promise<unknown> => {
    const [fault] = await lab.ask<{ struck: number }[]>("GET", "/v1/lab/faults");
    return fault?.struck;
  };
  const bid = async (clientOrderId: string): Promise<number> => {
    const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.001" };
    const { nowMs: timestamp } = await clockOf(lab);
    const sent = { ...order, price: "30000.00", newClientOrderId: clientOrderId, timestamp };
    return (await lab.clients[0]!.signed("POST", "/api/v3/order", sent)).status;
  };
  const late = bid("late");
  await until("the order is held back", async () => (await struck()) === 1);
  await advance(lab, 2_000);
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "one" });
  const journal = await lab.ask("GET", "/v1/journal");
  await restore(lab);
  assert.equal(await late, 503);
  await advance(lab, 10_000);
  assert.deepEqual(await lab.ask("GET", "/v1/journal"), journal, "it never comes");
  for (let round = 0; round < 2; round++) {
    await restore(lab);
    assert.equal(await struck(), 1);
    const next = bid("next");
    await until("the next is held back, too", async () => (await struck()) === 2);
    await advance(lab, 5_000);
    assert.equal(await next, 200);
    assert.equal(await bid("last"), 200, "the fault's count is full");
  }
});
