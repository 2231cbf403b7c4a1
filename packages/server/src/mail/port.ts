/** Mail as the gateway and the operators see it. */

/** What a customer is asked to confirm. Amounts are decimal strings of the asset. */
export interface WithdrawalToConfirm {
  readonly withdrawalId: string;
  /** Opens the link; the journal has its hash alone. */
  readonly secret: string;
  /** The account's address. */
  readonly email: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  /** "" where there is none. */
  readonly tag: string;
  /** Gross, and what the network's fee takes of it. */
  readonly amount: string;
  readonly fee: string;
  /** How long the link is good from now on. */
  readonly minutesLeft: number;
}

/**
 * waiting: to be sent, or sent again; sent: the mail server took it; failed: given up;
 * kept: there is no mail server, it is here to be read.
 */
export type MailStatus = "waiting" | "sent" | "failed" | "kept";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The withdrawal that it asks to confirm; mails of release 0.1.0 do not say. */
  readonly withdrawalId?: string;
}

export interface MailRecord extends Mail {
  /** Sorts by time. */
  readonly mailId: string;
  readonly createdMs: number;
  readonly status: MailStatus;
  readonly attempts: number;
  /** Why the last attempt failed; "". */
  readonly trouble: string;
}

export interface Outbox {
  /** Newest first. */
  list(): readonly MailRecord[];
  find(mailId: string): MailRecord | undefined;
}
