/**
 * The measured servers: the hub with its stream sockets; for comparison a bare `ws` server that sends the same bytes;
 * and a complete node that trades, for the delay from its journal to a subscriber.
 */
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { Hub, MACHINE, Sockets, STREAM_LIMITS, streamEndpoint, SendQueue } from "@pricetime/server/parts";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { startNode } from "./node.ts";
import { nowMs, streamNames } from "./messages.ts";
import type { Sender, ServerOrder, ServerReport } from "./messages.ts";

/** A message of `@trade`. */
const MESSAGE =
  '{"e":"trade","E":1795261975409,"s":"BTCUSDT","t":1234567,"p":"59997.08000000","q":"0.06755700",' +
  '"b":2345678,"a":2345677,"T":1795261975409,"m":false,"M":true}';
/** The bytes of a frame header for a payload of 126 bytes to 64 KiB. */
const HEADER_BYTES = 4;
/** Sending pauses while more than this is buffered for any subscriber. */
const FULL_BYTES = 64 * 1024;

const report = (what: ServerReport): void => void process.send?.(what);

/** A server and its open sockets. */
async function listen(server: Server): Promise<{ readonly port: number; readonly sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** All subscribers come from one address. */
const MOST_CONNECTIONS = 10_000;

const hub = new Hub(new SendQueue());
const limits = { ...STREAM_LIMITS, maxConnectionsPerIp: MOST_CONNECTIONS, maxSendBufferBytesPerIp: 1024 ** 3 };
const context = {
  hub,
  listenKeys: { isOpen: () => false },
  names: { isStream: () => true },
  announcesShutdown: false,
  limits,
};
const streamSockets = new Sockets({
  endpointAt: (path, query) => streamEndpoint(path, query, context),
  world: MACHINE,
  limitsRates: false,
  limits,
  bans: { ban: () => null },
  trustedProxies: [],
  origins: { allowedOrigins: [], publicUrl: null, isDemo: false },
});
const hubServer = createServer();
hubServer.on("upgrade", (request, socket, head) => streamSockets.upgrade(request, socket, head, () => {}));
const bareServer = createServer();
const bare = new WebSocketServer({ server: bareServer, perMessageDeflate: false });
const open = { hub: await listen(hubServer), bare: await listen(bareServer) };

function isFull(sender: Sender): boolean {
  for (const socket of open[sender].sockets) if (socket.writableLength > FULL_BYTES) return true;
  return false;
}

const SEND: Readonly<Record<Sender, (names: readonly string[]) => void>> = {
  hub: (names) => {
    for (const name of names) hub.publish(name, MESSAGE);
  },
  bare: (names) => {
    for (let n = 0; n < names.length; n++) for (const client of bare.clients) client.send(MESSAGE);
  },
};

async function fan(sender: Sender, streams: number, turns: number): Promise<void> {
  report({ type: "fanned", startMs: nowMs() });
  const names = streamNames(streams);
  for (let sent = 0; sent < turns; sent++) {
    SEND[sender](names);
    do await turn();
    while (isFull(sender));
  }
}

const folder = temporaryFolder();
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const node = await startNode(folder);

async function trade(trades: number, everyMs: number): Promise<void> {
  const committed: [number, number][] = [];
  node.onTrade = (tradeId) => void committed.push([tradeId, nowMs()]);
  for (let n = 0; n < trades; n++) {
    node.trade();
    await sleep(everyMs);
  }
  report({ type: "traded", committed });
}

process.on("message", (order: ServerOrder) => {
  if (order.type === "fan") void fan(order.sender, order.streams, order.turns);
  else void trade(order.trades, order.everyMs);
});
process.once("disconnect", () => process.exit());
const ports = { hub: open.hub.port, bare: open.bare.port, node: node.port };
report({ type: "listening", ports, messageBytes: HEADER_BYTES + Buffer.byteLength(MESSAGE) });
