/** Recorded markets on a lab, through the library for tests. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { startExchange } from "@pricetime/lab";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { LabReplays } from "../src/client/market.ts";

const SYMBOL = "BTCUSDT";
/**
 * Spot trades as in the public archive: id, price, quantity, value, time, whether the buyer rested, and nothing more.
 */
const TRADES = [
  "7001,95000.01,0.25000,23750.0025,1768392000000,False,True",
  "7002,95000.02,0.10000,9500.0020,1768392000000,False,True",
  "7003,95000.00,0.05000,4750.0000,1768392000750,True,True",
  "7004,94999.50,0.75000,71249.6250,1768392002000,True,True",
  "7005,95000.00,0.00001,0.9500,1768392004500,False,True",
];

interface Trade {
  readonly price: string;
  readonly qty: string;
  readonly time: number;
  readonly isBuyerMaker: boolean;
}

test("a recording is played by the clock, paused, played by hand, and plays on, to the last trade", async (t) => {
  const exchange = await startExchange({ symbols: [SYMBOL] });
  t.after(() => exchange.stop());
  const { clock, replays } = exchange;
  const file = join(scratchFolder(t), "trades.csv");
  writeFileSync(file, TRADES.map((line) => `${line}\n`).join(""));
  const startMs = await clock.now();

  const replay = await replays.play({ symbol: SYMBOL, files: [relative(process.cwd(), file)] });
  assert.deepEqual([replay.symbol, replay.layout, replay.files, replay.speed], [SYMBOL, "trades", [file], 1]);
  await clock.advance(1000);
  const paused = await replays.pause(replay);
  assert.deepEqual([paused.state, paused.rows, paused.trades], ["paused", 3, 3]);
  assert.deepEqual([paused.atMs, paused.fileMs], [startMs + 750, 1_768_392_000_750]);
  await clock.advance(60_000);
  assert.equal((await replays.list())[0]?.rows, 3, "it stands");
  assert.equal((await replays.step(replay)).rows, 4);
  assert.equal((await exchange.markets()).find(({ symbol }) => symbol === SYMBOL)?.driver, "replay");
  const again = await replays.resume(replay);
  assert.equal(again.state, "playing");
  assert.equal((await replays.setSpeed(replay.id, 100)).speed, 100);
  await assert.rejects(replays.step(replay), { status: 409, code: "NOT_PAUSED" });
  await clock.advance(100);
  const [ended] = await replays.list();
  assert.deepEqual([ended?.state, ended?.rows, ended?.trades, ended?.skipped], ["ended", 5, 5, 0]);

  const printed = await exchange.send<readonly Trade[]>(null, "GET /api/v3/trades", { symbol: SYMBOL });
  assert.deepEqual(
    printed.map(({ price, qty, isBuyerMaker }) => [Number(price), Number(qty), isBuyerMaker ? "True" : "False"]),
    TRADES.map((line) => line.split(",")).map(([, price, qty, , , rested]) => [Number(price), Number(qty), rested]),
  );
  assert.deepEqual(
    printed.map(({ time }) => time - startMs),
    [0, 0, 750, 61_000, 61_025],
  );
  await replays.remove(replay);
  assert.deepEqual(await replays.list(), []);
  await assert.rejects(replays.pause(replay), { status: 404, code: "UNKNOWN_REPLAY" });
});

test("a bad row is an error that names it", async (t) => {
  const exchange = await startExchange({ symbols: [SYMBOL] });
  t.after(() => exchange.stop());
  const file = join(scratchFolder(t), "bad.csv");
  writeFileSync(file, `${TRADES[3]}\n${TRADES[0]}\n`);
  await assert.rejects(exchange.replays.play({ symbol: SYMBOL, files: [file] }), (error: Error) => {
    assert.match(error.message, /^BAD_FILE: .*bad\.csv, line 2: .*\n\[seed 1, /);
    return true;
  });
  assert.deepEqual(await exchange.replays.list(), []);
});

/** Answers as a node would for files of several gigabytes, one answer after the other. */
function nodeThatSays(...answers: readonly unknown[]): LabReplays {
  const left = [...answers];
  const ask = async <T>(): Promise<T> => (left.length > 0 ? left.shift() : assert.fail("it was asked once more")) as T;
  const origin = { seed: 1, version: "0.0.0", repeat: "again" };
  return new LabReplays({ ask, send: () => assert.fail("it was sent something") }, origin);
}

test("large files are looked at first: a replay has begun then, or is an error", async () => {
  const wanted = { symbol: SYMBOL, files: ["a.csv"] };
  const others = { id: 1, state: "playing" };
  const checking = { id: 2, state: "checking" };
  const waiting = { id: 2, state: "waiting" };
  assert.equal(await nodeThatSays(waiting).play(wanted), waiting);
  assert.equal(await nodeThatSays(checking, [others, checking], [others, waiting]).play(wanted), waiting);
  const bad = { id: 2, state: "failed", error: "a.csv, line 3: it is before the row before it" };
  await assert.rejects(nodeThatSays(checking, [others, checking], [others, bad]).play(wanted), {
    code: "BAD_FILE",
    message: "BAD_FILE: a.csv, line 3: it is before the row before it\n[seed 1, pricetime 0.0.0; repeat with: again]",
  });
  await assert.rejects(nodeThatSays(checking, [others]).play(wanted), { code: "UNKNOWN_REPLAY" });
});
