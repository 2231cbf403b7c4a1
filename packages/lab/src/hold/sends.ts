/**
 * What a bot has written leaves connection by connection, in the order in which it began to write. By itself a request
 * on a connection that stands would overtake one whose connection is still being made, and sometimes it would not.
 */
import type { Socket } from "node:net";

type Write = Socket["write"];

export class Sends {
  /** Sockets in the order of their first write. */
  readonly #waiting = new Set<Socket>();

  /** Makes the socket keep what is written on it until its turn. */
  hold(socket: Socket): void {
    socket.cork();
    const write = socket.write.bind(socket);
    const destroy = socket.destroy.bind(socket);
    const held = (...args: Parameters<Write>): boolean => {
      this.#waiting.add(socket);
      return write(...args);
    };
    // Node puts its own method back when the socket connects.
    Object.defineProperty(socket, "write", { get: () => held, set: () => {}, configurable: true });
    // The bot believes that what it wrote before has left, so it must leave.
    socket.destroy = (error?: Error): Socket => {
      this.#release(socket);
      return destroy(error);
    };
    socket.once("close", () => this.#waiting.delete(socket));
  }

  /** It is not the bot's. */
  ignore(socket: Socket): void {
    for (const name of ["write", "destroy"] as const) Reflect.deleteProperty(socket, name);
    this.#waiting.delete(socket);
    socket.uncork();
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Lets go what the first of them has written. False: there is none. */
  next(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    this.#release(first);
    return true;
  }

  /** Lets all go: the process ends. */
  all(): void {
    while (this.next());
  }

  #release(socket: Socket): void {
    if (!this.#waiting.delete(socket)) return;
    socket.uncork();
    if (!socket.writableEnded) socket.cork();
  }
}
