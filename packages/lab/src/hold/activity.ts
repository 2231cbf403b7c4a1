/** Activity of a bot that its event loop shows: whether it is idle, and what its sockets have carried. */
import type { Socket } from "node:net";
import { channel } from "node:diagnostics_channel";
import zlib from "node:zlib";
import { type Immediates, nextTurn } from "./timers.ts";

// What a bot has written leaves connection by connection, in the order in which it began to write. By itself a request
// on a connection that stands would overtake one whose connection is still being made, and sometimes it would not.

type Write = Socket["write"];

class Sends {
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

/** Requests to the system that a task waits for, by the names that Node gives them. */
const UNDER_WAY =
  /^(?:FSReq|GetAddrInfo|GetNameInfo|QueryReq|FileHandleCloseReq|.*ConnectWrap|.*WriteWrap|ShutdownWrap)/;

/** One may end the turn in which it was asked for; the other has looked at the sockets. */
const READ_TURNS = 2;
/** What libuv reads at once. */
const BUFFER_BYTES = 65_536;

/** The part of libuv's handle that Node's streams use. */
interface Handle {
  readonly reading: boolean;
  readStop(): number;
  readStart(): number;
  hasRef(): boolean;
}

const handleOf = (socket: Socket): Handle | null => (socket as unknown as { readonly _handle: Handle | null })._handle;

export class Activity {
  readonly #immediates: Pick<Immediates, "count">;
  readonly sends = new Sends();
  readonly #sockets = new Set<Socket>();
  readonly #own = new WeakSet<Socket>();
  /** Sockets that were there once, and bytes of those that are gone. */
  #carried = 0;
  /** Jobs on other threads that no list of Node's shows. */
  #jobs = 0;

  constructor(immediates: Pick<Immediates, "count">) {
    this.#immediates = immediates;
    channel("net.client.socket").subscribe((message) => this.#follow((message as { readonly socket: Socket }).socket));
    this.#countZlib();
    this.#countSubtle();
  }

  /** It is not the bot's. */
  ignore(socket: Socket): void {
    this.#own.add(socket);
    if (this.#sockets.delete(socket)) this.sends.ignore(socket);
  }

  /** Whether something is under way within the process. */
  get isBusy(): boolean {
    if (this.#immediates.count > 0 || this.#jobs > 0) return true;
    return process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name));
  }

  /** A number that grows with every byte, and with sockets that come and go. */
  get carried(): number {
    let sum = this.#carried;
    for (const { bytesRead, bytesWritten } of this.#sockets) sum += bytesRead + bytesWritten;
    return sum;
  }

  /** Whether a socket keeps the process alive. */
  get isConnected(): boolean {
    return [...this.#sockets].some((socket) => handleOf(socket)?.hasRef() === true);
  }

  /**
   * Lets the bot read what has arrived, socket by socket, the oldest first; `handled` resolves when it has dealt with what
   * one had. At all other times it reads nothing, so that the order does not depend on which was the quicker.
   */
  async read(handled: () => Promise<void>): Promise<void> {
    for (const socket of [...this.#sockets]) {
      for (let isMore = true; isMore; ) {
        const { bytesRead: before, destroyed } = socket;
        const handle = handleOf(socket);
        if (destroyed || handle?.reading !== true) break;
        handle.readStart();
        for (let turn = 0; turn < READ_TURNS; turn++) await nextTurn();
        if (handleOf(socket)?.reading === true) handleOf(socket)?.readStop();
        const count = socket.bytesRead - before;
        if (count > 0 || socket.destroyed) await handled();
        // A full buffer may have left something behind; answers that come meanwhile wait for the next read.
        isMore = count >= BUFFER_BYTES;
      }
    }
  }

  #follow(socket: Socket): void {
    if (this.#own.has(socket)) return;
    this.#sockets.add(socket);
    this.#carried += 1;
    this.sends.hold(socket);
    // Node begins to read right after this event.
    socket.once("connect", () => queueMicrotask(() => this.#sockets.has(socket) && handleOf(socket)?.readStop()));
    socket.once("close", () => {
      if (this.#sockets.delete(socket)) this.#carried += 1 + socket.bytesRead + socket.bytesWritten;
    });
  }

  readonly #begin = (): void => void (this.#jobs += 1);
  readonly #end = (): void => void (this.#jobs -= 1);

  /** A body that is unpacked arrives when another thread has done so. */
  #countZlib(): void {
    const base = Object.getPrototypeOf(Object.getPrototypeOf(zlib.Gunzip.prototype)) as {
      _transform: (chunk: unknown, encoding: unknown, done: (...args: unknown[]) => void) => void;
    };
    const { _transform: transform } = base;
    const [begin, end] = [this.#begin, this.#end];
    base._transform = function counted(this: unknown, chunk, encoding, done) {
      begin();
      transform.call(this, chunk, encoding, (...args: unknown[]) => {
        end();
        done(...args);
      });
    };
  }

  #countSubtle(): void {
    const prototype = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, unknown>;
    const [begin, end] = [this.#begin, this.#end];
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
      if (typeof method !== "function" || name === "constructor") continue;
      prototype[name] = function counted(this: unknown, ...args: unknown[]): unknown {
        const result = Reflect.apply(method as (...args: unknown[]) => unknown, this, args);
        if (!(result instanceof Promise)) return result;
        begin();
        result.then(end, end);
        return result;
      };
    }
  }
}
