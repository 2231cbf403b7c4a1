/**
 * Randomness for generated pasts (sfc32), from integers and exact operations alone: the same seed and name give the
 * same numbers on every machine and for ever. Part of each version of the generator: never changed.
 */

const TWO_32 = 2 ** 32;
/** Standard deviation of the sum of six numbers between 0 and 1. */
const DEVIATION_OF_SIX = Math.sqrt(0.5);

export class PastRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** `name` gives each user of one seed numbers of its own. */
  constructor(seed: number, name: string) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / TWO_32) >>> 0;
    this.#c = hash >>> 0;
    for (let i = 0; i < 16; i++) this.#bits();
  }

  copy(): PastRandom {
    const copy = new PastRandom(0, "");
    copy.#a = this.#a;
    copy.#b = this.#b;
    copy.#c = this.#c;
    copy.#counter = this.#counter;
    return copy;
  }

  /** A number from 0, inclusive, to 1, exclusive. */
  next(): number {
    return this.#bits() / TWO_32;
  }

  /** Nearly normal, mean 0, standard deviation 1: a sum of six, since logarithms differ between machines. */
  normal(): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const bits = this.#bits();
      sum += (bits >>> 16) + (bits & 0xffff);
    }
    return (sum / 65_535 - 3) / DEVIATION_OF_SIX;
  }

  #bits(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }
}
