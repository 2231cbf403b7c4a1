/** A scenario that is interrupted is still reported: what happened so far, and why it ended. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import type { Report } from "../../src/play/report.ts";
import { playUntil } from "./by-command.ts";
import { BOT, playOf, type Ran, SCENARIO } from "./played.ts";

const FILES = ["report.html", "report.json", "bot.log"];

function assertTold({ code, report, folder }: Ran, why: RegExp): void {
  assert.deepEqual([code, report.result], [1, "failed"]);
  assert.match(report.failed.join("\n"), why);
  for (const file of FILES) assert.ok(existsSync(join(folder, file)), file);
  const page = readFileSync(join(folder, "report.html"), "utf8");
  assert.ok(page.includes("<svg") && page.includes(report.failed[0]?.slice(0, 30) ?? "?"));
}

test("a bot that stands still: the report has all until then, and what was not decided is open", async (t) => {
  // The bot's start counts too, and takes a slow machine a while.
  const scenario = SCENARIO.replace("seed: 4", "seed: 4\nbot: { patience: 5s }").replace("max: 5", "max: 1");
  const still = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  const bot = `${BOT}\nsetTimeout(() => { console.log("now I think"); ${still}; }, 42_000);`;
  const ran = await playOf(t, scenario, bot);
  assertTold(ran, /^The bot has not let the clock advance for 5 s.*\nalways openOrders: open orders 2/);
  const { report, lines, folder } = ran;
  assert.equal(report.endMs - report.startMs, 42_000);
  assert.deepEqual([report.orders, report.fills, report.timeline.length], [4, 1, 2]);
  assert.equal(report.faults[0]?.struck, 1);
  const states = report.asserts.map(({ kind, state }) => `${kind} ${state}`);
  const decided = ["always failed", "never holds", ...Array.from({ length: 3 }, () => "sometimes holds")];
  assert.deepEqual(states, [...decided, ...Array.from({ length: 3 }, () => "finally waiting")]);
  assert.equal(report.bot.end.signal, "SIGKILL");
  assert.equal(readFileSync(join(folder, "bot.log"), "utf8"), "now I think\n");
  assert.match(lines.join("\n"), /^open   finally orders NEW.*/m);
  assert.match(lines.at(-1) ?? "", /FAILED\. Repeat with: pricetime lab run-scenario /);
});

test("a bot that cannot be started", async (t) => {
  const ran = await playOf(t, SCENARIO, BOT, "no-such-program");
  assertTold(ran, /^the bot could not be started: spawn no-such-program ENOENT$/);
  assert.match(ran.lines.join("\n"), /The bot exited with spawn no-such-program ENOENT/);
});

test("whoever interrupts a scenario has its report", async (t) => {
  const folder = scratchFolder(t);
  const [file, bot, out] = ["scenario.yaml", "bot.mjs", "report"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, SCENARIO.replace("duration: 65s", "duration: 100h"));
  writeFileSync(bot, BOT);
  const { code, said } = await playUntil("00:00:30 order", [file, "--report", out, "--", "node", bot]);
  const report = JSON.parse(readFileSync(join(out, "report.json"), "utf8")) as Report;
  assertTold({ code: code ?? -1, report, folder: out, lines: [] }, /^stopped by a signal$/);
  assert.ok(report.orders >= 2 && report.endMs - report.startMs < 100 * 3_600_000, said);
  assert.match(said, /^FAILED stopped by a signal$/m);
});
