/** Why somebody is not signed in, or may not act on a password. The same for customers and operators. */

import type { Command, RejectReason } from "@pricetime/engine";
import type { SignInWork } from "@pricetime/protocol";
import { laterCodeInMs } from "../config/totp.ts";

/** The words of refusals, with the HTTP status and the sentence of each. */
export const SIGN_IN_REFUSALS = {
  SIGN_IN_FAILED: [401, "The name or the password is not right."],
  CODE_REQUIRED: [401, "A two-factor code is required."],
  CODE_WRONG: [401, "The two-factor code is not right."],
  CODE_USED: [401, "The two-factor code was used already, and each is good once."],
  TOO_MANY_TRIES: [429, "Too many attempts to sign in. Wait a moment."],
  BUSY: [503, "Too many people are signing in. Try again in a moment."],
} as const;
export type SignInWord = keyof typeof SIGN_IN_REFUSALS;

export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly word: SignInWord;
  readonly status: number;
  /** 0: the client need not wait. */
  readonly retryAfterSeconds: number;
  /** The proof of work with which the same try would be made; undefined: none helps. */
  readonly work: SignInWork | undefined;

  /** `more`: said after the word's own sentence. */
  constructor(word: SignInWord, waitMs = 0, more = "", work?: SignInWork) {
    const [status, sentence] = SIGN_IN_REFUSALS[word];
    super(sentence + more);
    this.word = word;
    this.status = status;
    this.retryAfterSeconds = Math.ceil(waitMs / 1000);
    this.work = work;
  }
}

/** `step`: of the last code that was good. */
/** The fields of the body of an answer. */
export function bodyOfRefusal({ word, message, retryAfterSeconds, work }: SignInRefused): object {
  return { error: word, message, ...(retryAfterSeconds > 0 && { retryAfterSeconds }), ...(work && { work }) };
}

export function codeUsed(step: number, nowMs: number): SignInRefused {
  const waitMs = laterCodeInMs(step, nowMs);
  const next =
    waitMs === 0 ? "Type the one that your app shows now." : `The next one comes in ${Math.ceil(waitMs / 1000)} s.`;
  return new SignInRefused("CODE_USED", waitMs, ` ${next}`);
}

/** What the exchange says of a code that another act, or another secret, came before; undefined: it is not about codes. */
export function codeRefusal(reason: RejectReason, command: Command, nowMs: number): SignInRefused | undefined {
  if (reason === "TOTP_REQUIRED") return new SignInRefused("CODE_REQUIRED");
  if (reason === "TOTP_DIFFERS") return new SignInRefused("CODE_WRONG");
  if (reason !== "TOTP_REUSED") return undefined;
  return codeUsed(("totpStep" in command ? command.totpStep : null) ?? 0, nowMs);
}
