/** Recorded markets from the command line: replayed, and recorded from a venue. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { runIn } from "../../program/cli/command-line.ts";
import { recordMarket } from "../../../src/program/cli/lab/record-market.ts";
import { REPLAY_LIMITS } from "../../../src/lab/replay/replay-shapes.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { startLab } from "../checkpoints/running-lab.ts";
import { archiveTrades } from "./replay-venue.ts";

test("a recording is played, paused, stepped and removed; what it prints is recorded again, and prints the same", async (t) => {
  const lab = await startLab(t, { bots: "on" });
  const run = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { admin, adminToken } = lab;
    const where = ["--admin", admin, "--token", adminToken, "--json"];
    const { code, out, err } = await runIn("", ["lab", ...words, ...where], { environment: {} });
    return code === 0 ? (JSON.parse(out) as Record<string, unknown>) : { code, err };
  };
  const advance = (ms: number): Promise<unknown> => lab.ask("POST", "/v1/lab/clock/advance", { ms });
  await advance(3000);
  const { nowMs } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  const rows = Array.from(
    { length: 20 },
    (_, i) => [70_000 + (i % 5) / 100, (1000 + i) / 1e6, "BUY", 1e12 + i * 100] as const,
  );
  const file = join(lab.folder, "trades.csv");
  writeFileSync(
    file,
    archiveTrades(rows)
      .map((line) => `${line}\n`)
      .join(""),
  );

  const done = Promise.withResolvers<void>();
  const path = join(lab.folder, "recording.jsonl");
  const task = {
    ...{ rest: lab.rest, streams: lab.ws, symbol: "BTCUSDT", path, until: done.promise },
    ...{ nowMs: MACHINE.nowMs, timers: MACHINE, note: assert.fail },
  };
  const recording = recordMarket(task);
  await until("the recording has begun", () => lineCount(path) >= 1);

  assert.match(
    String((await run("replay", "BTCUSDT"))["err"]),
    /^pricetime: There is no replay on BTCUSDT\. Start one with --from FILE\.$/,
  );
  const begun = await run("replay", "btc/usdt", "--from", file, "--speed", "0.5");
  assert.deepEqual([begun["state"], begun["layout"], begun["rows"], begun["speed"]], ["playing", "trades", 1, 0.5]);
  const { driver } = await lab.ask<{ driver: string }>("GET", "/v1/lab/markets/BTCUSDT");
  assert.equal(driver, "replay");
  await lab.ask("POST", "/v1/lab/markets/BTCUSDT", { fairPrice: 1000 }, 409);
  await advance(1000);
  assert.equal((await run("replay", "BTCUSDT", "--pause"))["state"], "paused");
  assert.equal((await run("replay", "BTCUSDT", "--step", "4"))["rows"], 10);
  await run("replay", "BTCUSDT", "--play", "--speed", "1000");
  await advance(1000);
  const { state, trades, played } = await run("replay", "BTCUSDT");
  assert.deepEqual([state, trades, played], ["ended", 20, "100 %"]);
  await until("the last trade is recorded", () => tradesIn(path).length >= 20);
  done.resolve();
  await recording;
  assert.deepEqual(await run("replay", "BTCUSDT", "--remove"), { removed: 1 });
  const wrong = join(lab.folder, "wrong.csv");
  const times = Array.from({ length: 600 }, (_, i) => [70_000, 1, "SELL", 1e12 + i] as const);
  writeFileSync(wrong, archiveTrades(times).join("\n"));
  const strange = ["wrong.csv: isBuyerMaker is true in each of 600 rows: sides are hardly right"];
  assert.deepEqual((await run("replay", "BTCUSDT", "--from", wrong))["doubts"], strange);
  await run("replay", "BTCUSDT", "--remove");

  const printed = tradesIn(path);
  assert.deepEqual(
    printed.map(({ p, q }) => [Number(p), Number(q)]),
    rows.map(([price, quantity]) => [price, quantity]),
  );
  assert.ok(Number(printed[0]?.T) === nowMs);
  const again = await run("replay", "BTCUSDT", "--from", path);
  assert.deepEqual([again["layout"], again["state"]], ["recording", "playing"], JSON.stringify(again));
  const bookLines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes('"lastUpdateId"'));
  assert.equal(bookLines.length, 1, "one snapshot of the book");
  await assert.rejects(recordMarket({ ...task, until: Promise.resolve() }), /EEXIST/, "nothing is written over");

  await run("replay", "BTCUSDT", "--remove");
  // The bots continue where they have stopped.
  await advance(10_000);
  const market = await lab.ask<{ driver: string }>("GET", "/v1/lab/markets/BTCUSDT");
  assert.equal(market.driver, "bots");
  const answer = await fetch(`${lab.rest}/api/v3/depth?symbol=BTCUSDT&limit=5`);
  assert.equal(((await answer.json()) as { bids: unknown[] }).bids.length, 5);
});

test("the look at large files is shown, and waited for; a bad row in them is a failure", async (t) => {
  const lab = await startLab(t, { bots: "off" });
  const limits = REPLAY_LIMITS as { maxBytesBeforeAnswer: number };
  const usual = limits.maxBytesBeforeAnswer;
  limits.maxBytesBeforeAnswer = 1000;
  t.after(() => void (limits.maxBytesBeforeAnswer = usual));
  const rows = Array.from({ length: 100_000 }, (_, index) => [70_000, 0.01, "BUY", 1e12 + index] as const);
  const run = async (lines: readonly string[], ...words: string[]): ReturnType<typeof runIn> => {
    const file = join(lab.folder, "trades.csv");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const where = ["--admin", lab.admin, "--token", lab.adminToken];
    return runIn("", ["lab", "replay", "BTCUSDT", "--from", file, ...words, ...where], { environment: {} });
  };
  const lines = archiveTrades(rows);
  const bad = await run([...lines, "cut,here"]);
  assert.equal(bad.code, 1);
  assert.match(bad.out, /^Validating the files: [0-9]{1,2} %$/m);
  assert.match(bad.err, /^pricetime: trades\.csv, line 100001: a row has 7 columns, and here are 2$/);
  const beginning = await run([...lines, "cut,here"], "--check", "beginning", "--start", "2100-01-01T00:00:00Z");
  assert.match(beginning.out, /^state +waiting$/m);
  assert.doesNotMatch(beginning.out, /Validating/);
  const [{ id } = assert.fail()] = await lab.ask<{ id: number }[]>("GET", "/v1/lab/replays");
  await lab.ask("DELETE", `/v1/lab/replays/${id}`);
  const good = await run(lines);
  assert.deepEqual([good.code, good.err], [0, ""]);
  // It begins when the clock advances.
  assert.match(good.out, /^Validating the files: .*\n(.*\n)*state +waiting$/m);
});

function lineCount(path: string): number {
  try {
    return readFileSync(path, "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}

function tradesIn(path: string): readonly { readonly p: string; readonly q: string; readonly T: number }[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(1, -1);
  return lines
    .map((line) => (JSON.parse(line) as { data: { e?: string; p: string; q: string; T: number } }).data)
    .filter(({ e }) => e === "trade");
}
