/** The line of a text over a WebSocket that is spoilt on purpose: fragments, between which pings may pass. RFC 6455, 5.4. */
import type { Socket as TcpSocket } from "node:net";
import type { AnswerLine } from "../spoilt-answer.ts";
import { fragment } from "./frame.ts";

export class SpoiltText implements AnswerLine {
  readonly body: Buffer;
  readonly #socket: TcpSocket;
  /** Called when other texts may be sent again. */
  readonly #onOver: () => void;
  #isFirst = true;
  #isOver = false;

  constructor(text: string, socket: TcpSocket, onOver: () => void) {
    this.body = Buffer.from(text);
    this.#socket = socket;
    this.#onOver = onOver;
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  sendHead(): void {}

  write(bytes: Buffer): void {
    if (!this.#isOver) this.#send(bytes, false);
  }

  done(): void {
    if (!this.#closes()) return;
    this.#send(Buffer.alloc(0), true);
    this.#onOver();
  }

  end(): void {
    if (this.#closes()) this.#socket.destroySoon();
  }

  reset(): void {
    if (this.#closes()) this.#socket.resetAndDestroy();
  }

  abandon(): void {
    if (this.#closes()) this.#onOver();
  }

  #send(part: Buffer, isLast: boolean): void {
    if (!this.#socket.writable) return;
    this.#socket.write(fragment(part, { isFirst: this.#isFirst, isLast }));
    this.#isFirst = false;
  }

  /** False when it is over already. */
  #closes(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }
}
