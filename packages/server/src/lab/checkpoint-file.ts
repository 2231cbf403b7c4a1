/**
 * A checkpoint as a file: the complete journal, and the state that is not in the journal. The release that imports the
 * file recomputes the exchange's state and history from the journal. Files therefore stay small, and a hash shows
 * whether the import led to the same state.
 */
import { Rejection } from "../people/http/answer.ts";
import { createHash } from "node:crypto";
import { createGzip, gunzipSync } from "node:zlib";
import { chainOn } from "../journal/chain.ts";
import { type Batch, EMPTY_HEAD, headAfter, JournalRefused } from "../journal/port.ts";
import type { PartStates } from "../platform/world/saved-state.ts";

/** Limits on a lab's checkpoints and on checkpoint files. */
export const CHECKPOINT_LIMITS = {
  /** Maximum number of checkpoints in a lab. */
  checkpoints: 100,
  /** Maximum size in bytes of all checkpoints in memory and on disk, without rows that the journal still contains. */
  bytes: 16 * (1 << 30),
  /** Maximum size in bytes of an imported file. */
  fileBytes: 256 << 20,
  /** Maximum size in bytes of an imported file after decompression, because a small file can expand to a large one. */
  unpackedBytes: 1 << 30,
  /** Number of journal rows that are written to a file per turn of the event loop. */
  rowsATurn: 10_000,
} as const;

export type CheckpointLimits = Readonly<Record<keyof typeof CHECKPOINT_LIMITS, number>>;

/** The file is not a checkpoint, is truncated or altered, or has another format. */
export class CheckpointFileUnreadable extends Rejection {
  constructor(why: string) {
    super(400, "CHECKPOINT_UNREADABLE", why);
  }
}

const MAGIC = "PTCHECK\n";
const FILE_VERSION = 2;
/** The size of the fixed part: magic 8, format 4, length of the header 4. */
const FRONT_BYTES = 16;
const DIGEST_BYTES = 32;

/** The header of a checkpoint file. */
export interface FileHeader {
  readonly version: string;
  readonly seq: number;
  readonly chainHash: string;
  readonly hash: string;
  /** The length of the saved state in JSON, which precedes the rows. */
  readonly stateBytes: number;
}

/** Yields the bytes of a checkpoint file. */
export async function* writeCheckpointFile(
  told: Omit<FileHeader, "stateBytes">,
  states: PartStates,
  rows: Iterable<Batch>,
): AsyncGenerator<Uint8Array> {
  const json = Buffer.from(JSON.stringify(states));
  const digest = createHash("sha256");
  const said = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    digest.update(bytes);
    return bytes;
  };
  yield said(frontOf({ ...told, stateBytes: json.length }));
  for await (const piece of packed(json, rows)) yield said(piece);
  yield digest.digest();
}

async function* packed(json: Buffer, all: Iterable<Batch>): AsyncGenerator<Buffer> {
  const gzip = createGzip();
  const pieces: Buffer[] = [];
  gzip.on("data", (piece: Buffer) => pieces.push(piece));
  const write = (bytes: Buffer): Promise<void> => new Promise((done) => gzip.write(bytes, () => done()));
  await write(json);
  let rows: Buffer[] = [];
  for (const row of all) {
    rows.push(rowBytes(row));
    if (rows.length < CHECKPOINT_LIMITS.rowsATurn) continue;
    await write(Buffer.concat(rows));
    rows = [];
    yield* pieces.splice(0);
  }
  const ended = new Promise<void>((done) => gzip.once("end", done));
  gzip.end(Buffer.concat(rows));
  await ended;
  yield* pieces;
}

function frontOf(header: FileHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const front = Buffer.alloc(FRONT_BYTES);
  front.write(MAGIC, 0, "latin1");
  front.writeUInt32BE(FILE_VERSION, 8);
  front.writeUInt32BE(json.length, 12);
  return Buffer.concat([front, json]);
}

interface Content {
  readonly header: FileHeader;
  readonly states: PartStates;
  readonly rows: readonly Batch[];
}

/** Parses and checks a checkpoint file. Throws `CheckpointFileUnreadable`. */
export function readCheckpointFile(file: Buffer): Content {
  if (file.length < FRONT_BYTES || file.toString("latin1", 0, 8) !== MAGIC) throw unreadable("It is not a checkpoint.");
  const format = file.readUInt32BE(8);
  if (format !== FILE_VERSION) {
    throw unreadable(`Its format is ${format}; this release supports ${FILE_VERSION}.`);
  }
  const digestAt = file.length - DIGEST_BYTES;
  const bodyAt = FRONT_BYTES + file.readUInt32BE(12);
  const digest = createHash("sha256")
    .update(file.subarray(0, Math.max(0, digestAt)))
    .digest();
  if (bodyAt > digestAt || Buffer.compare(digest, file.subarray(digestAt)) !== 0) {
    throw unreadable("It is truncated, or its checksum is wrong.");
  }
  const header = headerOf(file.subarray(FRONT_BYTES, bodyAt));
  const body = unpacked(file.subarray(bodyAt, digestAt));
  const rows = rowsOf(body.subarray(header.stateBytes), header.chainHash);
  return { header, states: statesOf(body.subarray(0, header.stateBytes)), rows };
}

/**
 * Returns the version that the header names, or undefined if it is unreadable. The file may be damaged or of another
 * format.
 */
export function versionIn(file: Buffer): unknown {
  if (file.length < FRONT_BYTES || file.toString("latin1", 0, 8) !== MAGIC) return undefined;
  const json = file.toString("utf8", FRONT_BYTES, FRONT_BYTES + file.readUInt32BE(12));
  try {
    return (JSON.parse(json) as { readonly version?: unknown } | null)?.version;
  } catch {
    return undefined;
  }
}

const unreadable = (why: string): CheckpointFileUnreadable => new CheckpointFileUnreadable(why);

function headerOf(json: Buffer): FileHeader {
  const { version, seq, chainHash, hash, stateBytes } = parsed(json) as Partial<FileHeader>;
  const areTexts = [version, chainHash, hash].every((text) => typeof text === "string" && text.length <= 100);
  const areCounts = [seq, stateBytes].every((count) => Number.isSafeInteger(count) && (count as number) >= 0);
  if (!areTexts || !areCounts) throw unreadable("Its header is not that of a checkpoint.");
  return { version, seq, chainHash, hash, stateBytes } as FileHeader;
}

/** The state is not validated here: each module checks its own state when it is restored. */
function statesOf(json: Buffer): PartStates {
  return parsed(json) as PartStates;
}

function parsed(json: Buffer): object {
  try {
    const value: unknown = JSON.parse(json.toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw unreadable("Its contents are not a JSON object.");
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: CHECKPOINT_LIMITS.unpackedBytes });
  } catch (error) {
    throw unreadable(`It cannot be unpacked: ${(error as Error).message}.`);
  }
}

/**
 * The bytes of a row: count 4, time 8, event digest before the row 8, length of the commands 4, length of the node's
 * name 2, the name, the commands.
 */
function rowBytes({ count, timeMs, node, bytes, priorEventDigest }: Batch): Buffer {
  const name = Buffer.from(node);
  const row = Buffer.alloc(ROW_BYTES + name.length + bytes.length);
  row.writeUInt32BE(count, 0);
  row.writeBigUInt64BE(BigInt(timeMs), 4);
  row.write(priorEventDigest, 12, "hex");
  row.writeUInt32BE(bytes.length, 20);
  row.writeUInt16BE(name.length, 24);
  row.set(name, ROW_BYTES);
  row.set(bytes, ROW_BYTES + name.length);
  return row;
}
const ROW_BYTES = 26;

/** Reads the rows and recomputes the hash chain. If its end equals the header's hash, no row was altered. */
function rowsOf(bytes: Buffer, chainHash: string): Batch[] {
  const rows: Batch[] = [];
  let head = EMPTY_HEAD;
  for (let at = 0; at < bytes.length; ) {
    if (at + ROW_BYTES > bytes.length) throw unreadable("A row of its journal is truncated.");
    const nameAt = at + ROW_BYTES;
    const bytesAt = nameAt + bytes.readUInt16BE(at + 24);
    const end = bytesAt + bytes.readUInt32BE(at + 20);
    if (end > bytes.length) throw unreadable("A row of its journal is truncated.");
    const row = {
      firstSeq: head.lastSeq + 1,
      count: bytes.readUInt32BE(at),
      timeMs: Number(bytes.readBigUInt64BE(at + 4)),
      node: bytes.toString("utf8", nameAt, bytesAt),
      bytes: bytes.subarray(bytesAt, end),
      priorEventDigest: bytes.toString("hex", at + 12, at + 20),
    };
    const chained = chainedTo(row, head);
    rows.push(chained);
    head = headAfter(chained);
    at = end;
  }
  if (head.chainHash !== chainHash)
    throw unreadable("The hash chain of its journal does not end with the hash in its header.");
  return rows;
}

function chainedTo(row: Omit<Batch, "chainHash">, head: typeof EMPTY_HEAD): Batch {
  try {
    return chainOn(head, row);
  } catch (error) {
    if (!(error instanceof JournalRefused)) throw error;
    throw unreadable(`A row of its journal does not follow: ${error.message}.`);
  }
}

/** Version strings that are safe to print to a terminal. */
const VERSION = /^[0-9A-Za-z.+-]{1,100}$/;

/**
 * Returns a sentence, with a leading space, that names the version of the file; "" if it equals our version or is
 * unknown.
 */
export function madeByAnother(theirs: unknown, ours: string): string {
  if (typeof theirs !== "string" || !VERSION.test(theirs) || theirs === ours) return "";
  return ` It was created by ${theirs}; this is ${ours}.`;
}
