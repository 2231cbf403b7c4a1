/** Opens a file of a market, plain or the one member of a ZIP, as a stream of bytes. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { BadMarketFile } from "./bad-market-file.ts";
import { MARKET_FILE_LIMITS } from "./limits.ts";

export interface MarketBytes {
  /** The bytes from the place that was asked for. Reading them may fail with anything; see `asBadFile`. */
  readonly stream: Readable;
  /** Unpacked. */
  readonly totalBytes: number;
  close(): void;
}

/** Opens it at a byte of what is unpacked. Throws `BadMarketFile`. */
export async function openMarketFile(path: string, fromByte = 0): Promise<MarketBytes> {
  try {
    const opened = (await isZip(path)) ? await openZip(path, fromByte) : await openPlain(path, fromByte);
    // Whoever reads is told of an error; it may come when nobody reads any more, such as of a file that was deleted.
    opened.stream.on("error", () => {});
    return opened;
  } catch (error) {
    throw asBadFile(path, error);
  }
}

/** A failure of the disk or of the ZIP, in words. */
export function asBadFile(path: string, error: unknown): BadMarketFile {
  if (error instanceof BadMarketFile) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new BadMarketFile(path, undefined, "there is no such file", { cause: error });
  return new BadMarketFile(path, undefined, `it cannot be read: ${message}`, { cause: error });
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "PK";
  } finally {
    await file.close();
  }
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

/** Fails at the end of bytes that have another check sum than the ZIP says. */
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

/** yauzl fails a stream that gives more or less than the stated size. */
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

/** What is packed has no places to go to: it is unpacked up to there. */
async function skip(stream: Readable, bytes: number): Promise<void> {
  let left = bytes;
  while (left > 0) {
    const chunk = (stream.read() ?? (await readable(stream))) as Buffer | null;
    if (chunk === null) return;
    if (chunk.length > left) stream.unshift(chunk.subarray(left));
    left -= Math.min(left, chunk.length);
  }
}

/** Resolves to what has come; null at the end. */
function readable(stream: Readable): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    stream.once("readable", () => resolve(stream.read() as Buffer | null));
    stream.once("end", () => resolve(null));
    stream.once("error", reject);
  });
}
