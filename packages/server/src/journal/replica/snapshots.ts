/**
 * Snapshots of a node's state: the file system operations that they need, the format of a snapshot file, and the folder
 * with the latest snapshots.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { makePrivateFolder } from "../../platform/disk.ts";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { Engine } from "@pricetime/engine";

// File system operations. A simulated disk with fault injection implements them as well.

/** A file that is written sequentially from its start. */
export interface NewFile {
  write(bytes: Uint8Array): void;
  /** Truncates the rest of an older file after the written part. */
  end(): void;
  /** Returns when all written bytes are on disk. */
  sync(): void;
  close(): void;
}

export interface Files {
  /** The file names in a folder; empty if the folder is missing. */
  list(folder: string): string[];
  read(path: string): Buffer;
  /** Creates the folder, private to its owner, if it is missing. */
  makeFolder(folder: string): void;
  /** Creates a file, private to its owner. Throws if the file exists. */
  create(path: string): NewFile;
  /** Opens an existing file to overwrite it, so that its disk space is reused. */
  writeOver(path: string): NewFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Returns when the folder's directory entries are on disk. */
  syncFolder(folder: string): void;
}

export const REAL_FILES: Files = {
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
  read: (path) => readFileSync(path),
  makeFolder: makePrivateFolder,
  create: (path) => newFile(openSync(path, "wx", 0o600)),
  writeOver: (path) => newFile(openSync(path, "r+")),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder: (folder) => {
    // Windows cannot open a folder, but it journals file names itself.
    if (process.platform === "win32") return;
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
};

function newFile(file: number): NewFile {
  let size = 0;
  return {
    write: (bytes) => {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written, null, size + written);
      size += bytes.length;
    },
    end: () => ftruncateSync(file, size),
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}

// The format of a snapshot file: a header with its position, the engine's bytes, and a SHA-256 over both.

/** The position of a snapshot in the journal, and its event digest. */
interface SnapshotOf {
  /** The last entry that the snapshot includes. It is always the last of its batch. */
  readonly seq: number;
  /** The journal's chain hash after that entry. */
  readonly chainHash: string;
  /** The engine's event digest after that entry. */
  readonly eventDigest: string;
}

export interface Snapshot extends SnapshotOf {
  /** The bytes of the state as serialized by the engine. */
  readonly bytes: Uint8Array;
}

/** Passes the engine's bytes to `sink` in order. Each piece is valid only during the call. */
type Pieces = (sink: (piece: Uint8Array) => void) => void;

/** The file is not a snapshot, or is truncated, altered, or has another format. */
export class SnapshotDamaged extends Error {
  override readonly name = "SnapshotDamaged";
}

const MAGIC = "PTSNAP\n\0";
const FORMAT_VERSION = 2;
/** Size of the header in bytes: magic 8, format 4, seq 8, chain hash 32, event digest 8. */
const HEADER_BYTES = 60;
const DIGEST_BYTES = 32;
/** The file name of an incomplete snapshot. */
const PARTIAL = "next.partial";
/**
 * Number of bytes written between syncs. The journal shares the disk: syncing 60 MB at once delayed the journal by 20
 * to 48 ms, syncing in steps by 15 ms.
 */
const SYNC_BYTES = 1 << 20;

/**
 * Writes the file completely or not at all, and waits until it is on disk. `spare` is an old snapshot to overwrite.
 * Removing its 60 MB instead would delay the journal by 10 ms, while the file system frees the space.
 */
function writeSnapshotFile(files: Files, path: string, of: SnapshotOf, pieces: Pieces, spare?: string): void {
  const folder = dirname(path);
  const partial = join(folder, PARTIAL);
  try {
    writeAll(openPartial(files, folder, spare), headerOf(of), pieces);
    files.rename(partial, path);
  } catch (error) {
    // If the disk is full, the journal needs the space more than a snapshot.
    attempt(() => files.remove(partial));
    throw error;
  }
  files.syncFolder(folder);
}

/** Opens the file to write to: the partial file left by a crash, the spare snapshot, or a new file. */
function openPartial(files: Files, folder: string, spare: string | undefined): NewFile {
  const partial = join(folder, PARTIAL);
  if (!files.list(folder).includes(PARTIAL)) {
    if (spare === undefined) return files.create(partial);
    files.rename(spare, partial);
    // After a crash, the overwritten file must not exist under its old name.
    files.syncFolder(folder);
  }
  return files.writeOver(partial);
}

function headerOf({ seq, chainHash, eventDigest }: SnapshotOf): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 0, "latin1");
  header.writeUInt32BE(FORMAT_VERSION, 8);
  header.writeBigUInt64BE(BigInt(seq), 12);
  header.write(chainHash, 20, "hex");
  header.write(eventDigest, 52, "hex");
  return header;
}

/**
 * Writes the bytes to disk and hashes them on the way, without buffering them all: a million open orders take 60 MB.
 */
function writeAll(file: NewFile, header: Uint8Array, pieces: Pieces): void {
  const hash = createHash("sha256");
  let unsynced = 0;
  const write = (bytes: Uint8Array): void => {
    hash.update(bytes);
    file.write(bytes);
    unsynced += bytes.length;
    if (unsynced < SYNC_BYTES) return;
    file.sync();
    unsynced = 0;
  };
  try {
    write(header);
    pieces(write);
    file.write(hash.digest());
    file.end();
    file.sync();
  } finally {
    file.close();
  }
}

function attempt(task: () => void): void {
  try {
    task();
  } catch {
    // Ignored, because the earlier error is reported instead.
  }
}

/** Reads and checks a snapshot. Throws `SnapshotDamaged`. */
export function readSnapshotFile(files: Files, path: string): Snapshot {
  return snapshotFrom(files.read(path));
}

/** Checks the content of a snapshot file. Throws `SnapshotDamaged`. */
export function snapshotFrom(content: Buffer): Snapshot {
  if (content.length < HEADER_BYTES + DIGEST_BYTES || content.toString("latin1", 0, 8) !== MAGIC) {
    throw new SnapshotDamaged("not a snapshot");
  }
  const format = content.readUInt32BE(8);
  if (format !== FORMAT_VERSION) throw new SnapshotDamaged(`format ${format}; this release knows ${FORMAT_VERSION}`);
  const digestAt = content.length - DIGEST_BYTES;
  const digest = createHash("sha256").update(content.subarray(0, digestAt)).digest();
  if (!digest.equals(content.subarray(digestAt))) throw new SnapshotDamaged("cut short, or its checksum is wrong");
  return {
    seq: Number(content.readBigUInt64BE(12)),
    chainHash: content.toString("hex", 20, 52),
    eventDigest: content.toString("hex", 52, 60),
    bytes: content.subarray(HEADER_BYTES, digestAt),
  };
}

// Several snapshots are kept, in case one is damaged.

const KEPT = 3;
const NAME = /^(?<seq>\d{1,16})\.snap$/;

export interface SnapshotName {
  readonly seq: number;
  readonly path: string;
}

export class SnapshotFolder {
  readonly #folder: string;
  readonly #files: Files;

  constructor(folder: string, files: Files = REAL_FILES) {
    this.#folder = folder;
    this.#files = files;
  }

  /** The snapshots in the folder, newest first. */
  list(): SnapshotName[] {
    return this.#files
      .list(this.#folder)
      .flatMap((name) => {
        const seq = NAME.exec(name)?.groups?.["seq"];
        return seq === undefined ? [] : [{ seq: Number(seq), path: join(this.#folder, name) }];
      })
      .sort((a, b) => b.seq - a.seq);
  }

  /** Reads and checks a snapshot. Throws `SnapshotDamaged`. */
  read({ path }: SnapshotName): Snapshot {
    return readSnapshotFile(this.#files, path);
  }

  /** Writes the engine's current state. `chainHash` is the journal's chain hash just after the engine's last entry. */
  take(engine: Engine, chainHash: string): void {
    const of = { seq: engine.seq, chainHash, eventDigest: engine.eventDigest() };
    this.write(of, (sink) => engine.snapshotInPieces(sink));
  }

  /** Writes a snapshot. Overwrites the oldest one if the maximum number is reached. */
  write(of: SnapshotOf, pieces: Pieces): void {
    this.#files.makeFolder(this.#folder);
    const oldest = this.list()[KEPT - 1];
    const spare = oldest !== undefined && oldest.seq < of.seq ? oldest.path : undefined;
    writeSnapshotFile(this.#files, join(this.#folder, `${of.seq}.snap`), of, pieces, spare);
    for (const { path } of this.list().slice(KEPT)) this.#files.remove(path);
  }
}
