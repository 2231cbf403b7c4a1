/**
 * Writes letters that ask to confirm withdrawals. They are derived from the exchange's state: a withdrawal that waits
 * for its link, and has no letter, gets one, either just after it was journaled or after a start. So a process that
 * dies in between loses none. One may be written twice; both open the same link.
 */
import type { Entry, Event, WithdrawalRecord } from "@pricetime/engine";
import { type LetterParts, letterOf } from "./letter-of.ts";
import type { MailRoom } from "./mail-room.ts";

export interface WithdrawalLettersParts extends LetterParts {
  readonly mails: Pick<MailRoom, "confirmWithdrawal" | "withdrawalsWrittenOf">;
  readonly log: { warn(fields: object, message: string): void };
}

type Withdrawal = WithdrawalRecord;

export class WithdrawalLetters {
  readonly #parts: WithdrawalLettersParts;

  constructor(parts: WithdrawalLettersParts) {
    this.#parts = parts;
  }

  /** Handles the events of an entry that is on disk. */
  applied({ timeMs }: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === "withdrawalChanged" && event.status === "emailSent") this.#write(event.withdrawal, timeMs);
    }
  }

  /** Writes letters that the last process did not. Call it once, when links work. Returns their number. */
  catchUp(nowMs: number): number {
    const { view, mails, log } = this.#parts;
    const written = mails.withdrawalsWrittenOf();
    const unwritten = view.funds
      .openWithdrawals()
      .filter(({ status, withdrawalId }) => status === "emailSent" && !written.has(withdrawalId));
    const count = unwritten.filter((withdrawal) => this.#write(withdrawal, nowMs)).length;
    if (count > 0) log.warn({ count }, "letters were written that the last run had not got to");
    return count;
  }

  /** Returns whether there was a letter to write. */
  #write(withdrawal: Withdrawal, nowMs: number): boolean {
    const letter = letterOf(withdrawal, nowMs, this.#parts);
    if (letter === undefined) return false;
    this.#parts.mails.confirmWithdrawal(letter);
    return true;
  }
}
