/** The answers to admin requests, and the reasons for refusals. */
import type { RejectReason } from "@pricetime/engine";
import { errorWordOf } from "../answers/error-words.ts";
import type { Logger } from "../observe/log.ts";
import { type AuditFault, AuditRefused } from "../proof/folder/port.ts";
import { NotAccepted } from "../sequencer/port.ts";
import { bodyOfRefusal, SignInRefused } from "../sign-in/refused.ts";
import { MailNotSendable } from "../mail/port.ts";
import { ChainUnreachable, ControlRefused, NoSuchNetwork } from "../wallet/port.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the body. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** What the stream is made of; bytes when absent. */
  readonly type?: string;
  /** The name under which a browser keeps the stream: letters, digits, `-` and `.`. */
  readonly fileName?: string;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const streamed = (stream: AsyncIterable<Uint8Array>): Answer => ({ status: 200, body: null, stream });
export const created = (body: unknown): Answer => ({ status: 201, body });
/** It is not done yet: it waits for somebody. */
export const accepted = (body: unknown): Answer => ({ status: 202, body });

/** A request that is refused. `code` is a word for programs, the message a sentence for people. */
export class AdminRefusal extends Error {
  override readonly name = "AdminRefusal";
  readonly status: number;
  readonly code: string;
  /** Fields of the answer besides the two. */
  readonly more: object;

  constructor(status: number, code: string, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

const REASONS: Partial<Record<RejectReason, readonly [status: number, message: string]>> = {
  UNKNOWN_ACCOUNT: [404, "There is no such account."],
  UNKNOWN_ASSET: [404, "There is no such asset."],
  UNKNOWN_SYMBOL: [404, "There is no such symbol."],
  UNKNOWN_API_KEY: [404, "There is no such API key."],
  ALREADY_EXISTS: [409, "It exists already; nothing was changed."],
  INSUFFICIENT_BALANCE: [409, "The account does not have that much free."],
  TOO_MANY: [409, "There can be no more of these."],
  INVALID_VALUE: [400, "The exchange cannot hold a value that was sent: out of range, or too many digits."],
  ROUNDING_TOO_COARSE: [
    400,
    "One unit of the quote asset is more than 5 bp of the symbol's smallest trade. Quote it in an asset with more digits, raise minNotional, or set acceptRounding: true.",
  ],
  DEPOSIT_NOT_A_MULTIPLE: [
    400,
    "The amount is finer than the network carries: see depositStep of the asset's network.",
  ],
  ROLE_TAKEN: [409, "Another node does this now."],
  PAST_OVERLAPS: [409, "Candles come after those that are there, of one interval, and before the first trade."],
  PAST_NOT_OVER: [409, "A candle that is imported must be over."],
  ORDERS_WAIT: [409, "Orders wait for their stop price, and the last close of the candles would set them off."],
  UNKNOWN_NETWORK: [404, "There is no such network."],
  UNKNOWN_ADDRESS: [404, "It is nobody's address here."],
  UNKNOWN_DEPOSIT: [404, "There is no such deposit."],
  UNKNOWN_WITHDRAWAL: [404, "There is no such withdrawal, or it is over."],
  WRONG_STATUS: [409, "It has gone too far for that, or not far enough."],
  TRANSACTION_DIFFERS: [409, "It was paid by another transaction."],
  ALREADY_SIGNED: [409, "Its transaction is signed and may still arrive."],
  NOT_RELATED: [409, "The accounts do not belong together."],
  MASTER_ONLY: [409, "A sub-account cannot have this: name its master account."],
  DUST_NOT_OFFERED: [404, "Dust is not converted here."],
  TREASURY_SHORT: [409, "The treasury does not have that much."],
  NO_HOLDERS: [409, "Nobody holds enough of the asset to be paid anything."],
  UNKNOWN_INVITATION: [404, "There is no such invitation, or it is over."],
  UNKNOWN_SESSION: [404, "There is no such session, or it is over."],
  UNKNOWN_RECOVERY: [404, "There is no such recovery, or it is over."],
  PASSWORD_DIFFERS: [409, "The password was changed in the meantime."],
  UNKNOWN_OPERATOR: [404, "There is no such operator."],
  NOT_PERMITTED: [403, "Your role does not allow this."],
  NEEDS_TWO: [409, "It needs a second person: propose it, and somebody else approves it."],
  UNKNOWN_PROPOSAL: [404, "There is no such proposal, or it is over."],
  PROPOSAL_CHANGED: [409, "The proposal was changed in the meantime: read it again."],
  OWN_PROPOSAL: [403, "Whoever wrote a word of a proposal cannot approve it."],
  TOO_FEW_OPERATORS: [409, "There are not enough admins who could approve by these rules."],
  UNKNOWN_STOP: [404, "There is no such stop."],
  STOPPED: [409, "It is stopped at present."],
  SYMBOL_TRADES: [409, "The symbol is trading. Halt it first, then end its orders."],
  ORDERS_ARE_ENDING: [409, "Open orders of the symbol are still ending. Try again when none is left."],
  DELISTED: [409, "The symbol is delisted: its status stays BREAK."],
  REPEAT_DIFFERS: [409, "The same id was used with other contents; nothing was changed."],
  CONTENTS_NOT_KEPT: [
    409,
    "The same id was used before the exchange kept contents, so this request cannot be compared; nothing was changed.",
  ],
  EMAIL_SHARED: [409, "Two accounts share this email address but for upper and lower case. Change one of them first."],
};

/** Turns the engine's reject reason into a refusal. */
export function refusalOf(reason: RejectReason): AdminRefusal {
  const [status, message] = REASONS[reason] ?? [400, `The exchange rejected the request: ${errorWordOf(reason)}.`];
  return new AdminRefusal(status, errorWordOf(reason), message);
}

/** Errors whose message was written for the operator. */
const TOLD_FAILURES: readonly (readonly [kind: new (why: string) => Error, status: number, code: string])[] = [
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

/** Turns an error into an answer. An unforeseen error is logged, and its text is not shown. */
export function failureOf(error: unknown, log: Pick<Logger, "error">): Answer {
  if (error instanceof AdminRefusal) {
    return { status: error.status, body: { error: error.code, message: error.message, ...error.more } };
  }
  if (error instanceof AuditRefused) {
    return { status: AUDIT_STATUSES[error.fault], body: { error: error.fault, message: `${error.message}.` } };
  }
  if (error instanceof SignInRefused) {
    return { status: error.status, body: bodyOfRefusal(error) };
  }
  const known = TOLD_FAILURES.find(([kind]) => error instanceof kind);
  if (known !== undefined) {
    const [, status, code] = known;
    return { status, body: { error: code, message: (error as Error).message } };
  }
  if (error instanceof NotAccepted) {
    return { status: 503, body: { error: "NOT_ACCEPTED", message: "The exchange is not taking commands now." } };
  }
  log.error({ err: error }, "an admin request failed");
  return { status: 500, body: { error: "UNKNOWN", message: "It failed; whether it was carried out is not known." } };
}
