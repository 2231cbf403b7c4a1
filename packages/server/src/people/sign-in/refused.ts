/** Errors of signing in, and of requests that need a password or a code. Shared by customers and operators. */
import type { Command, RejectReason } from "@pricetime/engine";
import type { SignInWork } from "@pricetime/protocol";
import { Rejection } from "../http/answer.ts";
import { laterCodeInMs } from "../../platform/secrets/totp.ts";

/** Error codes with their HTTP status and message. */
export const SIGN_IN_REFUSALS = {
  SIGN_IN_FAILED: [401, "The password is wrong, or this account does not exist."],
  CODE_REQUIRED: [401, "A two-factor code is required."],
  CODE_WRONG: [401, "The two-factor code is wrong."],
  CODE_USED: [401, "This two-factor code was already used. Each code works once."],
  TOO_MANY_TRIES: [429, "Too many attempts. Wait a moment, then try again."],
  BUSY: [503, "Too many people are signing in. Try again in a moment."],
} as const;
export type SignInWord = keyof typeof SIGN_IN_REFUSALS;

export class SignInRefused extends Rejection {
  override readonly name = "SignInRefused";

  /** `more`: appended to the message. `work`: a proof of work with which the request would be accepted. */
  constructor(word: SignInWord, waitMs = 0, more = "", work?: SignInWork) {
    const [status, sentence] = SIGN_IN_REFUSALS[word];
    super(status, word, sentence + more, work && { work }, Math.ceil(waitMs / 1000));
  }
}

/** The error for a code that was used before. `step`: the time step of the last accepted code. */
export function codeUsed(step: number, nowMs: number): SignInRefused {
  const waitMs = laterCodeInMs(step, nowMs);
  const next =
    waitMs === 0
      ? "Enter the code that your app shows now."
      : `The next code appears in ${Math.ceil(waitMs / 1000)} s.`;
  return new SignInRefused("CODE_USED", waitMs, ` ${next}`);
}

/** The error if the engine rejected a command because of its two-factor code; undefined for other reasons. */
export function codeRefusal(reason: RejectReason, command: Command, nowMs: number): SignInRefused | undefined {
  if (reason === "TOTP_REQUIRED") return new SignInRefused("CODE_REQUIRED");
  if (reason === "TOTP_DIFFERS") return new SignInRefused("CODE_WRONG");
  if (reason !== "TOTP_REUSED") return undefined;
  return codeUsed(("totpStep" in command ? command.totpStep : null) ?? 0, nowMs);
}

/** Error codes for reject reasons that have older names in the journal and history. All others are unchanged. */
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

/** Returns the error code of a reject reason, for responses and the audit log. */
export const errorWordOf = (reason: string): string => WORDS[reason] ?? reason;
