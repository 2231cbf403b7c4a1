/**
 * Images of a lab's storage, in a subfolder that is removed when the lab ends; and the history file, which is copied
 * into an image and restored from it.
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

/** Facts about an image. */
export interface ImageFacts {
  readonly accounts: number;
  readonly symbols: readonly string[];
  readonly openOrders: number;
  /** Identifies the master key of its encrypted secrets. */
  readonly masterKeyCheck: string;
}

/** Journal, engine and history at one point. An image can be restored repeatedly. */
export interface StorageImage {
  readonly head: JournalHead;
  /** The engine's snapshot. */
  readonly engine: Uint8Array;
  readonly mark: JournalMark;
  readonly facts: ImageFacts;
  /** The path of the history's copy; undefined without history. */
  readonly tables: string | undefined;
  /** Its size in memory and on disk, without the journal. */
  readonly bytes: number;
}

const HALF_DONE = "half-done";

export class ImageFolder {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether the previous lab on this folder was killed during a restore. */
  get wasHalfDone(): boolean {
    return existsSync(join(this.#folder, HALF_DONE));
  }

  /** Removes the files of a previous lab. */
  empty(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#count = 0;
  }

  /** An unused path. */
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

// Makes a file equal to another one, and writes only the differences: a restored history is mostly unchanged, and 200
// restores of 500 MB would write 100 GB.

const PIECE_BYTES = 1 << 20;

/** Both files must exist, and the target must not be open. Throws disk errors; the target is then inconsistent. */
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

/** Returns the number of bytes read, at most the length of the buffer. */
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

// No other process opens the file in a temporary folder, so it is copied directly, and restored by writing the
// differences. In a persistent folder other processes may read it: there, SQLite makes the copy, and the restored file
// is a new one, so that readers continue with the old one.

export interface TablesFileOptions {
  readonly path: string;
  readonly kind: "kept" | "temporary";
  /** The size of SQLite's page cache. */
  readonly cacheKiB: number;
}

/** Candles alone have a file of their own, so that it is never mistaken for the complete history. */
export function tablesPath({ history }: DataPaths, mode: LabHistoryMode): string {
  return mode === "candles" ? join(dirname(history), "candles.sqlite") : history;
}

/** Creates missing tables. Throws `HistoryUnreadable`. */
export function openTablesFile({ path, kind, cacheKiB }: TablesFileOptions): DatabaseSync {
  makePrivateFile(path);
  // A temporary folder does without a write-ahead log, which would write everything twice.
  const database = openHistoryFile(path, kind === "temporary" ? "alone" : "beside readers");
  try {
    database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKiB};`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies tables that are open between two transactions. `image` must not exist. */
export function copyTables(database: DatabaseSync, { path, kind }: TablesFileOptions, image: string): void {
  if (kind === "kept") database.prepare("VACUUM INTO ?").run(image);
  else copyFileSync(path, image, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Restores tables that this process has not opened. */
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
