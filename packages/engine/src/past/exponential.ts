/**
 * e to the power of x by products and sums, which IEEE 754 defines to the last bit: `Math.exp` is only approximate.
 * Constant beyond +-20. Part of each version of the generator: never changed.
 */

/** 2 to the power of this is 64. */
const HALVINGS = 6;
const TERMS = 8;
const FARTHEST = 20;

export function exponential(x: number): number {
  const small = Math.max(-FARTHEST, Math.min(FARTHEST, x)) / 64;
  let power = 1;
  for (let term = TERMS; term >= 1; term--) power = 1 + (small / term) * power;
  for (let i = 0; i < HALVINGS; i++) power *= power;
  return power;
}
