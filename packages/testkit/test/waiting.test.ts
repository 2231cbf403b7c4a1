import assert from "node:assert/strict";
import { test } from "node:test";
import { comes, until, untilAnswer } from "@pricetime/testkit/waiting";

const QUICK = { everyMs: 1 };
const SHORT = { ...QUICK, withinMs: 30 };

test("the condition is checked until it holds, and not afterwards", async () => {
  let looks = 0;
  await until("the third look", () => ++looks === 3, QUICK);
  await until("what held from the beginning", async () => true, { withinMs: 0 });
  assert.equal(looks, 3);
});

test("a timeout names the condition and the last value", async () => {
  let looks = 0;
  await assert.rejects(
    until(
      () => `more than ${looks}`,
      () => ++looks < 0,
      SHORT,
    ),
    (error: Error) => error.message === `never: more than ${looks}` && looks > 1,
  );
  await assert.rejects(
    untilAnswer(
      "a long text",
      () => "short",
      ({ length }) => length > 9,
      SHORT,
    ),
    /never: a long text; the last answer was "short"/,
  );
});

test("the first suitable result is returned", async () => {
  let asked = 0;
  const isEnough = (answer: number): boolean => answer >= 5;
  assert.equal(await untilAnswer("five", () => ++asked, isEnough, QUICK), 5);
});

test("an optional condition may hold or not; an error counts as not", async () => {
  let looks = 0;
  const failing = (): boolean => {
    if (++looks < 3) throw new Error("not yet");
    return true;
  };
  assert.equal(await comes(failing, QUICK), true);
  assert.equal(await comes(() => false, SHORT), false);
  assert.equal(await comes(() => Promise.reject(new Error("never")), SHORT), false);
  await assert.rejects(
    until("failures are told", () => Promise.reject(new Error("it broke")), SHORT),
    /it broke/,
  );
});

test("a check that never ends times out like the others", async () => {
  const never = new Promise<boolean>(() => {});
  await assert.rejects(
    until("its end", () => never, { ...SHORT, lastLookMs: 5 }),
    /never: its end/,
  );
  assert.equal(await comes(() => never, { ...SHORT, lastLookMs: 5 }), false);
});
