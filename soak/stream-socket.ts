/** A WebSocket client with minimal overhead: reads frames, answers pings, and passes texts on. */
import { connect, type Socket } from "node:net";

const HANDSHAKE_END = "\r\n\r\n";
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const NOTHING = Buffer.alloc(0);

export class StreamSocket {
  readonly path: string;
  /** Bytes of messages since it was opened. */
  bytes = 0;
  messages = 0;
  /** Why it was closed; undefined while it is open. */
  lost: string | undefined;
  readonly #socket: Socket;
  readonly #onText: ((text: string) => void) | undefined;
  #rest: Buffer = NOTHING;
  #onPong: (() => void) | undefined;

  private constructor(path: string, socket: Socket, onText: ((text: string) => void) | undefined) {
    this.path = path;
    this.#socket = socket;
    this.#onText = onText;
    socket.on("close", () => (this.lost ??= "the server closed it"));
  }

  static open(port: number, path: string, onText?: (text: string) => void): Promise<StreamSocket> {
    return new Promise((done, failed) => {
      const socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      const opened = new StreamSocket(path, socket, onText);
      socket.on("error", (error) => {
        opened.lost ??= error.message;
        failed(error);
      });
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: soak\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      );
      let head: Buffer = NOTHING;
      const onHead = (data: Buffer): void => {
        head = head.length === 0 ? data : Buffer.concat([head, data]);
        const end = head.indexOf(HANDSHAKE_END);
        if (end === -1) return;
        socket.off("data", onHead);
        const status = head.subarray(0, end).toString("latin1");
        if (!status.startsWith("HTTP/1.1 101")) return failed(new Error(status));
        socket.on("data", (bytes: Buffer) => opened.#take(bytes));
        if (head.length > end + HANDSHAKE_END.length) opened.#take(head.subarray(end + HANDSHAKE_END.length));
        done(opened);
      };
      socket.on("data", onHead);
    });
  }

  /** Resolves with the response to a ping, which follows all messages sent before. */
  alive(): Promise<void> {
    return new Promise((done) => {
      this.#onPong = done;
      this.#control(PING, Buffer.from("soak"));
    });
  }

  #take(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const frame = frameAt(data, at);
      if (frame === undefined) break;
      this.#hear(frame.opcode, data.subarray(frame.start, frame.end));
      at = frame.end;
    }
    // Copies the rest, so that the whole chunk is not retained.
    this.#rest = at === data.length ? NOTHING : Buffer.from(data.subarray(at));
  }

  #hear(opcode: number, payload: Buffer): void {
    if (opcode === TEXT) {
      this.messages++;
      this.bytes += payload.length;
      this.#onText?.(payload.toString());
    } else if (opcode === PING) this.#control(PONG, payload);
    else if (opcode === PONG) this.#onPong?.();
    else if (opcode === CLOSE) this.lost ??= `closed: ${payload.subarray(2).toString()}`;
  }

  /** Masked with zeros, so that the payload is unchanged. */
  #control(opcode: number, payload: Buffer): void {
    this.#socket.write(Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  }
}

interface Frame {
  readonly opcode: number;
  readonly start: number;
  readonly end: number;
}

/** Undefined until the frame is complete. The server neither masks nor splits its messages. */
function frameAt(data: Buffer, at: number): Frame | undefined {
  if (data.length < at + 2) return undefined;
  const short = (data[at + 1] as number) & 0x7f;
  const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
  if (data.length < start) return undefined;
  const length = short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
  const end = start + length;
  return data.length < end ? undefined : { opcode: (data[at] as number) & 0x0f, start, end };
}
