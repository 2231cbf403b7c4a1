/**
 * The lines of a file of a market, in bounded memory: while those that were read are worked on, the next ones come. What
 * is there already is told at once, so that a million rows need not be awaited one by one.
 */
import { BadMarketFile } from "./bad-market-file.ts";
import { MARKET_FILE_LIMITS } from "./limits.ts";
import { asBadFile, type MarketBytes, openMarketFile } from "./open-file.ts";

const BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

/** Between two lines of a file: how many are before it, in lines and in bytes of what is unpacked. */
export interface LinePlace {
  readonly line: number;
  readonly byte: number;
}

export class LineReader {
  readonly path: string;
  readonly totalBytes: number;
  readonly #bytes: MarketBytes;
  readonly #chunks: AsyncIterator<Buffer>;
  #coming: Promise<IteratorResult<Buffer>>;
  #text = "";
  #at = 0;
  #line: number;
  #byte: number;
  #isOver = false;

  private constructor(path: string, bytes: MarketBytes, { line, byte }: LinePlace) {
    this.path = path;
    this.totalBytes = bytes.totalBytes;
    this.#bytes = bytes;
    this.#line = line;
    this.#byte = byte;
    this.#chunks = bytes.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#coming = this.#fetch();
  }

  /** Throws `BadMarketFile`. */
  static async open(path: string, from: LinePlace = { line: 0, byte: 0 }): Promise<LineReader> {
    return new LineReader(path, await openMarketFile(path, from.byte), from);
  }

  /** The place after the line that was told last. */
  get place(): LinePlace {
    return { line: this.#line, byte: this.#byte };
  }

  /** The next line without its end, if it is there; undefined: call `more`. */
  next(): string | undefined {
    const end = this.#text.indexOf("\n", this.#at);
    if (end === -1) return this.#isOver ? this.#last() : undefined;
    const line = this.#text.slice(this.#at, end);
    this.#byte += end + 1 - this.#at;
    this.#at = end + 1;
    return this.#told(line);
  }

  /** Resolves when more lines are there; to false when the file is over, and `next` has told them all. Throws `BadMarketFile`. */
  async more(): Promise<boolean> {
    if (this.#isOver) return this.#text.length > this.#at;
    const rest = this.#text.slice(this.#at);
    if (rest.length > MARKET_FILE_LIMITS.maxLineBytes) {
      throw new BadMarketFile(this.path, this.#line + 1, `it is longer than ${MARKET_FILE_LIMITS.maxLineBytes} bytes`);
    }
    const result = await this.#coming.catch((error: unknown) => {
      throw asBadFile(this.path, error);
    });
    this.#at = 0;
    if (result.done === true) {
      this.#isOver = true;
      this.#text = rest;
      return rest.length > 0;
    }
    this.#coming = this.#fetch();
    // Bytes, whatever they mean: what counts is ASCII.
    this.#text = rest + result.value.toString("latin1");
    return true;
  }

  close(): void {
    this.#bytes.close();
  }

  #fetch(): Promise<IteratorResult<Buffer>> {
    const coming = this.#chunks.next();
    // The error is reported when somebody waits for the promise.
    coming.catch(() => {});
    return coming;
  }

  #last(): string | undefined {
    if (this.#at === this.#text.length) return undefined;
    const line = this.#text.slice(this.#at);
    this.#byte += line.length;
    this.#at = this.#text.length;
    return this.#told(line);
  }

  #told(line: string): string {
    this.#line++;
    const plain = line.endsWith("\r") ? line.slice(0, -1) : line;
    return this.#line === 1 && plain.startsWith(BYTE_ORDER_MARK) ? plain.slice(BYTE_ORDER_MARK.length) : plain;
  }
}
