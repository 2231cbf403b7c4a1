/** Slows down clients that guess passwords, and those that make the node send emails, and no others. */
import { z } from "zod";
import { networkOf } from "../../api/edge/client-address.ts";
import type { SavedState } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { GUESS_LIMITS, type GuessLimits, LETTER_LIMITS, type LetterLimits } from "./limits.ts";

// Guesses: wrong tries are counted by holder and sender. Pauses grow, but never beyond a bound, so that no one can shut
// out another user for good. A sender is an address, or a browser in which the holder has signed in before: strangers
// at the same address do not count against that. Guesses from many addresses at one holder are bounded together;
// familiar senders are exempt from that bound, and a stranger passes it by a proof of work, so that guessers do not use
// up the tries of the owner of the password.

export interface Guess {
  /** Whose password or code: any text, the same for one that does not exist, and so throttled alike. */
  readonly subject: string;
  readonly ip: string;
  /** The browser in which the holder has signed in before, by its id; null: none that we know. */
  readonly device: string | null;
  /** Whether the holder has signed in from the address before. */
  readonly isFamiliarAddress: boolean;
  /** Everybody has this address, as at a port of loopback: a proof of work passes its pauses, too. */
  readonly isSharedAddress?: true;
}

interface Tries {
  readonly count: number;
  readonly lastMs: number;
}

const SAVED_GUESSES = z.array(z.strictObject({ name: z.string(), count: savedCount, lastMs: savedCount }));

export class Guesses {
  readonly #limits: GuessLimits;
  /** Wrong tries by sender and by holder, the one that was idle longest first. */
  readonly #tries = new Map<string, Tries>();

  constructor(saved: SavedState, limits: GuessLimits = GUESS_LIMITS) {
    this.#limits = limits;
    const save = () => [...this.#tries].map(([name, { count, lastMs }]) => ({ name, count, lastMs }));
    const restored = saved.restore("signIn/guesses", SAVED_GUESSES, save) ?? [];
    for (const { name, ...tries } of restored) this.#tries.set(name, tries);
  }

  /**
   * Begins a try: returns 0, or how long to wait for the next in ms. It counts as wrong until `right` says otherwise, so
   * that many at a time are no more than one after the other.
   */
  begin(guess: Guess, nowMs: number, hasWorked = false): number {
    const names = namesOf(guess);
    const held = hasWorked ? names.filter((name) => !isPassedByWork(name, guess)) : names;
    const waitMs = Math.max(0, ...held.map((name) => this.#waitMs(name, nowMs)));
    if (waitMs > 0) return waitMs;
    for (const name of names) this.#count(name, nowMs);
    return 0;
  }

  /** Zero bits of the work by which the try could be made now, `least` or more; null: no work helps, only waiting. */
  workBits(guess: Guess, nowMs: number, least = 0): number | null {
    const names = namesOf(guess);
    const passed = names.filter((name) => isPassedByWork(name, guess));
    const isHeld = names.some((name) => !passed.includes(name) && this.#waitMs(name, nowMs) > 0);
    if (isHeld || passed.length === 0) return null;
    const { firstWorkBits, mostWorkBits, mostWorkBitsAtSharedAddress } = this.#limits;
    const beyond = Math.max(0, ...passed.map((name) => this.#beyondFree(name, nowMs)));
    const most = guess.isSharedAddress === true ? mostWorkBitsAtSharedAddress : mostWorkBits;
    return Math.min(most, Math.max(least, firstWorkBits + beyond));
  }

  /** Wrong tries beyond those that are free. */
  #beyondFree(name: string, nowMs: number): number {
    const tries = this.#tries.get(name);
    if (tries === undefined || nowMs - tries.lastMs >= this.#limits.forgetAfterMs) return 0;
    const { freeTries, freeTriesOfStrangers } = this.#limits;
    return tries.count - (name.startsWith(ALL) ? freeTriesOfStrangers : freeTries);
  }

  /** The try that was begun was right: the sender starts anew. What strangers have tried stays. */
  right(guess: Guess): void {
    this.undo(guess);
    this.#tries.delete(senderOf(guess));
  }

  /** The try that was begun was none. */
  undo(guess: Guess): void {
    for (const name of namesOf(guess)) {
      const tries = this.#tries.get(name);
      if (tries !== undefined) this.#tries.set(name, { ...tries, count: Math.max(0, tries.count - 1) });
    }
  }

  #waitMs(name: string, nowMs: number): number {
    const tries = this.#tries.get(name);
    if (tries === undefined || nowMs - tries.lastMs >= this.#limits.forgetAfterMs) return 0;
    const pauseMs = name.startsWith(ALL) ? this.#pauseOfStrangersMs(tries) : this.#pauseMs(tries);
    return Math.max(0, Math.min(pauseMs, tries.lastMs + pauseMs - nowMs));
  }

  #pauseMs({ count }: Tries): number {
    const { freeTries, firstPauseMs, longestPauseMs } = this.#limits;
    return count < freeTries ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (count - freeTries));
  }

  #pauseOfStrangersMs({ count }: Tries): number {
    const { freeTriesOfStrangers, strangersPauseMs } = this.#limits;
    return count < freeTriesOfStrangers ? 0 : strangersPauseMs;
  }

  #count(name: string, nowMs: number): void {
    const tries = this.#tries.get(name);
    const isOver = tries === undefined || nowMs - tries.lastMs >= this.#limits.forgetAfterMs;
    this.#put(name, { count: isOver ? 1 : tries.count + 1, lastMs: nowMs });
  }

  #put(name: string, tries: Tries): void {
    this.#tries.delete(name);
    this.#tries.set(name, tries);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size > this.#limits.maxTracked && oldest !== undefined) this.#tries.delete(oldest);
  }
}

const ALL = "all ";

/** The counts that a try belongs to: the sender's, and for strangers that of all of them. */
function namesOf(guess: Guess): string[] {
  const sender = senderOf(guess);
  return isFamiliar(guess) ? [sender] : [sender, `${ALL}${guess.subject}`];
}

/** Pauses that others cause. A familiar browser's are its own. */
const isPassedByWork = (name: string, { device, isSharedAddress }: Guess): boolean =>
  name.startsWith(ALL) || (device === null && isSharedAddress === true);

/** How a client is told apart where few of each may wait. */
export const clientOf = ({ ip, device }: Guess): string => device ?? ip;

/** Whether the holder has signed in from there before. */
export const isFamiliar = ({ device, isFamiliarAddress }: Guess): boolean => device !== null || isFamiliarAddress;

function senderOf({ subject, ip, device }: Guess): string {
  return device === null ? `address ${networkOf(ip)} ${subject}` : `browser ${device} ${subject}`;
}

// How many emails strangers may set off: of each kind to one address, and from one address.

/** What strangers ask letters for. */
export type LetterKind = "sign-up" | "recovery";

interface Window {
  readonly count: number;
  readonly beginsMs: number;
}

const SAVED_EMAILS = z.array(z.strictObject({ name: z.string(), count: savedCount, beginsMs: savedCount }));

export class LetterPace {
  readonly #limits: LetterLimits;
  /** Windows by name, the one that began first first. */
  readonly #windows = new Map<string, Window>();

  constructor(saved: SavedState, limits: LetterLimits = LETTER_LIMITS) {
    this.#limits = limits;
    const save = () => [...this.#windows].map(([name, { count, beginsMs }]) => ({ name, count, beginsMs }));
    const restored = saved.restore("signIn/emails", SAVED_EMAILS, save) ?? [];
    for (const { name, ...window } of restored) this.#windows.set(name, window);
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
