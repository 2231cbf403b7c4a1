/**
 * Exponentials, logarithms, powers and cosines, computed with products, quotients, sums and square roots, which IEEE
 * 754 defines to the last bit. The results of `Math.exp` and similar functions may differ between machines, but the
 * bots' orders must not. The error of each result is within a few units in the last place.
 */
import assert from "node:assert/strict";

const LN_2 = 0.6931471805599453;
/**
 * The natural logarithm of 2 in two parts. The first part has few significant bits, so that integer multiples of it are
 * exact.
 */
const LN_2_HIGH = 0.69314718036912381649;
const LN_2_LOW = 1.90821492927058770002e-10;
const SQRT_2 = Math.sqrt(2);
const HALF_PI = Math.PI / 2;
/** The maximum absolute exponent of `exp`; beyond it, the result is 0 or infinite. */
const FARTHEST = 700;
const EXP_TERMS = 15;
const LOG_TERMS = 23;
const COSINE_TERMS = 20;
const PARTS_OF_LOG = Array.from({ length: (LOG_TERMS - 1) / 2 }, (_, index) => 1 / (LOG_TERMS - 2 * index));
/** A logarithm reduces arguments above this number, and below its reciprocal, in large steps. */
const FAR = 64;
/** Powers of two with halving exponents, for the reduction in large steps. */
const STEPS = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1].map((exponent) => ({ exponent, power: whole(2, exponent) }));

/** The largest exponent of the precomputed powers of two, from -63 to 63, which are used most. */
const MOST_NEAR = 63;
const NEAR_POWERS = Array.from({ length: 2 * MOST_NEAR + 1 }, (_, index) => productOfTwos(index - MOST_NEAR));

/** Returns e to the power of `x`, which is within +-700. */
export function exp(x: number): number {
  assert(x >= -FARTHEST && x <= FARTHEST, "the exponent of a bot is in range");
  const halvings = Math.round(x / LN_2);
  const rest = x - halvings * LN_2_HIGH - halvings * LN_2_LOW;
  let sum = 1;
  for (let term = EXP_TERMS; term >= 1; term--) sum = 1 + (rest / term) * sum;
  return sum * powerOfTwo(halvings);
}

/** Returns the natural logarithm of a positive number between e^-700 and e^700. */
export function log(x: number): number {
  assert(x > 0 && x < Number.POSITIVE_INFINITY, "what a bot takes the logarithm of is positive");
  let rest = x;
  let exponent = 0;
  const isFar = x >= FAR || x * FAR <= 1;
  for (const step of isFar ? STEPS : []) {
    if (rest >= step.power) [rest, exponent] = [rest / step.power, exponent + step.exponent];
    else if (rest * step.power <= 1) [rest, exponent] = [rest * step.power, exponent - step.exponent];
  }
  // Most arguments are near 1, so these loops rarely run.
  for (; rest > SQRT_2; rest /= 2) exponent++;
  for (; rest * SQRT_2 < 1; rest *= 2) exponent--;
  // The logarithm of (1 + s) / (1 - s) is twice the sum of s, s^3 / 3, s^5 / 5 ...
  const part = (rest - 1) / (rest + 1);
  const square = part * part;
  let sum = 0;
  for (const term of PARTS_OF_LOG) sum = square * (term + sum);
  return exponent * LN_2_HIGH + (2 * part * (1 + sum) + exponent * LN_2_LOW);
}

/** Returns a positive number to any power. */
export function power(base: number, exponent: number): number {
  return exp(exponent * log(base));
}

/**
 * Returns a number to an integer power of at least 0. The result is exact if it is representable, as are powers of ten
 * up to 22.
 */
export function whole(base: number, exponent: number): number {
  let product = 1;
  for (let times = 0; times < exponent; times++) product *= base;
  return product;
}

/** Returns the cosine of 2 pi times `turns`, which is at least 0 and less than 1. */
export function cosineOfTurns(turns: number): number {
  const quarter = Math.floor(turns * 4);
  const past = turns * 4 - quarter;
  const isFalling = quarter === 0 || quarter === 2;
  const size = cosineOfQuarter(isFalling ? past : 1 - past);
  return quarter === 0 || quarter === 3 ? size : -size;
}

/**
 * Returns the cosine of a quarter turn: 1 to 0 as `part` grows from 0 to 1. The second half is computed as a sine, so
 * that small results are precise, too.
 */
function cosineOfQuarter(part: number): number {
  const isCosine = part <= 0.5;
  const angle = (isCosine ? part : 1 - part) * HALF_PI;
  const square = angle * angle;
  let sum = 1;
  for (let term = isCosine ? COSINE_TERMS : COSINE_TERMS + 1; term >= 2; term -= 2) {
    sum = 1 - (square / (term * (term - 1))) * sum;
  }
  return isCosine ? sum : angle * sum;
}

function powerOfTwo(exponent: number): number {
  return NEAR_POWERS[exponent + MOST_NEAR] ?? productOfTwos(exponent);
}

function productOfTwos(exponent: number): number {
  let [product, left] = [1, Math.abs(exponent)];
  for (const step of STEPS) {
    for (; left >= step.exponent; left -= step.exponent) product *= step.power;
  }
  return exponent < 0 ? 1 / product : product;
}
