/**
 * Images of a lab's storage, in a subfolder that is removed when the lab ends. Also copies the history file into an
 * image and restores it from there.
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
import type { Engine, InterfaceName, OrderIdScope } from "@pricetime/engine";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk.ts";
import type { JournalHead } from "../../journal/port.ts";
import type { JournalMark } from "./lab-journal.ts";
import type { DatabaseSync } from "node:sqlite";
import { openHistoryFile } from "../../history/table/schema.ts";
import type { DataPaths } from "../../journal/storage/data-folder.ts";
import type { LabHistoryMode } from "./lab-history.ts";

/** Facts about the exchange in an image. */
export interface ImageFacts {
  readonly accounts: number;
  readonly symbols: readonly string[];
  readonly openOrders: number;
  readonly interface: InterfaceName;
  readonly orderIds: OrderIdScope;
  /** Identifies the master key with which the image's secrets are encrypted. */
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
  /** The size of the image in memory and on disk, without the journal. */
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

  /** Returns an unused path for a copy of the history. */
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
    interface: engine.interface,
    orderIds: engine.orderIds,
    masterKeyCheck: engine.masterKeyCheck,
  };
}

// Makes a file equal to another one by writing only the differences. A restored history is mostly unchanged, and 200
// restores of 500 MB would otherwise write 100 GB.

const PIECE_BYTES = 1 << 20;

/** Both files must exist, and the target must not be open. If a disk error is thrown, the target is inconsistent. */
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

/** Reads from a file. Returns the number of bytes read, at most the length of the buffer. */
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

// In a temporary folder, no other process opens the file, so it is copied directly, and restored by writing the
// differences. In a persistent folder, other processes may read the file: SQLite makes the copy, and a restore creates
// a new file, so that readers continue with the old one.

export interface TablesFileOptions {
  readonly path: string;
  readonly kind: "kept" | "temporary";
  /** The size of SQLite's page cache. */
  readonly cacheKiB: number;
}

/**
 * Returns the path of the history file. Candles alone have their own file, so that it is never mistaken for the
 * complete history.
 */
export function tablesPath({ history }: DataPaths, mode: LabHistoryMode): string {
  return mode === "candles" ? join(dirname(history), "candles.sqlite") : history;
}

/** Opens the history file and creates missing tables. Throws `HistoryUnreadable`. */
export function openTablesFile({ path, kind, cacheKiB }: TablesFileOptions): DatabaseSync {
  makePrivateFile(path);
  // A temporary folder needs no write-ahead log, which would write everything twice.
  const database = openHistoryFile(path, kind === "temporary" ? "alone" : "beside readers");
  try {
    database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKiB};`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Copies the tables, which are open and between two transactions. `image` must not exist. */
export function copyTables(database: DatabaseSync, { path, kind }: TablesFileOptions, image: string): void {
  if (kind === "kept") database.prepare("VACUUM INTO ?").run(image);
  else copyFileSync(path, image, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

/** Restores tables that are not open in this process. */
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
