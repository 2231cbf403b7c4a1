/**
 * The cost of exporting a journal of a million trades, compared with a replay that writes nothing: rows per second of
 * processor time, the ratio to the replay, and the peak memory.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Dice } from "@pricetime/testkit/dice";
import { median } from "@pricetime/testkit/quantile";
import { JournalMaker, limitOrder } from "../venue/journal-maker.ts";
import { withFolder } from "../venue/venue.ts";
import { type BenchOptions, measuredIn, mib, table, thousands } from "../measure.ts";

const ROUNDS = 5;
const TRADES = 1_000_000;
const ACCOUNTS = 200;
const RESTING = 10_000;
const MID_TICKS = 5_000_000;
const DEPTH = 2_000;
const LOTS = 10_000;
/** Market time between batches: a day and a half in total. */
const BATCH_MS = 60_000;
const COMMANDS_A_BATCH = 1000;

const SIDES: readonly (readonly string[])[] = [
  ["replay"],
  ["orders", "csv"],
  ["trades", "csv"],
  ["book", "csv", "level"],
  ["book", "csv", "order"],
  ["book", "lobster"],
  ["candles", "csv"],
  ["ledger", "csv"],
  ["orders", "parquet"],
  ["trades", "parquet"],
  ["book", "parquet", "level"],
  ["ledger", "parquet"],
];

interface Took {
  readonly rows: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
  readonly peakBytes: number;
}

/** `rows` is the number of trades. */
export async function run({ rounds = ROUNDS, rows: trades = TRADES }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const data = join(folder, "data");
    const commands = fill(data, trades);
    const took = new Map(SIDES.map((side) => [side, [] as Took[]]));
    for (let round = 0; round < rounds; round++) {
      for (const [side, all] of took) all.push(await write(data, join(folder, "out"), side));
    }
    const [replay = []] = [...took.values()];
    assert.ok(replay.length > 0 && replay.every((each) => each.rows === commands));
    const alone = middle(replay, "cpuSeconds");
    const lines = [...took].map(([side, all]) => {
      const seconds = middle(all, "cpuSeconds");
      const rows = middle(all, "rows");
      return [
        side.join(" "),
        thousands(rows),
        thousands(rows / seconds),
        `${(seconds / alone).toFixed(2)}`,
        mib(middle(all, "bytes")),
        mib(middle(all, "peakBytes")),
      ];
    });
    return [
      `${thousands(trades)} trades in ${thousands(commands)} commands; medians of ${rounds} rounds`,
      "",
      ...table(["export", "rows", "rows/CPU s", "ratio to replay", "written", "peak memory"], lines),
    ];
  });
}

/**
 * Creates a folder's journal and returns the number of commands. Every taker order matches one resting order, or two at
 * better prices.
 */
export function fill(folder: string, trades: number): number {
  const maker = new JournalMaker({ folder, accounts: ACCOUNTS, keys: 1, startMs: Date.UTC(2026, 0) });
  const random = new Dice(3);
  let n = 0;
  const place = (side: "BUY" | "SELL", away: number): number => {
    if (n % COMMANDS_A_BATCH === 0) maker.pass(BATCH_MS);
    const accountId = maker.accountIds[n % maker.accountIds.length] ?? 0;
    const ticks = MID_TICKS + (side === "BUY" ? -away : away);
    const events = maker.apply(limitOrder(accountId, { side, ticks, lots: LOTS, id: `order${n++}` }));
    return events.filter(({ type }) => type === "trade").length;
  };
  for (let i = 0; i < RESTING; i++) place(i % 2 === 0 ? "BUY" : "SELL", random.between(1, DEPTH));
  for (let made = 0; made < trades; ) {
    const side = random.next() < 0.5 ? "BUY" : "SELL";
    made += place(side, -DEPTH);
    made += place(side === "BUY" ? "SELL" : "BUY", random.between(1, DEPTH));
  }
  return maker.close({ snapshot: false });
}

/** One export in a process of its own, with the given heap limit, if any. */
export async function write(data: string, to: string, side: readonly string[], heapMiB?: number): Promise<Took> {
  mkdirSync(to);
  try {
    const heap = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`];
    return await measuredIn<Took>(new URL("./export-process.ts", import.meta.url), [data, to, ...side], heap);
  } finally {
    rmSync(to, { recursive: true });
  }
}

const middle = (took: readonly Took[], key: keyof Took): number => median(took.map((each) => each[key]));
