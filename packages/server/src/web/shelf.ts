/**
 * Keeps the served pages and files in memory. A thread of its own makes them on the first request: reading and
 * rendering all of them takes longer than an order may wait. Afterwards nothing is read or made again.
 */
import { Worker } from "node:worker_threads";
import type { WebFile } from "./port.ts";

export interface Shelved {
  /** Documents and assets by address. */
  readonly files: ReadonlyMap<string, WebFile>;
  readonly guides: readonly { readonly path: string; readonly title: string }[];
  /** The HTML of what holds for all endpoints. */
  readonly prose: string;
}

export class Shelf {
  #shelved: Shelved | undefined;
  #making: Promise<Shelved> | undefined;

  /** Returns what `use` makes of the pages: at once when they exist. Rejects when they could not be made. */
  with<Result>(use: (shelved: Shelved) => Result): Result | Promise<Result> {
    if (this.#shelved !== undefined) return use(this.#shelved);
    this.#making ??= makeAll().then(
      (shelved) => (this.#shelved = shelved),
      (error: unknown) => {
        this.#making = undefined;
        throw error;
      },
    );
    return this.#making.then(use);
  }
}

function makeAll(): Promise<Shelved> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./shelf-worker.ts", import.meta.url), { name: "pages" });
    // A node that stops does not wait for it.
    worker.unref();
    worker.once("message", ({ files, ...others }: Shelved) => resolve({ ...others, files: withBuffers(files) }));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread that makes pages ended with code ${code}`)));
  });
}

/** A buffer that is passed between threads arrives as an array of bytes; this makes it a buffer again. */
function withBuffers(files: Shelved["files"]): Map<string, WebFile> {
  return new Map(
    [...files].map(([path, { bytes, ...file }]) => {
      const { buffer, byteOffset, byteLength } = bytes;
      return [path, { ...file, bytes: Buffer.from(buffer, byteOffset, byteLength) }];
    }),
  );
}
