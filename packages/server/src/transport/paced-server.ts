/**
 * A `node:http` server to which connections come by hand: what the system accepts goes to `accept`, and what
 * `node:http` is to read is handed over to it as a paced socket. Node documents both halves: the event
 * `connection` is emitted with each socket that was accepted, and anybody may emit it with any Duplex.
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

  /** From now on `node:http` reads it, answers on it and looks after its time. */
  handOver(socket: PacedSocket): void {
    super.emit("connection", socket);
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event !== "connection") return super.emit(event, ...args);
    this.#accept(args[0] as Socket);
    return true;
  }
}
