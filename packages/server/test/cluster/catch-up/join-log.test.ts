/**
 * Before a node replays its journal, it publishes its position: otherwise the log could drop the following batches
 * meanwhile.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { WaitingServer } from "../../../src/people/admin/waiting-server.ts";
import { CatchUpProgress, joinLog, watchCatchUp } from "../../../src/cluster/catch-up/join-log.ts";
import type { StartupProbes } from "../../../src/cluster/catch-up/port.ts";
import { type NodePosition, StoreUnfit } from "../../../src/cluster/port.ts";
import { Metrics } from "../../../src/platform/observe/metrics.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { openCopy } from "../../../src/journal/storage/open-journal.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { NODE_TOKEN } from "../../people/admin/running.ts";
import { BATCHES, journalPlace, ownNode, placeOf, position, startPeer, TailLog } from "./nodes.ts";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const LAST = journalPlace(BATCHES.length);
const world = { ...MACHINE, pause: () => MACHINE.pause(5) };
const log = { info: () => {}, warn: () => {} };
const common = { world, log, release: "1.2.3", holdPayments: () => {} };

/**
 * A log whose batches are kept according to published positions; `onTold` is called with each position before it
 * counts.
 */
class HeldLog extends TailLog {
  readonly positionsTold: NodePosition[] = [];
  onTold: (attempt: number) => void = () => {};

  async announce(told: NodePosition): Promise<void> {
    this.onTold(this.positionsTold.push(told));
  }
}

function waitingRoom(): StartupProbes & { readonly said: string[]; isClosed: boolean } {
  const room = { said: [] as string[], isClosed: false, say: (why: string) => void room.said.push(why), close };
  async function close(): Promise<void> {
    room.isClosed = true;
  }
  return room;
}

test("batches dropped before the position was published are fetched, too; later ones are kept", async (t) => {
  const store = new HeldLog();
  const [before, after] = [await startPeer(t, BATCHES.slice(0, 9), journalPlace(9)), await startPeer(t)];
  store.length = store.trimmed = 9;
  store.told = [position("n1", before.url, 9, journalPlace(9).seq)];
  store.onTold = (attempt) => {
    if (attempt > 1) return;
    store.length = store.trimmed = BATCHES.length;
    store.told = [position("n1", after.url, BATCHES.length, LAST.seq)];
  };
  const own = ownNode(t, store);
  const journal = openCopy(own.paths.journal);
  const room = waitingRoom();
  const snapshots = new SnapshotFolder(own.paths.snapshots);
  const progress = new CatchUpProgress();
  const options = { journal, store, snapshots, snapshotEveryEntries: 0, room, progress, ...common };
  const place = await joinLog({ ...options, node: "n9", token: NODE_TOKEN, signal: t.signal });
  journal.closeWhole();
  assert.deepEqual(place, placeOf(BATCHES.length));
  const told = store.positionsTold.map(({ node, place: at, release, admin }) => [node, at, release, admin]);
  assert.deepEqual(told, [
    ["n9", placeOf(9), "1.2.3", ""],
    ["n9", placeOf(BATCHES.length), "1.2.3", ""],
  ]);
  assert.deepEqual(own.place(), LAST);
  assert.match(room.said[0] ?? "", /^entry \d+ of \d+$/);
  assert.equal(room.isClosed, true);

  const bytes = BATCHES.reduce((sum, batch) => sum + batch.bytes.length, 0);
  assert.deepEqual([progress.state, progress.missingEntries], ["done", 0]);
  assert.deepEqual([progress.rows, progress.bytes], [{ n1: BATCHES.length }, { n1: bytes }]);
});

test("/metrics and probes are answered while the node catches up: what it waits for, and its sources", async (t) => {
  const store = new HeldLog();
  store.length = store.trimmed = BATCHES.length;
  const own = ownNode(t, store);
  const journal = openCopy(own.paths.journal);
  const progress = new CatchUpProgress();
  const metrics = new Metrics();
  watchCatchUp(metrics, progress);
  const port = await freePort();
  const room = new WaitingServer({ port, version: "1.2.3", metrics, onTrouble: (error) => assert.fail(error) });
  const snapshots = new SnapshotFolder(own.paths.snapshots);
  const options = { journal, store, snapshots, snapshotEveryEntries: 0, room, progress, ...common };
  const peer = await startPeer(t);
  const joined = joinLog({ ...options, node: "n9", token: NODE_TOKEN, signal: t.signal });
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string): Promise<string> => (await fetch(url + path)).text();

  const waiting = await untilAnswer(
    "it waits for a node",
    () => ask("/metrics").catch(() => ""),
    (text) => text.includes('pricetime_cluster_catch_up_state{state="waiting"} 1'),
  );
  assert.doesNotMatch(waiting, /rows_total\{/);
  assert.match(await ask("/readyz"), /"catchUp":"no other node has published/);
  assert.match(await ask("/v1/accounts"), /CATCHING_UP/);

  store.told = [position("n1", peer.url, BATCHES.length, LAST.seq)];
  assert.deepEqual(await joined, placeOf(BATCHES.length));
  journal.closeWhole();
  const done = await metrics.text();
  assert.match(done, /catch_up_state\{state="done"\} 1/);
  assert.match(done, /catch_up_state\{state="waiting"\} 0/);
  assert.match(done, new RegExp(`catch_up_rows_total\\{from="n1"\\} ${BATCHES.length}\n`));
  assert.match(done, /catch_up_missing_entries 0/);
});

test("a store that is not reachable is retried; an unfit one is not", async (t) => {
  const store = new HeldLog({ batches: [] });
  const own = ownNode(t, store);
  const journal = openCopy(own.paths.journal);
  t.after(() => journal.closeWhole());
  const snapshots = new SnapshotFolder(own.paths.snapshots);
  const join = (room: StartupProbes): Promise<unknown> =>
    joinLog({
      ...{ journal, store, snapshots, snapshotEveryEntries: 0, room, ...common },
      progress: new CatchUpProgress(),
      ...{ node: "n9", token: NODE_TOKEN, signal: t.signal },
    });
  store.onTold = (attempt) => {
    if (attempt < 3) throw new Error("no member answers");
  };
  const room = waitingRoom();
  assert.equal(await join(room), null);
  assert.deepEqual(room.said, ["the store: no member answers", "the store: no member answers"]);
  store.onTold = () => {
    throw new StoreUnfit("another node runs as n9");
  };
  await assert.rejects(join(waitingRoom()), /another node runs as n9/);
});
