/**
 * Emails of a cluster. Every node derives them from the exchange's state, and the owner of the task `mail` sends them.
 * It claims each email in the journal before it contacts the mail server, so none is sent twice. If the task moves to
 * another node while an email is claimed, the email gets the status unknown.
 */
import type { EngineView, Entry, Event, LetterStatus, NoticeRecord } from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import {
  allOwed,
  type LetterParts,
  noticeKey,
  OwedConfirmations,
  type OwedEmail,
  type OwedLetters,
  OwedNotices,
  type OwedNoticesParts,
} from "./owed-mails.ts";
import { EmailRun, type EmailRunParts, type EmailTenure } from "./mail-run.ts";
import { MailNotSendable, type MailRecord, type MailStatus, type Outbox } from "./port.ts";
import type { Sending } from "./smtp.ts";

// Security emails of a cluster that were sent or have failed. The exchange's state drops them, so each node stores the
// latest ones for operators.

export const MAX_PAST_NOTICES = 1000;

export interface PastNotice {
  readonly notice: NoticeRecord;
  readonly attempts: number;
  readonly trouble: string;
}

export interface PastNoticesParts {
  readonly view: Pick<EngineView, "access">;
  /** The attempts made by this node. */
  readonly attemptsOf: (noticeId: number) => Pick<PastNotice, "attempts" | "trouble">;
}

class PastNotices {
  readonly #parts: PastNoticesParts;
  readonly #claimed = new Map<number, NoticeRecord>();
  readonly #past = new Map<number, PastNotice>();

  constructor(parts: PastNoticesParts) {
    this.#parts = parts;
  }

  /** All stored notices, oldest first. */
  all(): Iterable<PastNotice> {
    return this.#past.values();
  }

  /** Updates the status of a resent email while it is stored here. */
  change(noticeId: number, status: LetterStatus): void {
    const past = this.#past.get(noticeId);
    if (past === undefined) return;
    this.#past.set(noticeId, { notice: { ...past.notice, status }, ...this.#parts.attemptsOf(noticeId) });
  }

  applied(events: readonly Event[]): void {
    for (const event of events) if (event.type === "noticeChanged") this.#changed(event.noticeId, event.status);
  }

  #changed(noticeId: number, status: LetterStatus): void {
    const known = this.#claimed.get(noticeId);
    const owed = this.#parts.view.access.notice(noticeId);
    this.#claimed.delete(noticeId);
    // A notice is closed only after it was claimed, unless it was dropped because too many were open.
    if (status === "claimed" && owed !== undefined) this.#claimed.set(noticeId, owed);
    if (status === "waiting" || status === "claimed" || known === undefined) return;
    this.#past.set(noticeId, { notice: { ...known, status }, ...this.#parts.attemptsOf(noticeId) });
    for (const [oldest] of this.#past) if (this.#past.size > MAX_PAST_NOTICES) this.#past.delete(oldest);
  }
}

/** Maximum number of emails in a list (the newest), because each text is generated for the list. */
const MAX_LISTED_LETTERS = 1000;

export interface ClusterEmailsOptions
  extends Omit<EmailRunParts, "sending" | "owed">,
    Omit<LetterParts, "view">,
    Omit<OwedNoticesParts, "view"> {
  readonly view: Pick<EngineView, "funds" | "account" | "asset" | "access" | "nodes">;
  /** Submits commands; works on any node. */
  readonly sequencer: Pick<Sequencer, "run">;
  /** Null if no mail server is configured; operators then read the emails here. */
  readonly sending: Sending | null;
}

const NEVER_TRIED = { attempts: 0, trouble: "" };
/** Events after which there may be an email to send. */
const ABOUT_LETTERS: ReadonlySet<Event["type"]> = new Set(["withdrawalChanged", "letterChanged", "noticeChanged"]);

export class ClusterEmails implements Outbox {
  readonly role = "mail";
  readonly #options: ClusterEmailsOptions;
  readonly #notices: OwedNotices;
  readonly #owed: OwedLetters;
  readonly #past: PastNotices;
  #run: EmailRun | undefined;

  constructor(options: ClusterEmailsOptions) {
    this.#options = options;
    this.#notices = new OwedNotices(options);
    this.#owed = allOwed(new OwedConfirmations(options), this.#notices);
    const attemptsOf = (noticeId: number) => this.#run?.attemptsOf(noticeKey(noticeId)) ?? NEVER_TRIED;
    this.#past = new PastNotices({ view: options.view, attemptsOf });
  }

  get hasMailServer(): boolean {
    return this.#options.sending !== null;
  }

  /** Does nothing: the owner of the task looks for emails on its own schedule. */
  catchUp(): void {}

  /** Handles the events of an entry that is on disk. */
  applied(_entry: Entry, events: readonly Event[]): void {
    this.#past.applied(events);
    if (events.some(({ type }) => ABOUT_LETTERS.has(type))) this.#run?.wake();
  }

  async whyNot(): Promise<string> {
    return this.hasMailServer ? "" : "no mail server is configured (email.smtp)";
  }

  start(tenure: EmailTenure): void {
    const { sending } = this.#options;
    if (sending === null) return;
    this.#run = new EmailRun({ ...this.#options, owed: this.#owed, sending }, tenure);
    this.#run.start();
  }

  async stop(): Promise<void> {
    await this.#run?.stop();
    this.#run = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    this.#options.sending?.close();
  }

  /** Number of emails that are queued or in transit, on any node. */
  get waiting(): number {
    let count = 0;
    for (const letter of this.#owed.all()) if (this.#statusOf(letter) === "waiting") count++;
    return count;
  }

  /** Returns queued emails, and security emails that were sent or have failed since this node started, newest first. */
  list(): readonly MailRecord[] {
    const newest = [...this.#all()].toSorted(newestFirst).slice(0, MAX_LISTED_LETTERS);
    return newest.flatMap((known) => this.#recordOf(known));
  }

  find(mailId: string): MailRecord | undefined {
    for (const known of this.#all()) if (known.letter.mailId === mailId) return this.#recordOf(known)[0];
    return undefined;
  }

  async sendAgain(mailId: string, by: string): Promise<void> {
    const { sequencer } = this.#options;
    const letter = [...this.#owed.all()].find((owed) => owed.mailId === mailId && owed.canBeSentAgain);
    if (letter === undefined) return this.#sendPastAgain(mailId);
    const from = letter.status;
    if (!isSendable(from)) throw NOT_SENDABLE();
    const { events } = await sequencer.run(letter.step(from, "waiting", by));
    if (events[0]?.type === "rejected") throw new MailNotSendable("The email has changed in the meantime. Reload it.");
  }

  /**
   * Resends an email whose notice the exchange's state has dropped. Only the owner of the task can do this, and only
   * this node records it.
   */
  #sendPastAgain(mailId: string): void {
    const letters = Array.from(this.#past.all(), ({ notice }) => [notice, this.#notices.letter(notice)] as const);
    const [notice, letter] = letters.find(([, past]) => past.mailId === mailId) ?? [];
    if (notice === undefined || letter === undefined || !isSendable(notice.status)) throw NOT_SENDABLE();
    if (this.#run === undefined) {
      const holder = this.#options.view.nodes.role(this.role)?.node;
      throw new MailNotSendable(
        holder === undefined
          ? "No node sends emails now. Try again later."
          : `Emails are sent by ${holder}. Resend it there.`,
      );
    }
    if (letter.write(this.#options.world.nowMs()) === undefined)
      throw new MailNotSendable("The link in this email is no longer valid.");
    this.#run.sendAgain(letter, (status) => this.#past.change(notice.noticeId, status));
  }

  *#all(): Iterable<KnownLetter> {
    for (const letter of this.#owed.all()) {
      yield { letter, ...(this.#run?.attemptsOf(letter.key) ?? NEVER_TRIED) };
    }
    for (const { notice, attempts, trouble } of this.#past.all()) {
      yield { letter: this.#notices.letter(notice), attempts, trouble };
    }
  }

  #statusOf({ status }: OwedEmail): MailStatus {
    return MAIL_STATUS[status] ?? (this.#options.sending === null ? "kept" : "waiting");
  }

  /** Returns an empty list if the email is no longer needed. */
  #recordOf({ letter, attempts, trouble }: KnownLetter): MailRecord[] {
    const { mailId, createdMs } = letter;
    const mail = letter.write(this.#options.world.nowMs());
    return mail === undefined
      ? []
      : [{ ...mail, mailId, createdMs, status: this.#statusOf(letter), attempts, trouble }];
  }
}

const isSendable = (status: LetterStatus): status is "unknown" | "failed" =>
  status === "unknown" || status === "failed";
const NOT_SENDABLE = (): MailNotSendable =>
  new MailNotSendable("Only emails that failed, or whose outcome is unknown, can be resent.");

interface KnownLetter {
  readonly letter: OwedEmail;
  readonly attempts: number;
  readonly trouble: string;
}

function newestFirst({ letter: one }: KnownLetter, { letter: other }: KnownLetter): number {
  if (one.mailId === other.mailId) return 0;
  return one.mailId < other.mailId ? 1 : -1;
}

/** The status shown for each journaled status. Without a mail server, waiting emails are shown as kept. */
const MAIL_STATUS: { readonly [Status in LetterStatus]: MailStatus | undefined } = {
  waiting: undefined,
  claimed: "waiting",
  sent: "sent",
  failed: "failed",
  unknown: "unknown",
};
