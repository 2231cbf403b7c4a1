/**
 * Snapshots of a node's state: what they need of a file system, one snapshot in one file, and the folder that has the
 * last few of them.
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

// A simulated disk implements this too, and fails on purpose.

/** A file that is written from its start. */
export interface NewFile {
  write(bytes: Uint8Array): void;
  /** Cuts off what an older file holds beyond the written part. */
  end(): void;
  /** Returns when everything written is on disk. */
  sync(): void;
  close(): void;
}

export interface Files {
  /** Returns the names in a folder; none when there is no such folder. */
  list(folder: string): string[];
  read(path: string): Buffer;
  /** Makes the folder, private to its owner, when it is missing. */
  makeFolder(folder: string): void;
  /** Creates a file, private to its owner. Throws when the name exists. */
  create(path: string): NewFile;
  /** Opens an existing file to overwrite it; its space on the disk is kept. */
  writeOver(path: string): NewFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Returns when the folder's names are on disk. */
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
    // Windows cannot open a folder, and journals names itself.
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

// One snapshot in one file: a header with its position, the engine's bytes, and a SHA-256 over everything before.

/** The position and digest of a snapshot. */
interface SnapshotOf {
  /** The last entry it holds; always the last of its batch. */
  readonly seq: number;
  /** The journal's chain hash just after that entry. */
  readonly chainHash: string;
  /** The engine's event digest after that entry. */
  readonly eventDigest: string;
}

export interface Snapshot extends SnapshotOf {
  /** The bytes as the engine made them. */
  readonly bytes: Uint8Array;
}

/** Passes the engine's bytes in order; each piece is valid only during the call. */
type Pieces = (sink: (piece: Uint8Array) => void) => void;

/** The file is not a snapshot, or is cut short, altered, or of another format. */
export class SnapshotDamaged extends Error {
  override readonly name = "SnapshotDamaged";
}

const MAGIC = "PTSNAP\n\0";
const FORMAT_VERSION = 2;
/** The header: magic 8, format 4, seq 8, chain hash 32, event digest 8. */
const HEADER_BYTES = 60;
const DIGEST_BYTES = 32;
/** The name of the one snapshot that is not complete yet. */
const PARTIAL = "next.partial";
/** The sync step. The journal shares the disk: syncing 60 MB at once delayed it by 20 to 48 ms, in such steps by 15. */
const SYNC_BYTES = 1 << 20;

/**
 * Writes the file whole or not at all, and waits until it is on disk. `spare` is a snapshot to overwrite: removing 60
 * MB instead delays the journal by 10 ms, while the file system frees the space.
 */
function writeSnapshotFile(files: Files, path: string, of: SnapshotOf, pieces: Pieces, spare?: string): void {
  const folder = dirname(path);
  const partial = join(folder, PARTIAL);
  try {
    writeAll(openPartial(files, folder, spare), headerOf(of), pieces);
    files.rename(partial, path);
  } catch (error) {
    // On a full disk the journal needs the space more.
    attempt(() => files.remove(partial));
    throw error;
  }
  files.syncFolder(folder);
}

/** Opens the partial file that a crash has left, the spare one, or a new one. */
function openPartial(files: Files, folder: string, spare: string | undefined): NewFile {
  const partial = join(folder, PARTIAL);
  if (!files.list(folder).includes(PARTIAL)) {
    if (spare === undefined) return files.create(partial);
    files.rename(spare, partial);
    // After a crash, a reader that finds it under its old name would find it damaged.
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

/** A million open orders are 60 MB: they are never in memory at once, and are hashed on the way. */
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
    // The earlier error is reported instead.
  }
}

/** Reads and checks a snapshot. Throws `SnapshotDamaged`. */
export function readSnapshotFile(files: Files, path: string): Snapshot {
  return snapshotFrom(files.read(path));
}

/** Checks the content of a snapshot's file. Throws `SnapshotDamaged`. */
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

// Several are kept, so that a damaged one is no disaster.

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

  /** Returns the snapshots, newest first. */
  list(): SnapshotName[] {
    return this.#files
      .list(this.#folder)
      .flatMap((name) => {
        const seq = NAME.exec(name)?.groups?.["seq"];
        return seq === undefined ? [] : [{ seq: Number(seq), path: join(this.#folder, name) }];
      })
      .sort((a, b) => b.seq - a.seq);
  }

  /** Throws `SnapshotDamaged`. */
  read({ path }: SnapshotName): Snapshot {
    return readSnapshotFile(this.#files, path);
  }

  /** Writes the engine's present state. `chainHash` is the journal's, just after the engine's last entry. */
  take(engine: Engine, chainHash: string): void {
    const of = { seq: engine.seq, chainHash, eventDigest: engine.eventDigest() };
    this.write(of, (sink) => engine.snapshotInPieces(sink));
  }

  /** Writes a snapshot, overwriting the oldest when as many exist as are kept. */
  write(of: SnapshotOf, pieces: Pieces): void {
    this.#files.makeFolder(this.#folder);
    const oldest = this.list()[KEPT - 1];
    const spare = oldest !== undefined && oldest.seq < of.seq ? oldest.path : undefined;
    writeSnapshotFile(this.#files, join(this.#folder, `${of.seq}.snap`), of, pieces, spare);
    for (const { path } of this.list().slice(KEPT)) this.#files.remove(path);
  }
}
