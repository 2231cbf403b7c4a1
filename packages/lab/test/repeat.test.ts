/** The command that repeats a failure, called by each test runner as a person would. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repeatCommand, type Invocation } from "../src/start/failures.ts";

const VITEST = { VITEST: "true", VITEST_WORKER_ID: "1", JEST_WORKER_ID: "1" };

const ran = (given: Partial<Invocation>): Invocation => ({
  argv: ["/usr/bin/node", "/home/me/bot/test/bot.test.mjs"],
  execArgv: [],
  execPath: "/usr/bin/node",
  env: {},
  folder: "/home/me/bot",
  testFile: undefined,
  ...given,
});

test("a program is called as it was, a test as a person calls its runner", () => {
  const cases: readonly (readonly [Partial<Invocation>, string])[] = [
    [{}, "PRICETIME_LAB_SEED=7 node test/bot.test.mjs"],
    [
      { execArgv: ["--import", "./hook.mjs"], argv: ["node", "/home/me/bot/a b.mjs", "--fast", "it's"] },
      "PRICETIME_LAB_SEED=7 node --import ./hook.mjs 'a b.mjs' --fast 'it'\\''s'",
    ],
    [
      { env: { NODE_TEST_CONTEXT: "child-v8" }, execArgv: ["--test-name-pattern=x"] },
      "PRICETIME_LAB_SEED=7 node --test test/bot.test.mjs",
    ],
    [
      {
        env: { NODE_TEST_CONTEXT: "child-v8" },
        execArgv: [
          "--test-isolation=process",
          "--import=./ts.mjs",
          "--v8-pool-size=4",
          "--require",
          "./a.cjs",
          "-r",
          "b",
        ],
        execPath: "/home/me/bot/node_modules/node/bin/node",
      },
      "PRICETIME_LAB_SEED=7 npx node --import=./ts.mjs --require ./a.cjs -r b --test test/bot.test.mjs",
    ],
    [
      { env: VITEST, argv: ["node", "/x/vitest/dist/workers/forks.js"], testFile: "/home/me/bot/a.test.ts" },
      "PRICETIME_LAB_SEED=7 npx vitest run a.test.ts",
    ],
    [
      {
        env: VITEST,
        argv: ["node", "/x/.bin/vitest", "watch", "--config", "v.ts", "--watch", "a.test.ts", "-t", "run"],
        testFile: "/home/me/bot/a.test.ts",
      },
      "PRICETIME_LAB_SEED=7 npx vitest run a.test.ts --config v.ts -t run",
    ],
    [
      {
        env: { JEST_WORKER_ID: "1" },
        argv: ["node", "/x/jest-cli/bin/jest.js", "--testRegex", "bot.jest.cjs", "--watch", "-w", "2"],
        testFile: "/home/me/bot/bot.jest.cjs",
      },
      "PRICETIME_LAB_SEED=7 npx jest bot.jest.cjs --testRegex bot.jest.cjs -w 2",
    ],
    [{ env: { JEST_WORKER_ID: "1" } }, "PRICETIME_LAB_SEED=7 npx jest"],
    [{ argv: ["node"], execArgv: ["--eval", "f()"] }, "PRICETIME_LAB_SEED=7 node --eval 'f()'"],
  ];
  for (const [given, wanted] of cases) assert.equal(repeatCommand(7, ran(given)), wanted);
});
