/** Holds idle connections: HTTP connections after one response, and subscribed WebSockets. */
import { connect, type Socket } from "node:net";

/** Opens so many more. */
export interface IdleOrder {
  readonly port: number;
  /** The head of the first request. */
  readonly head: string;
  readonly more: number;
}
/** The number of connections that were opened and stayed open. */
export interface IdleReport {
  readonly type: "open";
  readonly open: number;
}

/** Connections opened at the same time; the listen queue of the socket would refuse more. */
const OPENED_AT_ONCE = 100;
const sockets = new Set<Socket>();

function open({ port, head }: IdleOrder): Promise<void> {
  return new Promise((done, failed) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", failed);
    socket.once("close", () => sockets.delete(socket));
    socket.once("data", (answer) => {
      const status = answer.toString("latin1", 9, 12);
      if (status !== "200" && status !== "101") return failed(new Error(answer.toString("latin1")));
      sockets.add(socket);
      done();
    });
    socket.write(head);
  });
}

async function carryOut(order: IdleOrder): Promise<void> {
  for (let left = order.more; left > 0; left -= OPENED_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, OPENED_AT_ONCE) }, () => open(order)));
  }
  process.send?.({ type: "open", open: sockets.size } satisfies IdleReport);
}

// A failed order ends this process, and with it the benchmark.
process.on("message", (order: IdleOrder) => void carryOut(order));
process.once("disconnect", () => process.exit());
