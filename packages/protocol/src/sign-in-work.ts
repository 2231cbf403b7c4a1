/**
 * The proof of work that makes guessing passwords expensive for clients. For each piece of work, the client searches
 * for a whole number such that the SHA-256 of `<prefix>:<piece>:<number>` begins with a given number of zero bits. The
 * same code searches the numbers in browsers and verifies them in the node.
 */

/** The work that a client must do. */
export interface SignInWork {
  /** Identifies the work. The client returns the challenge with its answer. */
  readonly challenge: string;
  /** 32 hex digits: the beginning of each hashed text. */
  readonly prefix: string;
  /** The number of pieces. A number must be found for each. */
  readonly pieces: number;
  /** Number of zero bits at the beginning of each hash. Each additional bit doubles the work. */
  readonly bits: number;
  /** The challenge is valid once and until this time. */
  readonly untilMs: number;
}

/** The answer of a client: one number for each piece, in the order of the pieces. */
export interface DoneWork {
  readonly challenge: string;
  readonly nonces: readonly number[];
}

type Puzzle = Pick<SignInWork, "prefix" | "bits">;

/** Whether the number solves a piece. `nonce` is that number, with at most ten digits. */
export function isWorkNonce({ prefix, bits }: Puzzle, piece: number, nonce: number): boolean {
  return Math.clz32(firstWordOfSha256(`${prefix}:${piece}:${nonce}`)) >= bits;
}

/** The first number that solves a piece, among `count` numbers starting at `from`; undefined if none does. */
export function workNonce(puzzle: Puzzle, piece: number, from: number, count: number): number | undefined {
  for (let nonce = from; nonce < from + count; nonce++) if (isWorkNonce(puzzle, piece, nonce)) return nonce;
  return undefined;
}

/** The largest number that is tried. Its ten digits keep each text within one block of SHA-256. */
export const MAX_WORK_NONCE = 9_999_999_999;

// FIPS 180-4, 4.2.2 and 5.3.3.
const ROUND_CONSTANTS = Int32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
);
const BLOCK_WORDS = 16;
const ROUNDS = 64;
const LONGEST_TEXT = 55;

const words = new Int32Array(ROUNDS);

/** The first 32 bits of the SHA-256 of an ASCII text of one block. */
function firstWordOfSha256(text: string): number {
  fill(text);
  let a = 0x6a09e667;
  let b = 0xbb67ae85;
  let c = 0x3c6ef372;
  let d = 0xa54ff53a;
  let e = 0x510e527f;
  let f = 0x9b05688c;
  let g = 0x1f83d9ab;
  let h = 0x5be0cd19;
  for (let i = 0; i < ROUNDS; i++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + (ROUND_CONSTANTS[i] as number) + (words[i] as number)) | 0;
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  return (a + 0x6a09e667) >>> 0;
}

/** Writes the text as a padded block, and the message schedule derived from it. */
function fill(text: string): void {
  const { length } = text;
  if (length > LONGEST_TEXT) throw new RangeError("longer than one block");
  words.fill(0, 0, BLOCK_WORDS);
  for (let i = 0; i < length; i++)
    words[i >> 2] = (words[i >> 2] as number) | (text.charCodeAt(i) << (24 - 8 * (i & 3)));
  words[length >> 2] = (words[length >> 2] as number) | (0x80 << (24 - 8 * (length & 3)));
  words[BLOCK_WORDS - 1] = 8 * length;
  for (let i = BLOCK_WORDS; i < ROUNDS; i++) {
    const near = words[i - 2] as number;
    const far = words[i - 15] as number;
    const sum1 = ((near >>> 17) | (near << 15)) ^ ((near >>> 19) | (near << 13)) ^ (near >>> 10);
    const sum0 = ((far >>> 7) | (far << 25)) ^ ((far >>> 18) | (far << 14)) ^ (far >>> 3);
    words[i] = ((words[i - 16] as number) + sum0 + (words[i - 7] as number) + sum1) | 0;
  }
}
