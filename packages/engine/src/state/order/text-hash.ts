/**
 * Hashes of client ids. Clients choose them, so a hash that all the world knows would let one of them fill a
 * single chain of the index and stop the exchange: this one is keyed. Each character is multiplied by the
 * key of its place and the highest bits of the sum are taken: whoever does not know the keys finds no two
 * texts of ASCII that collide more often than any others (multilinear hashing, "multiply-shift"). docs/decisions/0012.
 */

/** An id has at most 36 characters; further ones take the keys from the first again. */
const KEYS = 64;
/** Characters have 7 bits: of 32, the sums of different texts are independent of each other in the upper 26. */
const DEPENDENT_BITS = 6;

export class TextHash {
  readonly #keys = new Int32Array(KEYS);
  #lastText = "";
  #lastHash = 0;

  /** `seed`: 32 bits, which whoever chooses the texts must not know. */
  constructor(seed: number) {
    let state = seed | 0;
    for (let place = 0; place < KEYS; place++) {
      state = (state + 0x9e3779b9) | 0;
      this.#keys[place] = mixed(state);
    }
  }

  /** 26 bits, all of them good. An order's id is asked for twice, when it is checked and when it rests. */
  of(text: string): number {
    if (text === this.#lastText) return this.#lastHash;
    const keys = this.#keys;
    let sum = 0;
    for (let place = 0; place < text.length; place++) {
      sum = (sum + Math.imul(keys[place & (KEYS - 1)] as number, text.charCodeAt(place))) | 0;
    }
    this.#lastText = text;
    this.#lastHash = sum >>> DEPENDENT_BITS;
    return this.#lastHash;
  }
}

/** Every bit of the number changes half of the bits of what comes out. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
