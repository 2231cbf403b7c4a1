/** Images of a lab's storage, in a folder of the lab's; they end with the lab. */
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "@pricetime/engine";
import { makePrivateFolder } from "../../platform/disk/private-file.ts";
import type { JournalHead } from "../../journal/port.ts";
import type { JournalMark } from "./lab-journal.ts";

/** What is told of an image. */
export interface ImageFacts {
  readonly accounts: number;
  readonly symbols: readonly string[];
  readonly openOrders: number;
  /** Identifies the master key under which its secrets are sealed. */
  readonly masterKeyCheck: string;
}

/** Journal, engine and history at one moment. It is not used up by going back to it. */
export interface StorageImage {
  readonly head: JournalHead;
  /** The engine's snapshot. */
  readonly engine: Uint8Array;
  readonly mark: JournalMark;
  readonly facts: ImageFacts;
  /** The path of the history's copy; undefined where the lab keeps none. */
  readonly tables: string | undefined;
  /** What it takes in memory and on the disk, without the journal. */
  readonly bytes: number;
}

const HALF_DONE = "half-done";

export class ImageFolder {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether the lab that was here ended in the midst of going back. */
  get wasHalfDone(): boolean {
    return existsSync(join(this.#folder, HALF_DONE));
  }

  /** Removes what a lab that is over has left. */
  empty(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#count = 0;
  }

  /** A path at which nothing is yet. */
  newPath(): string {
    makePrivateFolder(this.#folder);
    return join(this.#folder, `${++this.#count}.history`);
  }

  begin(): void {
    makePrivateFolder(this.#folder);
    writeFileSync(join(this.#folder, HALF_DONE), "");
  }

  end(): void {
    rmSync(join(this.#folder, HALF_DONE), { force: true });
  }

  removeAt(path: string | undefined): void {
    if (path !== undefined) rmSync(path, { force: true });
  }
}

export function sizeOf(path: string | undefined): number {
  return path === undefined ? 0 : statSync(path).size;
}

export function factsOf(engine: Engine): ImageFacts {
  return {
    accounts: [...engine.accounts()].length,
    symbols: engine.markets().map(({ spec }) => spec.symbol),
    openOrders: engine.openOrderCount,
    masterKeyCheck: engine.masterKeyCheck,
  };
}
