/** The command that shows a failure again, as each runner of tests would be called by a person. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repeatCommand, type Ran } from "../src/client/repeat.ts";

const ran = (given: Partial<Ran>): Ran => ({
  argv: ["/usr/bin/node", "/home/me/bot/test/bot.test.mjs"],
  execArgv: [],
  env: {},
  folder: "/home/me/bot",
  ...given,
});

test("a program is called as it was, a test as a person calls its runner", () => {
  const cases: readonly (readonly [Partial<Ran>, string])[] = [
    [{}, "PRICETIME_LAB_SEED=7 node test/bot.test.mjs"],
    [
      { execArgv: ["--import", "./hook.mjs"], argv: ["node", "/home/me/bot/a b.mjs", "--fast", "it's"] },
      "PRICETIME_LAB_SEED=7 node --import ./hook.mjs 'a b.mjs' --fast 'it'\\''s'",
    ],
    [
      { env: { NODE_TEST_CONTEXT: "child-v8" }, execArgv: ["--test-name-pattern=x"] },
      "PRICETIME_LAB_SEED=7 node --test test/bot.test.mjs",
    ],
    [{ env: { VITEST: "true", VITEST_WORKER_ID: "1", JEST_WORKER_ID: "1" } }, "PRICETIME_LAB_SEED=7 npx vitest run"],
    [{ env: { JEST_WORKER_ID: "1" } }, "PRICETIME_LAB_SEED=7 npx jest"],
    [{ argv: ["node"], execArgv: ["--eval", "f()"] }, "PRICETIME_LAB_SEED=7 node --eval 'f()'"],
  ];
  for (const [given, wanted] of cases) assert.equal(repeatCommand(7, ran(given)), wanted);
});
