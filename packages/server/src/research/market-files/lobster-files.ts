/**
 * LOBSTER's order-by-order layout: a message file, and an orderbook file with the book after each message. All numbers
 * are integers.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { DAY_MS, type Side } from "@pricetime/engine";
import { z } from "zod";
import { BadMarketFile, MESSAGE_TYPES, type MessageType } from "./rows.ts";
import { BadLine, countOf } from "./public-archive.ts";
import { LineReader } from "./market-file.ts";

export const NS_A_MS = 1_000_000;

/** Message types. A marketable order appears as the executions that it caused, followed by its resting remainder. */
export const LOBSTER_TYPE = {
  newOrder: 1,
  partialCancel: 2,
  deletion: 3,
  execution: 4,
  /** An execution of a hidden order. Its order id is 0, and the visible book does not change. */
  hiddenExecution: 5,
  cross: 6,
  halt: 7,
} as const;

/** Codes in the price column of a halt. */
export const LOBSTER_HALT = { halted: -1, quoting: 0, trading: 1 } as const;

export interface LobsterRow {
  /** Nanoseconds since midnight UTC. */
  readonly timeNs: number;
  /** One of `LOBSTER_TYPE`. */
  readonly type: number;
  readonly orderId: number;
  /** Visible size, in units of 10^-sizeScale. */
  readonly size: number;
  /** The price in units of 10^-priceScale. */
  readonly price: number;
  /** The side of the limit order, which in an execution is the maker: 1 for buy, -1 for sell. */
  readonly direction: 1 | -1;
}

/** The prices of missing levels, whose size is 0. */
export const NO_ASK = 9_999_999_999;
export const NO_BID = -9_999_999_999;

// Symbol, date and units of a day's files. LOBSTER's own files have prices in units of 10^-4, integer sizes, and the
// date in their names. Our files are accompanied by a third one with these facts, because no fixed unit fits every
// symbol.

const MAX_SCALE = 8;

const lobsterMeta = z.object({
  venue: z.string(),
  symbol: z.string(),
  /** Days since 1970-01-01 UTC. */
  epochDay: z.int().min(0).max(1e6),
  /** Number of decimals of prices and sizes. */
  priceScale: z.int().min(0).max(MAX_SCALE),
  sizeScale: z.int().min(0).max(MAX_SCALE),
  /** Number of levels in the orderbook file. */
  levels: z.int().min(0),
});
export type LobsterMeta = z.output<typeof lobsterMeta>;

export interface LobsterDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly startMs: number;
  readonly priceScale: number;
  readonly sizeScale: number;
}

/** The file names of a day, without the folder. */
export function lobsterNames({ symbol, epochDay, levels }: Pick<LobsterMeta, "symbol" | "epochDay" | "levels">): {
  readonly message: string;
  readonly orderbook: string;
  readonly meta: string;
} {
  const stem = `${symbol}_${new Date(epochDay * DAY_MS).toISOString().slice(0, 10)}`;
  return { message: `${stem}_message.csv`, orderbook: `${stem}_orderbook_${levels}.csv`, meta: `${stem}_meta.json` };
}

const NAME = /^(.*_([0-9]{4}-[0-9]{2}-[0-9]{2})_.*)message(?:_([0-9]+))?\.(?:csv|zip|csv\.zip|csv\.gz)$/i;
const ORDERBOOK = /_[0-9]{4}-[0-9]{2}-[0-9]{2}_.*orderbook_[0-9]+\.(?:csv|zip|csv\.zip|csv\.gz)$/i;

export const isOrderbookFile = (path: string): boolean => ORDERBOOK.test(basename(path));

/** The path of the metadata file `SYMBOL_YYYY-MM-DD_meta.json` of a message file; null if the name is different. */
function metaPathOf(path: string): string | null {
  const name = basename(path);
  const [, before] = NAME.exec(name) ?? [];
  return before === undefined ? null : `${path.slice(0, path.length - name.length)}${before}meta.json`;
}

/** Endings of orderbook files. Message and orderbook file may have different ones. */
const ENDINGS = [".csv", ".csv.gz", ".zip", ".csv.zip"];

/**
 * The orderbook file of a message file sold by LOBSTER, in which both cover only some levels. Null if it is missing,
 * and for our own messages, which cover every order.
 */
export function orderbookOf(path: string): string | null {
  const stem = orderbookStem(path);
  if (stem === null) return null;
  return ENDINGS.map((each) => stem + each).find((each) => existsSync(each)) ?? null;
}

/** A hint to append to errors in messages that may cover only some levels; "" if their orderbook file exists. */
export function missingOrderbook(path: string): string {
  const stem = orderbookStem(path);
  if (stem === null || orderbookOf(path) !== null) return "";
  return `; without ${basename(stem)}.csv beside it, messages of some levels are taken for those of all`;
}

/** The path of the orderbook file without its ending; null if the messages need none. */
function orderbookStem(path: string): string | null {
  const name = basename(path);
  const [, before, , levels] = NAME.exec(name) ?? [];
  const metaPath = metaPathOf(path);
  if (levels === undefined || metaPath === null || existsSync(metaPath)) return null;
  return `${path.slice(0, path.length - name.length)}${before}orderbook_${levels}`;
}

/** Determines symbol, date and units of a message file. Throws `BadMarketFile`. */
export async function lobsterDayOf(path: string): Promise<LobsterDay> {
  const [, , day] = NAME.exec(basename(path)) ?? [];
  const metaPath = metaPathOf(path);
  if (day === undefined || metaPath === null) {
    throw new BadMarketFile(path, undefined, "a file of messages is named SYMBOL_YYYY-MM-DD_…message….csv");
  }
  const meta = await metaAt(metaPath);
  if (meta !== undefined) {
    return { startMs: meta.epochDay * DAY_MS, priceScale: meta.priceScale, sizeScale: meta.sizeScale };
  }
  const startMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(startMs)) throw new BadMarketFile(path, undefined, `${day} is no day`);
  return { startMs, priceScale: 4, sizeScale: 0 };
}

async function metaAt(path: string): Promise<LobsterMeta | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new BadMarketFile(path, undefined, `it cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    return lobsterMeta.parse(JSON.parse(text));
  } catch (error) {
    throw new BadMarketFile(path, undefined, "it is not what our exports put beside messages", { cause: error });
  }
}

// A message has six columns: time in seconds after midnight, type, order id, size, price, direction. Files of some
// years have a seventh, which is ignored. Auctions (type 6) have ids from -1 to -4.

export const MESSAGE_COLUMNS: readonly number[] = [6, 7];
const TIME = /^([0-9]{1,5})(?:\.([0-9]{1,9}))?$/;
const SECONDS_A_DAY = 86_400;

export interface LobsterMessage {
  readonly afterMidnightMs: number;
  readonly type: MessageType;
  readonly orderId: number;
  readonly size: number;
  readonly price: number;
  readonly side: Side;
}

/** Parses a message. Throws `BadLine`. */
export function readMessage(line: string): LobsterMessage {
  const fields = line.split(",");
  if (!MESSAGE_COLUMNS.includes(fields.length)) {
    throw new BadLine(`a message has 6 columns or 7, and here are ${fields.length}`);
  }
  const [time, typeText, orderId, size, price, direction] = fields as [string, string, string, string, string, string];
  const type = MESSAGE_TYPES[Number(typeText) - 1];
  if (type === undefined) throw new BadLine(`there is no type ${typeText} of messages`);
  const isOfOrder = type !== "auction" && type !== "halt";
  if (direction !== "1" && direction !== "-1") throw new BadLine(`'${direction}' is no direction: 1 or -1`);
  return {
    afterMidnightMs: afterMidnight(time),
    type,
    // Auctions and halts have no order, and the price of a halt is a code. Neither is replayed.
    orderId: isOfOrder ? countOf(orderId) : 0,
    size: isOfOrder ? countOf(size) : 0,
    price: isOfOrder ? countOf(price) : 0,
    side: direction === "1" ? "BUY" : "SELL",
  };
}

function afterMidnight(text: string): number {
  const [, seconds, places = ""] = TIME.exec(text) ?? [];
  if (seconds === undefined || Number(seconds) >= SECONDS_A_DAY) {
    throw new BadLine(`${text} is no time in seconds after midnight`);
  }
  return Number(seconds) * 1000 + Number(places.padEnd(3, "0").slice(0, 3));
}

// The orderbook file: each row has the best levels after the message in the same row of the message file. Messages
// report only changes of these levels, so orders beyond them appear and disappear without a message; this file shows
// the result.

/** Alternating prices and sizes, best level first, as integers in the units of the messages. */
export interface BookRow {
  readonly asks: readonly number[];
  readonly bids: readonly number[];
  /** Number of levels per side. */
  readonly levels: number;
}

/** Columns per level: ask price, ask size, bid price, bid size. */
const COLUMNS_A_LEVEL = 4;

export class OrderbookFile {
  readonly path: string;
  readonly #reader: LineReader;
  #line = 0;
  #text: string | undefined;
  #isOver = false;

  private constructor(path: string, reader: LineReader) {
    this.path = path;
    this.#reader = reader;
  }

  /** Opens an orderbook file. Throws `BadMarketFile`. */
  static async open(path: string): Promise<OrderbookFile> {
    return new OrderbookFile(path, await LineReader.open(path));
  }

  /**
   * Reads the row of a line, which must not precede the previous one; undefined after the end. Throws `BadMarketFile`.
   */
  async rowAt(line: number): Promise<BookRow | undefined> {
    while (this.#line < line && !this.#isOver) {
      this.#text = this.#reader.next();
      if (this.#text !== undefined) this.#line++;
      else if (!(await this.#reader.more())) this.#isOver = true;
    }
    return this.#isOver || this.#text === undefined ? undefined : this.#parsed(this.#text);
  }

  close(): void {
    this.#reader.close();
  }

  #parsed(text: string): BookRow {
    const fields = text.split(",");
    const values = fields.map(Number);
    const levels = fields.length / COLUMNS_A_LEVEL;
    if (!Number.isInteger(levels) || !values.every(Number.isSafeInteger)) {
      throw this.#bad("it is no row of a book: ask price, ask size, bid price, bid size for each level");
    }
    const asks: number[] = [];
    const bids: number[] = [];
    for (let at = 0; at < values.length; at += COLUMNS_A_LEVEL) {
      const [askPrice, askSize, bidPrice, bidSize] = values.slice(at) as [number, number, number, number];
      if (askPrice !== NO_ASK && askSize > 0) asks.push(askPrice, askSize);
      if (bidPrice !== NO_BID && bidSize > 0) bids.push(bidPrice, bidSize);
    }
    if (!isSorted(asks, 1) || !isSorted(bids, -1)) throw this.#bad("its levels are not in the order of their prices");
    return { asks, bids, levels };
  }

  #bad(why: string): BadMarketFile {
    return new BadMarketFile(this.path, this.#line, why);
  }
}

function isSorted(side: readonly number[], sign: 1 | -1): boolean {
  for (let at = 2; at < side.length; at += 2) {
    if (sign * ((side[at] as number) - (side[at - 2] as number)) <= 0) return false;
  }
  return true;
}
