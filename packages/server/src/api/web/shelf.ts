/**
 * Keeps the served pages and files in memory. A thread of its own makes them on the first request: reading and
 * rendering all of them takes longer than an order may wait. Afterwards nothing is read or made again.
 */
import { Worker } from "node:worker_threads";
import { ASSET_FOLDERS, type BuiltPage } from "./assets.ts";
import type { WebFile } from "./file.ts";

export interface Shelved {
  /** Documents and assets by address. */
  readonly files: ReadonlyMap<string, WebFile>;
  /** The terminal's page; null: it was not built. */
  readonly terminal: WebFile | null;
  /** The customers' pages; null: they were not built. */
  readonly account: WebFile | null;
  /** The operators' console; null: it was not built. */
  readonly console: BuiltPage | null;
  readonly guides: readonly { readonly path: string; readonly title: string }[];
  /** The HTML of what holds for all endpoints. */
  readonly prose: string;
}

export class Shelf {
  readonly #terminalFolder: string;
  #shelved: Shelved | undefined;
  #making: Promise<Shelved> | undefined;

  /** `terminalFolder` is where the terminal's build is, if there is one, and in it those of the console and the customers' pages. */
  constructor(terminalFolder = ASSET_FOLDERS.terminal) {
    this.#terminalFolder = terminalFolder;
  }

  /** Returns what `use` makes of the pages: at once when they exist. Rejects when they could not be made. */
  with<Result>(use: (shelved: Shelved) => Result): Result | Promise<Result> {
    if (this.#shelved !== undefined) return use(this.#shelved);
    this.#making ??= makeAll(this.#terminalFolder).then(
      (shelved) => (this.#shelved = shelved),
      (error: unknown) => {
        this.#making = undefined;
        throw error;
      },
    );
    return this.#making.then(use);
  }
}

function makeAll(terminalFolder: string): Promise<Shelved> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./shelf-worker.ts", import.meta.url), {
      name: "pages",
      workerData: terminalFolder,
    });
    // A node that stops does not wait for it.
    worker.unref();
    worker.once("message", ({ files, terminal, account, console, ...others }: Shelved) =>
      resolve({
        ...others,
        files: withBuffers(files),
        terminal: terminal && withBuffer(terminal),
        account: account && withBuffer(account),
        console: console && { page: withBuffer(console.page), files: withBuffers(console.files) },
      }),
    );
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread that makes pages ended with code ${code}`)));
  });
}

/** A buffer that is passed between threads arrives as an array of bytes; this makes it a buffer again. */
function withBuffer({ bytes, ...file }: WebFile): WebFile {
  const { buffer, byteOffset, byteLength } = bytes;
  return { ...file, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}

function withBuffers(files: Shelved["files"]): Map<string, WebFile> {
  return new Map([...files].map(([path, file]) => [path, withBuffer(file)]));
}
