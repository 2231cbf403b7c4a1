/**
 * The cost of a lab's checkpoint and of restoring it: the storage alone, with 100,000 open orders, a million trades and
 * a thousand orders after the checkpoint, compared with a plain copy of the same history; and the complete program over
 * HTTP, in that state and as a demo with bots, compared with an empty request.
 */
import assert from "node:assert/strict";
import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { dataPaths } from "@pricetime/server/data-folder";
import { median } from "@pricetime/testkit/quantile";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { withFolder } from "../venue/venue.ts";
import { begin, OPEN_ORDERS, openLargeState, play, traded, TRADES } from "./large-state.ts";
import { demoOverHttp, largeOverHttp } from "./restore-over-http.ts";

const ROUNDS = 7;
const BETWEEN = 1_000;

/** `rows` is the number of trades. */
export async function run({ rounds = ROUNDS, rows: trades = TRADES }: BenchOptions): Promise<string[]> {
  return [
    ...(await storageAlone(rounds, trades)),
    ...["", "demo with bots, over HTTP, one market minute after the checkpoint", ""],
    ...(await demoOverHttp(rounds)),
    ...["", "large state, over HTTP, one command after the checkpoint", ""],
    ...(await largeOverHttp(rounds, trades)),
  ];
}

function storageAlone(rounds: number, trades: number): Promise<string[]> {
  return withFolder(async (folder) => {
    const opened = await openLargeState(folder, "temporary", trades);
    const { storage } = opened;
    let { sequencer } = opened;

    const took: Record<"take" | "restore" | "copy", Took[]> = { take: [], restore: [], copy: [] };
    const { history } = dataPaths(folder);
    const image = storage.capture();
    for (let round = 0; round < rounds; round++) {
      await play(sequencer, traded(BETWEEN));
      took.take.push(timed(() => storage.drop(storage.capture())));
      await sequencer.stop();
      took.restore.push(timed(() => storage.goTo(image)));
      assert.equal(storage.recovery.engine.seq, image.head.lastSeq);
      sequencer = begin(storage);
      took.copy.push(timed(() => copyFileSync(history, join(folder, "copy"))));
    }
    await sequencer.stop();
    const bytes = statSync(history).size;
    const engineBytes = image.engine.length;
    await storage.close();
    const middle = (all: readonly Took[], of: keyof Took): number => median(all.map((one) => one[of]));
    const row = (what: string, all: readonly Took[]): string[] => [
      what,
      ...(["ms", "cpuMs"] as const).map((of) => `${middle(all, of).toFixed(0)} ms`),
      (middle(all, "cpuMs") / middle(took.copy, "cpuMs")).toFixed(2),
    ];
    return [
      `${thousands(OPEN_ORDERS)} open orders (${thousands(engineBytes / 1e6)} MB), ${thousands(trades)} trades (${thousands(bytes / 1e6)} MB of history); medians of ${rounds} rounds`,
      "",
      ...table(
        ["", "time", "CPU", "CPU ratio to a copy"],
        [row("take", took.take), row("restore", took.restore), row("a copy of the history", took.copy)],
      ),
    ];
  });
}

/** The elapsed time, and the processor time, which is affected less by other programs. */
interface Took {
  readonly ms: number;
  readonly cpuMs: number;
}

function timed(work: () => unknown): Took {
  const startMs = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startMs, cpuMs: (user + system) / 1000 };
}
