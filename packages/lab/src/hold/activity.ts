/**
 * The activity of a bot as seen in its event loop: whether it is idle, and how many bytes its sockets have transferred.
 */
import type { Socket } from "node:net";
import { channel } from "node:diagnostics_channel";
import zlib from "node:zlib";
import { type Immediates, nextTurn } from "./timers.ts";

// Sends buffered writes one connection after another, in the order of their first writes. Otherwise a request on an
// open connection would sometimes overtake one whose connection is still being opened, and runs would differ.

type Write = Socket["write"];

class Sends {
  /** Sockets in the order of their first write. */
  readonly #waiting = new Set<Socket>();

  /** Buffers data that is written to the socket until its turn. */
  hold(socket: Socket): void {
    socket.cork();
    const write = socket.write.bind(socket);
    const destroy = socket.destroy.bind(socket);
    const held = (...args: Parameters<Write>): boolean => {
      this.#waiting.add(socket);
      return write(...args);
    };
    // Node restores its own method when the socket connects.
    Object.defineProperty(socket, "write", { get: () => held, set: () => {}, configurable: true });
    // The bot expects that data written before `destroy` has been sent, so it is sent now.
    socket.destroy = (error?: Error): Socket => {
      this.#release(socket);
      return destroy(error);
    };
    socket.once("close", () => this.#waiting.delete(socket));
  }

  /** Stops buffering for a socket that does not belong to the bot. */
  ignore(socket: Socket): void {
    for (const name of ["write", "destroy"] as const) Reflect.deleteProperty(socket, name);
    this.#waiting.delete(socket);
    socket.uncork();
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Sends the buffered writes of the first waiting socket. Returns false if no socket is waiting. */
  next(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    this.#release(first);
    return true;
  }

  /** Sends all buffered writes, because the process exits. */
  all(): void {
    while (this.next());
  }

  #release(socket: Socket): void {
    if (!this.#waiting.delete(socket)) return;
    socket.uncork();
    if (!socket.writableEnded) socket.cork();
  }
}

/** Node's names for system requests that are pending. */
const UNDER_WAY =
  /^(?:FSReq|GetAddrInfo|GetNameInfo|QueryReq|FileHandleCloseReq|.*ConnectWrap|.*WriteWrap|ShutdownWrap)/;

/**
 * The number of turns in which the event loop polls the sockets: the first turn may already be past its poll phase when
 * reading is requested.
 */
const READ_TURNS = 2;
/** The maximum number of bytes that libuv reads at once. */
const BUFFER_BYTES = 65_536;

/** The part of libuv's socket handle that Node's streams use. */
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
  /** The number of all sockets so far, plus the bytes that closed sockets have transferred. */
  #carried = 0;
  /** The number of running jobs on other threads, which Node does not list. */
  #jobs = 0;

  constructor(immediates: Pick<Immediates, "count">) {
    this.#immediates = immediates;
    channel("net.client.socket").subscribe((message) => this.#follow((message as { readonly socket: Socket }).socket));
    this.#countZlib();
    this.#countSubtle();
  }

  /** Excludes a socket that does not belong to the bot. */
  ignore(socket: Socket): void {
    this.#own.add(socket);
    if (this.#sockets.delete(socket)) this.sends.ignore(socket);
  }

  /** Whether work is pending in the process. */
  get isBusy(): boolean {
    if (this.#immediates.count > 0 || this.#jobs > 0) return true;
    return process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name));
  }

  /** A number that changes with every transferred byte, and with every socket that is opened or closed. */
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
   * Lets the bot read the data that has arrived, socket by socket, the oldest socket first. `handled` resolves when the
   * bot has processed the data of one socket. At all other times the bot reads nothing, so that the order does not
   * depend on which connection was faster.
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
        // A full buffer means that more data may be waiting. Data that arrives during this loop waits for the next
        // read.
        isMore = count >= BUFFER_BYTES;
      }
    }
  }

  #follow(socket: Socket): void {
    if (this.#own.has(socket)) return;
    this.#sockets.add(socket);
    this.#carried += 1;
    this.sends.hold(socket);
    // Node starts to read right after this event.
    socket.once("connect", () => queueMicrotask(() => this.#sockets.has(socket) && handleOf(socket)?.readStop()));
    socket.once("close", () => {
      if (this.#sockets.delete(socket)) this.#carried += 1 + socket.bytesRead + socket.bytesWritten;
    });
  }

  readonly #begin = (): void => void (this.#jobs += 1);
  readonly #end = (): void => void (this.#jobs -= 1);

  /** Counts decompression as activity, because another thread does it and the body arrives only afterwards. */
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
