/** The machine's world keeps the contract of its interface. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { atMost, randomUint32 } from "../../../src/platform/world/port.ts";

test("a cancelled task does not run", async () => {
  const happened: string[] = [];
  MACHINE.after(1, () => happened.push("after"))();
  MACHINE.every(1, () => happened.push("every"))();
  const stop = MACHINE.every(1, () => happened.push("again"));
  while (happened.length < 2) await MACHINE.pause(1);
  stop();
  const { length } = happened;
  await MACHINE.pause(10);
  assert.deepEqual(
    happened,
    Array.from({ length }, () => "again"),
  );
});

test("timers do not keep the process alive, a pause does", () => {
  const url = new URL("../../../src/platform/world/machine.ts", import.meta.url).href;
  const script = `
    const { MACHINE } = await import(${JSON.stringify(url)});
    MACHINE.after(60_000, () => console.log("after"));
    MACHINE.every(60_000, () => console.log("every"));
    await MACHINE.pause(20);
    console.log("paused");
  `;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    timeout: 30_000,
  });
  assert.deepEqual([stdout.trim(), status], ["paused", 0]);
});

test("waiting for an event has a timeout", async () => {
  const startMs = MACHINE.steadyMs();
  await atMost(MACHINE, 60_000, Promise.resolve());
  await atMost(MACHINE, 60_000, undefined);
  assert.ok(MACHINE.steadyMs() - startMs < 30_000);
  const keepsAlive = MACHINE.pause(200);
  await atMost(MACHINE, 5, new Promise(() => {}));
  await keepsAlive;
});

test("random values differ each time and cover the whole range", () => {
  const drawn = Array.from({ length: 200 }, () => randomUint32(MACHINE));
  assert.ok(drawn.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32));
  assert.ok(new Set(drawn).size > 190);
  assert.ok(drawn.some((number) => number >= 2 ** 31) && drawn.some((number) => number < 2 ** 31));
  assert.equal(MACHINE.randomBytes(7).length, 7);
});
