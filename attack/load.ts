/** Sends requests as fast as they are answered, over a few connections from one address. */
import { connect, type Socket } from "node:net";
import { hostileSocket } from "./hostile.ts";

export interface Load {
  readonly port: number;
  readonly localAddress: string;
  readonly connections: number;
  readonly count: number;
  /** The complete bytes of request number `i`. */
  readonly request: (i: number) => string;
  /** Sending stops when it returns true. */
  readonly isOver?: () => boolean;
}

/** Resolves to the number of responses by status (and code). A lost connection counts as one of them. */
export async function load(options: Load): Promise<Map<string, number>> {
  const { port, localAddress, connections, count, request, isOver } = options;
  const counts = new Map<string, number>();
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  let next = 0;
  const goesOn = (): boolean => next < count && isOver?.() !== true;
  const lane = async (): Promise<void> => {
    while (goesOn()) {
      const connection = await Connection.open(port, localAddress);
      if (connection === undefined) return add("no connection");
      let answer: string | undefined = "";
      while (goesOn() && answer !== undefined) {
        answer = await connection.send(request(next++));
        add(answer ?? "connection lost");
      }
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return counts;
}

/** Formats as `990 x 200, 200 x 429 -1003`. */
export function formatCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${count} x ${what}`).join(", ");
}

const MOST_HEAD_BYTES = 4096;
/** A connection without a response for this time is closed. */
const PATIENCE_MS = 15_000;

/**
 * Counts the bytes of long responses and parses only their beginning, so that the attacker's own CPU time does not slow
 * others down.
 */
class Connection {
  readonly #socket: Socket;
  #onAnswer: ((answer: string | undefined) => void) | undefined;
  #answer = "";
  /** The remaining bytes of the current response; 0 when the next byte begins a new one. */
  #left = 0;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true).setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("close", () => this.#settle(undefined));
  }

  /** Undefined if the connection is refused. */
  static open(port: number, localAddress: string): Promise<Connection | undefined> {
    return new Promise((done) => {
      const socket = hostileSocket(connect({ port, host: "127.0.0.1", localAddress }));
      socket.on("error", () => done(undefined)).on("connect", () => done(new Connection(socket)));
    });
  }

  /** The status and code; undefined if the connection was closed instead. */
  send(request: string): Promise<string | undefined> {
    if (this.#socket.destroyed) return Promise.resolve(undefined);
    return new Promise((answered) => {
      this.#onAnswer = answered;
      this.#socket.write(request, "latin1");
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#left > 0) this.#left -= chunk.length;
    else this.#begin(chunk);
    if (this.#left > 0) return;
    this.#left = 0;
    this.#settle(this.#answer);
  }

  /** A response's head arrives in one piece, because it is written together with the body. */
  #begin(chunk: Buffer): void {
    const text = chunk.toString("latin1", 0, MOST_HEAD_BYTES);
    const headEnd = text.indexOf("\r\n\r\n") + 4;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
    this.#left = headEnd + length - chunk.length;
    const status = text.slice(9, 12);
    const code = status === "200" ? "" : (/"code":(-\d+)/.exec(text.slice(headEnd))?.[1] ?? "");
    this.#answer = `${status} ${code}`.trim();
  }

  #settle(answer: string | undefined): void {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    onAnswer?.(answer);
  }
}
