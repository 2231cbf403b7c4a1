/** A node fetches from a peer what the log no longer has: completely, from any position, and only from valid peers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { JournalForeign } from "../../../src/cluster/catch-up/catch-up.ts";
import { StoreUnfit } from "../../../src/cluster/port.ts";
import { headAfter } from "../../../src/journal/port.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import {
  BATCHES,
  GENESIS,
  journalPlace,
  OTHERS,
  ownNode,
  type Own,
  placeOf,
  position,
  startPeer,
  TailLog,
} from "./nodes.ts";

const HALF = BATCHES.slice(0, BATCHES.length >> 1);
const SHORT = BATCHES.slice(0, 5);
const LAST = journalPlace(BATCHES.length);
/** Retries at once, and records problems. */
const impatient = { ...MACHINE, pause: () => MACHINE.pause(5) };

function checkWhole(own: Own): void {
  const { fault, rows } = verifyJournalFile(own.paths.journal);
  assert.deepEqual([fault, rows], [null, BATCHES.length]);
  assert.deepEqual(own.place(), LAST);
}

function trimmedLog(trimmed = BATCHES.length): TailLog {
  const log = new TailLog();
  log.trimmed = trimmed;
  return log;
}

test("a node without a journal gets all of it, with the position after which the log continues", async (t) => {
  const log = trimmedLog();
  const peer = await startPeer(t);
  log.told = [position("n1", peer.url, BATCHES.length, LAST.seq)];
  const own = ownNode(t, log);
  const steps: number[] = [];
  const { entries, place, from } = await own.catchUp({ stepRows: 50, onStep: (seq) => steps.push(seq) });
  assert.deepEqual([entries, place], [LAST.seq, placeOf(BATCHES.length)]);
  assert.deepEqual(from, [{ node: "n1", url: peer.url }]);
  assert.equal(steps.length, Math.ceil(BATCHES.length / 50));
  checkWhole(own);
  assert.deepEqual(await own.catchUp(), { entries: 0, place, from: [] });
});

test("a node whose position is still in the log needs no peer", async (t) => {
  const log = trimmedLog(HALF.length);
  const own = ownNode(t, log, HALF);
  const file = JournalFile.open(own.paths.journal);
  file.copy([], journalPlace(HALF.length));
  file.close();
  assert.deepEqual(await own.catchUp(), { entries: 0, place: placeOf(HALF.length), from: [] });
  const fresh = ownNode(t, new TailLog());
  assert.deepEqual(await fresh.catchUp(), { entries: 0, place: null, from: [] });
});

test("a node whose last batch differs from the log's at that position fetches nothing", async (t) => {
  const log = new TailLog();
  log.isAt = async () => false;
  const own = ownNode(t, log, HALF);
  const file = JournalFile.open(own.paths.journal);
  file.copy([], journalPlace(HALF.length));
  file.close();
  await assert.rejects(own.catchUp(), StoreUnfit);
});

test("batches that the log has trimmed meanwhile are also fetched", async (t) => {
  const log = trimmedLog(HALF.length);
  log.length = HALF.length;
  const behind = await startPeer(t, HALF, journalPlace(HALF.length));
  const ahead = await startPeer(t);
  log.told = [position("n1", behind.url, HALF.length, journalPlace(HALF.length).seq)];
  const own = ownNode(t, log);
  const { entries, from } = await own.catchUp({
    onStep: () => {
      log.length = log.trimmed = BATCHES.length;
      log.told = [position("n2", ahead.url, BATCHES.length, LAST.seq)];
    },
    world: impatient,
  });
  assert.equal(entries, LAST.seq);
  assert.deepEqual(
    from.map(({ node }) => node),
    ["n1", "n2"],
  );
  checkWhole(own);
});

/** Passes on what the other node sends, changed or cut off. */
function between(change: (bytes: Buffer) => Uint8Array[] | Promise<Uint8Array[]>): typeof fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const pieces = await change(bytes);
    const body = new ReadableStream<Uint8Array>({
      pull: (control) => {
        const piece = pieces.shift();
        if (piece === undefined) control.error(new Error("reset"));
        else control.enqueue(piece);
      },
    });
    return new Response(body, { status: answer.status });
  };
}

test("the other node dies at any point: the next one continues from there", async (t) => {
  const log = trimmedLog();
  const [first, second] = [await startPeer(t), await startPeer(t)];
  log.told = [
    position("n1", first.url, BATCHES.length + 1, LAST.seq),
    position("n2", second.url, BATCHES.length, LAST.seq),
  ];
  const dice = new Dice(16);
  for (let n = 0; n < 5; n++) {
    const own = ownNode(t, log);
    const dying = between((bytes) => [bytes.subarray(0, dice.below(bytes.length))]);
    const ask: typeof fetch = (url, init) => (String(url).startsWith(first.url) ? dying : fetch)(url, init);
    const { entries, from } = await own.catchUp({ fetch: ask, stepRows: 7 });
    assert.equal(entries, LAST.seq);
    assert.equal(from.at(-1)?.node, "n2");
    checkWhole(own);
  }
});

test("a batch altered in transit is rejected, with those after it; then the next node is tried", async (t) => {
  const log = trimmedLog();
  const [first, second] = [await startPeer(t), await startPeer(t)];
  log.told = [
    position("n1", first.url, BATCHES.length + 1, LAST.seq),
    position("n2", second.url, BATCHES.length, LAST.seq),
  ];
  const own = ownNode(t, log, SHORT);
  const stop = new AbortController();
  const told: string[] = [];
  const lie = between((bytes) => {
    const at = bytes.length - 100;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return [bytes];
  });
  const onTrouble = (why: string | null): void => {
    if (why !== null) told.push(why);
    stop.abort();
  };
  const both = own.catchUp({ fetch: lie, stepRows: 7, world: impatient, onTrouble, signal: stop.signal });
  await assert.rejects(both, { name: "AbortError" });
  assert.match(told[0] ?? "", /n1 at http.*cannot be trusted: .*damaged at entry.*; n2 at http.*damaged at entry/);
  assert.equal(verifyJournalFile(own.paths.journal).fault, null);
  const ask: typeof fetch = (url, init) => (String(url).startsWith(first.url) ? lie : fetch)(url, init);
  assert.equal((await own.catchUp({ fetch: ask })).from.at(-1)?.node, "n2");
  checkWhole(own);
});

test("the journal of another exchange is rejected, and ours is unchanged", async (t) => {
  const log = trimmedLog();
  const stranger = await startPeer(t, OTHERS, { ...journalPlace(OTHERS.length, OTHERS), epoch: "f".repeat(16) });
  log.told = [position("n1", stranger.url, OTHERS.length, 1)];
  const empty = ownNode(t, log);
  const stop = new AbortController();
  const told: (string | null)[] = [];
  const onTrouble = (why: string | null): void => {
    told.push(why);
    stop.abort();
  };
  await assert.rejects(empty.catchUp({ onTrouble, signal: stop.signal, world: impatient }));
  assert.match(told[0] ?? "", /its journal is at no place of this cluster's log/);
  assert.equal(empty.head().lastSeq, 0);
  const own = ownNode(t, log, SHORT);
  const before = own.head();
  await assert.rejects(own.catchUp(), (error: Error) => {
    assert.ok(error instanceof JournalForeign);
    assert.match(error.message, /after entry \d+ this node's journal has another chain.*Move its data folder away/);
    return true;
  });
  assert.deepEqual(own.head(), before);
});

test("a position that the log does not confirm is not stored, and the node does not follow from it", async (t) => {
  const log = trimmedLog(HALF.length);
  const { number, seq } = journalPlace(BATCHES.length - 1);
  const liar = await startPeer(t, BATCHES.slice(0, -1), { ...journalPlace(BATCHES.length), seq });
  log.told = [position("n1", liar.url, number, seq)];
  const own = ownNode(t, log);
  const stop = new AbortController();
  const told: (string | null)[] = [];
  const onTrouble = (why: string | null): void => {
    told.push(why);
    stop.abort();
  };
  await assert.rejects(own.catchUp({ onTrouble, signal: stop.signal, world: impatient }), { name: "AbortError" });
  assert.match(told[0] ?? "", /its last row is not the one that the log has at the place that it tells/);
  assert.equal(own.place(), null);
  // The fetched batches are valid: an honest node only needs to confirm the position.
  const honest = await startPeer(t);
  log.told = [...log.told, position("n2", honest.url, BATCHES.length, LAST.seq)];
  await own.catchUp({ world: impatient });
  checkWhole(own);
});

test("a journal longer than the cluster's is rejected, with instructions", async (t) => {
  const log = trimmedLog(HALF.length);
  log.length = HALF.length;
  const peer = await startPeer(t, HALF, journalPlace(HALF.length));
  log.told = [position("n1", peer.url, HALF.length, 1)];
  const own = ownNode(t, log, BATCHES);
  const [last] = HALF.slice(-1);
  const from = last!.firstSeq + last!.count;
  const expected = new RegExp(
    `has entries ${from} to ${LAST.seq}, which the cluster does not have. Bootstrap the cluster`,
  );
  await assert.rejects(own.catchUp(), expected);
  log.length = 0;
  await assert.rejects(own.catchUp(), /has entries 1 to/);
});

test("a journal other than the one that the epoch continues is rejected; a shorter one catches up", async (t) => {
  const base = headAfter({ ...HALF.at(-1)!, chainHash: "" }).lastSeq;
  const paths = ownNode(t, new TailLog(), BATCHES).paths;
  const file = JournalFile.open(paths.journal);
  const baseChainHash = file.headAt(base)!.chainHash;
  file.close();
  const epoch = { ...GENESIS, baseSeq: base, baseChainHash };
  const log = new TailLog({ epoch, batches: BATCHES.slice(HALF.length) });
  const atBase = ownNode(t, log, HALF);
  assert.equal((await atBase.catchUp()).place, null);
  const foreign = ownNode(t, log, OTHERS);
  await assert.rejects(
    foreign.catchUp(),
    /The cluster was bootstrapped from another journal than this node's: they differ up to entry \d+/,
  );
  const peer = await startPeer(t, HALF, { ...journalPlace(HALF.length), epoch: "the one before" });
  log.told = [position("n1", peer.url, 0, base)];
  const short = ownNode(t, log, SHORT);
  const { place, entries } = await short.catchUp();
  assert.deepEqual([place, entries], [null, base - journalPlace(SHORT.length).seq]);
  assert.equal(short.head().lastSeq, base);
});

test("payments held by another node after a restore are held here, before a batch is written", async (t) => {
  for (const arePaymentsHeld of [true, false]) {
    const log = trimmedLog();
    const peer = await startPeer(t, BATCHES, LAST, arePaymentsHeld);
    log.told = [position("n1", peer.url, BATCHES.length, LAST.seq)];
    const steps: string[] = [];
    const [holdPayments, onStep] = [(): void => void steps.push("held"), (): void => void steps.push("rows")];
    await ownNode(t, log).catchUp({ holdPayments, onStep, stepRows: BATCHES.length });
    assert.deepEqual(steps, arePaymentsHeld ? ["held", "rows"] : ["rows"]);
  }
});

test("payments are held by a node that follows from the start of an epoch after a restore", async (t) => {
  const { lastSeq: baseSeq, chainHash: baseChainHash } = ownNode(t, new TailLog(), HALF).head();
  const begun = { ...GENESIS, baseSeq, baseChainHash };
  for (const arePaymentsHeld of [true, false]) {
    const log = new TailLog({ epoch: { ...begun, arePaymentsHeld }, batches: [] });
    let held = 0;
    const { place } = await ownNode(t, log, HALF).catchUp({ holdPayments: () => held++ });
    assert.deepEqual([place, held > 0], [null, arePaymentsHeld]);
  }
});
