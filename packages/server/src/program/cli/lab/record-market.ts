/**
 * Records a venue's public streams of one symbol: trades, changes of the book after a snapshot, best prices. When
 * the connection is lost, it connects again, and marks the gap in the file.
 */
import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";
import { gapLine, headLine, recordedLine } from "../../../research/market-files/recording-lines.ts";
import { CommandFailed } from "../session/terminal.ts";
import WebSocket from "ws";
import { MARKET_FILE_LIMITS } from "../../../research/market-files/rows.ts";
import { atMost, type Clock, type Timers } from "../../../platform/world/port.ts";

// The file of a recording while it is made: its lines, its gaps, and counts.

interface Kept {
  readonly trades: number;
  readonly lines: number;
  /** How often nothing was heard for a while, and for how long in all. */
  readonly gaps: number;
  readonly gapMs: number;
  /** Trades that are not there, by the numbers of those that are. */
  readonly missedTrades: number;
}

class RecordingFile {
  /** Rejects when the file cannot be written. */
  readonly failed: Promise<never>;
  readonly #file: WriteStream;
  readonly #kept = { trades: 0, lines: 0, gaps: 0, gapMs: 0, missedTrades: 0 };
  #gap: { readonly fromMs: number; readonly why: string } | undefined;
  #lastTrade: number | undefined;

  private constructor(path: string, file: WriteStream) {
    const failed = Promise.withResolvers<never>();
    this.failed = failed.promise;
    // It may fail when nobody waits any more.
    failed.promise.catch(() => {});
    this.#file = file;
    file.on("error", (error) => failed.reject(new CommandFailed(`${path}: ${error.message}`, { cause: error })));
  }

  /** An existing file is not overwritten. Throws `CommandFailed`. */
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

  /** From now on nothing is heard. Answers whether this is news. */
  lose(fromMs: number, why: string): boolean {
    if (this.#gap !== undefined) return false;
    this.#gap = { fromMs, why };
    return true;
  }

  /** What was not heard is over, if anything was. Answers with its length. */
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

// One connection to the public streams of a venue, for one symbol, with a snapshot of its book.

interface Venue {
  /** The address of the REST API. */
  readonly rest: string;
  /** The address of streams, when it is another. */
  readonly streams?: string | undefined;
  readonly symbol: string;
}

type Heard = Readonly<Record<string, unknown>>;

interface Hearing {
  /** Called before the first message. */
  opened(): void;
  /** A message of a stream, or the snapshot of the book. */
  heard(stream: string, data: Heard): void;
}

interface Waiting {
  readonly timers: Pick<Timers, "after">;
  /** After so long without a message, and without an answer to a ping, the connection is lost. Default: a minute. */
  readonly mostSilenceMs?: number | undefined;
}

const SNAPSHOT_TIMEOUT_MS = 30_000;
/** Levels of a side in the snapshot: the most that every venue gives. */
const BOOK_LEVELS = 1000;
/** Halfway a ping asks whether the venue is there, which every venue answers (Interface 10.1). */
const MOST_SILENCE_MS = 60_000;

class VenueStreams {
  /** Resolves when it is connected. */
  readonly opened: Promise<void>;
  /** Resolves to the reason when nothing is heard any more; never rejects. */
  readonly over: Promise<CommandFailed>;
  /** Whether anything was heard. */
  hasHeard = false;
  readonly #venue: Venue;
  readonly #hearing: Hearing;
  readonly #waiting: Waiting;
  readonly #socket: WebSocket;
  readonly #end: (why: CommandFailed) => void;
  #stopWaiting = (): void => {};
  #isAsked = false;

  /** Connects at once. Throws `CommandFailed` for what is no address. */
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

  /** Nothing more is heard. */
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
    // The snapshot is asked for once changes come, so that those heard before it are older than it or continue it.
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

/** Undefined for what is no JSON object, as proxies send it before a venue, and for one that cannot be recorded. */
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

/** Asks for the book in little, to know that the venue is there and has the symbol. Throws `CommandFailed`. */
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
  /** A new file. */
  readonly path: string;
  /** It ends when this resolves. */
  readonly until: Promise<unknown>;
  /** Tells whoever waits that the connection was lost, and that it is there again. */
  readonly note: (text: string) => void;
}

export interface Recorded extends Kept {
  readonly file: string;
  readonly symbol: string;
}

/** Before it connects again; twice as long each time, up to the longest, until something is heard. */
const FIRST_ABSENCE_MS = 1_000;
const LONGEST_ABSENCE_MS = 30_000;

/**
 * Resolves when it was told to end. Throws `CommandFailed` when the venue is not there at first, or lacks the symbol, and
 * when the file cannot be written.
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

/** Listens until it is told to end, on one connection after the other. */
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
