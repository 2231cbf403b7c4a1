/**
 * Signed requests with a lasting effect on a connection (a logon, a subscription to an account's events) are good for
 * one connection: a copy of their bytes is useless to anyone else. Each is remembered until its window is over, after
 * which it is not timely any more.
 */

import { SECOND_MS } from "@pricetime/engine";
import { hash } from "node:crypto";
import { z } from "zod";
import type { KeptValue, Keeping } from "../../../platform/world/kept.ts";
import { keptCount, readKept } from "../../../platform/world/read-kept.ts";

export interface SpentLimits {
  /** Requests remembered at a time; further ones are refused, because earlier ones must not be forgotten. */
  readonly maxSpent: number;
  /** As `maxSpent`, for one key, so that it cannot shut out others. */
  readonly maxSpentOfKey: number;
}

const SPENT_LIMITS: SpentLimits = { maxSpent: 100_000, maxSpentOfKey: 1000 };

export interface Signed {
  readonly apiKey: string;
  /** The signed text. It identifies the request, because a signature can be written in more than one way. */
  readonly payload: string;
  /** The last millisecond at which it is timely. */
  readonly lastMs: number;
  /** The connection on which it came; there it may come again. */
  readonly session: object;
}

interface Spent {
  readonly apiKey: string;
  readonly session: object;
}

const KEPT = z.array(z.strictObject({ second: keptCount, name: z.string(), apiKey: z.string() }));

export class SpentSignatures implements Keeping {
  readonly #limits: SpentLimits;
  /** Signatures by the second of their last millisecond, then by a hash of key and payload, which may be long. */
  readonly #bySecond = new Map<number, Map<string, Spent>>();
  readonly #ofKey = new Map<string, number>();
  #size = 0;

  /** Kept signatures belong to connections that are gone: they are void on all others. Throws `KeptUnreadable`. */
  constructor(limits = SPENT_LIMITS, kept: KeptValue = []) {
    this.#limits = limits;
    for (const { second, name, apiKey } of readKept("signatures that were used", KEPT, kept)) {
      this.#remember(second, name, { apiKey, session: {} });
    }
  }

  kept(): KeptValue {
    return [...this.#bySecond].flatMap(([second, ofSecond]) =>
      [...ofSecond].map(([name, { apiKey }]) => ({ second, name, apiKey })),
    );
  }

  get size(): number {
    return this.#size;
  }

  /** Remembers a valid, timely request. Refuses one used on another connection, or one too many. */
  spend({ apiKey, payload, lastMs, session }: Signed, nowMs: number): "new" | "spent" | "full" {
    this.#forgetBefore(Math.floor(nowMs / SECOND_MS));
    const second = Math.floor(lastMs / SECOND_MS);
    const name = hash("sha256", `${apiKey} ${payload}`, "base64");
    const spent = this.#bySecond.get(second)?.get(name);
    if (spent !== undefined) return spent.session === session ? "new" : "spent";
    const ofKey = this.#ofKey.get(apiKey) ?? 0;
    if (this.#size >= this.#limits.maxSpent || ofKey >= this.#limits.maxSpentOfKey) return "full";
    this.#remember(second, name, { apiKey, session });
    return "new";
  }

  #remember(second: number, name: string, spent: Spent): void {
    let ofSecond = this.#bySecond.get(second);
    if (ofSecond === undefined) this.#bySecond.set(second, (ofSecond = new Map()));
    ofSecond.set(name, spent);
    this.#ofKey.set(spent.apiKey, (this.#ofKey.get(spent.apiKey) ?? 0) + 1);
    this.#size++;
  }

  /** Walks over at most as many seconds as a window and the clocks' difference have. */
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
