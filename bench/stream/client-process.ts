/** Subscribers with minimal cost: sockets whose bytes are counted. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import { nowMs } from "./messages.ts";
import type { ClientOrder, ClientReport } from "./messages.ts";

interface Subscriber {
  readonly socket: Socket;
  bytes: number;
}

const AT_A_TIME = 100;
const HANDSHAKE_END = "\r\n\r\n";

let subscribers: Subscriber[] = [];
let arrivals: [number, number][] | undefined;
let waiting: { readonly bytesEach: number; left: number } | undefined;

const report = (what: ClientReport): void => void process.send?.(what);

function open(port: number, path: string): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const subscriber = { socket, bytes: 0 };
    socket.on("error", reject);
    socket.setNoDelay(true);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    let head = "";
    const onHead = (data: Buffer): void => {
      head += data.toString("latin1");
      const end = head.indexOf(HANDSHAKE_END);
      if (end === -1) return;
      socket.off("data", onHead);
      if (!head.startsWith("HTTP/1.1 101")) reject(new Error(head));
      socket.on("data", (bytes: Buffer) => take(subscriber, bytes));
      const rest = Buffer.from(head.slice(end + HANDSHAKE_END.length), "latin1");
      if (rest.length > 0) take(subscriber, rest);
      resolve(subscriber);
    };
    socket.on("data", onHead);
  });
}

function take(subscriber: Subscriber, data: Buffer): void {
  const before = subscriber.bytes;
  subscriber.bytes += data.length;
  if (waiting !== undefined && before < waiting.bytesEach && subscriber.bytes >= waiting.bytesEach) done(waiting);
  if (arrivals !== undefined) listen(data, arrivals);
}

function done(wanted: { left: number }): void {
  if (--wanted.left > 0) return;
  waiting = undefined;
  for (const subscriber of subscribers) subscriber.bytes = 0;
  report({ type: "had", endMs: nowMs() });
}

function listen(data: Buffer, into: [number, number][]): void {
  const atMs = nowMs();
  for (const [, tradeId] of data.toString("latin1").matchAll(/"t":(\d+)/g)) into.push([Number(tradeId), atMs]);
}

async function openMany(port: number, path: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_A_TIME) {
    const some = Array.from({ length: Math.min(left, AT_A_TIME) }, () => open(port, path));
    subscribers.push(...(await Promise.all(some)));
  }
  report({ type: "open" });
}

function close(): void {
  const stillOpen = subscribers.filter(({ socket }) => !socket.destroyed && socket.writable).length;
  for (const { socket } of subscribers) socket.destroy();
  subscribers = [];
  report({ type: "closed", stillOpen });
}

process.on("message", (order: ClientOrder) => {
  switch (order.type) {
    case "open":
      void openMany(order.port, order.path, order.count);
      return;
    case "await":
      waiting = { bytesEach: order.bytesEach, left: subscribers.length };
      return;
    case "hear":
      arrivals = [];
      report({ type: "hearing" });
      return;
    case "heard":
      report({ type: "heard", arrivals: arrivals ?? [] });
      arrivals = undefined;
      return;
    case "close":
      close();
  }
});
process.once("disconnect", () => process.exit());
