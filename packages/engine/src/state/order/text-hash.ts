/**
 * Hashes of client ids. The hash is keyed, because clients choose the ids: with a publicly known hash, a client could
 * fill a single chain of the index and stall the exchange. Each character is multiplied by the key of its position, and
 * the highest bits of the sum are used. Clients do not have the keys, so no client can find two ASCII texts that
 * collide more often than others (multilinear hashing, "multiply-shift"). docs/decisions/0012.
 */
import { assert } from "../../assert.ts";

/** Number of keys. An id has at most 36 characters; longer texts reuse the keys from the first one on. */
const KEYS = 64;
/**
 * Number of low bits to discard. For 7-bit characters, only the upper 26 bits of the sums of different texts are
 * independent.
 */
const DEPENDENT_BITS = 6;

export class TextHash {
  private readonly keys = new Int32Array(KEYS);
  private lastText = "";
  private lastHash = 0;

  /** `seed` has 32 bits and must be unknown to clients, who choose the texts. */
  constructor(seed: number) {
    let state = seed | 0;
    for (let place = 0; place < KEYS; place++) {
      state = (state + 0x9e3779b9) | 0;
      this.keys[place] = mixed(state);
    }
  }

  /**
   * Returns the hash, 26 bits of equal quality. The last result is cached, because the id of an order is hashed when it
   * is checked and again when the order rests.
   */
  of(text: string): number {
    if (text === this.lastText) return this.lastHash;
    this.lastText = text;
    this.lastHash = this.compute(text);
    return this.lastHash;
  }

  /** Computes the hash without using or changing the cache. */
  compute(text: string): number {
    const keys = this.keys;
    let sum = 0;
    for (let place = 0; place < text.length; place++) {
      sum = (sum + Math.imul(keys[place & (KEYS - 1)] as number, text.charCodeAt(place))) | 0;
    }
    return sum >>> DEPENDENT_BITS;
  }

  /** Throws if the cached hash does not match its text. */
  check(): void {
    assert(this.lastHash === this.compute(this.lastText), "the last hash is that of the last text");
  }
}

/** Mixes the bits of a number: a change of one bit flips about half of the result's bits. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
