/** Limits on failed password attempts, and on emails that can be requested without signing in. */
import { z } from "zod";
import { networkOf } from "../../api/edge/client-address.ts";
import type { SavedState } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";
import { GUESS_LIMITS, type GuessLimits, EMAIL_LIMITS, type LetterLimits } from "./limits.ts";

// Failed attempts are counted by holder and sender, and cause growing pauses, which are limited so that no one can lock
// out another user permanently. A sender is an IP address, or a browser in which the holder has signed in before, which
// is not affected by other clients at the same address. Attempts on one holder from many addresses additionally have a
// common limit. Familiar senders are exempt from it, and other clients can bypass it with a proof of work, so that
// attackers do not use up the owner's attempts.

export interface Guess {
  /** The holder whose password or code is tried. It may not exist. */
  readonly subject: string;
  readonly ip: string;
  /** The ID of a browser in which the holder has signed in before; null for any other client. */
  readonly device: string | null;
  /** Whether the holder has a session from this address. */
  readonly isFamiliarAddress: boolean;
  /**
   * Whether all clients have this address, as on a loopback port. A proof of work then also bypasses the address's
   * pauses.
   */
  readonly isSharedAddress?: true;
}

interface Tries {
  readonly count: number;
  readonly lastMs: number;
}

const SAVED_GUESSES = z.array(z.strictObject({ name: z.string(), count: savedCount, lastMs: savedCount }));

export class Guesses {
  readonly #limits: GuessLimits;
  /** Failed attempts by sender and by holder, longest idle first. */
  readonly #tries = new Map<string, Tries>();

  constructor(saved: SavedState, limits: GuessLimits = GUESS_LIMITS) {
    this.#limits = limits;
    const save = () => [...this.#tries].map(([name, { count, lastMs }]) => ({ name, count, lastMs }));
    const restored = saved.restore("signIn/guesses", SAVED_GUESSES, save) ?? [];
    for (const { name, ...tries } of restored) this.#tries.set(name, tries);
  }

  /**
   * Starts an attempt. Returns 0, or the time in ms until an attempt is allowed. The attempt counts as failed until
   * `right` is called, so that parallel attempts have no advantage.
   */
  begin(guess: Guess, nowMs: number, hasWorked = false): number {
    const names = namesOf(guess);
    const held = hasWorked ? names.filter((name) => !isPassedByWork(name, guess)) : names;
    const waitMs = Math.max(0, ...held.map((name) => this.#waitMs(name, nowMs)));
    if (waitMs > 0) return waitMs;
    for (const name of names) this.#count(name, nowMs);
    return 0;
  }

  /**
   * The number of zero bits (at least `least`) of a proof of work that allows the attempt now; null if the client can
   * only wait.
   */
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

  /** The number of failed attempts beyond those that cause no pause. */
  #beyondFree(name: string, nowMs: number): number {
    const tries = this.#tries.get(name);
    if (tries === undefined || nowMs - tries.lastMs >= this.#limits.forgetAfterMs) return 0;
    const { freeTries, freeTriesOfStrangers } = this.#limits;
    return tries.count - (name.startsWith(ALL) ? freeTriesOfStrangers : freeTries);
  }

  /** Called if the attempt succeeded: resets the sender's count, but not the common count of unfamiliar senders. */
  right(guess: Guess): void {
    this.undo(guess);
    this.#tries.delete(senderOf(guess));
  }

  /** Removes the attempt from the counts. */
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

/** The counters of an attempt: the sender's, and for unfamiliar senders also their common one. */
function namesOf(guess: Guess): string[] {
  const sender = senderOf(guess);
  return isFamiliar(guess) ? [sender] : [sender, `${ALL}${guess.subject}`];
}

/** Whether other clients can cause the pause; a proof of work then bypasses it. */
const isPassedByWork = (name: string, { device, isSharedAddress }: Guess): boolean =>
  name.startsWith(ALL) || (device === null && isSharedAddress === true);

/** The identity of a client in the queue of password hashes. */
export const clientOf = ({ ip, device }: Guess): string => device ?? ip;

/** Whether the holder has signed in from this browser or address before. */
export const isFamiliar = ({ device, isFamiliarAddress }: Guess): boolean => device !== null || isFamiliarAddress;

function senderOf({ subject, ip, device }: Guess): string {
  return device === null ? `address ${networkOf(ip)} ${subject}` : `browser ${device} ${subject}`;
}

// Limits on emails that can be requested without a session, by kind and recipient, and by IP address.

export type EmailKind = "sign-up" | "recovery";

interface Window {
  readonly count: number;
  readonly beginsMs: number;
}

const SAVED_EMAILS = z.array(z.strictObject({ name: z.string(), count: savedCount, beginsMs: savedCount }));

export class EmailPace {
  readonly #limits: LetterLimits;
  /** Windows by counter name, oldest first. */
  readonly #windows = new Map<string, Window>();

  constructor(saved: SavedState, limits: LetterLimits = EMAIL_LIMITS) {
    this.#limits = limits;
    const save = () => [...this.#windows].map(([name, { count, beginsMs }]) => ({ name, count, beginsMs }));
    const restored = saved.restore("signIn/emails", SAVED_EMAILS, save) ?? [];
    for (const { name, ...window } of restored) this.#windows.set(name, window);
  }

  /** Counts a request of the IP address. Returns false if the limit is reached. */
  tryRequest(ip: string, nowMs: number): boolean {
    return this.#take(`address ${networkOf(ip)}`, this.#limits.ofAddress, nowMs);
  }

  /**
   * Counts an email of the kind to the recipient. Returns false if the limit is reached. The client must not learn the
   * result, because it would reveal who has an account. Kinds are counted separately, so that sign-ups cannot block a
   * password reset.
   */
  maySend(kind: EmailKind, email: string, nowMs: number): boolean {
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
