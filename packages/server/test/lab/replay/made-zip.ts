/** A ZIP file with one entry, assembled so that it may lie. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipTruth {
  /** The unpacked size that it states. */
  readonly claimedBytes?: number;
  /** Sizes are in the extra field of ZIP64. */
  readonly zip64?: boolean;
  readonly crc?: number;
}

const FULL = 0xffffffff;

export function madeZip(name: string, content: string, { claimedBytes, zip64, crc }: ZipTruth = {}): Buffer {
  const data = Buffer.from(content);
  const packed = deflateRawSync(data);
  const size = claimedBytes ?? data.length;
  const extra = Buffer.alloc(zip64 === true ? 20 : 0);
  if (zip64 === true) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeBigUInt64LE(BigInt(size), 4);
    extra.writeBigUInt64LE(BigInt(packed.length), 12);
  }
  const common = Buffer.alloc(26);
  common.writeUInt16LE(zip64 === true ? 45 : 20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc ?? crc32(data), 10);
  common.writeUInt32LE(zip64 === true ? FULL : packed.length, 14);
  common.writeUInt32LE(zip64 === true ? FULL : size, 18);
  common.writeUInt16LE(name.length, 22);
  common.writeUInt16LE(extra.length, 24);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), extra, packed]);
  const rest = Buffer.alloc(14);
  const version = Buffer.from([45, 0]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02"), version, common, rest, Buffer.from(name), extra]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from("PK\x05\x06"), end]);
}
