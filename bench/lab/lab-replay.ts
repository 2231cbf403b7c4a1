/**
 * The speed of replaying recorded trades: a generated file of a million rows in the layout of the public archive, read
 * alone, then replayed by the complete program with a manual clock, on a temporary folder as in `pricetime lab`, or on
 * a persistent one. Memory is bounded: the peak after the whole file is shown beside the peak after a third.
 */
import assert from "node:assert/strict";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "@pricetime/testkit/quantile";
import { type LabProcess, operate, startExchange, startLabProcess } from "@pricetime/testkit/venue";
import { MarketRows } from "@pricetime/server/readers";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { processTime } from "../venue/threads.ts";

const ROWS = 1_000_000;
const ROUNDS = 3;
const KEPT = ["--lab", "--clock", "manual", "--bots", "off", "--history", "off"];
const FIRST_MS = Date.parse("2026-01-01T00:00:00Z");

interface Listed {
  readonly state: string;
  readonly rows: number;
  readonly trades: number;
  readonly fileMs: number;
  readonly error?: string;
}

export async function run({ rounds = ROUNDS, rows = ROWS }: BenchOptions): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-bench-replay-"));
  try {
    const path = join(folder, "BTCUSDT-trades.csv");
    await write(path, rows);
    const read: number[] = [];
    const played: Played[] = [];
    for (let round = 0; round < rounds; round++) {
      read.push(await readAlone(path, rows));
      played.push(await playedIn(await startLabProcess("off"), path, rows));
    }
    const withCandles = [await playedIn(await startLabProcess("candles"), path, rows)];
    const kept = [await playedIn(await startExchange({ args: KEPT }), path, rows)];
    const readRate = median(read);
    const row = (what: string, runs: readonly Played[]): (string | number)[] => {
      const rate = median(runs.map(({ rate }) => rate));
      const peaks = runs.map(({ thirdMiB, wholeMiB }) => `${thirdMiB} / ${wholeMiB}`);
      return [what, thousands(rate), (readRate / rate).toFixed(1), peaks[0] ?? ""];
    };
    return table(
      ["what", "rows/s", "ratio to reading", "peak MiB after a third / all"],
      [
        ["only reading the file", thousands(readRate), "1.0", ""],
        row("replayed by the program, history off", played),
        row("replayed by the program, candles written", withCandles),
        row("replayed by the program, history off, permanent folder", kept),
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Played {
  /** Rows per second of processor time of all threads. */
  readonly rate: number;
  readonly thirdMiB: number;
  readonly wholeMiB: number;
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
  const before = process.cpuUsage();
  const rows = new MarketRows({ paths: [path] });
  let seen = 0;
  while (rows.peek() !== undefined || (await rows.more())) {
    rows.take();
    seen++;
  }
  rows.close();
  assert.equal(seen, count);
  const { user, system } = process.cpuUsage(before);
  return (seen / (user + system)) * 1e6;
}

type Program = Pick<LabProcess, "admin" | "adminToken" | "pid"> & { stop(): Promise<unknown> };

async function playedIn(exchange: Program, path: string, count: number): Promise<Played> {
  const startAtMs = FIRST_MS;
  try {
    const advance = (ms: number): Promise<unknown> => operate(exchange, "POST", "/v1/lab/clock/advance", { ms });
    const listed = async (): Promise<Listed> => {
      const [replay] = await operate<Listed[]>(exchange, "GET", "/v1/lab/replays");
      assert.ok(replay !== undefined);
      return replay;
    };
    const { nowMs } = await operate<{ nowMs: number }>(exchange, "GET", "/v1/lab/clock");
    await operate(exchange, "POST", "/v1/lab/replays", {
      symbol: "BTCUSDT",
      files: [path],
      startAtMs: Math.max(nowMs, startAtMs),
    });
    const before = processorS(exchange.pid);
    let thirdMiB = 0;
    for (;;) {
      await advance(600_000);
      const { state, rows, trades, error } = await listed();
      if (thirdMiB === 0 && rows >= count / 3) thirdMiB = peakMiB(exchange.pid);
      if (state === "playing") continue;
      assert.deepEqual([state, rows, trades, error], ["ended", count, count, undefined]);
      break;
    }
    const tookS = processorS(exchange.pid) - before;
    return { rate: count / tookS, thirdMiB, wholeMiB: peakMiB(exchange.pid) };
  } finally {
    await exchange.stop();
  }
}

function processorS(pid: number): number {
  const { userMs, systemMs } = processTime(pid);
  return (userMs + systemMs) / 1000;
}

function peakMiB(pid: number): number {
  const [, kB = "0"] = /VmHWM:\s+([0-9]+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kB) / 1024);
}
