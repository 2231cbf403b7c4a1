/**
 * The outbox of a single node: stores emails and sends them one at a time. Submitting an email never waits, so a slow
 * or unreachable mail server delays nothing else.
 */
import { CONFIRMATION_LIFE_MS } from "@pricetime/engine";
import { z } from "zod";
import type { EmailVenue } from "./links.ts";
import { confirmationMail } from "./owed-mails.ts";
import { LAST_MAIL_MS, MailRefused, MAX_ATTEMPTS, pauseAfter, type Sending } from "./smtp.ts";
import { MAIL_RECORD, type MailFolder } from "./mail-folder.ts";
import { type Mail, MailNotSendable, type MailRecord, type Outbox, type WithdrawalToConfirm } from "./port.ts";
import { atMost, type Cancel, type World } from "../../platform/world/port.ts";
import { savedCount } from "../../platform/world/saved-state.ts";

/** Maximum number of queued emails. Further ones are stored as failed and not sent. */
export const MAX_WAITING_MAILS = 10_000;
/** Maximum number of emails stored after sending. Above it, the oldest is removed. */
export const MAX_PAST_MAILS = 1000;
/**
 * Maximum number of emails stored while their links may be valid. A removed one would be sent again at the next start.
 */
export const MAX_PAST_LETTERS = 10_000;

export interface MailRoomOptions {
  readonly folder: MailFolder;
  /** Null if no mail server is configured; emails are then only stored. */
  readonly sending: Sending | null;
  /** Returns the base URL of links. Called for each email. */
  readonly publicUrl: () => string;
  readonly venue?: EmailVenue | undefined;
  readonly log: { warn(fields: object, message: string): void };
  readonly world: World;
  /** The pause after the first failed attempt. It doubles with each attempt. */
  readonly firstPauseMs?: number;
}

const SAVED = z.strictObject({
  mails: z.array(MAIL_RECORD),
  /** When failed emails are due for their next attempt. */
  due: z.array(z.strictObject({ mailId: z.string(), dueMs: savedCount })),
});

interface Pause {
  readonly dueMs: number;
  readonly cancel: Cancel;
}

export class FileOutbox implements Outbox {
  readonly #options: MailRoomOptions;
  readonly #world: World;
  /** Emails by mailId, which sorts by time, oldest first. */
  readonly #mails = new Map<string, MailRecord>();
  readonly #waiting = new Set<string>();
  /** Pauses before the next attempt, by mailId. */
  readonly #pauses = new Map<string, Pause>();
  readonly #due: string[] = [];
  #isSending: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: MailRoomOptions) {
    this.#options = options;
    this.#world = options.world;
    // An email in transit is saved as waiting. If the mail server accepts it after all, it is sent twice.
    const restored = options.world.saved.restore("mail", SAVED, () => {
      const mails = [...this.#mails.values()].map((mail) => ({ ...mail }));
      const due = mails.flatMap(({ mailId }) => {
        const dueMs = this.#pauses.get(mailId)?.dueMs;
        return dueMs === undefined ? [] : { mailId, dueMs };
      });
      return { mails, due };
    });
    if (restored !== undefined) options.folder.replace(restored.mails);
    const due = new Map(restored?.due.map(({ mailId, dueMs }) => [mailId, dueMs]));
    for (const mail of restored?.mails ?? options.folder.load()) {
      this.#mails.set(mail.mailId, mail);
      if (mail.status === "waiting") this.#goOn(mail, due.get(mail.mailId), restored !== undefined);
    }
    this.#forgetOld();
  }

  /**
   * Resumes sending an email. With `isRestored`, nothing is sent before the lab's clock moves, so that the restored
   * state can be compared first.
   */
  #goOn(mail: MailRecord, dueMs: number | undefined, isRestored: boolean): void {
    const { mailId } = mail;
    if (this.#options.sending === null) {
      this.#change(mail, { status: "kept" });
      return;
    }
    this.#waiting.add(mailId);
    if (dueMs !== undefined) this.#sendAt(mailId, dueMs);
    else if (isRestored) this.#world.after(0, () => this.#enqueue(mailId), `mail ${mailId}`);
    else this.#enqueue(mailId);
  }

  /**
   * Queues the email that asks to confirm a withdrawal. Never waits or throws: an email that cannot be sent is stored
   * for the operator.
   */
  confirmWithdrawal(withdrawal: WithdrawalToConfirm): void {
    this.post(confirmationMail(withdrawal, this.#options.publicUrl(), this.#options.venue));
  }

  /** Returns the ids of withdrawals with an email in this outbox, in any status. */
  withdrawalsWrittenOf(): ReadonlySet<string> {
    const ids = [...this.#mails.values()].map(({ withdrawalId }) => withdrawalId);
    return new Set(ids.filter((withdrawalId) => withdrawalId !== undefined));
  }

  /** Returns the emails of notices in this outbox, by notice number, in any status. */
  noticesWritten(): ReadonlyMap<number, MailRecord> {
    const all = [...this.#mails.values()];
    return new Map(all.flatMap((mail) => (mail.noticeId === undefined ? [] : [[mail.noticeId, mail] as const])));
  }

  get hasMailServer(): boolean {
    return this.#options.sending !== null;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Adds an email to the outbox and returns its mailId. */
  post(mail: Mail): string {
    const createdMs = this.#world.nowMs();
    const mailId = `${String(createdMs).padStart(13, "0")}-${this.#world.randomBytes(8).toString("hex")}`;
    const isFull = this.#waiting.size >= MAX_WAITING_MAILS;
    const status = this.#options.sending === null ? "kept" : isFull ? "failed" : "waiting";
    const trouble = status === "failed" ? "Too many emails are queued." : "";
    this.#keep({ ...mail, mailId, createdMs, status, attempts: 0, trouble });
    if (status === "waiting") this.#enqueue(mailId);
    if (status === "failed") this.#options.log.warn({ mailId }, "too many emails are queued; this one is not sent");
    this.#forgetOld();
    return mailId;
  }

  list(): readonly MailRecord[] {
    return [...this.#mails.values()].toReversed();
  }

  find(mailId: string): MailRecord | undefined {
    return this.#mails.get(mailId);
  }

  /** Resends an email. It gets as many attempts as a new one. */
  async sendAgain(mailId: string): Promise<void> {
    const mail = this.#mails.get(mailId);
    if (mail?.status !== "failed" || this.#options.sending === null) {
      throw new MailNotSendable(
        "Only failed emails can be resent, and only if a mail server is configured (email.smtp).",
      );
    }
    this.#change(mail, { status: "waiting", attempts: 0 });
    this.#enqueue(mailId);
  }

  /** The number of queued emails. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Stops sending. Queued emails stay on disk and are sent after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { cancel } of this.#pauses.values()) cancel();
    this.#options.sending?.close();
    // If the mail server accepts the email after this, it is sent twice.
    await atMost(this.#world, LAST_MAIL_MS, this.#isSending);
    await this.#options.folder.settled();
  }

  #enqueue(mailId: string): void {
    this.#waiting.add(mailId);
    this.#due.push(mailId);
    this.#isSending ??= this.#sendDue().finally(() => {
      this.#isSending = undefined;
    });
  }

  async #sendDue(): Promise<void> {
    // Wait for the end of the caller's turn of the event loop.
    await Promise.resolve();
    for (let mailId = this.#due.shift(); mailId !== undefined; mailId = this.#due.shift()) {
      const mail = this.#mails.get(mailId);
      if (mail !== undefined && !this.#isClosed) await this.#sendOne(mail);
    }
  }

  async #sendOne(mail: MailRecord): Promise<void> {
    const attempts = mail.attempts + 1;
    try {
      await this.#options.sending?.send(mail);
      this.#change(mail, { status: "sent", attempts, trouble: "" });
    } catch (error) {
      if (this.#isClosed) return;
      const trouble = (error as Error).message;
      const isOver = error instanceof MailRefused || attempts >= MAX_ATTEMPTS;
      this.#change(mail, { status: isOver ? "failed" : "waiting", attempts, trouble });
      this.#options.log.warn(
        { mailId: mail.mailId, attempts, trouble },
        isOver ? "an email failed" : "an email was not sent; it is queued for another attempt",
      );
      if (!isOver) this.#sendLater(mail.mailId, attempts);
    }
  }

  #sendLater(mailId: string, attempts: number): void {
    this.#sendAt(mailId, this.#world.nowMs() + pauseAfter(attempts, this.#options.firstPauseMs));
  }

  #sendAt(mailId: string, dueMs: number): void {
    const enqueue = (): void => {
      this.#pauses.delete(mailId);
      this.#enqueue(mailId);
    };
    const cancel = this.#world.after(Math.max(0, dueMs - this.#world.nowMs()), enqueue, `mail ${mailId}`);
    this.#pauses.set(mailId, { dueMs, cancel });
  }

  #change(mail: MailRecord, change: Partial<MailRecord>): void {
    this.#keep({ ...mail, ...change });
    this.#forgetOld();
  }

  #keep(mail: MailRecord): void {
    this.#mails.set(mail.mailId, mail);
    if (mail.status !== "waiting") this.#waiting.delete(mail.mailId);
    this.#options.folder.save(mail);
  }

  #forgetOld(): void {
    let past = this.#mails.size - this.#waiting.size;
    if (past <= MAX_PAST_MAILS) return;
    const oldMs = this.#world.nowMs() - CONFIRMATION_LIFE_MS;
    for (const { mailId, status, withdrawalId, noticeId, createdMs } of this.#mails.values()) {
      const isLetter = withdrawalId !== undefined || noticeId !== undefined;
      const isGood = isLetter && createdMs > oldMs;
      if (status === "waiting" || (isGood && past <= MAX_PAST_LETTERS)) continue;
      this.#mails.delete(mailId);
      this.#options.folder.remove(mailId);
      if (--past <= MAX_PAST_MAILS) return;
    }
  }
}
