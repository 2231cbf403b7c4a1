/** A seeded random source (sfc32): the same seed gives the same numbers on every machine. */
import { z } from "zod";
import { cosineOfTurns, exp, log, power } from "../exact.ts";
import type { SavedState } from "../../../platform/world/port.ts";

/** The number of different 32-bit values. */
const RANGE = 0x1_0000_0000;
const bits = z.int().min(0).max(0xffff_ffff);
const SAVED = z.tuple([bits, bits, bits, bits]);

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** `name`: a different name for each user of the seed, so that each has its own numbers. */
  constructor(seed: number, name: string, saved: SavedState) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / RANGE) >>> 0;
    this.#c = hash >>> 0;
    for (let i = 0; i < 16; i++) this.bits();
    const restored = saved.restore(`random/${name}`, SAVED, () => [this.#a, this.#b, this.#c, this.#counter]);
    if (restored !== undefined) [this.#a, this.#b, this.#c, this.#counter] = restored;
  }

  /** Returns a number of at least 0 and less than 1. */
  next(): number {
    return this.bits() / RANGE;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a normal variate with mean 0 and standard deviation 1 (Box and Muller). */
  normal(): number {
    const radius = Math.sqrt(-2 * log(1 - this.next()));
    return radius * cosineOfTurns(this.next());
  }

  /** Returns a Poisson variate (Knuth). Suitable for small means. */
  poisson(mean: number): number {
    const limit = exp(-mean);
    let count = 0;
    for (let product = this.next(); product > limit; product *= this.next()) count++;
    return count;
  }

  /** Returns a number of at least 1; the probability of more than x is x^-exponent. */
  pareto(exponent: number): number {
    return power(1 - this.next(), -1 / exponent);
  }

  /** Returns a number with median 1 whose logarithm is normal with this standard deviation. */
  lognormal(deviation: number): number {
    return exp(deviation * this.normal());
  }

  /** Returns a 32-bit integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }
}
