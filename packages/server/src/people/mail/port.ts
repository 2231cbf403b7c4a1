/** Emails as the gateway and the admin API use them. */

/** A withdrawal to be confirmed by email. Amounts are decimal strings of the asset. */
export interface WithdrawalToConfirm {
  readonly withdrawalId: string;
  /** The secret of the link; the journal has only its hash. */
  readonly secret: string;
  /** The account's email address. */
  readonly email: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** The tag of the address; "": none. */
  readonly tag: string;
  /** The gross amount, which includes the network's fee. */
  readonly amount: string;
  readonly fee: string;
  /** For how long the link is still valid. */
  readonly minutesLeft: number;
}

/**
 * waiting: queued, also for another attempt; sent: accepted by the mail server; failed: no further attempts;
 * kept: stored for the operator to read, because no mail server is configured; unknown: the mail server may have accepted
 * it, because the node that was sending it was replaced or its connection broke.
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
  /** The error of the last attempt; "": none. */
  readonly trouble: string;
}

export interface Outbox {
  /** Newest first. */
  list(): readonly MailRecord[];
  find(mailId: string): MailRecord | undefined;
  /** Resends an email that failed or whose outcome is unknown. Rejects with `MailNotSendable`. */
  sendAgain(mailId: string, by: string): Promise<void>;
}

/** The email cannot be resent; the message is for the operator. */
export class MailNotSendable extends Error {
  override readonly name = "MailNotSendable";
}
