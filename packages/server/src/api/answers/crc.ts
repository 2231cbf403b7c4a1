/**
 * Combines the checksums of gzip (CRC-32, RFC 1952) of two texts. Appending `n` bytes to a text multiplies its checksum
 * by x^8n: polynomials over bits, modulo that of CRC-32. The lowest bit of a number is the highest power.
 */
import { crc32 } from "node:zlib";

const POLYNOMIAL = 0xedb88320;
/** The polynomial 1. */
const ONE = 2 ** 31;
const X_TO_8 = ONE >>> 8;

function times(a: number, b: number): number {
  let product = 0;
  let power = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= power;
    power = (power & 1) === 1 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1;
  }
  return product >>> 0;
}

/** x^8n: the factor for `bytes` more bytes. */
export function crcShift(bytes: number): number {
  let result = ONE;
  let square = X_TO_8;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = times(result, square);
    square = times(square, square);
  }
  return result;
}

/** Checksum of `first` followed by a text with the checksum `secondCrc`; `shift` is the `crcShift` of its length. */
export function crcOfBoth(first: Buffer, secondCrc: number, shift: number): number {
  return (times(crc32(first), shift) ^ secondCrc) >>> 0;
}
