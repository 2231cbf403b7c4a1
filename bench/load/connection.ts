/** A keep-alive connection with at most one running request, without allocations per response. */
import { connect, type Socket } from "node:net";
import { AnswerHead } from "./answer.ts";

const HEAD_END = "\r\n\r\n";
/** All connections share one read buffer, because a response is handled before the next read. */
const READ_BYTES = 256 * 1024;
const memory = Buffer.allocUnsafeSlow(READ_BYTES);
const head = new AnswerHead();

/** Called with the status and the first part of the body, which is only valid during the call. */
export type OnAnswer = (connection: Connection, status: number, body: Buffer, bodyBytes: number) => void;

export class Connection {
  /** The time at which its request was due or sent. */
  startedMs = 0;
  readonly #socket: Socket;
  readonly #onAnswer: OnAnswer;
  /** The remaining bytes of a body that arrives in several parts. */
  #left = 0;
  #status = 0;
  #bodyBytes = 0;
  /** A head that arrives in several parts. */
  #begun: Buffer | undefined;
  #first: Buffer | undefined;

  constructor(port: number, onAnswer: OnAnswer, onOpen: () => void, onLost: (why: Error) => void) {
    this.#onAnswer = onAnswer;
    const callback = (length: number, bytes: Uint8Array): boolean => {
      this.#take(bytes as Buffer, length);
      return true;
    };
    this.#socket = connect({ port, host: "127.0.0.1", onread: { buffer: memory, callback } }, onOpen);
    this.#socket.setNoDelay(true);
    this.#socket.on("error", onLost);
    this.#socket.on("end", () => onLost(new Error("the server has closed a connection")));
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  /** Sends head and body separately, so that the server reads them one after the other. */
  sendApart(request: Buffer): void {
    const head = request.indexOf(HEAD_END) + HEAD_END.length;
    this.#socket.write(request.subarray(0, head));
    if (head < request.length) setImmediate(() => this.#socket.write(request.subarray(head)));
  }

  close(): void {
    this.#socket.removeAllListeners("end").destroy();
  }

  #take(bytes: Buffer, length: number): void {
    if (this.#left > 0) {
      this.#left -= length;
      this.#endPieces();
      return;
    }
    const whole = this.#begun === undefined ? bytes : Buffer.concat([this.#begun, bytes.subarray(0, length)]);
    const wholeLength = this.#begun === undefined ? length : whole.length;
    if (!head.read(whole, wholeLength)) {
      this.#begun = Buffer.from(whole.subarray(0, wholeLength));
      return;
    }
    this.#begun = undefined;
    const left = head.headBytes + head.bodyBytes - wholeLength;
    if (left < 0) throw new Error("more than one answer to one request");
    const body = whole.subarray(head.headBytes, wholeLength);
    if (left === 0) return this.#onAnswer(this, head.status, body, head.bodyBytes);
    this.#left = left;
    this.#status = head.status;
    this.#bodyBytes = head.bodyBytes;
    this.#first = Buffer.from(body);
  }

  #endPieces(): void {
    if (this.#left < 0) throw new Error("more than one answer to one request");
    if (this.#left > 0 || this.#first === undefined) return;
    const first = this.#first;
    this.#first = undefined;
    this.#onAnswer(this, this.#status, first, this.#bodyBytes);
  }
}
