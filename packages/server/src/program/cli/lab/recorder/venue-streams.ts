/** One connection to the public streams of a venue, for one symbol, with a snapshot of its book. */
import WebSocket from "ws";
import { MARKET_FILE_LIMITS } from "../../../../research/market-files/limits.ts";
import type { Timers } from "../../../../platform/world/port.ts";
import { CommandFailed } from "../../session/failure.ts";

export interface Venue {
  /** The address of the REST API. */
  readonly rest: string;
  /** The address of streams, when it is another. */
  readonly streams?: string | undefined;
  readonly symbol: string;
}

export type Heard = Readonly<Record<string, unknown>>;

export interface Hearing {
  /** Called before the first message. */
  opened(): void;
  /** A message of a stream, or the snapshot of the book. */
  heard(stream: string, data: Heard): void;
}

export interface Waiting {
  readonly timers: Pick<Timers, "after">;
  /** After so long without a message, and without an answer to a ping, the connection is lost. Default: a minute. */
  readonly mostSilenceMs?: number | undefined;
}

const SNAPSHOT_TIMEOUT_MS = 30_000;
/** Levels of a side in the snapshot: the most that every venue gives. */
const BOOK_LEVELS = 1000;
/** Halfway a ping asks whether the venue is there, which every venue answers (Interface 10.1). */
const MOST_SILENCE_MS = 60_000;

export class VenueStreams {
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
export async function checkVenue(venue: Venue): Promise<void> {
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
