/**
 * Waits that are drawn. Every machine draws the same from the same dice: only additions, multiplications and divisions
 * of doubles, which IEEE 754 defines to the last bit, and no function of the machine's library.
 */
import { exp } from "../demo/exact.ts";
import { type Dice, randomUint32 } from "../../platform/world/port.ts";
import type { Wait } from "./fault.ts";
import { MAX_WAIT_MS } from "./limits.ts";

/** The sum of twelve even draws from 0 to 1 has the variance 1 and the mean 6. */
const DRAWS = 12;
const MEAN = 6;
const UINT32 = 2 ** 32;

/** A number of at least 0 and less than 1. */
export function drawn(dice: Dice): number {
  return randomUint32(dice) / UINT32;
}

/** Milliseconds, at least 1: a constant, or the median times e^(sigma z). */
export function drawMs({ ms, medianMs = 1, sigma = 0 }: Wait, dice: Dice): number {
  if (ms !== undefined) return ms;
  if (sigma === 0) return medianMs;
  let z = -MEAN;
  for (let i = 0; i < DRAWS; i++) z += drawn(dice);
  return Math.min(MAX_WAIT_MS, Math.max(1, Math.round(medianMs * exp(sigma * z))));
}
