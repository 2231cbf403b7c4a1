/** A WebSocket that subscribes to all streams of a symbol and never reads; it reconnects after it was dropped. */
import { connect, type Socket } from "node:net";

const HANDSHAKE = [
  "Host: 127.0.0.1",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
].join("\r\n");

const KINDS = ["trade", "aggTrade", "depth@100ms", "depth", "depth20@100ms", "bookTicker", "ticker", "kline_1m"];

export class SlowSubscriber {
  readonly #port: number;
  readonly #symbol: string;
  #socket: Socket | undefined;
  #isStopped = false;
  /** The number of accepted connections. */
  opened = 0;

  constructor(port: number, symbol: string) {
    this.#port = port;
    this.#symbol = symbol.toLowerCase();
    this.#open();
  }

  stop(): void {
    this.#isStopped = true;
    this.#socket?.destroy();
  }

  #open(): void {
    const socket = connect(this.#port, "127.0.0.1");
    this.#socket = socket;
    const streams = KINDS.map((kind) => `${this.#symbol}@${kind}`).join("/");
    socket.write(`GET /stream?streams=${streams} HTTP/1.1\r\n${HANDSHAKE}\r\n\r\n`);
    socket.once("data", (answer) => {
      if (answer.toString("latin1").startsWith("HTTP/1.1 101")) this.opened++;
      socket.pause();
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      if (!this.#isStopped) this.#open();
    });
  }
}
