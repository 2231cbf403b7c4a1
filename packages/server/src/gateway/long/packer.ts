/**
 * Compression, on node's thread pool. Half of the pool is left to everything else that uses it, and
 * what waits is bounded: a compressor takes a quarter of a megabyte while it works.
 */
import { gzip } from "node:zlib";

export const MAX_PACKED_AT_A_TIME = 2;
/** Answers that wait for one of them; further ones are sent as they are. */
export const MAX_WAITING_TO_BE_PACKED = 64;

type Done = (packed: Buffer | null) => void;
export type Gzip = (data: string | Buffer, done: (error: Error | null, packed: Buffer) => void) => void;

export class Packer {
  readonly #gzip: Gzip;
  readonly #waiting: { readonly data: string | Buffer; readonly done: Done }[] = [];
  #underWay = 0;

  constructor(compress: Gzip = gzip) {
    this.#gzip = compress;
  }

  /** `done` gets null when too much waits. Always in a later turn, or at once with null. */
  pack(data: string | Buffer, done: Done): void {
    if (this.#underWay < MAX_PACKED_AT_A_TIME) this.#begin(data, done);
    else if (this.#waiting.length < MAX_WAITING_TO_BE_PACKED) this.#waiting.push({ data, done });
    else done(null);
  }

  #begin(data: string | Buffer, done: Done): void {
    this.#underWay++;
    this.#gzip(data, (error, packed) => {
      this.#underWay--;
      const next = this.#waiting.shift();
      if (next !== undefined) this.#begin(next.data, next.done);
      done(error === null ? packed : null);
    });
  }
}
