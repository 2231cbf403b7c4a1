/** One snapshot in one file: a header with its position, the engine's bytes, and a SHA-256 over everything before. */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { Files, NewFile } from "./files.ts";

/** The position and digest of a snapshot. */
export interface SnapshotOf {
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
export type Pieces = (sink: (piece: Uint8Array) => void) => void;

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
export function writeSnapshotFile(files: Files, path: string, of: SnapshotOf, pieces: Pieces, spare?: string): void {
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
