/**
 * Pages and files as they are served, in memory. A thread of its own makes them when the first is asked for: reading
 * and rendering all takes longer than an order may wait. Afterwards nothing is read or made again.
 */
import { Worker } from "node:worker_threads";
import type { WebFile } from "./port.ts";

export interface Shelved {
  /** Documents and assets, by address. */
  readonly files: ReadonlyMap<string, WebFile>;
  readonly guides: readonly { readonly path: string; readonly title: string }[];
  /** What holds for all endpoints, as HTML. */
  readonly prose: string;
}

export class Shelf {
  #shelved: Shelved | undefined;
  #making: Promise<Shelved> | undefined;

  /** What `use` makes of the pages: at once when they are there. Rejects when they could not be made. */
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

/** Between threads a buffer becomes an array of bytes. */
function withBuffers(files: Shelved["files"]): Map<string, WebFile> {
  return new Map(
    [...files].map(([path, { bytes, ...file }]) => {
      const { buffer, byteOffset, byteLength } = bytes;
      return [path, { ...file, bytes: Buffer.from(buffer, byteOffset, byteLength) }];
    }),
  );
}
