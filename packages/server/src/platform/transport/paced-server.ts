/**
 * A `node:http` server whose connections are passed to it: accepted sockets go to `accept`, and those that `node:http`
 * should read are handed over as paced sockets. Node documents both halves: the event `connection` is emitted with each
 * accepted socket, and anybody may emit it with any Duplex.
 */
import { Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import type { PacedSocket } from "./paced-socket.ts";

export class PacedServer extends Server {
  readonly #accept: (socket: Socket) => void;

  constructor(options: ServerOptions, accept: (socket: Socket) => void) {
    super(options);
    this.#accept = accept;
  }

  /** From now on `node:http` reads the socket, answers on it and enforces its timeouts. */
  handOver(socket: PacedSocket): void {
    super.emit("connection", socket);
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event !== "connection") return super.emit(event, ...args);
    this.#accept(args[0] as Socket);
    return true;
  }
}
