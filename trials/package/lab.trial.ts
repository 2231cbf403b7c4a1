/**
 * The lab from the package, as authors of tests use it: ready in time, in the test's process and in a separate one; the
 * examples for node:test, vitest, Jest and pytest pass, exit, and print how to reproduce a failure.
 */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "@pricetime/testkit/venue";
import { lacking, PYTHON } from "../tools.ts";
import { Machine } from "./machine.ts";

/** The limits in the same process and in a separate one. The best of several attempts counts. */
const MOST_MS = { inside: 300, process: 1000 };
/** The limits on a slow machine, as multiples of the yardstick. Usual are 0.5 and 7. */
const MOST_TIMES = { inside: 3, process: 12 };
/** A start of Node with as many forced writes to the disk as the start of a lab. */
const YARDSTICK = 'for (let i = 0; i < 6; i++) fs.writeFileSync("yardstick", "yardstick", { flush: true })';
const ATTEMPTS = 8;
const VITEST = "vitest@4.1.12";
const JEST = "jest@30.5.2";

const machine = new Machine();
after(() => machine.close());
let home: string;
/** The Node that the package depends on. */
let node: string;

before(() => {
  const tarball = machine.makePackage();
  home = machine.folder("home");
  writeFileSync(join(home, "package.json"), '{ "name": "a-bot", "private": true }\n');
  machine.get(home, "npm", "install", "--no-audit", "--no-fund", tarball, VITEST, JEST);
  node = join(home, "node_modules/.bin/node");
  cpSync(join(ROOT, "examples/lab"), home, { recursive: true });
});

const READY = `
import { execFileSync } from "node:child_process";
import { startExchange } from "pricetime/lab";
const times = { inside: [], process: [], yardstick: [] };
await (await startExchange()).stop();
for (let attempt = 0; attempt < ${ATTEMPTS}; attempt++) {
  for (const kind of ["inside", "process"]) {
    const exchange = await startExchange({ process: kind === "process" });
    times[kind].push(exchange.readyMs);
    await exchange.stop();
  }
  const startedMs = performance.now();
  execFileSync(process.execPath, ["-e", ${JSON.stringify(YARDSTICK)}]);
  times.yardstick.push(performance.now() - startedMs);
}
console.log(JSON.stringify(times));
`;

test("an exchange is ready in time", (t) => {
  writeFileSync(join(home, "ready.mjs"), READY);
  const times = JSON.parse(machine.get(home, node, "ready.mjs")) as Record<
    keyof typeof MOST_MS | "yardstick",
    readonly number[]
  >;
  const yardstickMs = Math.min(...times.yardstick);
  t.diagnostic(`yardstick: ${Math.round(yardstickMs)} ms`);
  const results = (["inside", "process"] as const).map((kind) => {
    const sorted = times[kind].toSorted((one, other) => one - other).map(Math.round);
    const mostMs = Math.round(Math.max(MOST_MS[kind], MOST_TIMES[kind] * yardstickMs));
    const text = `${kind}: ${sorted.join(", ")} ms, of at most ${mostMs} ms`;
    t.diagnostic(text);
    return { text, isInTime: (sorted[0] ?? Infinity) < mostMs };
  });
  for (const { text, isInTime } of results) assert.ok(isInTime, text);
});

interface Runner {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly example: string;
  /** The file name of a test. */
  readonly fileOf: (name: string) => string;
  readonly command: (file: string) => readonly string[];
}

const RUNNERS: readonly Runner[] = [
  {
    name: "node:test",
    example: "bot.test.mjs",
    fileOf: (name) => `${name}.test.mjs`,
    command: (file) => [node, "--test", file],
  },
  {
    name: "vitest",
    example: "bot.vitest.mjs",
    fileOf: (name) => `${name}-vitest.test.mjs`,
    command: (file) => ["npx", "vitest", "run", file],
  },
  {
    name: "Jest",
    example: "bot.jest.cjs",
    fileOf: (name) => `${name}.jest.cjs`,
    command: (file) => ["npx", "jest", "--testRegex", file],
  },
  {
    name: "pytest",
    needs: ["python3-pytest"],
    example: "test_bot.py",
    fileOf: (name) => `test_${name}.py`,
    command: (file) => [
      "PYTHONPATH=node_modules/pricetime/python",
      PYTHON,
      "-m",
      "pytest",
      "-p",
      "pricetime_lab",
      file,
    ],
  },
];

function run(...words: readonly string[]): { readonly code: number | null; readonly output: string } {
  const { code, stdout, stderr } = machine.run(home, "env", ...words);
  return { code, output: stripVTControlCharacters(stdout + stderr) };
}

for (const { name, needs = [], example, fileOf, command } of RUNNERS) {
  test(`the example for ${name} passes and leaves no process`, { skip: lacking(needs) }, async () => {
    cpSync(join(home, example), join(home, fileOf("passes")));
    const { code, output } = run(...command(fileOf("passes")));
    assert.equal(code, 0, output);
    assert.match(output, /\b4 passed|pass 4\b/);
    assert.doesNotMatch(output, /pricetime lab|did not exit|open handle/i);
    await machine.untilNothingRuns();
  });

  test(`${name}: a failure prints seed, version and the command that reproduces it`, {
    skip: lacking(needs),
  }, async () => {
    const passes = readFileSync(join(home, example), "utf8");
    const fails = passes.replace('"FILLED"', '"NEW"');
    assert.notEqual(fails, passes);
    writeFileSync(join(home, fileOf("fails")), fails);
    const first = run("PRICETIME_LAB_SEED=9", ...command(fileOf("fails")));
    assert.notEqual(first.code, 0, first.output);
    assert.match(first.output, /\b1 failed|fail 1\b/);
    const [line = "", again = ""] =
      /\[seed 9, pricetime \d+\.\d+\.\d+; repeat with: (PRICETIME_LAB_SEED=9 .+)\]/.exec(first.output) ?? [];
    assert.notEqual(again, "", first.output);
    // The printed command, unchanged.
    const second = run("bash", "-c", again);
    assert.notEqual(second.code, 0, second.output);
    assert.match(second.output, /\b1 failed|fail 1\b/);
    assert.ok(second.output.includes(line), `${again} prints ${second.output}`);
    await machine.untilNothingRuns();
  });
}

test("the script for CI runs the tests with each seed and stops at the first failure", () => {
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
