/** The line of an answer over HTTP that is spoilt on purpose. */
import type { AnswerLine } from "../spoilt-answer.ts";
import type { EncodedBody } from "./encoding.ts";

/** The differences between the two ways in which HTTP is served. */
export interface LineEnds {
  readonly isOpen: () => boolean;
  sendHead(): void;
  write(bytes: Buffer): void;
  /** The answer has its end: the connection takes the next request. */
  finish(): void;
  /** Nothing more will be sent; the request counts as answered. */
  giveUp(): void;
  /** Ends the connection once everything is written. */
  destroySoon(): void;
  resetAndDestroy(): void;
}

export class SpoiltLine implements AnswerLine {
  readonly body: Buffer;
  readonly #ends: LineEnds;
  #isOver = false;

  constructor({ body }: EncodedBody, ends: LineEnds) {
    this.body = typeof body === "string" ? Buffer.from(body) : Buffer.concat(body);
    this.#ends = ends;
  }

  get isOpen(): boolean {
    return this.#ends.isOpen();
  }

  sendHead(): void {
    if (!this.#isOver) this.#ends.sendHead();
  }

  write(bytes: Buffer): void {
    if (!this.#isOver) this.#ends.write(bytes);
  }

  done(): void {
    if (this.#closes()) this.#ends.finish();
  }

  end(): void {
    if (!this.#closes()) return;
    this.#ends.giveUp();
    this.#ends.destroySoon();
  }

  reset(): void {
    if (!this.#closes()) return;
    this.#ends.giveUp();
    this.#ends.resetAndDestroy();
  }

  abandon(): void {
    if (this.#closes()) this.#ends.giveUp();
  }

  /** False when it is over already. */
  #closes(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }
}
