/** Errors of the admin API: their statuses, codes and messages. */
import type { RejectReason } from "@pricetime/engine";
import { type Answer, Rejection } from "../http/answer.ts";
import { errorWordOf } from "../sign-in/refused.ts";
import type { Logger } from "../../platform/observe/log.ts";
import { type AuditFault, AuditRefused } from "../../funds/proof/folder/port.ts";
import { NotAccepted } from "../../journal/sequencer/port.ts";
import { MailNotSendable } from "../mail/port.ts";
import { ChainUnreachable, ControlRefused, NoSuchNetwork } from "../../funds/wallet/port.ts";

const REASONS: Partial<Record<RejectReason, readonly [status: number, message: string]>> = {
  UNKNOWN_ACCOUNT: [404, "This account does not exist."],
  UNKNOWN_ASSET: [404, "This asset does not exist."],
  UNKNOWN_SYMBOL: [404, "This symbol does not exist."],
  UNKNOWN_API_KEY: [404, "This API key does not exist."],
  ALREADY_EXISTS: [409, "It already exists. Nothing was changed."],
  INSUFFICIENT_BALANCE: [409, "The free balance of the account is too low."],
  TOO_MANY: [409, "The maximum number is reached. Remove one before you add another."],
  INVALID_VALUE: [400, "A value is out of range or has too many decimal places."],
  ROUNDING_TOO_COARSE: [
    400,
    "The smallest unit of the quote asset is more than 5 basis points of the smallest trade. Choose a quote asset with more decimal places, raise minNotional, or set acceptRounding to true.",
  ],
  DEPOSIT_NOT_A_MULTIPLE: [
    400,
    "The amount has more decimal places than the network can transfer. Use a multiple of depositStep of the asset's network.",
  ],
  ROLE_TAKEN: [409, "Another node owns this task now."],
  PAST_OVERLAPS: [
    409,
    "Candles must be newer than the stored ones, of the same interval, and older than the first trade.",
  ],
  PAST_NOT_OVER: [409, "Only closed candles can be imported."],
  ORDERS_WAIT: [
    409,
    "Stop orders are open, and the last closing price could trigger them. Import the candles before orders are placed.",
  ],
  UNKNOWN_NETWORK: [404, "This network does not exist."],
  UNKNOWN_ADDRESS: [404, "No account has this deposit address."],
  UNKNOWN_DEPOSIT: [404, "This deposit does not exist."],
  UNKNOWN_WITHDRAWAL: [404, "No pending withdrawal has this ID."],
  WRONG_STATUS: [409, "The current status does not allow this step."],
  TRANSACTION_DIFFERS: [409, "Another transaction is recorded as the payment."],
  WITHDRAWAL_DIFFERS: [
    409,
    "Amount, fee, address or tag differ from those of the withdrawal. Nothing was changed. Check the withdrawal before you approve it.",
  ],
  ALREADY_SIGNED: [409, "The transaction is signed and may still be confirmed by the network."],
  NOT_RELATED: [409, "The accounts are not a master account and its sub-account."],
  MASTER_ONLY: [409, "A sub-account cannot have this. Use its master account."],
  DUST_NOT_OFFERED: [404, "Conversion of small balances is not configured."],
  TREASURY_SHORT: [409, "The balance of the treasury is too low."],
  NO_HOLDERS: [409, "No account holds enough of the asset to receive a payment."],
  UNKNOWN_INVITATION: [404, "This invitation does not exist or has expired."],
  UNKNOWN_SESSION: [404, "This session does not exist or has ended."],
  UNKNOWN_RECOVERY: [404, "This password reset does not exist or has expired."],
  PASSWORD_DIFFERS: [409, "The password has changed in the meantime. Try again."],
  UNKNOWN_OPERATOR: [404, "This operator does not exist."],
  NOT_PERMITTED: [403, "Your role does not allow this."],
  NEEDS_TWO: [409, "This action requires dual approval. Create an approval request (POST /v1/approval-requests)."],
  UNKNOWN_PROPOSAL: [404, "This approval request does not exist or is closed."],
  PROPOSAL_CHANGED: [409, "The approval request has changed. Read the new version and try again."],
  OWN_PROPOSAL: [403, "You created or edited this approval request. Another operator must approve it."],
  TOO_FEW_OPERATORS: [409, "Too few admins could approve under these rules. Add an admin or lower `approvals`."],
  UNKNOWN_STOP: [404, "This suspension does not exist."],
  STOPPED: [409, "This is suspended. See GET /v1/suspensions."],
  SYMBOL_TRADES: [409, "The symbol is trading. Halt it before you end its orders."],
  ORDERS_ARE_ENDING: [409, "Open orders of the symbol are still being ended. Try again when none is left."],
  DELISTED: [409, "The symbol is delisted. Its status stays BREAK."],
  REPEAT_DIFFERS: [409, "This ID or reference was already used with different contents. Nothing was changed."],
  CONTENTS_NOT_KEPT: [
    409,
    "This ID or reference was used before the exchange stored contents, so this request cannot be compared. Nothing was changed.",
  ],
  EMAIL_SHARED: [
    409,
    "Two accounts have this email address in different upper and lower case. Change one of them first.",
  ],
};

/** Converts an engine's reject reason into a rejection with error code and message. */
export function rejectionOf(reason: RejectReason): Rejection {
  const [status, message] = REASONS[reason] ?? [400, `The exchange rejected the request: ${errorWordOf(reason)}.`];
  return new Rejection(status, errorWordOf(reason), message);
}

/** Errors whose message is sent to the operator, with their status and code. */
const REPORTED_FAILURES: readonly (readonly [kind: new (why: string) => Error, status: number, code: string])[] = [
  [ControlRefused, 409, "NOT_POSSIBLE"],
  [MailNotSendable, 409, "NOT_POSSIBLE"],
  [NoSuchNetwork, 404, "UNKNOWN_NETWORK"],
  [ChainUnreachable, 503, "NETWORK_UNREACHABLE"],
];

const AUDIT_STATUSES: Readonly<Record<AuditFault, number>> = {
  NO_SUCH_PROOF: 404,
  NO_SUCH_POSITION: 404,
  BUSY: 503,
  NOT_POSSIBLE: 409,
};

/** Converts an error into a response. Unexpected errors are logged, and their message is not sent. */
export function failureOf(error: unknown, log: Pick<Logger, "error">): Answer {
  if (error instanceof Rejection) return error.answer;
  if (error instanceof AuditRefused) {
    return { status: AUDIT_STATUSES[error.fault], body: { error: error.fault, message: `${error.message}.` } };
  }
  const known = REPORTED_FAILURES.find(([kind]) => error instanceof kind);
  if (known !== undefined) {
    const [, status, code] = known;
    return { status, body: { error: code, message: (error as Error).message } };
  }
  if (error instanceof NotAccepted) {
    return {
      status: 503,
      body: {
        error: "NOT_ACCEPTED",
        message: "The exchange is not accepting commands now. Nothing was changed. Try again.",
      },
    };
  }
  log.error({ err: error }, "admin request failed");
  return {
    status: 500,
    body: {
      error: "UNKNOWN",
      message: "The request failed, and its outcome is unknown. Check whether it took effect before you repeat it.",
    },
  };
}
