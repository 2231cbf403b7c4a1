/** How many letters strangers may set off: of each kind to one mail address, and from one address. */
import { z } from "zod";
import { networkOf } from "../../api/edge/limits/network.ts";
import type { KeptValue, Keeping } from "../../platform/world/kept.ts";
import { keptCount, readKept } from "../../platform/world/read-kept.ts";
import { LETTER_LIMITS, type LetterLimits } from "./limits.ts";

/** What strangers ask letters for. */
export type LetterKind = "sign-up" | "recovery";

interface Window {
  readonly count: number;
  readonly beginsMs: number;
}

const KEPT = z.array(z.strictObject({ name: z.string(), count: keptCount, beginsMs: keptCount }));

export class LetterPace implements Keeping {
  readonly #limits: LetterLimits;
  /** Windows by name, the one that began first first. */
  readonly #windows = new Map<string, Window>();

  /** Throws `KeptUnreadable`. */
  constructor(limits: LetterLimits = LETTER_LIMITS, kept: KeptValue = []) {
    this.#limits = limits;
    for (const { name, ...window } of readKept("letters set off", KEPT, kept)) this.#windows.set(name, window);
  }

  kept(): KeptValue {
    return [...this.#windows].map(([name, { count, beginsMs }]) => ({ name, count, beginsMs }));
  }

  /** Whether the address may set off one more; counts it. */
  mayAsk(ip: string, nowMs: number): boolean {
    return this.#take(`address ${networkOf(ip)}`, this.#limits.ofAddress, nowMs);
  }

  /**
   * Whether one more of the kind goes to this mail address; counts it. Nobody is told: the answer would say who has an
   * account. Each kind has a count of its own, so that nobody keeps a recovery from somebody by asking for accounts.
   */
  maySend(kind: LetterKind, email: string, nowMs: number): boolean {
    return this.#take(`${kind} ${email}`, this.#limits.toMail, nowMs);
  }

  #take(name: string, most: number, nowMs: number): boolean {
    const known = this.#windows.get(name);
    const isOver = known === undefined || nowMs - known.beginsMs >= this.#limits.windowMs;
    const window = isOver ? { count: 0, beginsMs: nowMs } : known;
    if (window.count >= most) return false;
    if (isOver) this.#windows.delete(name);
    this.#windows.set(name, { ...window, count: window.count + 1 });
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > this.#limits.maxTracked && oldest !== undefined) this.#windows.delete(oldest);
    return true;
  }
}
