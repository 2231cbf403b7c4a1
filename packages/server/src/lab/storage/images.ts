/**
 * Images of a lab's storage, in a folder of the lab's, which is removed when the lab ends; and the file of its
 * history, which is copied into an image and restored from it.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Engine } from "@pricetime/engine";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk.ts";
import type { JournalHead } from "../../journal/port.ts";
import type { JournalMark } from "./lab-journal.ts";
import type { DatabaseSync } from "node:sqlite";
import { openHistoryFile } from "../../history/table/schema.ts";
import type { DataPaths } from "../../journal/storage/data-folder.ts";
import type { LabHistoryMode } from "./lab-history.ts";

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

// Makes a file equal to another one, and writes only what differs: a restored history has mostly the pages that it
// had, and 200 restores of 500 MB would write 100 GB.

const PIECE_BYTES = 1 << 20;

/** Both must exist, and nobody may have the target open. Throws errors of the disk; the target is then neither. */
function copyOver(source: string, target: string): void {
  const from = openSync(source, "r");
  try {
    const to = openSync(target, "r+");
    try {
      copyPieces(from, to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

function copyPieces(from: number, to: number): void {
  const { size } = fstatSync(from);
  const [wanted, found] = [Buffer.allocUnsafe(PIECE_BYTES), Buffer.allocUnsafe(PIECE_BYTES)];
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const piece = wanted.subarray(0, readAt(from, wanted, at));
    const there = found.subarray(0, readAt(to, found, at));
    if (!piece.equals(there)) writeAt(to, piece, at);
  }
  ftruncateSync(to, size);
}

/** Returns the number of bytes that there were, at most as many as the buffer holds. */
function readAt(file: number, buffer: Buffer, at: number): number {
  let read = 0;
  while (read < buffer.length) {
    const more = readSync(file, buffer, read, buffer.length - read, at + read);
    if (more === 0) break;
    read += more;
  }
  return read;
}

function writeAt(file: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
  }
}

// No other process has the file in a temporary folder open, so it is copied as it is, and restored where it
// differs. In a folder that is kept others may be reading: there SQLite makes the copy, and the restored file is a
// new one, so that they continue with the old one.

export interface TablesFileOptions {
  readonly path: string;
  readonly kind: "kept" | "temporary";
  /** The pages that SQLite keeps in memory. */
  readonly cacheKiB: number;
}

/** Candles alone are in a file of their own: no start takes them for the whole. */
export function tablesPath({ history }: DataPaths, mode: LabHistoryMode): string {
  return mode === "candles" ? join(dirname(history), "candles.sqlite") : history;
}

/** Makes the tables when missing. Throws `HistoryUnreadable`. */
export function openTablesFile({ path, kind, cacheKiB }: TablesFileOptions): DatabaseSync {
  makePrivateFile(path);
  // In a temporary folder what a log would save twice is written once.
  const database = openHistoryFile(path, kind === "temporary" ? "alone" : "beside readers");
  try {
    database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKiB};`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies tables that stand open between two transactions. `image` must not exist. */
export function copyTables(database: DatabaseSync, { path, kind }: TablesFileOptions, image: string): void {
  if (kind === "kept") database.prepare("VACUUM INTO ?").run(image);
  else copyFileSync(path, image, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Puts tables back that this process has not open. */
export function putTablesBack(image: string, { path, kind }: TablesFileOptions): void {
  if (kind === "temporary") {
    copyOver(image, path);
    return;
  }
  removeTables(path);
  makePrivateFile(path);
  copyFileSync(image, path);
}

export function removeTables(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}
