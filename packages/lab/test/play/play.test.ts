/** Played scenarios: the bot is held, the timeline happens, and the outcome is judged and reported. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BOT, playOf, SCENARIO } from "./played.ts";

test("all holds: each moment is where the file says, and the report says what was so", async (t) => {
  const first = await playOf(t, SCENARIO, BOT);
  assert.equal(first.code, 0, first.lines.join("\n"));
  const { report } = first;
  assert.deepEqual([report.result, report.orders, report.fills, report.bot.end.code], ["holds", 6, 1, 0]);
  assert.deepEqual(
    report.timeline.map(({ atMs }) => atMs - report.startMs),
    [15_000, 30_000],
  );
  const [fault] = report.faults;
  assert.equal((fault?.strikes[0]?.atMs ?? 0) - report.startMs, 20_000);
  assert.match(
    fault?.followed.map(({ text }) => text).join("\n") ?? "",
    /order 2 BUY 0\.01 BTCUSDT at 50000: NEW[^]*answered 504/,
  );
  // At thirty seconds both act: bob's order is the third, and the bot's next the fourth.
  const numbers = fault?.followed.flatMap(({ text }) => /^order (\d+) BUY .* NEW$/.exec(text)?.[1] ?? []);
  assert.deepEqual(numbers, ["2", "4", "5", "6", "7"]);
  const page = readFileSync(join(first.folder, "report.html"), "utf8");
  assert.ok(page.includes("<svg") && page.includes(report.hash) && !/<script|https?:\/\//.test(page));
});

test("what does not hold, a refused point and a bot that fails are told, and end it with 1", async (t) => {
  const scenario = SCENARIO.replace("max: 5", "max: 2")
    .replace("seed: 4", "seed: 5")
    .replace("49000 }", "49000000000 }");
  const bot = `${BOT}\nsetTimeout(() => process.exit(3), 45_000);`;
  const { code, report, lines } = await playOf(t, scenario, bot);
  assert.equal(code, 1);
  assert.equal(report.result, "failed");
  const always = report.asserts.find(({ kind }) => kind === "always");
  assert.deepEqual(
    [always?.state, always?.text, (always?.atMs ?? 0) - report.startMs],
    ["failed", "open orders 3 (at most 2)", 30_000],
  );
  const why = report.failed.join("\n");
  assert.match(why, /order bob .* was refused: -1013/);
  assert.match(why, /the bot exited with code 3/);
  assert.match(
    lines.at(-1) ?? "",
    /FAILED\. Repeat with: pricetime lab run-scenario .*scenario\.yaml --seed 5 -- node .*bot\.mjs$/,
  );
});
