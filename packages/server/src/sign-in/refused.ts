/** Why somebody is not signed in, or may not act on a password. The same for customers and operators. */

/** The words of refusals, with the HTTP status and the sentence of each. */
export const SIGN_IN_REFUSALS = {
  SIGN_IN_FAILED: [401, "The name or the password is not right."],
  CODE_REQUIRED: [401, "A two-factor code is required."],
  CODE_WRONG: [401, "The two-factor code is not right, or was used already."],
  TOO_MANY_TRIES: [429, "Too many tries. Wait a moment."],
  BUSY: [503, "Too many people sign in just now. Try again in a moment."],
} as const;
export type SignInWord = keyof typeof SIGN_IN_REFUSALS;

export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly word: SignInWord;
  readonly status: number;
  /** 0: the client need not wait. */
  readonly retryAfterSeconds: number;

  constructor(word: SignInWord, waitMs = 0) {
    const [status, sentence] = SIGN_IN_REFUSALS[word];
    super(sentence);
    this.word = word;
    this.status = status;
    this.retryAfterSeconds = Math.ceil(waitMs / 1000);
  }
}
