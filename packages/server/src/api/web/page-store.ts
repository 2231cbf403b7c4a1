/**
 * The pages and files in memory. A separate thread renders them on the first request, because rendering takes longer
 * than an order may wait. Afterwards nothing is read or rendered again.
 */
import { Worker } from "node:worker_threads";
import type { VenueInterfaceName } from "@pricetime/protocol";
import { ASSET_FOLDERS, type BuiltPage } from "./assets.ts";
import { type Branding, NO_BRANDING, type PageBranding } from "./branding.ts";
import type { WebFile } from "./file.ts";

export interface RenderedPages {
  /** Documents and assets by path. */
  readonly files: ReadonlyMap<string, WebFile>;
  /** The terminal; null if it has not been built. */
  readonly terminal: WebFile | null;
  /** The terminal as the page of a market, one level deeper; null if it has not been built. */
  readonly market: WebFile | null;
  /** The account pages; null if they have not been built. */
  readonly account: WebFile | null;
  /** The operators' console; null if it has not been built. */
  readonly console: BuiltPage | null;
  readonly guides: readonly { readonly path: string; readonly title: string }[];
  /** The HTML of the rules that apply to all endpoints of an interface. */
  readonly prose: Readonly<Record<VenueInterfaceName, string>>;
}

/** What the pages thread needs. */
export interface PageSources {
  /** The folder of the terminal's build and, within it, the builds of the console and the account pages. */
  readonly terminalFolder: string;
  readonly branding: PageBranding;
}

export class PageStore {
  readonly branding: Branding;
  readonly #terminalFolder: string;
  #shelved: RenderedPages | undefined;
  #making: Promise<RenderedPages> | undefined;

  /**
   * `terminalFolder` is the folder of the terminal's build and, within it, the builds of the console and the account
   * pages. It may be missing.
   */
  constructor(terminalFolder = ASSET_FOLDERS.terminal, branding = NO_BRANDING) {
    this.branding = branding;
    this.#terminalFolder = terminalFolder;
  }

  /**
   * Passes the pages to `use` and returns its result, without waiting if the pages are already rendered. Rejects if
   * they could not be rendered.
   */
  with<Result>(use: (shelved: RenderedPages) => Result): Result | Promise<Result> {
    if (this.#shelved !== undefined) return use(this.#shelved);
    this.#making ??= makeAll({ terminalFolder: this.#terminalFolder, branding: this.branding.page }).then(
      (shelved) => (this.#shelved = shelved),
      (error: unknown) => {
        this.#making = undefined;
        throw error;
      },
    );
    return this.#making.then(use);
  }
}

function makeAll(sources: PageSources): Promise<RenderedPages> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./pages-worker.ts", import.meta.url), {
      name: "pages",
      workerData: sources,
    });
    // Let the process exit while the thread is running.
    worker.unref();
    worker.once("message", ({ files, terminal, market, account, console, ...others }: RenderedPages) =>
      resolve({
        ...others,
        files: withBuffers(files),
        terminal: terminal && withBuffer(terminal),
        market: market && withBuffer(market),
        account: account && withBuffer(account),
        console: console && { page: withBuffer(console.page), files: withBuffers(console.files) },
      }),
    );
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread that makes pages ended with code ${code}`)));
  });
}

/** Converts bytes to a Buffer again, because threads receive Buffers as plain byte arrays. */
function withBuffer({ bytes, ...file }: WebFile): WebFile {
  const { buffer, byteOffset, byteLength } = bytes;
  return { ...file, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}

function withBuffers(files: RenderedPages["files"]): Map<string, WebFile> {
  return new Map([...files].map(([path, file]) => [path, withBuffer(file)]));
}
