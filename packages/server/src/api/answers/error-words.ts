/** Error words of the admin API and the account API. The journal and history store reject reasons under older names. */

/** Error words of reject reasons, by the reason that is stored. The others are shown as stored. */
const WORDS: Partial<Record<string, string>> = {
  NEEDS_TWO: "NEEDS_APPROVAL",
  UNKNOWN_PROPOSAL: "UNKNOWN_APPROVAL_REQUEST",
  PROPOSAL_CHANGED: "APPROVAL_REQUEST_CHANGED",
  OWN_PROPOSAL: "OWN_APPROVAL_REQUEST",
  UNKNOWN_STOP: "UNKNOWN_SUSPENSION",
  STOPPED: "SUSPENDED",
  ROLE_TAKEN: "TASK_TAKEN",
  PAST_OVERLAPS: "CANDLES_OVERLAP",
  PAST_NOT_OVER: "CANDLES_NOT_CLOSED",
  ORDERS_WAIT: "STOP_ORDERS_WAIT",
  UNKNOWN_RECOVERY: "UNKNOWN_PASSWORD_RESET",
  UNKNOWN_LETTER: "UNKNOWN_EMAIL",
};

/** Returns the error word of a reject reason, for responses and the audit log. */
export const errorWordOf = (reason: string): string => WORDS[reason] ?? reason;
