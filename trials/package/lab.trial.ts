/**
 * The lab as test authors have it, from the package: ready in time, inside a test's process and as one of its own; the
 * examples for node:test, vitest, Jest and pytest run, end by themselves, and say how to see a failure again.
 */
import assert from "node:assert/strict";
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "@pricetime/testkit/venue";
import { lacking, PYTHON } from "../tools.ts";
import { Machine, type Said } from "./machine.ts";

/** In a process that runs, and as a process of its own; a machine that is busy has some goes. */
const MOST_MS = { inside: 300, process: 1000 };
const GOES = 8;
const VITEST = "vitest@4.1.12";
const JEST = "jest@30.5.2";

const machine = new Machine();
after(() => machine.close());
let home: string;
/** The Node that the package is tested with; npm links it where the package is installed. */
let node: string;

before(() => {
  const out = machine.folder("out");
  const tarball = machine.get(ROOT, "npm", "run", "--silent", "package", "--", out).trim().split("\n").at(-1) ?? "";
  home = machine.folder("home");
  writeFileSync(join(home, "package.json"), '{ "name": "a-bot", "private": true }\n');
  machine.get(home, "npm", "install", "--no-audit", "--no-fund", tarball, VITEST, JEST);
  node = join(home, "node_modules/.bin/node");
  cpSync(join(ROOT, "examples/lab"), home, { recursive: true });
  copyFileSync(join(home, "bot.vitest.mjs"), join(home, "vitest.test.mjs"));
});

const READY = `
import { startExchange } from "pricetime/lab";
const times = { inside: [], process: [] };
await (await startExchange()).stop();
for (let go = 0; go < ${GOES}; go++) {
  for (const kind of ["inside", "process"]) {
    const exchange = await startExchange({ process: kind === "process" });
    times[kind].push(exchange.readyMs);
    await exchange.stop();
  }
}
console.log(JSON.stringify(times));
`;

test("an exchange is ready in time", (t) => {
  writeFileSync(join(home, "ready.mjs"), READY);
  const times = JSON.parse(machine.get(home, node, "ready.mjs")) as Record<keyof typeof MOST_MS, number[]>;
  for (const kind of ["inside", "process"] as const) {
    const sorted = times[kind].sort((one, other) => one - other).map(Math.round);
    t.diagnostic(`${kind}: ${sorted.join(", ")} ms`);
    assert.ok((sorted[0] ?? Infinity) < MOST_MS[kind], `${kind}: ${sorted.join(", ")} ms`);
  }
});

const python = (...args: readonly string[]): Said =>
  machine.run(
    home,
    "env",
    "PYTHONPATH=node_modules/pricetime/python",
    PYTHON,
    "-m",
    "pytest",
    "-p",
    "pricetime_lab",
    ...args,
  );

const RUNNERS: readonly (readonly [name: string, needs: readonly string[], run: () => Said])[] = [
  ["node:test", [], () => machine.run(home, node, "--test", "bot.test.mjs")],
  ["vitest", [], () => machine.run(home, "npx", "vitest", "run", "vitest.test.mjs")],
  ["Jest", [], () => machine.run(home, "npx", "jest", "--testRegex", "bot.jest.cjs")],
  ["pytest", ["python3-pytest"], () => python("test_bot.py")],
];

for (const [name, needs, run] of RUNNERS) {
  test(`the example for ${name} passes, and nothing runs any more`, { skip: lacking(needs) }, async () => {
    const { code, stdout, stderr } = run();
    const said = stripVTControlCharacters(stdout + stderr);
    assert.equal(code, 0, said);
    assert.match(said, /\b3 passed|pass 4\b/);
    assert.doesNotMatch(said, /did not exit|open handle/i);
    await machine.untilNothingRuns();
  });
}

test("a test that fails says seed, version and the command that shows it again, which does", async () => {
  const fails = readFileSync(join(home, "bot.test.mjs"), "utf8").replace('"FILLED"', '"NEW"');
  writeFileSync(join(home, "fails.test.mjs"), fails);
  const { code, stdout } = machine.run(home, "env", "PRICETIME_LAB_SEED=9", node, "--test", "fails.test.mjs");
  assert.equal(code, 1, stdout);
  const [, again = ""] =
    /\[seed 9, pricetime \d+\.\d+\.\d+; again: (PRICETIME_LAB_SEED=9 node --test fails\.test\.mjs)\]/.exec(stdout) ??
    [];
  assert.notEqual(again, "", stdout);
  assert.equal(machine.run(home, "bash", "-c", again.replace(" node ", ` ${node} `)).code, 1);
  await machine.untilNothingRuns();
});

test("the script for CI runs the tests once a seed, and stops at the one that fails", () => {
  const passed = machine.run(home, "./test-bot", "--seeds", "1-2", "--", node, "--test", "bot.test.mjs");
  assert.equal(passed.code, 0, passed.stdout + passed.stderr);
  assert.match(passed.stdout, /test-bot: 2 seeds passed\n$/);
  const failed = machine.run(
    home,
    "./test-bot",
    "--seeds",
    "3-9",
    "--",
    "bash",
    "-c",
    "exit $((PRICETIME_LAB_SEED == 4))",
  );
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /test-bot: seed 4 failed\nagain: PRICETIME_LAB_SEED=4 bash -c /);
  assert.equal(machine.run(home, "./test-bot", "--seeds", "9-3", "--", "true").code, 2);
});
