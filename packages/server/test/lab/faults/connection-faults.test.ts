/**
 * Each fault of new connections: what a client sees, that the journal is unaffected, and that others are not struck.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, test } from "node:test";
import { WebSocket } from "ws";
import { isConnectionFault } from "../../../src/lab/faults/fault.ts";
import { kindsThat, LabNode } from "./lab-node.ts";

const lab = await LabNode.start();
const seqAtStart = await lab.seq();
afterEach(async () => {
  await lab.clear();
  assert.deepEqual(lab.entriesSince(seqAtStart), []);
});

/** The code of the error with which the connection ends, or the status of an answer on it. */
function asks(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(lab.port, "127.0.0.1", () => socket.write("GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n\r\n"));
    socket.once("data", (bytes) => {
      resolve(bytes.toString().slice(9, 12));
      socket.destroy();
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? ""));
  });
}

/** The status of the refusal, or 101. */
async function opens(path: string): Promise<number> {
  const ws = new WebSocket(`ws://127.0.0.1:${lab.port}${path}`);
  ws.on("error", () => {});
  const refused = once(ws, "unexpected-response").then(([, answer]) => (answer as { statusCode: number }).statusCode);
  const opened = once(ws, "open").then(() => 101);
  const status = await Promise.race([refused, opened]);
  ws.terminate();
  return status;
}

test("refuse: connections are broken off as they come; those that stand go on", async () => {
  const before = await lab.send("GET", "/api/v3/ping", "");
  assert.equal((await before.answer()).status, 200);
  const id = await lab.fault({ fault: "refuse", count: 2 });
  assert.deepEqual([await asks(), await asks(), await asks()], ["ECONNRESET", "ECONNRESET", "200"]);
  const { strikes } = await lab.listed(id);
  assert.deepEqual(
    strikes.map(({ ip, path }) => [ip, path]),
    [
      ["127.0.0.1", undefined],
      ["127.0.0.1", undefined],
    ],
  );
  await lab.fault({ fault: "refuse" });
  const again = await lab.send("GET", "/api/v3/ping", "", { on: before });
  assert.equal((await again.answer()).status, 200);
  assert.equal(await asks(), "ECONNRESET");
  before.close();
});

test("handshake: a WebSocket is not opened, where it is meant for; requests are answered", async () => {
  const id = await lab.fault({ fault: "handshake", where: { path: "/ws" }, count: 1 });
  assert.equal(await opens("/stream?streams=btcusdt@trade"), 101);
  assert.equal(await asks(), "200");
  assert.equal(await opens("/ws/btcusdt@trade"), 503);
  assert.equal(await opens("/ws/btcusdt@trade"), 101);
  const [strike] = (await lab.listed(id)).strikes;
  assert.deepEqual([strike?.["ip"], strike?.["path"]], ["127.0.0.1", "/ws/btcusdt@trade"]);
  await lab.fault({ fault: "handshake", status: 429, where: { path: "/ws-api/v3" } });
  assert.deepEqual([await opens("/ws-api/v3"), await opens("/ws")], [429, 101]);
});

test("what cannot strike a connection is refused", async () => {
  assert.match(
    await lab.refusal({ fault: "refuse", where: { account: lab.alice.email } }),
    /^400 BAD_REQUEST unknown key where.account/,
  );
  assert.match(await lab.refusal({ fault: "handshake", status: 200 }), /^400 BAD_REQUEST status/);
  assert.match(await lab.refusal({ fault: "handshake", where: { path: "/api" } }), /^400 BAD_REQUEST where.path/);
});

test("no kind of fault that strikes connections is missing here", () => {
  assert.deepEqual([...lab.seenToStrike].toSorted(), kindsThat(isConnectionFault));
});
