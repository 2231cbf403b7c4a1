/** Letters that the state of the exchange owes, whatever they are about: what those who send them need to know. */
import type { Command, LetterStatus } from "@pricetime/engine";
import type { Mail } from "./port.ts";

export interface OwedLetter {
  /** Tells it from all others. */
  readonly key: string;
  /** An id that sorts by time, and is the same on every node. */
  readonly mailId: string;
  readonly createdMs: number;
  readonly status: LetterStatus;
  /** Undefined: there is nothing to write. */
  write(nowMs: number): Mail | undefined;
  /** The command that moves it on. `by`: an operator had it sent again. */
  step(from: LetterStatus, to: LetterStatus, by?: string): Command;
  /**
   * Whether one that cannot be written is nobody's to send: what it is about ends by itself. Others are claimed then, and
   * told as failed.
   */
  readonly endsByItself: boolean;
  /** Whether the exchange still knows it when it has failed. */
  readonly canBeSentAgain: boolean;
}

export interface OwedLetters {
  /** Oldest first. */
  all(): Iterable<OwedLetter>;
  /** Undefined: it is owed no more. */
  find(key: string): OwedLetter | undefined;
}

/** Several sorts as one: the first come first. */
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
