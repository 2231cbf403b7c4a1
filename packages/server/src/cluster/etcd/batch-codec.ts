/**
 * A batch as the store keeps it: version (1 byte), time (float64, little-endian), count (uint32), length of the node's
 * name (1 byte), the name, and the commands. Its id is its key.
 */
import type { LooseBatch } from "../../journal/port.ts";

const VERSION = 1;
const HEAD_BYTES = 14;

/** Throws when the node's name is longer than 255 bytes. */
export function encodeBatch({ timeMs, count, node, bytes }: LooseBatch): Buffer {
  const nodeBytes = Buffer.byteLength(node);
  const value = Buffer.allocUnsafe(HEAD_BYTES + nodeBytes + bytes.length);
  value.writeUInt8(VERSION, 0);
  value.writeDoubleLE(timeMs, 1);
  value.writeUInt32LE(count, 9);
  value.writeUInt8(nodeBytes, 13);
  value.write(node, HEAD_BYTES);
  value.set(bytes, HEAD_BYTES + nodeBytes);
  return value;
}

/** Returns undefined when it is not one. */
export function decodeBatch(id: string, value: Buffer): LooseBatch | undefined {
  if (value.length < HEAD_BYTES || value[0] !== VERSION) return undefined;
  const bodyAt = HEAD_BYTES + value.readUInt8(13);
  if (value.length < bodyAt) return undefined;
  return {
    id,
    timeMs: value.readDoubleLE(1),
    count: value.readUInt32LE(9),
    node: value.toString("utf8", HEAD_BYTES, bodyAt),
    bytes: value.subarray(bodyAt),
  };
}
