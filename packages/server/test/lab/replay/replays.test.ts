import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { REPLAY_LIMITS } from "../../../src/lab/replay/replay-shapes.ts";
import { startLab } from "../checkpoints/running-lab.ts";
import { madeZip, type ZipTruth } from "./made-zip.ts";
import { archiveTrades, type ReplayBody, ReplayVenue, START_MS } from "./replay-venue.ts";

const ROWS = Array.from({ length: 60 }, (_, second) => {
  const price = 95_000 + ((second * 37) % 11) - 5;
  return [price, 0.01 + (second % 7) / 1000, second % 3 === 0 ? "SELL" : "BUY", START_MS + second * 1000] as const;
});
const LINES = archiveTrades(ROWS);
/** After all others. */
const LATE = archiveTrades([[95_000, 0.01, "BUY", START_MS + 1e9]])[0] as string;

test("speed is the file's time in the lab's; a replay is paused, goes on, and is played by hand", async (t) => {
  const venue = await ReplayVenue.open(t);
  const { id } = await venue.play([venue.file("trades.csv", LINES)], { speed: 10, startAtMs: START_MS + 1000 });
  const times = (): number[] => venue.trades.map(({ timeMs }) => timeMs - START_MS);
  assert.deepEqual([(await venue.list()).state, times()], ["waiting", []]);
  await venue.advance(1250);
  assert.deepEqual(times(), [1000, 1100, 1200]);
  const path = `/v1/lab/replays/${id}`;
  await venue.ask("POST", path, { state: "paused" });
  await venue.advance(60_000);
  assert.equal(times().length, 3);
  await venue.ask("POST", `${path}/step`, { rows: 2 });
  assert.deepEqual(times().slice(3), [61_250, 61_250]);
  const { rows, fileMs, atMs, state } = await venue.list();
  assert.deepEqual([rows, fileMs, atMs, state], [5, START_MS + 4000, START_MS + 61_250, "paused"]);
  await venue.ask("POST", path, { state: "playing", speed: 1 });
  await assert.rejects(venue.ask("POST", `${path}/step`), { code: "NOT_PAUSED" });
  await venue.advance(2500);
  // The file's time is that of the last replayed row.
  assert.deepEqual(times().slice(5), [62_250, 63_250]);
  await venue.ask("POST", path, { speed: 2 });
  await venue.advance(1500);
  assert.deepEqual(times().slice(7), [64_000, 64_500, 65_000]);
});

test("a span of the files alone", async (t) => {
  const venue = await ReplayVenue.open(t);
  const span = { fromMs: START_MS + 10_000, toMs: new Date(START_MS + 13_000).toISOString() };
  await venue.play([venue.file("trades.csv", LINES)], span);
  await venue.advance(60_000);
  assert.deepEqual(
    venue.trades.map(({ timeMs }) => timeMs - START_MS),
    [0, 1000, 2000],
  );
  assert.equal((await venue.list()).state, "ended");
});

test("a symbol has one replay; a halt makes it wait, and its row is not lost", async (t) => {
  const venue = await ReplayVenue.open(t);
  const file = venue.file("trades.csv", LINES);
  const { id } = await venue.play([file]);
  assert.equal((await venue.refusal([file]))[0], "ALREADY_REPLAYED");
  const halt = (status: "HALT" | "TRADING"): Promise<unknown> =>
    venue.market.run({ type: "setSymbolStatus", symbol: "BTCUSDT", status, by: "test" });
  await halt("HALT");
  await venue.advance(5000);
  const { state, error } = await venue.list();
  assert.deepEqual([state, error], ["paused", "BTCUSDT does not trade: resume it, then play"]);
  await halt("TRADING");
  await venue.ask("POST", `/v1/lab/replays/${id}`, { state: "playing" });
  await venue.advance(120_000);
  assert.equal(venue.trades.length, 60);
});

const USUAL = { ...REPLAY_LIMITS };

/** While a test runs. */
function limit(t: TestContext, limits: Partial<Record<"maxBytesBeforeAnswer" | "measuredRows", number>>): void {
  Object.assign(REPLAY_LIMITS, limits);
  t.after(() => Object.assign(REPLAY_LIMITS, USUAL));
}

/** Some ten megabytes: many pieces of a file. */
const MANY = archiveTrades(
  Array.from({ length: 150_000 }, (_, index) => [95_000, 0.01, "BUY", START_MS + index * 100] as const),
);

test("a large file is looked at to its end before it is played; meanwhile requests are served, and time waits", async (t) => {
  const venue = await ReplayVenue.open(t);
  limit(t, { maxBytesBeforeAnswer: 1000 });
  const { state, checkedBytes, totalBytes } = await venue.play([venue.file("trades.csv", MANY)]);
  assert.equal(state, "checking");
  assert.ok(checkedBytes !== undefined && checkedBytes < totalBytes / 2, `${checkedBytes}`);
  await venue.order("BUY", 1, 90_000);
  const then = await venue.list();
  assert.equal(then.state, "checking", "an order was carried out before the look was over");
  assert.ok((then.checkedBytes ?? 0) > checkedBytes, "and it went on");
  assert.equal((await venue.refusal([venue.file("others.csv", LINES)]))[0], "ALREADY_REPLAYED");
  await venue.advance(1000);
  const { state: after, rows, checkedBytes: none } = await venue.list();
  assert.deepEqual([after, rows, none, venue.trades[0]?.timeMs], ["playing", 11, undefined, START_MS]);
});

test("what is bad at the end of large files is found before anything of them is played, and another file is", async (t) => {
  const venue = await ReplayVenue.open(t);
  limit(t, { maxBytesBeforeAnswer: 1000 });
  const { seq } = venue.market.engine;
  const many = `${MANY.join("\n")}\n`;
  const zip = (name: string, truth: ZipTruth): string => {
    writeFileSync(join(venue.folder, name), madeZip("trades.csv", many, truth));
    return join(venue.folder, name);
  };
  const good = venue.file("good.csv", MANY);
  const bad: readonly (readonly [files: readonly string[], error: RegExp])[] = [
    [[venue.file("cut.csv", [...MANY, "cut,here"])], /^cut\.csv, line 150001: a row has 7 columns, and here are 2$/],
    [[good, venue.file("off.csv", [LATE.replace("95000.00", "95000.001")])], /^off\.csv, line 1: the price .* is off/],
    [[good, venue.file("early.csv", LINES)], /^early\.csv, line 1: it is before the row before it/],
    [[zip("damaged.zip", { crc: 1 })], /^damaged\.zip: the ZIP is damaged: its check sum is another$/],
    [[zip("short.zip", { claimedBytes: many.length + 1 })], /^short\.zip: it cannot be read: .*not enough bytes/],
  ];
  for (const [files, message] of bad) {
    assert.equal((await venue.play(files)).state, "checking");
    await venue.advance(60_000);
    const { state, rows, error = "" } = await venue.list();
    assert.deepEqual([state, rows], ["failed", 0]);
    assert.match(error, message);
  }
  assert.deepEqual([venue.market.engine.seq, venue.trades, venue.stoodInFor.size], [seq, [], 0]);

  limit(t, { maxBytesBeforeAnswer: 1e9 });
  await venue.play([venue.file("trades.csv", LINES)]);
  await venue.advance(60_000);
  const [replay, ...others] = await venue.ask<ReplayBody[]>("GET", "/v1/lab/replays");
  assert.deepEqual([replay?.state, replay?.rows, others], ["ended", 60, []]);
});

test("a look is broken off when its replay is removed", async (t) => {
  const venue = await ReplayVenue.open(t);
  limit(t, { maxBytesBeforeAnswer: 1000 });
  const { id } = await venue.play([venue.file("trades.csv", MANY)]);
  const replay = venue.replays.find(id);
  await venue.ask("DELETE", `/v1/lab/replays/${id}`);
  assert.deepEqual(await venue.ask("GET", "/v1/lab/replays"), []);
  await venue.advance(60_000);
  assert.deepEqual([replay?.state.phase, venue.trades, venue.stoodInFor.size], ["checking", [], 0]);
});

test("who wishes has the first rows alone looked at; a bad row then ends the replay there, and nothing of ours stays", async (t) => {
  const venue = await ReplayVenue.open(t);
  limit(t, { measuredRows: 10 });
  const file = venue.file("trades.csv", [...LINES.slice(0, 20), "cut,here"]);
  assert.equal((await venue.refusal([file]))[0], "BAD_FILE");
  const { state } = await venue.play([file], { check: "beginning" });
  assert.equal(state, "playing");
  await venue.advance(60_000);
  const failed = await venue.list();
  assert.deepEqual([failed.state, failed.rows, failed.trades], ["failed", 20, 20]);
  assert.equal(failed.error, "trades.csv, line 21: a row has 7 columns, and here are 2");
  assert.deepEqual([venue.book("bids"), venue.book("asks")], [[], []]);
});

test("a checkpoint of a lab that looks at files: from there it looks at them again, and plays them", async (t) => {
  const lab = await startLab(t, { bots: "off", history: "off" });
  limit(t, { maxBytesBeforeAnswer: 1000 });
  const path = join(lab.folder, "trades.csv");
  writeFileSync(path, `${MANY.join("\n")}\n`);
  const listed = async (): Promise<unknown> => {
    const [replay] = await lab.ask<ReplayBody[]>("GET", "/v1/lab/replays");
    return [replay?.state, replay?.rows];
  };
  await lab.ask("POST", "/v1/lab/replays", { symbol: "BTCUSDT", files: [path] });
  await lab.ask("POST", "/v1/lab/checkpoints", { name: "looking" });
  assert.deepEqual(await listed(), ["checking", 0]);
  for (const _ of ["as it was", "again"]) {
    await lab.ask("POST", "/v1/lab/clock/advance", { ms: 1000 });
    assert.deepEqual(await listed(), ["playing", 11]);
    await lab.ask("POST", "/v1/lab/checkpoints/looking/restore", {});
    assert.deepEqual(await listed(), ["checking", 0]);
  }
});

for (const kind of ["trades", "messages"] as const) {
  test(`a checkpoint holds a replay's place (${kind}): from there the same requests give the same journal`, async (t) => {
    const lab = await startLab(t, { bots: "off", history: "off", seed: 7 });
    const folder = scratchFolder(t);
    const startMs = Number((await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock")).nowMs);
    const [name, lines] = kind === "trades" ? ["trades.csv", LINES] : ["X_2026-01-01_message.csv", messages()];
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    await lab.ask("POST", "/v1/lab/replays", { symbol: "BTCUSDT", files: [path] });
    await lab.ask("POST", "/v1/lab/clock/advance", { toMs: startMs + 20_500 });
    await lab.ask("POST", "/v1/lab/checkpoints", { name: "midway" });
    const end = async (): Promise<readonly unknown[]> => {
      await lab.ask("POST", "/v1/lab/clock/advance", { toMs: startMs + 120_000 });
      const [replay] = await lab.ask<Record<string, unknown>[]>("GET", "/v1/lab/replays");
      const { hash } = await lab.ask<{ hash: string }>("POST", "/v1/lab/checkpoints", { name: "end", replace: true });
      assert.deepEqual([replay?.["state"], replay?.["rows"], replay?.["error"]], ["ended", lines.length, undefined]);
      return [replay, hash];
    };
    const first = await end();
    await lab.ask("POST", "/v1/lab/checkpoints/midway/restore", {});
    const markets = await lab.ask<{ symbol: string; driver: string }[]>("GET", "/v1/lab/markets");
    assert.equal(markets.find(({ symbol }) => symbol === "BTCUSDT")?.driver, "replay");
    assert.deepEqual(await end(), first);
  });
}

/** Orders that arrive, are reduced, are filled and end, a second each. */
function messages(): string[] {
  const line = (s: number, type: number, id: number, size: number, price: number, side: 1 | -1): string =>
    [`${36_000 + s}.5`, type, id, size, price * 10_000, side].join();
  return Array.from({ length: 10 }, (_, round) => {
    const [at, id] = [round * 4, round * 10 + 1];
    return [
      line(at, 1, id, 10, 50, 1),
      line(at, 1, id + 1, 5, 50, 1),
      line(at + 1, 2, id, 4, 50, 1),
      line(at + 2, 4, id, 6, 50, 1),
      line(at + 3, 4, id + 1, 2, 50, 1),
      line(at + 3, 3, id + 1, 3, 50, 1),
    ];
  }).flat();
}
