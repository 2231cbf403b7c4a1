/**
 * Decides who buys and who sells: large intentions are cut into many orders of one side, a few at a time, so that buys
 * follow buys for a long time.
 */
import type { Side } from "./orders.ts";
import type { Random } from "./random.ts";

/** How often each of the active intentions is the one that acts. */
const SHARES = [0.84, 0.12, 0.04];
/** The tail exponent of the number of orders in one intention. */
const TAIL = 1.4;
const MOST_ORDERS = 1000;

interface Intention {
  side: Side;
  /** The orders still to come. */
  left: number;
}

export class Intentions {
  readonly #random: Random;
  readonly #underWay: Intention[];

  constructor(random: Random) {
    this.#random = random;
    this.#underWay = SHARES.map(() => this.#conceive());
  }

  /** Returns the side of the next order. */
  next(): Side {
    let draw = this.#random.next();
    const index = Math.max(
      0,
      SHARES.findIndex((share) => (draw -= share) < 0),
    );
    const intention = this.#underWay[index] ?? this.#conceive();
    intention.left--;
    if (intention.left <= 0) this.#underWay[index] = this.#conceive();
    return intention.side;
  }

  #conceive(): Intention {
    const left = Math.min(MOST_ORDERS, Math.round(this.#random.pareto(TAIL)));
    return { side: this.#random.chance(0.5) ? "BUY" : "SELL", left };
  }
}
