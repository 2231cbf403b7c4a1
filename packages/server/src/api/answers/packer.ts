/**
 * Compression, on node's thread pool. Half of the pool is left to its other users, and the queue is bounded: a
 * compressor takes a quarter of a megabyte while it works.
 */
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createDeflateRaw, gzip } from "node:zlib";

export const MAX_PACKED_AT_A_TIME = 2;
/** Answers that wait for a compressor; further ones are sent uncompressed. */
export const MAX_WAITING_TO_BE_PACKED = 64;
/** Size of the compressed chunks. */
const CHUNK_BYTES = 64 * 1024;

export class Packer {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** Null when too much waits, or when the work failed. */
  async run<Packed>(work: () => Promise<Packed>): Promise<Packed | null> {
    if (this.#underWay >= MAX_PACKED_AT_A_TIME) {
      if (this.#waiting.length >= MAX_WAITING_TO_BE_PACKED) return null;
      // The request before this one hands its place over.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#underWay++;
    }
    try {
      return await work();
    } catch {
      return null;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }
}

export const gzipText: (text: string) => Promise<Buffer> = promisify<string, Buffer>(gzip);

/** A raw stream of deflate, complete. */
export async function deflatePieces(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const packed: Buffer[] = [];
  const stream = Readable.from(pieces).pipe(createDeflateRaw({ chunkSize: CHUNK_BYTES }));
  for await (const chunk of stream) packed.push(chunk as Buffer);
  return packed;
}
