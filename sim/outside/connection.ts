/** A client's end of a WebSocket: parses the frames that the node writes and passes them on as text. */
import type { LongText, FrameSink, StreamPeer } from "@pricetime/server/parts";

const TEXT = 0x81;

export interface Receiver {
  message(text: string): void;
  /** The node has closed the connection. */
  closed(code: number, reason: string): void;
}

export class SimConnection implements StreamPeer {
  readonly ip = "10.0.0.2";
  readonly isForeign = false;
  /** The node's sink for what this client sends. */
  sink: FrameSink | undefined;
  #isOpen = true;
  #isHeld = false;
  readonly #receiver: Receiver;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(text: string): void {
    if (this.#isOpen) this.#receiver.message(text);
  }

  sendParts(before: string, shared: LongText, behind: string): void {
    this.send(before + Buffer.concat([...shared.pieces]).toString() + behind);
  }

  write(frames: Buffer, messages: number): void {
    const texts = [...textsIn(frames)];
    if (texts.length !== messages) throw new Error(`${messages} messages were said, ${texts.length} were written`);
    for (const text of texts) this.send(text);
  }

  hold(): boolean {
    const wasHeld = this.#isHeld;
    this.#isHeld = true;
    return !wasHeld;
  }

  release(): void {
    this.#isHeld = false;
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#receiver.closed(code, reason);
  }

  /** The client disconnects, or the node has died. */
  drop(): void {
    this.#isOpen = false;
  }
}

/** RFC 6455, 5.2: complete, unmasked text frames. */
function* textsIn(frames: Buffer): Iterable<string> {
  for (let at = 0; at < frames.length; ) {
    if (frames[at] !== TEXT) throw new Error(`no text frame: ${frames.subarray(at, at + 10).toString("hex")}`);
    const short = frames[at + 1] as number;
    const headerBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    const bytes =
      short < 126 ? short : short === 126 ? frames.readUInt16BE(at + 2) : Number(frames.readBigUInt64BE(at + 2));
    yield frames.subarray(at + headerBytes, at + headerBytes + bytes).toString();
    at += headerBytes + bytes;
  }
}
