/** One snapshot in one file: a header that says of what, a SHA-256 over everything, the engine's bytes. */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import type { Files, NewFile } from "./files.ts";

export interface Snapshot {
  /** The last entry it holds; always the last of its batch. */
  readonly seq: number;
  /** Of the journal, just after that entry. */
  readonly chainHash: string;
  readonly stateHash: string;
  /** As the engine made them. */
  readonly bytes: Uint8Array;
}

/** Not a snapshot, cut short, altered, or of another format. */
export class SnapshotDamaged extends Error {
  override readonly name = "SnapshotDamaged";
}

const MAGIC = "PTSNAP\n\0";
const FORMAT_VERSION = 1;
/** magic 8, format 4, seq 8, chain hash 32, state hash 8, length 8, SHA-256 of all the rest 32. */
const HEADER_BYTES = 100;
const DIGEST_AT = 68;

/** Writes the file whole or not at all, and waits until it is on the disk. */
export function writeSnapshotFile(files: Files, path: string, snapshot: Snapshot): void {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 0, "latin1");
  header.writeUInt32BE(FORMAT_VERSION, 8);
  header.writeBigUInt64BE(BigInt(snapshot.seq), 12);
  header.write(snapshot.chainHash, 20, "hex");
  header.write(snapshot.stateHash, 52, "hex");
  header.writeBigUInt64BE(BigInt(snapshot.bytes.length), 60);
  digestOf(header, snapshot.bytes).copy(header, DIGEST_AT);
  const partial = `${path}.partial`;
  files.remove(partial);
  try {
    writeAll(files.create(partial), header, snapshot.bytes);
    files.rename(partial, path);
  } catch (error) {
    // On a full disk the journal needs the space more.
    attempt(() => files.remove(partial));
    throw error;
  }
  files.syncFolder(dirname(path));
}

function writeAll(file: NewFile, header: Uint8Array, bytes: Uint8Array): void {
  try {
    file.write(header);
    file.write(bytes);
    file.sync();
  } finally {
    file.close();
  }
}

function attempt(task: () => void): void {
  try {
    task();
  } catch {
    // What went wrong before it is told.
  }
}

/** Throws `SnapshotDamaged`. */
export function readSnapshotFile(files: Files, path: string): Snapshot {
  const content = files.read(path);
  const header = content.subarray(0, HEADER_BYTES);
  const bytes = content.subarray(HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, 8) !== MAGIC) {
    throw new SnapshotDamaged("not a snapshot");
  }
  const format = header.readUInt32BE(8);
  if (format !== FORMAT_VERSION) throw new SnapshotDamaged(`format ${format}; this release knows ${FORMAT_VERSION}`);
  if (header.readBigUInt64BE(60) !== BigInt(bytes.length)) throw new SnapshotDamaged("cut short");
  if (!digestOf(header, bytes).equals(header.subarray(DIGEST_AT))) throw new SnapshotDamaged("its checksum is wrong");
  return {
    seq: Number(header.readBigUInt64BE(12)),
    chainHash: header.toString("hex", 20, 52),
    stateHash: header.toString("hex", 52, 60),
    bytes,
  };
}

function digestOf(header: Buffer, bytes: Uint8Array): Buffer {
  return createHash("sha256").update(header.subarray(0, DIGEST_AT)).update(bytes).digest();
}
