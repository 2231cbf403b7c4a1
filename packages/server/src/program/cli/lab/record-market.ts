/**
 * Records a venue's public streams of one symbol: trades, a snapshot and changes of the book, and best prices. If the
 * connection is lost, it reconnects and marks the gap in the file.
 */
import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";
import { gapLine, headLine, recordedLine } from "../../../research/market-files/recording-lines.ts";
import { CommandFailed } from "../session/terminal.ts";
import WebSocket from "ws";
import { MARKET_FILE_LIMITS } from "../../../research/market-files/rows.ts";
import { atMost, type Clock, type Timers } from "../../../platform/world/port.ts";

interface Kept {
  readonly trades: number;
  readonly lines: number;
  /** Number of gaps, and their total duration. */
  readonly gaps: number;
  readonly gapMs: number;
  /** Number of missed trades, computed from trade IDs. */
  readonly missedTrades: number;
}

class RecordingFile {
  /** Rejects if the file cannot be written. */
  readonly failed: Promise<never>;
  readonly #file: WriteStream;
  readonly #kept = { trades: 0, lines: 0, gaps: 0, gapMs: 0, missedTrades: 0 };
  #gap: { readonly fromMs: number; readonly why: string } | undefined;
  #lastTrade: number | undefined;

  private constructor(path: string, file: WriteStream) {
    const failed = Promise.withResolvers<never>();
    this.failed = failed.promise;
    // Prevents an unhandled rejection while nothing awaits the promise.
    failed.promise.catch(() => {});
    this.#file = file;
    file.on("error", (error) => failed.reject(new CommandFailed(`${path}: ${error.message}`, { cause: error })));
  }

  /** Creates the file. Throws `CommandFailed` if the file exists or cannot be created. */
  static async create(path: string, venue: string, symbol: string): Promise<RecordingFile> {
    const file = createWriteStream(path, { flags: "wx" });
    const recording = new RecordingFile(path, file);
    await Promise.race([once(file, "open"), recording.failed]);
    file.write(`${headLine(venue, symbol)}\n`);
    return recording;
  }

  get kept(): Kept {
    return this.#kept;
  }

  keep(ms: number, stream: string, data: Heard): void {
    this.#write(recordedLine({ ms, stream, data }));
    const { e: event, t: id } = data;
    if (event !== "trade" || typeof id !== "number") return;
    this.#kept.trades++;
    if (this.#lastTrade !== undefined) this.#kept.missedTrades += Math.max(0, id - this.#lastTrade - 1);
    this.#lastTrade = id;
  }

  /** Begins a gap. Returns false if one has already begun. */
  lose(fromMs: number, why: string): boolean {
    if (this.#gap !== undefined) return false;
    this.#gap = { fromMs, why };
    return true;
  }

  /** Ends the gap, if any, and returns its duration. */
  goOn(toMs: number): number {
    const gap = this.#gap;
    if (gap === undefined) return 0;
    this.#gap = undefined;
    this.#write(gapLine({ ...gap, toMs }));
    this.#kept.gaps++;
    this.#kept.gapMs += toMs - gap.fromMs;
    return toMs - gap.fromMs;
  }

  async close(): Promise<void> {
    if (this.#file.destroyed) return;
    await new Promise<void>((resolve) => this.#file.end(() => resolve()));
  }

  #write(line: string): void {
    this.#file.write(`${line}\n`);
    this.#kept.lines++;
  }
}

// One connection to a venue's public streams of one symbol, and a snapshot of its book.

interface Venue {
  /** The URL of the REST API. */
  readonly rest: string;
  /** The URL of the streams, if it differs from the REST API's. */
  readonly streams?: string | undefined;
  readonly symbol: string;
}

type Heard = Readonly<Record<string, unknown>>;

interface Hearing {
  /** Called before the first message. */
  opened(): void;
  /** Called with each stream message, and with the snapshot of the book. */
  heard(stream: string, data: Heard): void;
}

interface Waiting {
  readonly timers: Pick<Timers, "after">;
  /**
   * The connection is considered lost after this time without a message or an answer to a ping. Default: one minute.
   */
  readonly mostSilenceMs?: number | undefined;
}

const SNAPSHOT_TIMEOUT_MS = 30_000;
/** Number of levels per side in the snapshot: the maximum that all venues support. */
const BOOK_LEVELS = 1000;
/** A ping is sent after half of this time. Every venue answers pings (Interface 10.1). */
const MOST_SILENCE_MS = 60_000;

class VenueStreams {
  /** Resolves when the connection is open. */
  readonly opened: Promise<void>;
  /** Resolves to the error when the connection is lost. The promise never rejects. */
  readonly over: Promise<CommandFailed>;
  /** Whether any message was received. */
  hasHeard = false;
  readonly #venue: Venue;
  readonly #hearing: Hearing;
  readonly #waiting: Waiting;
  readonly #socket: WebSocket;
  readonly #end: (why: CommandFailed) => void;
  #stopWaiting = (): void => {};
  #isAsked = false;

  /** Connects immediately. Throws `CommandFailed` for an invalid URL. */
  constructor(venue: Venue, hearing: Hearing, waiting: Waiting) {
    const [opened, over] = [Promise.withResolvers<void>(), Promise.withResolvers<CommandFailed>()];
    this.opened = opened.promise;
    this.over = over.promise;
    this.#end = over.resolve;
    this.#venue = venue;
    this.#hearing = hearing;
    this.#waiting = waiting;
    const socket = (this.#socket = new WebSocket(streamsOf(venue), { maxPayload: MARKET_FILE_LIMITS.maxLineBytes }));
    socket.on("error", (error) => this.#over(`${error.message}.`, error));
    socket.once("close", () => this.#over("the venue closed the connection."));
    socket.once("open", () => {
      hearing.opened();
      opened.resolve();
    });
    for (const event of ["ping", "pong"]) socket.on(event, () => this.#wait());
    socket.on("message", (text: Buffer) => this.#heard(text.toString()));
    this.#wait();
  }

  /** Closes the connection. No further messages are passed on. */
  close(): void {
    this.#stopWaiting();
    this.#socket.removeAllListeners("message").removeAllListeners("ping").removeAllListeners("pong").terminate();
  }

  #heard(text: string): void {
    this.#wait();
    const message = messageOf(text);
    if (message === undefined) {
      this.#over("the venue sent a message that is not of a stream.");
      this.close();
      return;
    }
    const { stream, data } = message;
    if (stream === undefined || data === undefined) return;
    this.hasHeard = true;
    // The snapshot is requested after the first change, so that no change between the two is missed.
    this.#hearing.heard(stream, data);
    if (data["e"] !== "depthUpdate" || this.#isAsked) return;
    this.#isAsked = true;
    snapshotOf(this.#venue).then(
      (book) => {
        if (this.#socket.readyState === WebSocket.OPEN) this.#hearing.heard("depth", book);
      },
      (error: CommandFailed) => this.#end(error),
    );
  }

  #wait(): void {
    this.#stopWaiting();
    const { timers, mostSilenceMs = MOST_SILENCE_MS } = this.#waiting;
    const silent = (): void => this.#over(`the venue sent nothing for ${mostSilenceMs / 1000} seconds.`);
    const ask = (): void => {
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
      this.#stopWaiting = timers.after(mostSilenceMs / 2, silent, "silence");
    };
    this.#stopWaiting = timers.after(mostSilenceMs / 2, ask, "silence");
  }

  #over(why: string, cause?: Error): void {
    this.#stopWaiting();
    this.#end(new CommandFailed(`${this.#socket.url}: ${why}`, { cause }));
  }
}

/** Parses a stream message. Undefined if it is not a JSON object of a stream, for example the error page of a proxy. */
function messageOf(text: string): { readonly stream?: string; readonly data?: Heard } | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(message)) return undefined;
  const { stream = "", data = {} } = message;
  return typeof stream === "string" && isObject(data) ? message : undefined;
}

function isObject(value: unknown): value is Heard {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Requests a small book to check that the venue responds and has the symbol. Throws `CommandFailed`. */
async function checkVenue(venue: Venue): Promise<void> {
  await snapshotOf(venue, 5);
}

function streamsOf({ rest, streams, symbol }: Venue): string {
  let url: URL;
  try {
    url = new URL(streams ?? rest);
  } catch (error) {
    throw new CommandFailed(`${streams ?? rest} is not a valid URL.`, { cause: error });
  }
  const name = symbol.toLowerCase();
  const wanted = [`${name}@trade`, `${name}@depth@100ms`, `${name}@bookTicker`].join("/");
  const scheme = url.protocol === "https:" || url.protocol === "wss:" ? "wss:" : "ws:";
  return `${scheme}//${url.host}${url.pathname.replace(/\/$/, "")}/stream?streams=${wanted}`;
}

async function snapshotOf({ rest, symbol }: Venue, levels = BOOK_LEVELS): Promise<Heard> {
  const address = `${rest.replace(/\/$/, "")}/api/v3/depth?symbol=${symbol}&limit=${levels}`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(SNAPSHOT_TIMEOUT_MS) });
    const book: unknown = await answer.json();
    if (answer.ok && isObject(book)) return book;
    throw new CommandFailed(`${address}: ${JSON.stringify(book)}`);
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${address}: ${(error as Error).message}`, { cause: error });
  }
}

export interface RecordTask extends Venue, Waiting, Pick<Clock, "nowMs"> {
  /** The path of the file to create. */
  readonly path: string;
  /** Recording ends when this promise resolves. */
  readonly until: Promise<unknown>;
  /** Reports lost and restored connections to the user. */
  readonly note: (text: string) => void;
}

export interface Recorded extends Kept {
  readonly file: string;
  readonly symbol: string;
}

/** The pause before the first reconnection. It doubles up to the maximum, until a message is received. */
const FIRST_ABSENCE_MS = 1_000;
const LONGEST_ABSENCE_MS = 30_000;

/**
 * Records until `until` resolves. Throws `CommandFailed` if the first connection fails, if the venue does not have the
 * symbol, or if the file cannot be written.
 */
export async function recordMarket(task: RecordTask): Promise<Recorded> {
  const { path, symbol, rest, nowMs, note } = task;
  let file: RecordingFile | undefined;
  const hearing: Hearing = {
    heard: (stream, data) => file?.keep(nowMs(), stream, data),
    opened: () => {
      const gapMs = file?.goOn(nowMs()) ?? 0;
      if (gapMs > 0) note(`Connected again. ${gapMs / 1000} seconds are missing.`);
    },
  };
  await checkVenue(task);
  const first = new VenueStreams(task, hearing, task);
  try {
    const failed = await Promise.race([first.opened, first.over]);
    if (failed !== undefined) throw failed;
    file = await RecordingFile.create(path, rest, symbol);
    await listen(task, file, first, () => new VenueStreams(task, hearing, task));
    file.goOn(nowMs());
  } finally {
    first.close();
    await file?.close();
  }
  return { file: path, symbol, ...file.kept };
}

/** Opens one connection after another, until `until` resolves. */
async function listen(
  { until, timers, nowMs, note }: RecordTask,
  file: RecordingFile,
  first: VenueStreams,
  connect: () => VenueStreams,
): Promise<void> {
  let isToEnd = false;
  const end = until.then(() => void (isToEnd = true));
  let pauseMs = FIRST_ABSENCE_MS;
  for (let streams = first; ; streams = connect()) {
    let why: CommandFailed | void;
    try {
      why = await Promise.race([end, streams.over, file.failed]);
    } finally {
      streams.close();
    }
    if (!(why instanceof CommandFailed)) return;
    if (file.lose(nowMs(), why.message)) note(`${why.message} Connecting again.`);
    if (streams.hasHeard) pauseMs = FIRST_ABSENCE_MS;
    await atMost(timers, pauseMs, end);
    if (isToEnd) return;
    pauseMs = Math.min(2 * pauseMs, LONGEST_ABSENCE_MS);
  }
}
