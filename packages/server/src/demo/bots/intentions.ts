/**
 * Who buys and who sells: large intentions are cut into many orders of one side, a few of them at a time, so that a buy
 * is followed by buys for long.
 */
import type { Side } from "./orders.ts";
import type { Random } from "./random.ts";

/** How often each of those under way is the one that acts. */
const SHARES = [0.84, 0.12, 0.04];
/** Of the number of orders of one intention. */
const TAIL = 1.4;
const MOST_ORDERS = 1000;

interface Intention {
  side: Side;
  /** Orders that are still to come. */
  left: number;
}

export class Intentions {
  readonly #random: Random;
  readonly #underWay: Intention[];

  constructor(random: Random) {
    this.#random = random;
    this.#underWay = SHARES.map(() => this.#conceive());
  }

  /** The side of the next order. */
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
