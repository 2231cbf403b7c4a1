/** A checkpoint file with other contents and matching hashes, as an attacker would write it. */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { Engine } from "@pricetime/engine";
import { readCheckpointFile } from "../../../src/lab/checkpoint-file.ts";
import type { PartStates } from "../../../src/platform/world/saved-state.ts";
import { hashOf } from "../../../src/lab/checkpoints.ts";
import type { Batch } from "../../../src/journal/port.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";

/** Magic, format, length of the header. */
const FRONT_BYTES = 16;
const DIGEST_BYTES = 32;

/** With other state of the parts, and the hash of that. */
export function withStates(file: Buffer, change: (states: PartStates) => PartStates): Buffer {
  const { header, states, rows } = readCheckpointFile(file);
  const changed = change(states);
  const json = Buffer.from(JSON.stringify(changed));
  const hash = hashOf(snapshotOf(file, rows), header.chainHash, changed);
  const body = gunzipSync(file.subarray(bodyAt(file), file.length - DIGEST_BYTES));
  const packed = gzipSync(Buffer.concat([json, body.subarray(header.stateBytes)]));
  return whole(file, { ...header, stateBytes: json.length, hash }, packed);
}

const snapshots = new WeakMap<Buffer, Uint8Array>();

/** The exchange to which the file's journal leads; replayed once. */
function snapshotOf(file: Buffer, rows: readonly Batch[]): Uint8Array {
  const known = snapshots.get(file);
  if (known !== undefined) return known;
  const engine = new Engine();
  for (const row of rows) replayBatch(engine, row);
  const snapshot = engine.snapshot();
  snapshots.set(file, snapshot);
  return snapshot;
}

/** With another header. */
export function withHeader(file: Buffer, change: object): Buffer {
  const header = JSON.parse(file.toString("utf8", FRONT_BYTES, bodyAt(file))) as object;
  return whole(file, { ...header, ...change }, file.subarray(bodyAt(file), file.length - DIGEST_BYTES));
}

/** With another format number. */
export function withFormat(file: Buffer, format: number): Buffer {
  const bytes = Buffer.from(file.subarray(0, file.length - DIGEST_BYTES));
  bytes.writeUInt32BE(format, 8);
  return signed(bytes);
}

const bodyAt = (file: Buffer): number => FRONT_BYTES + file.readUInt32BE(12);

function whole(file: Buffer, header: object, packed: Buffer): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const front = Buffer.from(file.subarray(0, FRONT_BYTES));
  front.writeUInt32BE(json.length, 12);
  return signed(Buffer.concat([front, json, packed]));
}

function signed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash("sha256").update(bytes).digest()]);
}
