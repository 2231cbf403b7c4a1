/**
 * Signed requests that give a connection something that lasts (a key that is logged on, an account's events)
 * are good for one connection: whoever has their bytes gets nothing by them. Each is remembered until its
 * window is over, when it would be refused for its time.
 */

import { SECOND_MS } from "@pricetime/engine";
import { hash } from "node:crypto";

export interface SpentLimits {
  /** Remembered at a time; further ones are refused rather than earlier ones forgotten. */
  readonly maxSpent: number;
  /** Likewise of one key: it shuts nobody else out. */
  readonly maxSpentOfKey: number;
}

const SPENT_LIMITS: SpentLimits = { maxSpent: 100_000, maxSpentOfKey: 1000 };

export interface Signed {
  readonly apiKey: string;
  /** What was signed. By it, not by the signature, which can be written in more than one way. */
  readonly payload: string;
  /** The last millisecond at which it is timely. */
  readonly lastMs: number;
  /** The connection that it came on: there it may come again. */
  readonly session: object;
}

interface Spent {
  readonly apiKey: string;
  readonly session: object;
}

export class SpentSignatures {
  readonly #limits: SpentLimits;
  /** By the second of their last millisecond, then by the hash of key and payload, which a client may make long. The same payload has the same second. */
  readonly #bySecond = new Map<number, Map<string, Spent>>();
  readonly #ofKey = new Map<string, number>();
  #size = 0;

  constructor(limits = SPENT_LIMITS) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** Remembers one that is right and timely; or tells that another connection had it, or that no more can be remembered. */
  spend({ apiKey, payload, lastMs, session }: Signed, nowMs: number): "new" | "spent" | "full" {
    this.#forgetBefore(Math.floor(nowMs / SECOND_MS));
    const second = Math.floor(lastMs / SECOND_MS);
    const name = hash("sha256", `${apiKey} ${payload}`, "base64");
    const spent = this.#bySecond.get(second)?.get(name);
    if (spent !== undefined) return spent.session === session ? "new" : "spent";
    const ofKey = this.#ofKey.get(apiKey) ?? 0;
    if (this.#size >= this.#limits.maxSpent || ofKey >= this.#limits.maxSpentOfKey) return "full";
    let ofSecond = this.#bySecond.get(second);
    if (ofSecond === undefined) this.#bySecond.set(second, (ofSecond = new Map()));
    ofSecond.set(name, { apiKey, session });
    this.#ofKey.set(apiKey, ofKey + 1);
    this.#size++;
    return "new";
  }

  /** There are as many seconds as a window and the clocks' difference have, at most. */
  #forgetBefore(second: number): void {
    for (const [each, all] of this.#bySecond) {
      if (each >= second) continue;
      this.#bySecond.delete(each);
      this.#size -= all.size;
      for (const { apiKey } of all.values()) this.#forgetOne(apiKey);
    }
  }

  #forgetOne(apiKey: string): void {
    const left = (this.#ofKey.get(apiKey) ?? 0) - 1;
    if (left > 0) this.#ofKey.set(apiKey, left);
    else this.#ofKey.delete(apiKey);
  }
}
