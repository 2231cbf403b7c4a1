/**
 * Makes a file equal to another one, and writes only what differs: a history that is put back has mostly the pages that
 * it had, and 200 restores of 500 MB would write 100 GB.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

const PIECE_BYTES = 1 << 20;

/** Both must exist, and nobody may have the target open. Throws errors of the disk; the target is then neither. */
export function copyOver(source: string, target: string): void {
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

/** Returns the number of bytes that there were, at most as many as the buffer holds. */
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
