/** Emails that the exchange's state requires to be sent, of any kind, as the senders use them. */
import type { Command, LetterStatus } from "@pricetime/engine";
import type { Mail } from "./port.ts";

export interface OwedLetter {
  /** Unique among all emails. */
  readonly key: string;
  /** An id that sorts by time, and is the same on every node. */
  readonly mailId: string;
  readonly createdMs: number;
  readonly status: LetterStatus;
  /** Undefined: there is no email to send. */
  write(nowMs: number): Mail | undefined;
  /** The command that changes its status. `by`: the operator who resends it. */
  step(from: LetterStatus, to: LetterStatus, by?: string): Command;
  /**
   * Whether an email that cannot be written is left alone, because its subject expires anyway. Other emails are claimed
   * and then marked as failed.
   */
  readonly endsByItself: boolean;
  /** Whether it stays in the exchange's state after it has failed. */
  readonly canBeSentAgain: boolean;
}

export interface OwedLetters {
  /** Oldest first. */
  all(): Iterable<OwedLetter>;
  /** Undefined: no email is required any more. */
  find(key: string): OwedLetter | undefined;
}

/** Combines several kinds, in the given order. */
export function allOwed(...sorts: readonly OwedLetters[]): OwedLetters {
  return {
    *all() {
      for (const sort of sorts) yield* sort.all();
    },
    find: (key) => {
      for (const sort of sorts) {
        const found = sort.find(key);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

const TIME_DIGITS = 13;
const ID_DIGITS = 16;

/** `id`: hex digits. */
export function mailIdOf(createdMs: number, id: string): string {
  return `${String(createdMs).padStart(TIME_DIGITS, "0")}-${id.slice(0, ID_DIGITS).padStart(ID_DIGITS, "0")}`;
}
