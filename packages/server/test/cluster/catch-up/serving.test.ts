/** How a node serves its journal: only with a token, to few peers at a time, as fast as they read. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { NODE_TOKEN, TOKEN } from "../../people/admin/running.ts";
import { append, folderWith } from "../../journal/replica/data-folder.ts";
import { readFrames } from "../../../src/cluster/catch-up/frames.ts";
import { fetchRows, PeerFailed, takeSnapshot } from "../../../src/cluster/catch-up/fetch-rows.ts";
import { EMPTY_HEAD, type NewBatch } from "../../../src/journal/port.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { recover } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { BATCHES, startPeer } from "./nodes.ts";

const ROWS = `/v1/journal/rows?after=0&chainHash=${EMPTY_HEAD.chainHash}`;
const asNode = { headers: { authorization: `Bearer ${NODE_TOKEN}` } };
/** More data than socket buffers take at once. */
const BIG: NewBatch[] = Array.from({ length: 40 }, (_, at) => ({
  ...{ firstSeq: at + 1, count: 1, timeMs: 1, node: "n1", priorEventDigest: "", bytes: new Uint8Array(1 << 20) },
}));

test("the token of nodes opens only these routes, and without it nothing is served", async (t) => {
  const { url } = await startPeer(t);
  const statusOf = async (path: string, token: string, method = "GET"): Promise<number> => {
    const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${token}` } });
    await response.bytes();
    return response.status;
  };
  for (const token of [NODE_TOKEN, TOKEN]) {
    assert.equal(await statusOf(ROWS, token), 200);
    assert.equal(await statusOf("/v1/journal/snapshot", token), 404);
  }
  assert.equal(await statusOf("/v1/journal", TOKEN), 200);
  for (const path of ["/v1/journal", "/v1/accounts", "/v1/nothing"]) {
    assert.equal(await statusOf(path, NODE_TOKEN), path === "/v1/nothing" ? 404 : 401, path);
  }
  assert.equal((await statusOf("/v1/halt", NODE_TOKEN, "POST")) === 200, false);
  for (const path of [ROWS, "/v1/journal/snapshot"]) assert.equal(await statusOf(path, "a-wrong-token-for-tests"), 401);
  assert.equal(await statusOf("/v1/journal/rows?after=-1", NODE_TOKEN), 400);
  const { firstSeq } = BATCHES[1] ?? assert.fail();
  const another = `/v1/journal/rows?after=${firstSeq - 1}&chainHash=${"a".repeat(64)}`;
  assert.equal(await statusOf(another, NODE_TOKEN), 409, "where a row ends, by another chain");
  assert.equal(await statusOf(`/v1/journal/rows?after=1&chainHash=${"0".repeat(64)}`, NODE_TOKEN), 409);
});

async function silentReader(t: TestContext, url: string): Promise<ReturnType<typeof connect>> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  inTheEnd(t, () => socket.destroy());
  socket.on("error", () => {});
  socket.write(`GET ${ROWS} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${NODE_TOKEN}\r\n\r\n`);
  await new Promise((resolve) => socket.once("readable", resolve));
  return socket;
}

test("a slow reader delays reading and uses no memory; a third reader is told to wait", async (t) => {
  const { url, source } = await startPeer(t, BIG, null);
  let given = 0;
  const rows = source.rows.bind(source);
  source.rows = async (...asked) => {
    const iterator = (await rows(...asked))[Symbol.asyncIterator]();
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      const piece = await iterator.next();
      given += piece.done === true ? 0 : piece.value.length;
      return piece;
    };
    return { [Symbol.asyncIterator]: () => ({ ...iterator, next }) };
  };
  const readers = [await silentReader(t, url), await silentReader(t, url)];
  let before = -1;
  await until("nothing more is given", async () => {
    const now = given;
    await MACHINE.pause(100);
    const isStill = now > 0 && given === now && before === now;
    before = given;
    return isStill;
  });
  // The socket buffers, and one piece each.
  assert.ok(given < 24 << 20, `${given} bytes for readers that read nothing`);
  const third = await fetch(url + ROWS, asNode);
  assert.deepEqual([third.status, ((await third.json()) as { error: string }).error], [503, "BUSY"]);
  for (const reader of readers) reader.destroy();
  await until("a place is free again", async () => {
    const response = await fetch(url + ROWS, asNode);
    await response.body?.cancel();
    return response.status === 200;
  });
});

test("batches written meanwhile are not included: it ends where it announced", async (t) => {
  const { paths, source } = await startPeer(t, BIG.slice(0, 10), null);
  const stream = await source.rows(0, EMPTY_HEAD.chainHash);
  const seqs: number[] = [];
  let until = 0;
  for await (const frame of readFrames(stream)) {
    if (frame.kind === "begin") {
      until = frame.begin.head.lastSeq;
      append(paths, BIG.slice(10, 12));
    }
    if (frame.kind === "row") seqs.push(frame.row.firstSeq + frame.row.count - 1);
  }
  assert.deepEqual([seqs.length, seqs.at(-1)], [10, until]);
  await source.close();
});

test("closing ends streams in progress, and streams that were not read yet", async (t) => {
  const { source } = await startPeer(t, BIG.slice(0, 4), null);
  const streams = [await source.rows(0, EMPTY_HEAD.chainHash), await source.rows(0, EMPTY_HEAD.chainHash)];
  const [first, second] = streams.map((stream) => stream[Symbol.asyncIterator]());
  await first?.return?.();
  await second?.next();
  await source.close();
  await assert.rejects(second!.next());
  await (await source.rows(0, EMPTY_HEAD.chainHash))[Symbol.asyncIterator]().return?.();
});

test("a node that stops sending is abandoned", async (t) => {
  for (const saysFirst of ["", "PTROWS"]) {
    const server = createServer((_, response) => void (saysFirst !== "" && response.write(saysFirst)));
    inTheEnd(t, () => server.close().closeAllConnections());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const rows = fetchRows({ node: "n1", url }, EMPTY_HEAD, { token: "", world: MACHINE, stalledMs: 100 });
    await assert.rejects(
      rows.next(),
      (error) => error instanceof PeerFailed && /nothing for 100 ms/.test(error.message),
    );
  }
  const { url } = await startPeer(t);
  const wrong = fetchRows({ node: "n1", url }, EMPTY_HEAD, { token: "x", world: MACHINE });
  await assert.rejects(wrong.next(), /it refuses the token: all nodes need the same/);
});

test("the newest snapshot is fetched if it saves a long replay, and only if it is of the same journal", async (t) => {
  const peer = await startPeer(t);
  const journal = JournalFile.openReadOnly(peer.paths.journal);
  inTheEnd(t, () => journal.close());
  const { engine, head } = recover(journal, new SnapshotFolder("/nowhere"), { world: MACHINE });
  new SnapshotFolder(peer.paths.snapshots).take(engine, head.chainHash);
  const own = folderWith(t, BATCHES);
  const snapshots = new SnapshotFolder(own.snapshots);
  const node = { node: "n1", url: peer.url };
  const options = { snapshots, token: NODE_TOKEN, world: MACHINE };
  assert.equal(await takeSnapshot(node, { ...options, journal, leastEntries: head.lastSeq }), undefined);
  const headAt = (): undefined => undefined;
  assert.equal(await takeSnapshot(node, { ...options, journal: { headAt }, leastEntries: 1 }), undefined);
  const spoiled: typeof fetch = async (url, init) => {
    const bytes = Buffer.from(await (await fetch(url, init)).arrayBuffer());
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    return new Response(bytes);
  };
  assert.equal(await takeSnapshot(node, { ...options, journal, leastEntries: 1, fetch: spoiled }), undefined);
  assert.deepEqual(snapshots.list(), []);
  assert.equal(await takeSnapshot(node, { ...options, journal, leastEntries: 1 }), head.lastSeq);
  const restored = recover(journal, snapshots, { world: MACHINE });
  assert.deepEqual([restored.snapshotSeq, restored.refused], [head.lastSeq, []]);
  assert.equal(restored.engine.stateHash().hash, engine.stateHash().hash);
});
