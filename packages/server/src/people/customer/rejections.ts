/** Rejections of the account API: HTTP status and message by error code. */
import type { RejectReason } from "@pricetime/engine";
import { MOVEMENT_LIMITS } from "../../history/port.ts";
import { Rejection } from "../http/answer.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../sign-in/limits.ts";
import { errorWordOf, type SignInWord } from "../sign-in/refused.ts";

const REJECTIONS = {
  PAGE_HEADER_MISSING: [403, "The header X-Pricetime-Page is missing."],
  FOREIGN_ORIGIN: [403, "Requests from pages of other sites are not accepted."],
  INSECURE: [
    403,
    "Signing in requires TLS (the setting tls, or a proxy's), except on the node's own machine. This request was not " +
      "encrypted, or came from a proxy that is not trusted or does not send X-Forwarded-Proto: https.",
  ],
  NO_SESSION: [401, "You are not signed in, or your session has ended. Sign in again."],
  NOT_FOUND: [404, "Not found. Check the path."],
  METHOD_NOT_ALLOWED: [405, "This path does not accept this method."],
  NOT_JSON: [415, "The body must be JSON with the content type application/json."],
  TOO_LARGE: [413, "The body is too large."],
  BAD_REQUEST: [400, "The request is invalid."],
  INVALID_PASSWORD: [400, `Choose a password of ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`],
  SIGN_UP_CLOSED: [403, "Accounts are opened by invitation only. Ask the exchange for an invitation."],
  UNKNOWN_INVITATION: [
    404,
    "This invitation was already used or has expired, or the link is incomplete. If you have opened your account, sign in.",
  ],
  UNKNOWN_PASSWORD_RESET: [404, "This link has expired, was canceled or is incomplete."],
  UNKNOWN_LINK: [404, "This link has expired or is incomplete."],
  LINK_EXPIRED: [
    410,
    "This link has expired. If someone else may have access to your account, sign in and change your password, which " +
      "ends all other sessions, or ask the exchange to lock the account.",
  ],
  UNKNOWN_SESSION: [404, "This session has already ended."],
  TOO_SOON: [409, "This link does not work yet. The email says from when on it works."],
  ALREADY_EXISTS: [409, "It already exists."],
  UNKNOWN_ACCOUNT: [404, "You have no such account."],
  UNKNOWN_API_KEY: [404, "You have no such API key."],
  UNKNOWN_ADDRESS: [404, "This address is not in your address book."],
  UNKNOWN_WITHDRAWAL: [404, "You have no such withdrawal, or it has ended."],
  WRONG_STATUS: [409, "This is no longer possible: the status has changed. Reload the page."],
  INVALID_VALUE: [400, "A value is out of range."],
  INVALID_ADDRESS: [400, "This address or tag is not valid on this network."],
  IP_ALLOW_LIST_REQUIRED: [400, "An API key with the Withdraw permission needs at least one allowed IP address."],
  TWO_FACTOR_REQUIRED: [403, "Turn on two-factor authentication before you create an API key that can withdraw."],
  NO_PROOF: [404, "The exchange has not published a proof of liabilities yet."],
  PROOF_NOT_READY: [503, "The proof cannot be read right now. Try again later."],
  STATEMENT_NOT_READY: [503, "The month has only just ended. Try again in a minute."],
  STATEMENT_BUSY: [503, "Other statements are being written. Try again in a moment."],
  TOO_MANY_TRADES: [
    409,
    `Cost and profit are not computed for accounts with more than ${MOVEMENT_LIMITS.maxRows.toLocaleString("en")} trades. ` +
      "Download the statements instead.",
  ],
  HISTORY_BEHIND: [503, "The history is still catching up. Try again in a moment."],
  REJECTED: [409, "The exchange rejected the request."],
  TOO_MANY: [409, "You have reached the maximum number."],
  NOT_PERMITTED: [403, "You are not permitted to do this."],
  SERVER_BUSY: [503, "The exchange is not accepting requests right now. Try again in a moment."],
  UNKNOWN_OUTCOME: [504, "It is unknown whether the request was carried out. Check before you try again."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;
type Word = keyof typeof REJECTIONS;
/** Every error word of the account API, so that pages can translate the errors. */
export type AccountErrorWord = Word | SignInWord;

/** Creates the rejection for an error code. `sentence`: replaces the default message. */
export function rejected(word: Word, sentence?: string, retryAfterSeconds = 0): Rejection {
  const [status, message] = REJECTIONS[word];
  return new Rejection(status, word, sentence ?? message, {}, retryAfterSeconds);
}

/** Whether a reject reason is also an error code here. All others become REJECTED, with the reason in the message. */
const isWord = (reason: string): reason is Word => Object.hasOwn(REJECTIONS, reason);

export function rejectionOf(reason: RejectReason): Rejection {
  const word = errorWordOf(reason);
  return isWord(word) ? rejected(word) : rejected("REJECTED", `The exchange rejected the request: ${word}.`);
}
