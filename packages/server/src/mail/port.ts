/** Mail as the gateway and the operators see it. */

/** A withdrawal that a customer must confirm. Amounts are decimal strings of the asset. */
export interface WithdrawalToConfirm {
  readonly withdrawalId: string;
  /** Opens the link; the journal has only its hash. */
  readonly secret: string;
  /** The account's mail address. */
  readonly email: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** The tag of the address; "" where there is none. */
  readonly tag: string;
  /** The gross amount, and the network's fee, which is taken out of it. */
  readonly amount: string;
  readonly fee: string;
  /** The minutes for which the link is valid from now on. */
  readonly minutesLeft: number;
}

/**
 * waiting: to be sent, or sent again; sent: the mail server took it; failed: given up;
 * kept: there is no mail server, so it is here to be read; unknown: nobody knows whether the mail server took it, because
 * the node that was sending it has been replaced, or its connection broke.
 */
export type MailStatus = "waiting" | "sent" | "failed" | "kept" | "unknown";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The withdrawal that it asks to confirm; absent in mails of release 0.1.0. */
  readonly withdrawalId?: string;
  /** The notice of the exchange that it is; absent in letters about withdrawals. */
  readonly noticeId?: number;
}

export interface MailRecord extends Mail {
  /** An id that sorts by time. */
  readonly mailId: string;
  readonly createdMs: number;
  readonly status: MailStatus;
  readonly attempts: number;
  /** Why the last attempt failed; "" when it did not. */
  readonly trouble: string;
}

export interface Outbox {
  /** Returns mails, newest first. */
  list(): readonly MailRecord[];
  find(mailId: string): MailRecord | undefined;
  /** Has a mail sent again that failed or that nobody knows of. Rejects with `MailNotSendable`. */
  sendAgain(mailId: string, by: string): Promise<void>;
}

/** The mail cannot be sent again; the message says why, in one line. */
export class MailNotSendable extends Error {
  override readonly name = "MailNotSendable";
}
