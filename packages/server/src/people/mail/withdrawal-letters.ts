/**
 * Writes emails that ask to confirm withdrawals. They are derived from the exchange's state: a withdrawal that awaits
 * confirmation and has no email gets one, either just after it was journaled or after a start, so a crash loses none. An
 * email may be written twice; both have the same link.
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

  /** Writes the emails that the last run missed. Call it once, when links work. Returns their number. */
  catchUp(nowMs: number): number {
    const { view, mails, log } = this.#parts;
    const written = mails.withdrawalsWrittenOf();
    const unwritten = view.funds
      .openWithdrawals()
      .filter(({ status, withdrawalId }) => status === "emailSent" && !written.has(withdrawalId));
    const count = unwritten.filter((withdrawal) => this.#write(withdrawal, nowMs)).length;
    if (count > 0) log.warn({ count }, "wrote emails that the last run missed");
    return count;
  }

  /** Returns whether an email was written. */
  #write(withdrawal: Withdrawal, nowMs: number): boolean {
    const letter = letterOf(withdrawal, nowMs, this.#parts);
    if (letter === undefined) return false;
    this.#parts.mails.confirmWithdrawal(letter);
    return true;
  }
}
