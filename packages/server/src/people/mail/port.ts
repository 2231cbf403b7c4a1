/** Emails as used by the gateway and the admin API. */

/** A withdrawal to be confirmed by email. Amounts are decimal strings of the asset. */
export interface WithdrawalToConfirm {
  readonly withdrawalId: string;
  /** The link's secret; the journal contains only its hash. */
  readonly secret: string;
  /** The account's email address. */
  readonly email: string;
  /** The language that the customer has chosen; undefined if there is none. */
  readonly language?: string | undefined;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** The tag of the address; "" if it has none. */
  readonly tag: string;
  /** The name that the customer has given, such as the holder of a bank account; "" if there is none. */
  readonly name: string;
  /** The gross amount, including the network's fee. */
  readonly amount: string;
  readonly fee: string;
  /** The amount without the fee. */
  readonly receives: string;
  /** How many minutes the link is still valid. */
  readonly minutesLeft: number;
}

/**
 * waiting: queued for a first or further attempt; sent: accepted by the mail server; failed: no further attempts; kept:
 * stored for the operator to read, because no mail server is configured; unknown: the mail server may have accepted it,
 * because the sending node was replaced or its connection broke.
 */
export type MailStatus = "waiting" | "sent" | "failed" | "kept" | "unknown";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The withdrawal to confirm; absent in emails of release 0.1.0. */
  readonly withdrawalId?: string;
  /** The notice that the email reports; absent in emails about withdrawals. */
  readonly noticeId?: number;
}

export interface MailRecord extends Mail {
  /** An id that sorts by time. */
  readonly mailId: string;
  readonly createdMs: number;
  readonly status: MailStatus;
  readonly attempts: number;
  /** The error of the last attempt; "" if there was none. */
  readonly trouble: string;
}

export interface Outbox {
  /** Whether a mail server is configured. Without one, emails are stored and not sent. */
  readonly hasMailServer: boolean;
  /** All stored emails, newest first. */
  list(): readonly MailRecord[];
  find(mailId: string): MailRecord | undefined;
  /** Resends an email that failed or whose outcome is unknown. Rejects with `MailNotSendable`. */
  sendAgain(mailId: string, by: string): Promise<void>;
}

/** The email cannot be resent; the message is for the operator. */
export class MailNotSendable extends Error {
  override readonly name = "MailNotSendable";
}
