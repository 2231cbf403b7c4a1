/**
 * Budgets the orders that the makers of a side may place within each account's limits, 10 a second and 100,000 a day.
 * Unused orders are kept, within bounds, for when the price moves.
 */
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { readKept } from "../../../platform/world/read-kept.ts";

/** The orders of each account, on average: 89,000 a day. */
export const PLACED_PER_SECOND = 1.03;
const MOST_KEPT = 100;
/** The part of each account's budget kept for the best quotes, and for a side that somebody has eaten. */
const RESERVE = 70;
/**
 * Orders per look, while the side is being filled and when it stands; the first look may place more. However unevenly
 * looks come, no second has more than 10.
 */
const PER_LOOK = { first: 4, filling: 2, standing: 2 };
/** The most orders in the first look: the node is ready only after it, so it must be short on busy symbols, too. */
const MOST_FIRST = 8;
/** Orders per look where makers look seldom. */
const PER_SELDOM_LOOK = { first: 6, filling: 4, standing: 2 };
/** Looks count as seldom when they are this far apart on average. */
const SELDOM_MS = 1000;

export class Allowance implements Keeping {
  readonly #accounts: number;
  readonly #isSeldom: boolean;
  #left: number;

  /** `lookMs` is the average time between looks while nothing is missing. */
  constructor(accounts: number, lookMs: number, kept?: KeptValue) {
    this.#accounts = accounts;
    this.#isSeldom = lookMs >= SELDOM_MS;
    this.#left = kept === undefined ? accounts * MOST_KEPT : readKept("an allowance", z.number(), kept);
  }

  /** Returns the most orders for a look that begins `sinceMs` after the one before. */
  most(phase: "first" | "filling" | "standing", sinceMs: number): number {
    const earned = (this.#accounts * PLACED_PER_SECOND * sinceMs) / 1000;
    this.#left = Math.min(this.#accounts * MOST_KEPT, this.#left + earned);
    const perLook = this.#isSeldom ? PER_SELDOM_LOOK : PER_LOOK;
    const most = Math.min(this.#accounts * perLook[phase], Math.floor(this.#left));
    if (phase === "first") return Math.min(most, MOST_FIRST);
    // On a side with enough quotes, those behind the best one can wait.
    return phase === "standing" && this.#left < this.#accounts * RESERVE ? Math.min(most, 1) : most;
  }

  kept(): KeptValue {
    return this.#left;
  }

  use(placed: number): void {
    this.#left -= placed;
  }
}
