/**
 * Paced sockets for `node:http`, and host names. A paced socket passes on one slice of bytes per turn of the event
 * loop, and none while a request is in progress or its answer is unread. Without this, `node:http` would handle all
 * pipelined requests of a chunk in one turn, and buffer their answers without limit.
 */
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http";
import { isIPv4, type Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Timers } from "../world/port.ts";

type Written = (error?: Error | null) => void;

export interface PacedOptions {
  readonly soon: Timers["soon"];
  /** Maximum number of bytes that `node:http` reads per turn of the event loop. */
  readonly sliceBytes: number;
  /** Called if the system does not accept written bytes immediately. */
  readonly onUnread?: () => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly start: () => void;
}

export class PacedSocket extends Duplex {
  /** The underlying socket. */
  readonly raw: Socket;
  readonly #soon: Timers["soon"];
  readonly #sliceBytes: number;
  readonly #onUnread: () => void;
  /** Received bytes that were not passed on yet. */
  #held: Buffer[] = [];
  #isAsked = false;
  #isScheduled = false;
  #hasEnded = false;
  #isDetached = false;
  /** The current request, until the end of the event loop turn in which it is answered. */
  #current: Exchange | undefined;
  /** The requests after the current one. */
  readonly #waiting: Exchange[] = [];
  #takesMore = true;
  /** Called once after the last answer. */
  #afterAnswers: (() => void) | undefined;

  constructor(raw: Socket, { soon, sliceBytes, onUnread = () => {} }: PacedOptions) {
    super({ readableHighWaterMark: sliceBytes, decodeStrings: false });
    this.raw = raw;
    this.#soon = soon;
    this.#sliceBytes = sliceBytes;
    this.#onUnread = onUnread;
    raw.on("data", this.#onData).on("end", this.#onEnd).on("timeout", this.#onTimeout);
    raw.on("error", this.#onError).on("close", this.#onClose);
    // Node removes its own listener when a connection is upgraded. Without a listener, a connection reset would end the
    // process.
    this.on("error", () => {});
  }

  get remoteAddress(): string | undefined {
    return this.raw.remoteAddress;
  }

  /** Queues a request that has begun to arrive. `start` is called when all earlier requests are answered. */
  inTurn(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    response.once("close", this.#onAnswered);
    this.#waiting.push({ request, start });
    if (this.#current === undefined) this.#startNext();
  }

  /** Stops reading. `then` is called when all complete requests are answered. An incomplete request gets no answer. */
  afterAnswers(then: () => void): void {
    if (this.#waiting.at(-1)?.request.complete === false) this.#waiting.pop();
    if (this.#waiting.length === 0 && this.#current?.request.complete === false) this.#current = undefined;
    this.#takesMore = false;
    this.#afterAnswers = then;
    if (this.#current === undefined) this.#end();
  }

  /** Detaches the paused socket from HTTP. Returns the received bytes that were not passed on. */
  detach(): Buffer {
    const { raw } = this;
    this.#isDetached = true;
    raw.off("data", this.#onData).off("end", this.#onEnd).off("timeout", this.#onTimeout);
    raw.off("error", this.#onError).off("close", this.#onClose);
    raw.pause();
    const held = Buffer.concat(this.#held);
    this.#held = [];
    return held;
  }

  setTimeout(timeoutMs: number): this {
    this.raw.setTimeout(timeoutMs);
    return this;
  }

  /** Same as `Socket.destroySoon`: closes the socket after everything is written. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  override _read(): void {
    this.#isAsked = true;
    this.#handOnLater();
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, written: Written): void {
    this.raw.write(chunk, encoding, written);
    if (this.raw.writableLength > 0) this.#onUnread();
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], written: Written): void {
    const { raw } = this;
    raw.cork();
    for (const [at, { chunk, encoding }] of chunks.entries()) {
      raw.write(chunk, encoding, at === chunks.length - 1 ? written : undefined);
    }
    raw.uncork();
    if (raw.writableLength > 0) this.#onUnread();
  }

  override _final(done: Written): void {
    this.raw.end(() => done());
  }

  override _destroy(error: Error | null, done: Written): void {
    if (!this.#isDetached) this.raw.destroy();
    this.#waiting.length = 0;
    done(error);
  }

  /** Whether no request is in progress, or the only one has not arrived completely. */
  get #mayHandOn(): boolean {
    if (!this.#takesMore) return false;
    return this.#current === undefined || (this.#waiting.length === 0 && !this.#current.request.complete);
  }

  #handOnLater(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#soon(this.#handOn);
  }

  readonly #handOn = (): void => {
    this.#isScheduled = false;
    if (!this.#isAsked || this.destroyed || this.#isDetached || !this.#mayHandOn) return;
    const slice = this.#takeSlice();
    if (slice !== undefined) {
      this.#isAsked = false;
      this.push(slice);
    } else if (this.#hasEnded) {
      this.#isAsked = false;
      this.push(null);
    } else if (this.raw.isPaused()) {
      this.raw.resume();
    }
  };

  #takeSlice(): Buffer | undefined {
    const [first] = this.#held;
    if (first === undefined || first.length <= this.#sliceBytes) return this.#held.shift();
    this.#held[0] = first.subarray(this.#sliceBytes);
    return first.subarray(0, this.#sliceBytes);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#held.push(chunk);
    if (!this.#isScheduled) this.#handOn();
    if (this.#held.length > 0) this.raw.pause();
  };

  readonly #onAnswered = (): void => this.#soon(this.#next);

  readonly #next = (): void => {
    if (this.destroyed) return;
    this.#startNext();
    if (this.#takesMore) this.#handOnLater();
    else if (this.#current === undefined) this.#end();
  };

  #startNext(): void {
    this.#current = this.#waiting.shift();
    this.#current?.start();
  }

  #end(): void {
    const then = this.#afterAnswers;
    this.#afterAnswers = undefined;
    then?.();
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    this.#handOnLater();
  };

  readonly #onTimeout = (): void => void this.emit("timeout");

  readonly #onError = (error: Error): void => void this.destroy(error);

  readonly #onClose = (): void => void this.destroy();
}

/**
 * Passes accepted sockets to `accept`, which wraps them in paced sockets and passes these to `handOver`. Node documents
 * that `connection` is emitted for each accepted socket and may be emitted for any Duplex.
 */
export class PacedServer extends Server {
  readonly #accept: (socket: Socket) => void;

  constructor(options: ServerOptions, accept: (socket: Socket) => void) {
    super(options);
    this.#accept = accept;
  }

  /** Lets `node:http` handle the socket. */
  handOver(socket: PacedSocket): void {
    super.emit("connection", socket);
  }

  override emit(event: string, ...args: unknown[]): boolean {
    if (event !== "connection") return super.emit(event, ...args);
    this.#accept(args[0] as Socket);
    return true;
  }
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::[0-9]{1,5})?$/;

/** The name in a Host header in lower case, without port and brackets. Undefined if the header is invalid. */
export function hostName(host: string): string | undefined {
  const [, address, name = address] = HOST.exec(host.toLowerCase()) ?? [];
  return name;
}

/** Whether a name or address, without port and brackets, refers to loopback. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}
