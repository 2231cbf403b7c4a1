/**
 * The scenarios that come with the package, played by the command against the market maker beside them: all hold. And
 * what makes a play repeatable, patient and impatient.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BOT, playOf, type Ran, SCENARIO } from "./played.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const PROGRAM = "packages/server/src/cli/pricetime.ts";
const MAKER = "examples/scenarios/market-maker.mjs";
const QUIET = "--disable-warning=ExperimentalWarning";
const FOLDER = join(ROOT, "examples/scenarios");
/** What the maker is told beside its defaults. */
const WORDS: Readonly<Record<string, string>> = {
  "hour-of-5xx": "--every 60000 --symbol BNBBTC --quantity 1 --most 10",
  "slow-deposits": "--every 10000 --symbol LTCUSDT --quantity 1 --most 5",
};
const USUAL = "--every 5000";

/** Resolves to the exit code and all that was said. */
function pricetime(...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [QUIET, PROGRAM, "lab", "play", ...args], { cwd: ROOT });
    let said = "";
    for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.once("close", (code) => resolve({ code, said }));
  });
}

const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.slice(0, -".yaml".length));

test("there are ten of them", () => assert.equal(names.length, 10));

for (const name of names) {
  test(name, async () => {
    const { code, said } = await pricetime(name, "--", "node", MAKER, ...(WORDS[name] ?? USUAL).split(" "));
    assert.equal(code, 0, said);
    assert.match(said, /all holds/);
  });
}

test("the same scenario again is the same, to the byte of its report", async (t) => {
  const timeless = ({ report }: Ran): object => ({ ...report, repeat: "", bot: { ...report.bot, command: [] } });
  const [first, second] = [await playOf(t, SCENARIO, BOT), await playOf(t, SCENARIO, BOT)];
  assert.equal(first.code, 0, first.lines.join("\n"));
  assert.deepEqual(timeless(second), timeless(first));
});

test("a bot that ends well is no failure, unless it must run; one that lets no time pass is one", async (t) => {
  const short = "duration: 2s\nsymbols: [BTCUSDT]\nmarket: empty\naccounts: [maker]\n";
  assert.equal((await playOf(t, short, "")).code, 0);
  const mustRun = await playOf(t, `${short}bot: { mustRun: true }\n`, "");
  assert.deepEqual([mustRun.code, mustRun.report.failed], [1, ["the bot ended before the scenario"]]);
  const still = await playOf(t, `${short}bot: { patience: 1s }\n`, "for (;;);");
  assert.equal(still.code, 1);
  assert.match(still.lines.at(-1) ?? "", /the bot has let no time pass for 1 s/);
});

test("a clock that goes by itself waits for nobody: a bot of any language, by the machine's time", async (t) => {
  const scenario = `clock: { mode: scaled, speed: 20 }
duration: 60s
symbols: [BTCUSDT]
market: empty
accounts: [{ name: buyer, balances: { USDT: 5000 } }]
timeline: [{ at: 20s, fault: reply, code: -1003, for: 20s }]
assert: { sometimes: [{ errors: { code: -1003 } }, { orders: { min: 2 } }], finally: [{ openOrders: { max: 0 } }] }
`;
  const { code, lines } = await playOf(t, scenario, BOT.replace("10_000", "200"));
  assert.equal(code, 0, lines.join("\n"));
});
