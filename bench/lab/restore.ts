/**
 * What it costs a lab to take a checkpoint of its storage and to go back to it: 100,000 open orders and a million trades,
 * with a thousand orders after the checkpoint. Beside a plain copy of the same history.
 */
import assert from "node:assert/strict";
import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command, PlaceOrder } from "@pricetime/engine";
import { dataPaths, openLabStorage } from "@pricetime/server/data-folder";
import { GroupCommitSequencer, MACHINE } from "@pricetime/server/parts";
import { setup } from "@pricetime/testkit/journal";
import { median } from "@pricetime/testkit/quantile";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { withFolder } from "../venue/venue.ts";

const ROUNDS = 7;
const TRADES = 1_000_000;
const OPEN_ORDERS = 100_000;
const BETWEEN = 1_000;
/** The makers that one taker meets. */
const MAKERS = 10;
const LOTS = 10;
const MID_TICKS = 4_000_000;
const TOGETHER = 50;

type Storage = ReturnType<typeof openLabStorage>;

/** `rows`: the trades. */
export async function run({ rounds = ROUNDS, rows: trades = TRADES }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const world = { ...MACHINE, soon: queueMicrotask };
    const storage = openLabStorage({ world, folder, kind: "temporary", history: "on", onFatal: fail });
    let sequencer = begin(storage, world);
    const play = async (commands: Iterable<Command>): Promise<void> => {
      let waiting: Promise<unknown>[] = [];
      for (const command of commands) {
        if (waiting.push(sequencer.run(command)) < TOGETHER) continue;
        await Promise.all(waiting);
        waiting = [];
      }
      await Promise.all(waiting);
    };
    await play(setup());
    await play(resting(OPEN_ORDERS));
    await play(traded(trades));
    const { engine } = storage.recovery;
    assert.equal(engine.openOrderCount, OPEN_ORDERS);

    const took: Record<"take" | "restore" | "copy", Took[]> = { take: [], restore: [], copy: [] };
    const { history } = dataPaths(folder);
    const image = storage.capture();
    for (let round = 0; round < rounds; round++) {
      await play(traded(BETWEEN));
      took.take.push(timed(() => storage.drop(storage.capture())));
      await sequencer.stop();
      took.restore.push(timed(() => storage.goTo(image)));
      assert.equal(storage.recovery.engine.seq, image.head.lastSeq);
      sequencer = begin(storage, world);
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
        ["", "time", "processor", "processor beside a copy"],
        [row("take", took.take), row("restore", took.restore), row("a copy of the history", took.copy)],
      ),
    ];
  });
}

function begin(storage: Storage, world: typeof MACHINE): GroupCommitSequencer {
  const { journal, recovery, projector, record } = storage;
  return new GroupCommitSequencer({
    ...{ journal, engine: recovery.engine, node: "lab", world, onFatal: fail },
    ...(record !== undefined && { onApplied: record }),
    onBatch: ({ firstSeq, count }) => projector.publish(firstSeq + count - 1),
  });
}

function fail(error: Error): never {
  throw error;
}

/** What it took: time, and time of the processor, which others on the machine disturb less. */
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

let orders = 0;
const limit = (accountId: number, side: "BUY" | "SELL", priceTicks: number, quantityLots: number): PlaceOrder => ({
  ...{ type: "placeOrder", accountId, symbolId: 0, side, orderType: "LIMIT", timeInForce: "GTC" },
  ...{ priceTicks, quantityLots, stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n, clientOrderId: `b${++orders}` },
});

/** Far from the market, on both sides. */
function* resting(count: number): Generator<Command> {
  for (let n = 0; n < count; n++) {
    const away = 10_000 + (n >> 1);
    yield n % 2 === 0 ? limit(101, "BUY", MID_TICKS - away, LOTS) : limit(102, "SELL", MID_TICKS + away, LOTS);
  }
}

function* traded(count: number): Generator<Command> {
  for (let n = 0; n < count / MAKERS; n++) {
    for (let maker = 0; maker < MAKERS; maker++) yield limit(100, "SELL", MID_TICKS + maker, LOTS);
    yield limit(101, "BUY", MID_TICKS + MAKERS, MAKERS * LOTS);
  }
}
