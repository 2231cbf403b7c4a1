/**
 * The speed of replaying recorded trades: a generated file of a million rows in the layout of the public archive, read
 * alone, then replayed by the complete program with a manual clock, on a temporary folder as in `pricetime lab`, or on
 * a persistent one. Memory is bounded: the peak after the whole file is shown beside the peak after a third.
 */
import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { median } from "@pricetime/testkit/quantile";
import { type LabProcess, operate, startExchange, startLabProcess } from "@pricetime/testkit/venue";
import { MarketRows } from "@pricetime/server/readers";
import { memoryBytes, ownProcessorMs, processorMs } from "@pricetime/testkit/process-usage";
import { type BenchOptions, mib, table, thousands } from "../measure.ts";
import { withFolder } from "../venue/venue.ts";

const ROWS = 1_000_000;
const ROUNDS = 3;
const PERMANENT = ["--lab", "--clock", "manual", "--bots", "off", "--history", "off"];
const FIRST_MS = Date.parse("2026-01-01T00:00:00Z");

interface Status {
  readonly state: string;
  readonly rows: number;
  readonly trades: number;
  readonly fileMs: number;
  readonly error?: string;
}

export async function run({ rounds = ROUNDS, rows = ROWS }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const path = `${folder}.csv`;
    await write(path, rows);
    const read: number[] = [];
    const replays: Replay[] = [];
    for (let round = 0; round < rounds; round++) {
      read.push(await readAlone(path, rows));
      replays.push(await replayIn(await startLabProcess("off"), path, rows));
    }
    const withCandles = [await replayIn(await startLabProcess("candles"), path, rows)];
    const permanent = [await replayIn(await startExchange({ args: PERMANENT }), path, rows)];
    const readRate = median(read);
    const row = (what: string, runs: readonly Replay[]): (string | number)[] => {
      const rate = median(runs.map(({ rate }) => rate));
      return [what, thousands(rate), (readRate / rate).toFixed(1), runs[0]?.peaks ?? ""];
    };
    return table(
      ["what", "rows/s", "ratio to reading", "peak memory after a third / all"],
      [
        ["only reading the file", thousands(readRate), "1.0", ""],
        row("replayed by the program, history off", replays),
        row("replayed by the program, candles written", withCandles),
        row("replayed by the program, history off, permanent folder", permanent),
      ],
    );
  });
}

interface Replay {
  /** Rows per second of processor time of all threads. */
  readonly rate: number;
  /** The peak memory after a third of the rows, and after all. */
  readonly peaks: string;
}

/**
 * A random walk: one to four trades of one taker at a time, mostly at one price, and a pause of 0 to 59 ms: 2.5 rows
 * per instant.
 */
async function write(path: string, count: number): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  let [ticks, timeMs, draw] = [9_500_000, FIRST_MS, 4711];
  const next = (below: number): number => {
    draw = (draw * 48_271) % 2_147_483_647;
    return draw % below;
  };
  for (let id = 0; id < count; ) {
    const isSell = next(2) === 0;
    if (next(3) === 0) ticks += (isSell ? -1 : 1) * next(200);
    const price = ticks - (isSell ? 1 : 0);
    for (let fill = next(4) + 1; fill > 0 && id < count; fill--, id++) {
      const lots = 1 + next(50_000);
      const text = `${id},${(price / 100).toFixed(8)},${(lots / 1e5).toFixed(8)},${((price * lots) / 1e7).toFixed(8)}`;
      if (!file.write(`${text},${timeMs},${isSell ? "True" : "False"},True\n`)) {
        await new Promise<void>((resolve) => file.once("drain", () => resolve()));
      }
    }
    timeMs += next(60);
  }
  await new Promise<void>((resolve) => file.end(() => resolve()));
}

async function readAlone(path: string, count: number): Promise<number> {
  const beforeMs = ownProcessorMs();
  const rows = new MarketRows({ paths: [path] });
  let seen = 0;
  while (rows.peek() !== undefined || (await rows.more())) {
    rows.take();
    seen++;
  }
  rows.close();
  assert.equal(seen, count);
  return (seen / (ownProcessorMs() - beforeMs)) * 1000;
}

type Program = Pick<LabProcess, "admin" | "adminToken" | "pid"> & { stop(): Promise<unknown> };

async function replayIn(exchange: Program, path: string, count: number): Promise<Replay> {
  const startAtMs = FIRST_MS;
  try {
    const advance = (ms: number): Promise<unknown> => operate(exchange, "POST", "/v1/lab/clock/advance", { ms });
    const status = async (): Promise<Status> => {
      const [replay] = await operate<Status[]>(exchange, "GET", "/v1/lab/replays");
      assert.ok(replay !== undefined);
      return replay;
    };
    const { nowMs } = await operate<{ nowMs: number }>(exchange, "GET", "/v1/lab/clock");
    await operate(exchange, "POST", "/v1/lab/replays", {
      symbol: "BTCUSDT",
      files: [path],
      startAtMs: Math.max(nowMs, startAtMs),
    });
    const beforeMs = processorMs(exchange.pid);
    let third = 0;
    for (;;) {
      await advance(600_000);
      const { state, rows, trades, error } = await status();
      if (third === 0 && rows >= count / 3) third = memoryBytes(exchange.pid, "VmHWM");
      if (state === "playing") continue;
      assert.deepEqual([state, rows, trades, error], ["ended", count, count, undefined]);
      break;
    }
    const rate = (count * 1000) / (processorMs(exchange.pid) - beforeMs);
    return { rate, peaks: `${mib(third)} / ${mib(memoryBytes(exchange.pid, "VmHWM"))}` };
  } finally {
    await exchange.stop();
  }
}
