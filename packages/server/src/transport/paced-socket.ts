/**
 * A socket as `node:http` gets it: the same bytes, but a slice in a turn of the event loop, and none while
 * a request waits for its answer or an answer for its reader. `node:http` by itself carries out all requests
 * of a piece in one turn and keeps their answers without bound.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Timers } from "../world/port.ts";

type Written = (error?: Error | null) => void;

export interface PacedOptions {
  readonly soon: Timers["soon"];
  /** `node:http` reads so much in one turn: what it makes of it waits until its turn has come. */
  readonly sliceBytes: number;
  /** What was written was not taken by the system at once. */
  readonly onUnread?: () => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly start: () => void;
}

export class PacedSocket extends Duplex {
  /** The socket itself. */
  readonly raw: Socket;
  readonly #soon: Timers["soon"];
  readonly #sliceBytes: number;
  readonly #onUnread: () => void;
  /** Came, and was not handed on. */
  #held: Buffer[] = [];
  #isAsked = false;
  #isScheduled = false;
  #hasEnded = false;
  #isDetached = false;
  /** What is being carried out; for the rest of its turn, too, when it is answered. */
  #current: Exchange | undefined;
  /** Those that came behind it. */
  readonly #waiting: Exchange[] = [];
  #takesMore = true;
  /** Follows the last answer. */
  #afterAnswers: (() => void) | undefined;

  constructor(raw: Socket, { soon, sliceBytes, onUnread = () => {} }: PacedOptions) {
    super({ readableHighWaterMark: sliceBytes, decodeStrings: false });
    this.raw = raw;
    this.#soon = soon;
    this.#sliceBytes = sliceBytes;
    this.#onUnread = onUnread;
    raw.on("data", this.#onData).on("end", this.#onEnd).on("timeout", this.#onTimeout);
    raw.on("error", this.#onError).on("close", this.#onClose);
    // With an upgrade node ceases to listen, and then a reset while it waits would be an error of the process.
    this.on("error", () => {});
  }

  get remoteAddress(): string | undefined {
    return this.raw.remoteAddress;
  }

  /** A request has begun to arrive. `start` is called when those before it are answered, and what they say was taken. */
  inTurn(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    response.once("close", this.#onAnswered);
    this.#waiting.push({ request, start });
    if (this.#current === undefined) this.#startNext();
  }

  /** Nothing more is read. `then` is called when all whole requests are answered; one that broke off will not be. */
  afterAnswers(then: () => void): void {
    if (this.#waiting.at(-1)?.request.complete === false) this.#waiting.pop();
    if (this.#waiting.length === 0 && this.#current?.request.complete === false) this.#current = undefined;
    this.#takesMore = false;
    this.#afterAnswers = then;
    if (this.#current === undefined) this.#end();
  }

  /** The socket speaks another language from now on: what had come, and was not handed on. It is paused. */
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

  /** As that of a socket: ends it once all is written. */
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

  /** Nobody waits, or the one request that is being carried out is still arriving. */
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
