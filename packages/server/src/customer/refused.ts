/** Refusals of the account API: a word for programs and a sentence for people. */
import type { RejectReason } from "@pricetime/engine";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../sign-in/limits.ts";
import { bodyOfRefusal, SignInRefused } from "../sign-in/refused.ts";
import type { CustomerAnswer } from "./answer.ts";

export const REFUSALS = {
  NOT_A_PAGE: [403, "The header X-Pricetime-Page is missing."],
  FOREIGN_PAGE: [403, "A page of another site may not ask for this."],
  INSECURE: [
    403,
    "Signing in takes TLS (the setting tls, or a proxy's), except on this machine itself: the request came in clear " +
      "text, or from a proxy that is not trusted or does not say X-Forwarded-Proto: https.",
  ],
  NO_SESSION: [401, "You are not signed in, or no longer."],
  NOT_FOUND: [404, "There is no such thing."],
  WRONG_METHOD: [405, "It cannot be asked for in this way."],
  NOT_JSON: [415, "The body must be JSON, sent as application/json."],
  TOO_LARGE: [413, "The body is too large."],
  BAD_REQUEST: [400, "The request is not right."],
  UNFIT_PASSWORD: [400, `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`],
  CLOSED: [403, "Accounts are opened by invitation only."],
  UNKNOWN_INVITATION: [404, "The invitation is over, or the link is not complete."],
  UNKNOWN_RECOVERY: [404, "The link is over, or not complete."],
  UNKNOWN_LINK: [404, "The link is over, or not complete."],
  LINK_OVER: [
    410,
    "The link is over. If you fear a thief, sign in and change your password, which ends all other sessions, or ask the " +
      "exchange to freeze the account.",
  ],
  UNKNOWN_SESSION: [404, "There is no such session."],
  TOO_SOON: [409, "The link is not good yet."],
  ALREADY_EXISTS: [409, "It exists already."],
  UNKNOWN_ACCOUNT: [404, "You have no such account."],
  UNKNOWN_API_KEY: [404, "You have no such API key."],
  UNKNOWN_ADDRESS: [404, "It is not on your list."],
  UNKNOWN_WITHDRAWAL: [404, "You have no such withdrawal, or it is over."],
  WRONG_STATUS: [409, "It has gone too far for that."],
  INVALID_VALUE: [400, "A value is out of range."],
  BAD_ADDRESS: [400, "There is no such address on this network."],
  ADDRESSES_REQUIRED: [400, "A key that may withdraw names the addresses from which it is used."],
  CODES_FIRST: [403, "A key that may withdraw takes two-factor codes: switch them on first."],
  NO_PROOF: [404, "The venue has not published a proof of what it owes."],
  PROOF_NOT_READY: [503, "The proof cannot be read at the moment. Try again later."],
  NOT_YET: [503, "The month was over just now. Try again in a minute."],
  STATEMENT_BUSY: [503, "Other statements are being written. Try again in a moment."],
  HISTORY_BEHIND: [503, "The history is not as far yet. Try again in a moment."],
  REFUSED: [409, "The exchange refused it."],
  TOO_MANY: [409, "There can be no more of these."],
  NOT_PERMITTED: [403, "That is not permitted."],
  SERVER_BUSY: [503, "The exchange is not taking commands now. Try again in a moment."],
  UNKNOWN_OUTCOME: [504, "Whether it was carried out is not known. Look before you try again."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;
export type CustomerWord = keyof typeof REFUSALS;

export class CustomerRefused extends Error {
  override readonly name = "CustomerRefused";
  readonly word: CustomerWord;
  readonly retryAfterSeconds: number;

  /** `sentence`: default is the word's own. */
  constructor(word: CustomerWord, sentence: string = REFUSALS[word][1], retryAfterSeconds = 0) {
    super(sentence);
    this.word = word;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The engine's reasons that have a word here; the others say REFUSED, and the reason. */
const isWord = (reason: string): reason is CustomerWord => Object.hasOwn(REFUSALS, reason);

export function refusalOf(reason: RejectReason): CustomerRefused {
  return isWord(reason)
    ? new CustomerRefused(reason)
    : new CustomerRefused("REFUSED", `The exchange refused it: ${reason}.`);
}

/** Undefined: it is no refusal. */
export function answerOfRefusal(error: unknown): CustomerAnswer | undefined {
  if (error instanceof SignInRefused) {
    return refusal(error.status, error.retryAfterSeconds, bodyOfRefusal(error));
  }
  if (!(error instanceof CustomerRefused)) return undefined;
  const { word, message, retryAfterSeconds } = error;
  const more = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  return refusal(REFUSALS[word][0], retryAfterSeconds, { error: word, message, ...more });
}

function refusal(status: number, retryAfterSeconds: number, body: object): CustomerAnswer {
  const headers = retryAfterSeconds === 0 ? [] : ["Retry-After", String(retryAfterSeconds)];
  return { status, headers, body };
}
