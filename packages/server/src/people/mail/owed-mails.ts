/** Emails that must be sent according to the exchange's state: confirmations of withdrawals, and security emails. */
import {
  type Command,
  CONFIRMATION_LIFE_MS,
  type EngineView,
  type LetterStatus,
  MINUTE_MS,
  type NoticeRecord,
  type WithdrawalRecord,
} from "@pricetime/engine";
import type { Mail, WithdrawalToConfirm } from "./port.ts";
import { CONFIRM_PATH } from "@pricetime/protocol";
import { carriedText } from "../../history/shapes/amounts.ts";
import { languageIn } from "../../api/withdrawal-confirmation-words.ts";
import { linesOf, noticeMail, said, supportLines } from "./notices.ts";
import { emailWords } from "./words.ts";
import { type EmailVenue, LinkMaker, type LinkParts, UNNAMED } from "./links.ts";

export interface OwedEmail {
  /** Identifies the email among all emails. */
  readonly key: string;
  /** An id that sorts by time, and is the same on every node. */
  readonly mailId: string;
  readonly createdMs: number;
  readonly status: LetterStatus;
  /** Writes the email; undefined if there is none to send. */
  write(nowMs: number): Mail | undefined;
  /** The command that changes the email's status. `by`: the operator who resends it. */
  step(from: LetterStatus, to: LetterStatus, by?: string): Command;
  /**
   * Whether an email that cannot be written is ignored, because its subject expires anyway. Other such emails are
   * claimed and then marked as failed.
   */
  readonly endsByItself: boolean;
  /** Whether the email stays in the exchange's state after it has failed. */
  readonly canBeSentAgain: boolean;
}

export interface OwedLetters {
  /** All emails, oldest first. */
  all(): Iterable<OwedEmail>;
  /** Undefined if the email is not required any more. */
  find(key: string): OwedEmail | undefined;
}

/** Combines several kinds of emails, in the given order. */
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

/** The mailId of an email. `id`: hex digits. */
function mailIdOf(createdMs: number, id: string): string {
  return `${String(createdMs).padStart(TIME_DIGITS, "0")}-${id.slice(0, ID_DIGITS).padStart(ID_DIGITS, "0")}`;
}

// A confirmation email is derived from the exchange's state alone, so a lost one can be written again.

export interface LetterParts {
  readonly view: Pick<EngineView, "funds" | "account" | "asset">;
  /** Derives a link's secret, and the hash that the journal stores. */
  readonly confirmations: {
    readonly secretOf: (withdrawalId: string) => string;
    readonly hashOf: (secret: string) => string;
  };
}

/** Undefined if there is no email to send. */
export function letterOf(
  withdrawal: WithdrawalRecord,
  nowMs: number,
  { view, confirmations }: LetterParts,
): WithdrawalToConfirm | undefined {
  const { withdrawalId, accountId, assetId, network, address, tag, name, amount, fee } = withdrawal;
  const leftMs = withdrawal.applyTimeMs + CONFIRMATION_LIFE_MS - nowMs;
  const secret = confirmations.secretOf(withdrawalId);
  // Release 0.1.0 used random secrets, so its emails cannot be written again.
  if (leftMs <= 0 || confirmations.hashOf(secret) !== withdrawal.confirmationHash) return undefined;
  const { spec } = view.asset(assetId);
  return {
    withdrawalId,
    secret,
    email: view.account(accountId)?.email ?? "",
    language: languageIn(view, accountId),
    asset: spec.asset,
    network,
    address,
    tag,
    name,
    amount: carriedText(spec, "withdrawStep", amount, network),
    fee: carriedText(spec, "withdrawStep", fee, network),
    receives: carriedText(spec, "withdrawStep", amount - fee, network),
    minutesLeft: Math.max(1, Math.round(leftMs / MINUTE_MS)),
  };
}

// The email that asks a customer to confirm a withdrawal, whether it was requested in the pages or with an API key.

/** `publicUrl`: without a trailing slash. */
export function confirmationMail(withdrawal: WithdrawalToConfirm, publicUrl: string, venue = UNNAMED): Mail {
  const texts = emailWords(withdrawal.language, venue.language);
  const words = texts.withdrawal;
  const { withdrawalId, secret, email, asset, network, address, tag, name, amount, fee, receives, minutesLeft } =
    withdrawal;
  const query = new URLSearchParams({ id: withdrawalId, secret });
  const of = (units: string): string => `${texts.decimal(units)} ${asset}`;
  const text = [
    words.text,
    "",
    ...linesOf([
      [texts.amount, words.amount(of(amount), of(fee))],
      [words.receives, of(receives)],
      [words.via, network],
      [words.to, address],
      ...(tag === "" ? [] : [[words.tag, tag] as const]),
      ...(name === "" ? [] : [[words.recipient, said(name)] as const]),
      [texts.reference, withdrawalId],
    ]),
    "",
    words.confirm(minutesLeft),
    "",
    `${publicUrl}${CONFIRM_PATH}?${query.toString()}`,
    "",
    words.otherwise(`${publicUrl}/account/#/security`),
    ...supportLines(venue, texts),
    "",
  ].join("\n");
  const from = venue.name === null ? "" : ` (${venue.name})`;
  return { to: email, subject: words.subject(of(amount)) + from, text, withdrawalId };
}

// Confirmation emails for withdrawals that await confirmation, derived from the exchange's state.

export interface OwedConfirmationsParts extends LetterParts {
  readonly view: Pick<EngineView, "funds" | "account" | "asset">;
  readonly publicUrl: () => string;
  readonly venue?: EmailVenue | undefined;
}

export class OwedConfirmations implements OwedLetters {
  readonly #parts: OwedConfirmationsParts;

  constructor(parts: OwedConfirmationsParts) {
    this.#parts = parts;
  }

  *all(): Iterable<OwedEmail> {
    for (const withdrawal of this.#parts.view.funds.openWithdrawals()) {
      if (withdrawal.status === "emailSent") yield this.#letter(withdrawal);
    }
  }

  find(key: string): OwedEmail | undefined {
    const withdrawal = this.#parts.view.funds.withdrawal(key);
    return withdrawal?.status === "emailSent" ? this.#letter(withdrawal) : undefined;
  }

  #letter(withdrawal: WithdrawalRecord): OwedEmail {
    const { withdrawalId, applyTimeMs: createdMs } = withdrawal;
    const parts = this.#parts;
    return {
      key: withdrawalId,
      mailId: mailIdOf(createdMs, withdrawalId),
      createdMs,
      status: parts.view.funds.letter(withdrawalId),
      write: (nowMs) => {
        const letter = letterOf(withdrawal, nowMs, parts);
        return letter && confirmationMail(letter, parts.publicUrl(), parts.venue);
      },
      step: (from, to, by) => ({ type: "changeLetter", withdrawalId, from, to, ...(by !== undefined && { by }) }),
      endsByItself: true,
      canBeSentAgain: true,
    };
  }
}

// Security emails.

export interface OwedNoticesParts extends LinkParts {
  readonly view: Pick<EngineView, "access" | "account">;
}

const KEY = "notice:";

export const noticeKey = (noticeId: number): string => KEY + noticeId;

export class OwedNotices implements OwedLetters {
  readonly #parts: OwedNoticesParts;

  constructor(parts: OwedNoticesParts) {
    this.#parts = parts;
  }

  *all(): Iterable<OwedEmail> {
    for (const notice of this.#parts.view.access.notices()) yield this.letter(notice);
  }

  find(key: string): OwedEmail | undefined {
    if (!key.startsWith(KEY)) return undefined;
    const notice = this.#parts.view.access.notice(Number(key.slice(KEY.length)));
    return notice && this.letter(notice);
  }

  /** Works even if the notice has already left the exchange's state. */
  letter(notice: NoticeRecord): OwedEmail {
    const { noticeId, createdMs, status } = notice;
    const parts = this.#parts;
    return {
      key: noticeKey(noticeId),
      mailId: mailIdOf(createdMs, noticeId.toString(16)),
      createdMs,
      status,
      write: (nowMs) =>
        noticeMail(notice, {
          ...{ access: parts.view.access, to: new LinkMaker(parts), nowMs },
          languageOf: (accountId) => languageIn(parts.view, accountId),
        }),
      step: (from, to) => ({ type: "changeNotice", noticeId, from, to }),
      endsByItself: false,
      canBeSentAgain: false,
    };
  }
}
