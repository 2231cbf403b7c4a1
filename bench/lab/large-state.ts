/** A lab's storage with a large state: 100,000 open orders and a million trades. */
import assert from "node:assert/strict";
import type { Command, PlaceOrder } from "@pricetime/engine";
import { openLabStorage } from "@pricetime/server/data-folder";
import { GroupCommitSequencer, MACHINE } from "@pricetime/server/parts";
import { setup } from "@pricetime/testkit/journal";

export const TRADES = 1_000_000;
export const OPEN_ORDERS = 100_000;
/** The number of makers that one taker order matches. */
const MAKERS = 10;
const LOTS = 10;
const MID_TICKS = 4_000_000;
const TOGETHER = 50;

export type Storage = ReturnType<typeof openLabStorage>;

/** Opens storage in an empty folder and fills it with the open orders and so many trades. */
export async function openLargeState(
  folder: string,
  kind: "kept" | "temporary",
  trades: number,
): Promise<{ readonly storage: Storage; readonly sequencer: GroupCommitSequencer }> {
  const world = { ...MACHINE, soon: queueMicrotask };
  const storage = openLabStorage({ world, folder, kind, history: "on", onFatal: fail });
  const sequencer = begin(storage);
  // Uses a master key that a program on this folder can open the key's secret with.
  await play(
    sequencer,
    setup().filter(({ type }) => type !== "createApiKey"),
  );
  await play(sequencer, resting(OPEN_ORDERS));
  await play(sequencer, traded(trades));
  assert.equal(storage.recovery.engine.openOrderCount, OPEN_ORDERS);
  return { storage, sequencer };
}

/** A sequencer on the current storage. */
export function begin(storage: Storage): GroupCommitSequencer {
  const { journal, recovery, projector, record } = storage;
  return new GroupCommitSequencer({
    ...{ journal, engine: recovery.engine, node: "lab", world: { ...MACHINE, soon: queueMicrotask }, onFatal: fail },
    ...(record !== undefined && { onApplied: record }),
    onBatch: ({ firstSeq, count }) => projector.publish(firstSeq + count - 1),
  });
}

export async function play(sequencer: GroupCommitSequencer, commands: Iterable<Command>): Promise<void> {
  let waiting: Promise<unknown>[] = [];
  for (const command of commands) {
    if (waiting.push(sequencer.run(command)) < TOGETHER) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

function fail(error: Error): never {
  throw error;
}

let orders = 0;
const limit = (accountId: number, side: "BUY" | "SELL", priceTicks: number, quantityLots: number): PlaceOrder => ({
  ...{ type: "placeOrder", accountId, symbolId: 0, side, orderType: "LIMIT", timeInForce: "GTC" },
  ...{ priceTicks, quantityLots, stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n, clientOrderId: `b${++orders}` },
});

/** Orders far from the market, on both sides. */
function* resting(count: number): Generator<Command> {
  for (let n = 0; n < count; n++) {
    const away = 10_000 + (n >> 1);
    yield n % 2 === 0 ? limit(101, "BUY", MID_TICKS - away, LOTS) : limit(102, "SELL", MID_TICKS + away, LOTS);
  }
}

/** So many trades; no order stays open. */
export function* traded(count: number): Generator<Command> {
  for (let n = 0; n < count / MAKERS; n++) {
    for (let maker = 0; maker < MAKERS; maker++) yield limit(100, "SELL", MID_TICKS + maker, LOTS);
    yield limit(101, "BUY", MID_TICKS + MAKERS, MAKERS * LOTS);
  }
}
