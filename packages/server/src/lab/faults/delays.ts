/**
 * Delays by the lab's clock, for requests, responses and actions; and random delays, which are identical on every
 * machine.
 */
import { type Cancel, type Clock, type Dice, randomUint32, type Timers } from "../../platform/world/port.ts";
import { exp } from "../demo/exact.ts";
import { MAX_WAIT_MS, type Wait } from "./fault.ts";

interface Waiting {
  readonly cancel: Cancel;
  readonly atEnd: () => void;
}

export class Delays {
  readonly #world: Clock & Timers;
  readonly #waiting = new Set<Waiting>();
  #isOver = false;

  constructor(world: Clock & Timers) {
    this.#world = world;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Runs `task` after the wait, or `atEnd` if the lab ends first. */
  later(waitMs: number, task: () => void, atEnd: () => void): void {
    if (this.#isOver) {
      atEnd();
      return;
    }
    const cancel = this.#world.after(waitMs, () => {
      this.#waiting.delete(waiting);
      task();
    });
    const waiting: Waiting = { cancel, atEnd };
    this.#waiting.add(waiting);
  }

  /** Ends all waits at once, by calling their `atEnd`. */
  end(): void {
    this.#isOver = true;
    for (const { cancel, atEnd } of this.#waiting) {
      cancel();
      atEnd();
    }
    this.#waiting.clear();
  }
}

// Random delays are identical on every machine: they are computed only by additions, multiplications and divisions of
// doubles, which IEEE 754 defines to the last bit, and without the machine's math library.

/**
 * The number of uniform draws that are added: the sum of twelve draws from 0 to 1 has the variance 1 and the mean 6.
 */
const DRAWS = 12;
const MEAN = 6;
const UINT32 = 2 ** 32;

/** Draws a number of at least 0 and less than 1. */
export function drawn(dice: Dice): number {
  return randomUint32(dice) / UINT32;
}

/** Draws milliseconds, at least 1: a constant, or the median times e^(sigma z). */
export function drawMs({ ms, medianMs = 1, sigma = 0 }: Wait, dice: Dice): number {
  if (ms !== undefined) return ms;
  if (sigma === 0) return medianMs;
  let z = -MEAN;
  for (let i = 0; i < DRAWS; i++) z += drawn(dice);
  return Math.min(MAX_WAIT_MS, Math.max(1, Math.round(medianMs * exp(sigma * z))));
}
