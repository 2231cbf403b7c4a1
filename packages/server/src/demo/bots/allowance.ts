/**
 * How many orders the makers of a side may place: what each account's limits allow, 10 a second and 100,000 a day. What
 * is not used is kept for when the price moves, within bounds.
 */

/** Of each account: 73,000 a day. */
const PER_SECOND = 0.85;
const MOST_KEPT = 24;
const KEPT_FOR_BEST = 8;
/**
 * In one look, while the side is being filled and when it stands; the first look counts for more. However unevenly looks
 * come, no second has more than 10.
 */
const PER_LOOK = { first: 4, filling: 2, standing: 2 };
/** The node is not ready before the first look is over: it is short on busy symbols, too. */
const MOST_FIRST = 8;
/** Where makers look seldom. */
const PER_SELDOM_LOOK = { first: 6, filling: 4, standing: 2 };
/** Seldom: so far apart on average. */
const SELDOM_MS = 1000;

export class Allowance {
  readonly #accounts: number;
  readonly #isSeldom: boolean;
  #left: number;

  /** `lookMs`: from one look to the next on average, while nothing is missing. */
  constructor(accounts: number, lookMs: number) {
    this.#accounts = accounts;
    this.#isSeldom = lookMs >= SELDOM_MS;
    this.#left = accounts * MOST_KEPT;
  }

  /** For the look that begins, `sinceMs` after the one before. */
  most(phase: "first" | "filling" | "standing", sinceMs: number): number {
    const earned = (this.#accounts * PER_SECOND * sinceMs) / 1000;
    this.#left = Math.min(this.#accounts * MOST_KEPT, this.#left + earned);
    const perLook = this.#isSeldom ? PER_SELDOM_LOOK : PER_LOOK;
    const most = Math.min(this.#accounts * perLook[phase], Math.floor(this.#left));
    if (phase === "first") return Math.min(most, MOST_FIRST);
    // What stands behind the best quote can wait; the best one cannot.
    return this.#left < this.#accounts * KEPT_FOR_BEST ? Math.min(most, 1) : most;
  }

  use(placed: number): void {
    this.#left -= placed;
  }
}
