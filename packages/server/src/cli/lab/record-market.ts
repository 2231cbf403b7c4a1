/** Keeps what a venue's public streams tell of one symbol: trades, changes of the book after a snapshot, best prices. */
import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";
import WebSocket from "ws";
import { MARKET_FILE_LIMITS } from "../../market-files/limits.ts";
import { headLine, recordedLine } from "../../market-files/recording/recording-lines.ts";
import { CommandFailed } from "../session/failure.ts";

export interface RecordTask {
  /** The address of the REST API. */
  readonly rest: string;
  /** The address of streams, when it is another. */
  readonly streams?: string | undefined;
  readonly symbol: string;
  readonly path: string;
  /** It ends when this resolves. */
  readonly until: Promise<unknown>;
  readonly nowMs: () => number;
}

export interface Recorded {
  readonly file: string;
  readonly symbol: string;
  readonly trades: number;
  readonly lines: number;
}

const SNAPSHOT_TIMEOUT_MS = 30_000;
/** Levels of a side in the snapshot: the most that every venue gives. */
const BOOK_LEVELS = 1000;

/** Resolves when it was told to end. Throws `CommandFailed` when it cannot go on; the file is then complete so far. */
export async function recordMarket(task: RecordTask): Promise<Recorded> {
  const { symbol, path, until } = task;
  const socket = new WebSocket(streamsOf(task), { maxPayload: MARKET_FILE_LIMITS.maxLineBytes });
  const gone = new Promise<never>((_, reject) => {
    socket.once("error", (error) => reject(new CommandFailed(`${socket.url}: ${error.message}`, { cause: error })));
    socket.once("close", () => reject(new CommandFailed(`${socket.url}: the venue has closed the connection`)));
  });
  gone.catch(() => {});
  await Promise.race([once(socket, "open"), gone]);
  const file = await newFile(path);
  const kept = { trades: 0, lines: 0 };
  try {
    const keep = (stream: string, data: unknown): void => {
      file.write(`${recordedLine({ ms: task.nowMs(), stream, data })}\n`);
      kept.lines++;
    };
    file.write(`${headLine(task.rest, symbol)}\n`);
    const snapshot = Promise.withResolvers<void>();
    let isAsked = false;
    socket.on("message", (text: Buffer) => {
      const { stream, data } = JSON.parse(text.toString()) as { stream?: string; data?: { e?: string } };
      if (stream === undefined || data === undefined) return;
      if (data.e === "trade") kept.trades++;
      // The snapshot is asked for once changes come, so that those heard before it are older than it or continue it.
      keep(stream, data);
      if (data.e !== "depthUpdate" || isAsked) return;
      isAsked = true;
      snapshotOf(task).then((book) => keep("depth", book), snapshot.reject);
    });
    await Promise.race([until, gone, snapshot.promise]);
  } finally {
    socket.removeAllListeners("message");
    socket.terminate();
    await new Promise<void>((resolve) => file.end(() => resolve()));
  }
  return { file: path, symbol, ...kept };
}

function streamsOf({ rest, streams, symbol }: RecordTask): string {
  let url: URL;
  try {
    url = new URL(streams ?? rest);
  } catch (error) {
    throw new CommandFailed(`${streams ?? rest} is no address`, { cause: error });
  }
  const name = symbol.toLowerCase();
  const wanted = [`${name}@trade`, `${name}@depth@100ms`, `${name}@bookTicker`].join("/");
  const scheme = url.protocol === "https:" || url.protocol === "wss:" ? "wss:" : "ws:";
  return `${scheme}//${url.host}${url.pathname.replace(/\/$/, "")}/stream?streams=${wanted}`;
}

async function snapshotOf({ rest, symbol }: RecordTask): Promise<unknown> {
  const address = `${rest.replace(/\/$/, "")}/api/v3/depth?symbol=${symbol}&limit=${BOOK_LEVELS}`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(SNAPSHOT_TIMEOUT_MS) });
    const book: unknown = await answer.json();
    if (answer.ok) return book;
    throw new CommandFailed(`${address}: ${JSON.stringify(book)}`);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${address}: ${(error as Error).message}`, { cause: error });
  }
}

/** Creates the file; an existing one is not overwritten. */
async function newFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { flags: "wx" });
  await once(file, "open");
  return file;
}
