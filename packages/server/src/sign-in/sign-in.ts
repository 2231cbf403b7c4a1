/** Signing in, the same for customers and operators: pauses first, then the password, the code, and the session. */
import {
  accountIdOf,
  type CodeOfAct,
  type EngineView,
  type Holder,
  operatorNameOf,
  SECOND_MS,
} from "@pricetime/engine";
import type { Sequencer } from "../sequencer/port.ts";
import type { Dice } from "../world/port.ts";
import type { Guess, Guesses } from "./guesses.ts";
import { TooManyHashes } from "./hash-queue.ts";
import type { Passwords } from "./passwords.ts";
import { codeRefusal, codeUsed, SignInRefused } from "./refused.ts";
import { hashOfSecret, newToken, type Token } from "./tokens.ts";

/** The time step of the holder's right code; null: it is wrong, or may not be tried now. */
export type CheckCode = (holder: Holder, sealedTotp: string, code: string, nowMs: number) => number | null;

export interface SignInParts {
  readonly view: () => Pick<EngineView, "access" | "account">;
  readonly sequencer: Sequencer;
  readonly dice: Dice;
  readonly passwords: Passwords;
  readonly guesses: Guesses;
  readonly checkCode: CheckCode;
}

/** The code of somebody proven, as acts on the own carry it. */
export const codeInAct = ({ totpStep, totpSecret }: UsedCode): CodeOfAct =>
  totpStep === null || totpSecret === undefined ? {} : { totpStep, totpSecret };

/** Somebody who says who they are. */
export interface Claim {
  /** Undefined: nobody has that name, which takes as long to say. */
  readonly holder: Holder | undefined;
  readonly password: string;
  readonly code: string | undefined;
  /** The sealed two-factor secret of the holder; null: no code is required. */
  readonly sealedTotp: string | null;
  readonly guess: Guess;
}

/** How a client is told apart in the list of sessions. */
export interface ClientSigns {
  readonly ip: string;
  readonly client: string;
}

/** What a code that was checked is in a command. */
export interface UsedCode {
  readonly totpStep: number | null;
  readonly totpSecret?: string;
}

export interface Proven extends UsedCode {
  readonly holder: Holder;
  /** The sealed hash that was compared. */
  readonly sealedPassword: string;
}

const BUSY_WAIT_MS = SECOND_MS;

export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** Checks password and code, and counts wrong ones. Rejects with `SignInRefused`. */
  async prove({ holder, password, code, sealedTotp, guess }: Claim): Promise<Proven> {
    const { view, sequencer, guesses } = this.#parts;
    const waitMs = guesses.begin(guess, sequencer.nowMs());
    if (waitMs > 0) throw new SignInRefused("TOO_MANY_TRIES", waitMs);
    const sealedPassword = holder === undefined ? undefined : view().access.sealedPassword(holder);
    const isRight = await this.#isRight(sealedPassword, password, guess);
    if (!isRight || holder === undefined || sealedPassword === undefined) throw new SignInRefused("SIGN_IN_FAILED");
    const used = this.#codeOf(holder, sealedTotp, code, guess);
    guesses.right(guess);
    return { holder, sealedPassword, ...used };
  }

  /** Opens a session of somebody proven. Rejects with `SignInRefused`, and as the sequencer does. */
  async open(proven: Proven, untilMs: number, signs: ClientSigns): Promise<Token> {
    const token = newToken(this.#parts.dice);
    const { sessionId, secret } = token;
    const secretHash = hashOfSecret(secret);
    const command = { type: "openSession", ...proven, sessionId, secretHash, untilMs, ...signs } as const;
    const [first] = (await this.#parts.sequencer.run(command)).events;
    if (first?.type === "rejected") {
      const ofCode = codeRefusal(first.reason, command, this.#parts.sequencer.nowMs());
      throw ofCode ?? new SignInRefused("SIGN_IN_FAILED");
    }
    return token;
  }

  /** A hash of a new password, to be put into a command. Rejects with `SignInRefused`. */
  sealedHashOf(password: string, ip: string): Promise<string> {
    return unlessBusy(this.#parts.passwords.sealedHashOf(password, ip));
  }

  async #isRight(sealedPassword: string | undefined, password: string, guess: Guess): Promise<boolean> {
    try {
      const whose = operatorNameOf(guess.subject) === undefined ? "customers" : "operators";
      return await unlessBusy(this.#parts.passwords.isRight(sealedPassword, password, guess.ip, whose));
    } catch (error) {
      // Nothing was compared: a crowd at the door makes nobody's own tries count as wrong.
      this.#parts.guesses.undo(guess);
      throw error;
    }
  }

  #codeOf(holder: Holder, sealedTotp: string | null, code: string | undefined, guess: Guess): UsedCode {
    if (sealedTotp === null) return { totpStep: null };
    if (code === undefined) {
      // A client that does not know yet that a code is required has guessed nothing; wrong codes before stay counted.
      this.#parts.guesses.undo(guess);
      throw new SignInRefused("CODE_REQUIRED");
    }
    const nowMs = this.#parts.sequencer.nowMs();
    const totpStep = this.#parts.checkCode(holder, sealedTotp, code, nowMs);
    if (totpStep === null) throw new SignInRefused("CODE_WRONG");
    // Whoever saw a code as it was used could do more with it. The exchange looks again, in the journal's order.
    const lastStep = this.#lastStepOf(holder);
    if (totpStep <= lastStep) throw codeUsed(lastStep, nowMs);
    return { totpStep, totpSecret: sealedTotp };
  }

  #lastStepOf(holder: Holder): number {
    const { access } = this.#parts.view();
    const accountId = accountIdOf(holder);
    if (accountId !== undefined) return access.totpStep(accountId);
    return access.operator(operatorNameOf(holder) ?? "")?.totpStep ?? -1;
  }
}

async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TooManyHashes) throw new SignInRefused("BUSY", BUSY_WAIT_MS);
    throw error;
  }
}
