/**
 * Hashes of client ids. The hash is keyed, because clients choose the ids: with a publicly known hash, one client could
 * fill a single chain of the index and stop the exchange. Each character is multiplied by the key of its position, and
 * the highest bits of the sum are taken. Without the keys, nobody can find two ASCII texts that collide more often than
 * any others (multilinear hashing, "multiply-shift"). docs/decisions/0012.
 */
import { assert } from "../../assert.ts";

/** An id has at most 36 characters; longer ones reuse the keys from the first. */
const KEYS = 64;
/** Characters have 7 bits: of 32 bits, the sums of different texts are independent in the upper 26. */
const DEPENDENT_BITS = 6;

export class TextHash {
  private readonly keys = new Int32Array(KEYS);
  private lastText = "";
  private lastHash = 0;

  /** `seed` has 32 bits and must be unknown to whoever chooses the texts. */
  constructor(seed: number) {
    let state = seed | 0;
    for (let place = 0; place < KEYS; place++) {
      state = (state + 0x9e3779b9) | 0;
      this.keys[place] = mixed(state);
    }
  }

  /** The hash: 26 bits, all of them good. An order's id is hashed twice, when it is checked and when it rests. */
  of(text: string): number {
    if (text === this.lastText) return this.lastHash;
    this.lastText = text;
    this.lastHash = this.made(text);
    return this.lastHash;
  }

  /** The hash made anew; `of` goes on as if nobody had asked. */
  made(text: string): number {
    const keys = this.keys;
    let sum = 0;
    for (let place = 0; place < text.length; place++) {
      sum = (sum + Math.imul(keys[place & (KEYS - 1)] as number, text.charCodeAt(place))) | 0;
    }
    return sum >>> DEPENDENT_BITS;
  }

  /** Throws when the hash that is kept is not that of its text. */
  check(): void {
    assert(this.lastHash === this.made(this.lastText), "the last hash is that of the last text");
  }
}

/** Flips half of the result's bits for every bit of the number. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
