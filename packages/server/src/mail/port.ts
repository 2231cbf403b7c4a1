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
 * kept: there is no mail server, so it is here to be read.
 */
export type MailStatus = "waiting" | "sent" | "failed" | "kept";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The withdrawal that it asks to confirm; absent in mails of release 0.1.0. */
  readonly withdrawalId?: string;
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
}
