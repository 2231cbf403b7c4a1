/** Writes the emails of a single node: requests to confirm withdrawals, and security emails. */
import type { Entry, Event, LetterStatus, WithdrawalRecord } from "@pricetime/engine";
import {
  letterOf,
  type LetterParts,
  noticeKey,
  type OwedEmail,
  OwedNotices,
  type OwedNoticesParts,
} from "./owed-mails.ts";
import type { FileOutbox } from "./mail-room.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { World } from "../../platform/world/port.ts";
import { TELL_AGAIN_MS } from "./smtp.ts";
import type { MailRecord, MailStatus } from "./port.ts";

// Requests to confirm withdrawals are derived from the exchange's state: a withdrawal that awaits confirmation and has
// no email gets one, either right after it was journaled or after a start, so a crash loses none. An email may be
// written twice; both have the same link.

export interface WithdrawalEmailsParts extends LetterParts {
  readonly mails: Pick<FileOutbox, "confirmWithdrawal" | "withdrawalsWrittenOf">;
  readonly log: { warn(fields: object, message: string): void };
}

type Withdrawal = WithdrawalRecord;

export class WithdrawalEmails {
  readonly #parts: WithdrawalEmailsParts;

  constructor(parts: WithdrawalEmailsParts) {
    this.#parts = parts;
  }

  /** Handles the events of an entry that is on disk. */
  applied({ timeMs }: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === "withdrawalChanged" && event.status === "emailSent") this.#write(event.withdrawal, timeMs);
    }
  }

  /**
   * Writes the emails that the previous run missed, and returns their number. Call this once, when links are available.
   */
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

// Security emails are derived from the exchange's state: a notice without an email in the outbox gets one, either right
// after it was journaled or after a start. The outbox sends it. The outcome is journaled once it is on disk, which
// closes the notice.

export interface NoticeEmailsParts extends OwedNoticesParts {
  readonly mails: Pick<FileOutbox, "post" | "noticesWritten" | "isClosed">;
  readonly sequencer: Pick<Sequencer, "run">;
  readonly world: Pick<World, "nowMs" | "pause">;
  readonly log: { warn(fields: object, message: string): void };
  /** In a lab, an email is journaled as sent at once, because the journal must not depend on disk timing. */
  readonly isOfLab: boolean;
}

/** The journaled outcome of each status. A kept email counts as sent, because the operator delivers it. */
const TOLD: Readonly<Record<MailStatus, LetterStatus | undefined>> = {
  waiting: undefined,
  sent: "sent",
  kept: "sent",
  failed: "failed",
  unknown: "unknown",
};

export class NoticeEmails {
  readonly #parts: NoticeEmailsParts;
  readonly #owed: OwedNotices;
  readonly #telling = new Set<string>();

  constructor(parts: NoticeEmailsParts) {
    this.#parts = parts;
    this.#owed = new OwedNotices(parts);
  }

  /** Handles the events of an entry that is on disk. */
  applied(_entry: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "noticeChanged" || event.status !== "waiting") continue;
      const letter = this.#owed.find(noticeKey(event.noticeId));
      if (letter !== undefined) this.#write(letter);
    }
  }

  /**
   * Writes the emails and journals the outcomes that the previous run missed. Call this once, when links are available.
   */
  catchUp(): number {
    const written = new Map([...this.#parts.mails.noticesWritten()].map(([id, mail]) => [noticeKey(id), mail]));
    let count = 0;
    for (const letter of this.#owed.all()) {
      const mail = written.get(letter.key);
      // Another node claimed the email while this was a cluster.
      if (letter.status === "claimed") this.#tell(letter, "unknown");
      else if (mail === undefined) count += this.#write(letter) ? 1 : 0;
      else this.onWritten(mail);
    }
    if (count > 0) this.#parts.log.warn({ count }, "wrote emails that the last run missed");
    return count;
  }

  /** Call this when an email of the outbox is on disk in its current status. */
  onWritten({ noticeId, status }: MailRecord): void {
    const told = TOLD[status];
    const letter = noticeId === undefined ? undefined : this.#owed.find(noticeKey(noticeId));
    if (letter !== undefined && told !== undefined) this.#tell(letter, told);
  }

  /** Returns whether an email was written. */
  #write(letter: OwedEmail): boolean {
    const mail = letter.write(this.#parts.world.nowMs());
    if (mail !== undefined) this.#parts.mails.post(mail);
    if (mail === undefined) this.#tell(letter, "failed");
    else if (this.#parts.isOfLab) this.#tell(letter, "sent");
    return mail !== undefined;
  }

  #tell(letter: OwedEmail, to: LetterStatus): void {
    if (this.#telling.has(letter.key)) return;
    this.#telling.add(letter.key);
    // The promise never rejects. An outcome that is not journaled before the node exits is journaled after the next
    // start.
    void this.#toldInTheEnd(letter, to).finally(() => this.#telling.delete(letter.key));
  }

  async #toldInTheEnd(letter: OwedEmail, to: LetterStatus): Promise<void> {
    const { mails, sequencer, world } = this.#parts;
    const { key, status: from } = letter;
    // Wait until the current entry has been applied.
    await Promise.resolve();
    while (!mails.isClosed && this.#owed.find(key)?.status === from) {
      try {
        await sequencer.run(letter.step(from, to));
        return;
      } catch {
        await world.pause(TELL_AGAIN_MS);
      }
    }
  }
}
