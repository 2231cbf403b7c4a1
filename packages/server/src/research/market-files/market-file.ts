/** Opens a market file (plain, gzip, or ZIP with one member), and reads its lines in limited memory. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { BadMarketFile, MARKET_FILE_LIMITS } from "./rows.ts";

/** Maximum overhead of gzip on incompressible data, generously estimated. */
const GZIP_FRAME = 1 << 16;

interface MarketBytes {
  /** The bytes from the requested position. Reading may fail with any error; see `asBadFile`. */
  readonly stream: Readable;
  /** The uncompressed size in bytes. */
  readonly totalBytes: number;
  close(): void;
}

/** `fromByte`: a position in the uncompressed data. Throws `BadMarketFile`. */
export async function openMarketFile(path: string, fromByte = 0): Promise<MarketBytes> {
  try {
    const opened = await OPENERS[await packingOf(path)](path, fromByte);
    // Readers receive errors as well. This handles errors after the last read, for example if the file was deleted.
    opened.stream.on("error", () => {});
    return opened;
  } catch (error) {
    throw asBadFile(path, error);
  }
}

/** Converts an error of the disk or the ZIP library. */
function asBadFile(path: string, error: unknown): BadMarketFile {
  if (error instanceof BadMarketFile) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new BadMarketFile(path, undefined, "there is no such file", { cause: error });
  return new BadMarketFile(path, undefined, `it cannot be read: ${message}`, { cause: error });
}

type Packing = "plain" | "zip" | "gzip";

const OPENERS: Readonly<Record<Packing, (path: string, fromByte: number) => Promise<MarketBytes>>> = {
  plain: openPlain,
  zip: openZip,
  gzip: openGzip,
};

/** The first bytes (Latin-1) of unsupported formats, with advice for the user. */
const UNREADABLE: Readonly<Record<string, string>> = {
  "7z\u00BC\u00AF": "a 7z archive: unpack it first",
  "\u0028\u00B5\u002F\u00FD": "packed with zstd: unpack it first",
  "\u00FD7zXZ": "packed with xz: unpack it first",
  BZh: "packed with bzip2: unpack it first",
  PAR1: "a Parquet file: write it as CSV first",
};

/** Detects plain text, gzip or ZIP by the first bytes. Throws `BadMarketFile` for a known unsupported format. */
async function packingOf(path: string): Promise<Packing> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(6), 0, 6, 0);
    const start = buffer.toString("latin1");
    if (start.startsWith("PK")) return "zip";
    if (start.startsWith("\u001F\u008B")) return "gzip";
    const other = Object.entries(UNREADABLE).find(([bytes]) => start.startsWith(bytes));
    if (other !== undefined) throw new BadMarketFile(path, undefined, `it is ${other[1]}`);
    return "plain";
  } finally {
    await file.close();
  }
}

/**
 * Opens a gzip file. Its last four bytes are the uncompressed size modulo 2^32; the size is assumed to be at least the
 * compressed size.
 */
async function openGzip(path: string, fromByte: number): Promise<MarketBytes> {
  const { size } = await stat(path);
  const file = await open(path);
  const stated = Buffer.alloc(4);
  try {
    await file.read(stated, 0, 4, Math.max(0, size - 4));
  } finally {
    await file.close();
  }
  let totalBytes = stated.readUInt32LE();
  while (totalBytes < size - GZIP_FRAME) totalBytes += 2 ** 32;
  const packed = createReadStream(path, { highWaterMark: MARKET_FILE_LIMITS.chunkBytes });
  const stream = packed.pipe(createGunzip({ chunkSize: MARKET_FILE_LIMITS.chunkBytes }));
  packed.on("error", (error) => stream.destroy(error));
  if (fromByte > 0) await skip(stream, fromByte);
  const close = (): void => {
    packed.destroy();
    stream.destroy();
  };
  return { stream, totalBytes, close };
}

async function openPlain(path: string, start: number): Promise<MarketBytes> {
  const { size } = await stat(path);
  const stream = createReadStream(path, { start, highWaterMark: MARKET_FILE_LIMITS.chunkBytes });
  return { stream, totalBytes: size, close: () => void stream.destroy() };
}

async function openZip(path: string, fromByte: number): Promise<MarketBytes> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    const entry = await onlyEntry(path, zip);
    checkSize(path, entry);
    const unpacked = await zip.openReadStreamPromise(entry);
    const stream = unpacked.pipe(summed(path, entry.crc32));
    unpacked.on("error", (error) => stream.destroy(error));
    if (fromByte > 0) await skip(stream, fromByte);
    const close = (): void => {
      unpacked.destroy();
      stream.destroy();
      zip.close();
    };
    return { stream, totalBytes: entry.uncompressedSize, close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function onlyEntry(path: string, zip: ZipFile): Promise<Entry> {
  const files: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith("/")) files.push(entry);
    if (files.length > 1) throw new BadMarketFile(path, undefined, "the ZIP holds several files: it must be one");
  }
  const [entry] = files;
  if (entry === undefined) throw new BadMarketFile(path, undefined, "the ZIP holds no file");
  return entry;
}

/** Computes the checksum of a stream. Fails at the end if it differs from the one stated in the ZIP. */
function summed(path: string, stated: number): Transform {
  let sum = 0;
  return new Transform({
    highWaterMark: MARKET_FILE_LIMITS.chunkBytes,
    transform(chunk: Buffer, _encoding, done): void {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done): void {
      done(sum === stated ? null : new BadMarketFile(path, undefined, "the ZIP is damaged: its check sum is another"));
    },
  });
}

/** Checks the stated sizes. (If the actual size differs from the stated one, yauzl fails the stream.) */
function checkSize(path: string, { uncompressedSize, compressedSize }: Entry): void {
  const { maxUnpackedBytes, maxDeflateRatio } = MARKET_FILE_LIMITS;
  if (uncompressedSize > maxUnpackedBytes) {
    throw new BadMarketFile(
      path,
      undefined,
      `the ZIP claims ${uncompressedSize} bytes, of ${maxUnpackedBytes} at most`,
    );
  }
  if (uncompressedSize > maxDeflateRatio * compressedSize + maxDeflateRatio) {
    const claim = `${uncompressedSize} bytes packed into ${compressedSize}`;
    throw new BadMarketFile(path, undefined, `the ZIP lies about its size: ${claim} is not possible`);
  }
}

/** Skips bytes by decompressing them, because compressed data has no random access. */
async function skip(stream: Readable, bytes: number): Promise<void> {
  let left = bytes;
  while (left > 0) {
    const chunk = (stream.read() ?? (await readable(stream))) as Buffer | null;
    if (chunk === null) return;
    if (chunk.length > left) stream.unshift(chunk.subarray(left));
    left -= Math.min(left, chunk.length);
  }
}

/** The next chunk; null at the end. */
function readable(stream: Readable): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    stream.once("readable", () => resolve(stream.read() as Buffer | null));
    stream.once("end", () => resolve(null));
    stream.once("error", reject);
  });
}

// The next chunk is read while lines are processed. Lines in memory are returned synchronously, so that a million rows
// need not be awaited individually.

const BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

/** A position between two lines: the number of lines, and of uncompressed bytes, before it. */
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

  /** Opens a file at a line. Throws `BadMarketFile`. */
  static async open(path: string, from: LinePlace = { line: 0, byte: 0 }): Promise<LineReader> {
    return new LineReader(path, await openMarketFile(path, from.byte), from);
  }

  /** The position after the last returned line. */
  get place(): LinePlace {
    return { line: this.#line, byte: this.#byte };
  }

  /** The next line without its line end. Undefined if it is not in memory: call `more`. */
  next(): string | undefined {
    const end = this.#text.indexOf("\n", this.#at);
    if (end === -1) return this.#isOver ? this.#last() : undefined;
    const line = this.#text.slice(this.#at, end);
    this.#byte += end + 1 - this.#at;
    this.#at = end + 1;
    return this.#told(line);
  }

  /**
   * Reads on. Resolves to true when more lines are available, to false at the end of the file. Call it after `next` has
   * returned all lines. Throws `BadMarketFile`.
   */
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
    // Decoded as Latin-1 because only ASCII characters matter.
    this.#text = rest + result.value.toString("latin1");
    return true;
  }

  close(): void {
    this.#bytes.close();
  }

  #fetch(): Promise<IteratorResult<Buffer>> {
    const coming = this.#chunks.next();
    // The error is reported when the promise is awaited.
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
