/**
 * LOBSTER's file of the book: row by row the best levels after the message of the same line. Messages tell only of what
 * changes these levels, so orders beyond them come and go without a message; this file shows the result.
 */
import { BadMarketFile } from "../bad-market-file.ts";
import { LineReader } from "../line-reader.ts";
import { NO_ASK, NO_BID } from "./lobster-row.ts";

/** Prices and sizes in turn, the best first; integers in the units of the messages. */
export interface BookRow {
  readonly asks: readonly number[];
  readonly bids: readonly number[];
  /** The levels of a side that a row has room for. */
  readonly levels: number;
}

/** Ask price, ask size, bid price, bid size. */
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

  /** Throws `BadMarketFile`. */
  static async open(path: string): Promise<OrderbookFile> {
    return new OrderbookFile(path, await LineReader.open(path));
  }

  /** The row of a line, none of which lies before one that was read; undefined after the last. Throws `BadMarketFile`. */
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
