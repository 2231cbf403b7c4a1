/** The limits of one payment and of 24 hours, counted since the signer started. */
import { DAY_MS } from "@pricetime/engine";
import { Refused } from "./refused.ts";

/** Payments of one asset that are remembered; beyond them nothing more is signed until the oldest are a day old. */
const MAX_REMEMBERED = 100_000;

interface Spent {
  readonly value: bigint;
  readonly atMs: number;
}

export class Allowance {
  readonly #maxPayment: bigint;
  readonly #maxPerDay: bigint;
  /** Payments by nonce: only one transaction of a nonce can be mined, so the largest one signed for it counts. */
  readonly #spent = new Map<number, Spent>();

  constructor(maxPayment: bigint, maxPerDay: bigint) {
    this.#maxPayment = maxPayment;
    this.#maxPerDay = maxPerDay;
  }

  /** Counts the payment, or throws `Refused`. */
  spend(value: bigint, nonce: number, nowMs: number): void {
    // The limit will be the same tomorrow; a payment that waited for ever would hold up those behind it.
    if (value > this.#maxPayment) throw new Refused("amount exceeds maxPayment", { isForGood: true });
    for (const [old, { atMs }] of this.#spent) if (nowMs - atMs >= DAY_MS) this.#spent.delete(old);
    const before = this.#spent.get(nonce)?.value ?? 0n;
    const most = value > before ? value : before;
    let sum = most;
    for (const [other, spent] of this.#spent) if (other !== nonce) sum += spent.value;
    if (sum > this.#maxPerDay) throw new Refused("total of 24 hours exceeds maxPerDay");
    if (this.#spent.size >= MAX_REMEMBERED) throw new Refused("too many payments in 24 hours");
    this.#spent.set(nonce, { value: most, atMs: nowMs });
  }
}
