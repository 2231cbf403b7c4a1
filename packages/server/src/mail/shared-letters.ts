/**
 * Letters of an exchange of several nodes: all of them are derived from the exchange's state, on every node alike, and
 * the holder of the role `mail` sends them. It claims each in the journal before the mail server hears of it, so none is
 * sent twice: what was claimed when the role went to another is told to operators as unknown.
 */
import type { Entry, Event, LetterStatus, WithdrawalRecord } from "@pricetime/engine";
import type { Sequencer } from "../sequencer/port.ts";
import { confirmationMail } from "./confirmation.ts";
import { LetterRun, type LetterRunParts, type LetterTenure } from "./letter-run.ts";
import { letterOf } from "./letter-of.ts";
import { MailNotSendable, type MailRecord, type MailStatus, type Outbox } from "./port.ts";
import type { Sending } from "./smtp.ts";

export interface SharedLettersOptions extends Omit<LetterRunParts, "sending"> {
  /** Any node's way to the exchange. */
  readonly sequencer: Pick<Sequencer, "run">;
  /** Null: there is no mail server, and letters are here to be read. */
  readonly sending: Sending | null;
}

export class SharedLetters implements Outbox {
  readonly role = "mail";
  readonly #options: SharedLettersOptions;
  #run: LetterRun | undefined;

  constructor(options: SharedLettersOptions) {
    this.#options = options;
  }

  /** The holder looks by itself. */
  catchUp(): void {}

  /** Handles the events of an entry that is on disk. */
  applied(_entry: Entry, events: readonly Event[]): void {
    const isAboutLetters = events.some(({ type }) => type === "withdrawalChanged" || type === "letterChanged");
    if (isAboutLetters) this.#run?.wake();
  }

  async whyNot(): Promise<string> {
    return this.#options.sending === null ? "there is no mail server (mail.smtp)" : "";
  }

  start(tenure: LetterTenure): void {
    const { sending } = this.#options;
    if (sending === null) return;
    this.#run = new LetterRun({ ...this.#options, sending }, tenure);
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

  /** The number of letters that are to be sent or are being sent, by whichever node. */
  get waiting(): number {
    return this.#unconfirmed().filter(({ withdrawalId }) => this.#statusOf(withdrawalId) === "waiting").length;
  }

  /** Returns the letters of withdrawals that wait for their link, newest first. */
  list(): readonly MailRecord[] {
    return this.#unconfirmed()
      .flatMap((withdrawal) => this.#recordOf(withdrawal))
      .toReversed();
  }

  find(mailId: string): MailRecord | undefined {
    return this.list().find((mail) => mail.mailId === mailId);
  }

  async sendAgain(mailId: string, by: string): Promise<void> {
    const { view, sequencer } = this.#options;
    const { withdrawalId = "" } = this.find(mailId) ?? {};
    const from = view.funds.letter(withdrawalId);
    if (from !== "unknown" && from !== "failed") {
      throw new MailNotSendable("only a letter that failed, or that nobody knows of, is sent again");
    }
    const { events } = await sequencer.run({ type: "changeLetter", withdrawalId, from, to: "waiting", by });
    if (events[0]?.type === "rejected") throw new MailNotSendable("it has changed meanwhile: look again");
  }

  #unconfirmed(): readonly WithdrawalRecord[] {
    return this.#options.view.funds.openWithdrawals().filter(({ status }) => status === "emailSent");
  }

  #statusOf(withdrawalId: string): MailStatus {
    const { view, sending } = this.#options;
    return MAIL_STATUS[view.funds.letter(withdrawalId)] ?? (sending === null ? "kept" : "waiting");
  }

  #recordOf(withdrawal: WithdrawalRecord): MailRecord[] {
    const { withdrawalId, applyTimeMs: createdMs } = withdrawal;
    const letter = letterOf(withdrawal, this.#options.world.nowMs(), this.#options);
    if (letter === undefined) return [];
    const mailId = `${String(createdMs).padStart(13, "0")}-${withdrawalId.slice(0, 16)}`;
    const { attempts, trouble } = this.#run?.attemptsOf(withdrawalId) ?? { attempts: 0, trouble: "" };
    const mail = confirmationMail(letter, this.#options.publicUrl());
    return [{ ...mail, mailId, createdMs, status: this.#statusOf(withdrawalId), attempts, trouble }];
  }
}

/** What waits is told as kept where there is no mail server. */
const MAIL_STATUS: { readonly [Status in LetterStatus]: MailStatus | undefined } = {
  waiting: undefined,
  claimed: "waiting",
  sent: "sent",
  failed: "failed",
  unknown: "unknown",
};
