/**
 * Sign-in of customers and operators: checks the limits, the password and the two-factor code, and opens the session.
 */
import {
  accountIdOf,
  type CodeOfAct,
  type EngineView,
  type Holder,
  operatorNameOf,
  SECOND_MS,
} from "@pricetime/engine";
import type { DoneWork } from "@pricetime/protocol";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Dice, Saves } from "../../platform/world/port.ts";
import { clientOf, type Guess, Guesses, isFamiliar, EmailPace } from "./attempts.ts";
import { type HashFor, type HashSlot, Passwords, type PasswordsOptions, TooManyHashes } from "./passwords.ts";
import { codeRefusal, codeUsed, SignInRefused } from "./refused.ts";
import { hashOfSecret, newToken, type Token } from "./tokens.ts";
import { Work, type Worked } from "./work.ts";
import { z } from "zod";
import { type CheckTotp, newTotpSecret, totpStep } from "../../platform/secrets/totp.ts";
import type { LinkSecrets } from "../../platform/secrets/link-secrets.ts";
import { type Sealer, UnsealError } from "../../platform/secrets/seal.ts";
import type { GuessLimits } from "./limits.ts";
import { SessionStore, Tickets } from "./sessions.ts";

/** See `CheckTotp`. */
type CheckCode = (holder: Holder, sealedTotp: string, code: string, nowMs: number, from: string) => number | null;

export interface SignInParts {
  readonly view: () => Pick<EngineView, "access" | "account">;
  readonly sequencer: Sequencer;
  readonly dice: Dice;
  readonly passwords: Passwords;
  readonly guesses: Guesses;
  readonly work: Work;
  readonly checkCode: CheckCode;
}

/** The two-factor code in the form that commands contain. */
export const codeInAct = ({ totpStep, totpSecret }: UsedCode): CodeOfAct =>
  totpStep === null || totpSecret === undefined ? {} : { totpStep, totpSecret };

/** The credentials of a sign-in. */
export interface Claim {
  /** Undefined if no holder has this name. The check then takes the same time. */
  readonly holder: Holder | undefined;
  readonly password: string;
  readonly code: string | undefined;
  /** The holder's encrypted two-factor secret; null if no code is required. */
  readonly sealedTotp: string | null;
  readonly guess: Guess;
  /** The proof of work requested by the rejection of an earlier attempt. */
  readonly work?: DoneWork | undefined;
}

/** A started attempt. */
interface Try extends Claim {
  readonly worked: Worked | undefined;
}

/** The client's properties shown in the list of sessions. */
export interface ClientSigns {
  readonly ip: string;
  readonly client: string;
}

/** An accepted two-factor code. */
export interface UsedCode {
  readonly totpStep: number | null;
  readonly totpSecret?: string;
}

export interface Proven extends UsedCode {
  readonly holder: Holder;
  /** The encrypted hash that matched. */
  readonly sealedPassword: string;
}

const BUSY_WAIT_MS = SECOND_MS;

export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** Checks the password and the code, and counts failed attempts. Rejects with `SignInRefused`. */
  async prove(claim: Claim): Promise<Proven> {
    const { holder, password, guess } = claim;
    const begun = this.#begin(claim);
    const sealedPassword = holder === undefined ? undefined : this.#parts.view().access.sealedPassword(holder);
    const isRight = await this.#isRight(sealedPassword, password, begun);
    if (!isRight || holder === undefined || sealedPassword === undefined) throw new SignInRefused("SIGN_IN_FAILED");
    const used = this.#codeOf(holder, begun);
    this.#parts.guesses.right(guess);
    return { holder, sealedPassword, ...used };
  }

  /** Starts an attempt. Throws `SignInRefused` if none is allowed now. Ignores an invalid proof of work. */
  #begin(claim: Claim): Try {
    const { guess } = claim;
    const { sequencer, guesses, work } = this.#parts;
    const nowMs = sequencer.nowMs();
    const worked = claim.work && work.take(claim.work, guess.subject, nowMs);
    const begun = { ...claim, worked };
    const waitMs = guesses.begin(guess, nowMs, worked !== undefined);
    if (waitMs === 0) return begun;
    this.#giveBack(begun);
    throw this.#refusal("TOO_MANY_TRIES", waitMs, guess);
  }

  /** The error for a client that must wait, with a proof of work that would allow the attempt now. */
  #refusal(word: "TOO_MANY_TRIES" | "BUSY", waitMs: number, guess: Guess, leastBits = 0): SignInRefused {
    const { guesses, work, sequencer } = this.#parts;
    const nowMs = sequencer.nowMs();
    const bits = guesses.workBits(guess, nowMs, leastBits);
    return new SignInRefused(word, waitMs, "", bits === null ? undefined : work.offer(guess.subject, bits, nowMs));
  }

  #giveBack({ worked }: Try): void {
    if (worked !== undefined) this.#parts.work.giveBack(worked);
  }

  /** Opens a session. Rejects with `SignInRefused`, and with the errors of the sequencer. */
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

  /**
   * Resolves to the encrypted hash of a new password, for a client with a session or a link. Rejects with
   * `SignInRefused`.
   */
  async sealedHashOf(password: string, sender: string, whose: HashFor = "customers"): Promise<string> {
    try {
      return await this.#parts.passwords.sealedHashOf(password, { whose, standing: "known", sender, bits: 0 });
    } catch (error) {
      throw error instanceof TooManyHashes ? new SignInRefused("BUSY", BUSY_WAIT_MS) : error;
    }
  }

  async #isRight(sealedPassword: string | undefined, password: string, begun: Try): Promise<boolean> {
    const { guess } = begun;
    const { passwords, guesses } = this.#parts;
    const place = placeOf(begun);
    try {
      return await passwords.isRight(sealedPassword, password, place);
    } catch (error) {
      // The password was not compared, so the attempt does not count.
      guesses.undo(guess);
      this.#giveBack(begun);
      if (!(error instanceof TooManyHashes)) throw error;
      throw this.#refusal("BUSY", BUSY_WAIT_MS, guess, passwords.priceOf(place.whose));
    }
  }

  #codeOf(holder: Holder, begun: Try): UsedCode {
    const { sealedTotp, code, guess } = begun;
    if (sealedTotp === null) return { totpStep: null };
    if (code === undefined) {
      // The client may not know yet that a code is required, so the attempt does not count.
      this.#parts.guesses.undo(guess);
      this.#giveBack(begun);
      throw new SignInRefused("CODE_REQUIRED");
    }
    const nowMs = this.#parts.sequencer.nowMs();
    const from = isFamiliar(guess) ? clientOf(guess) : "";
    const step = this.#parts.checkCode(holder, sealedTotp, code, nowMs, from);
    if (step === null) throw new SignInRefused("CODE_WRONG");
    // Each code is accepted once. The engine checks this again, in the order of the journal.
    const lastStep = this.#lastStepOf(holder);
    if (step <= lastStep) throw codeUsed(lastStep, nowMs);
    return { totpStep: step, totpSecret: sealedTotp };
  }

  #lastStepOf(holder: Holder): number {
    const { access } = this.#parts.view();
    const accountId = accountIdOf(holder);
    if (accountId !== undefined) return access.totpStep(accountId);
    return access.operator(operatorNameOf(holder) ?? "")?.totpStep ?? -1;
  }
}

/**
 * The place in the hash queue. Clients are limited by address. At a shared address, each proof of work counts as a
 * separate client.
 */
function placeOf({ guess, worked }: Try): HashSlot {
  const whose = operatorNameOf(guess.subject) === undefined ? "customers" : "operators";
  const sender = clientOf(guess);
  if (isFamiliar(guess)) return { whose, standing: "known", sender, bits: 0 };
  if (worked === undefined) return { whose, standing: "stranger", sender, bits: 0 };
  const { id, bits } = worked;
  return { whose, standing: "worked", sender: guess.isSharedAddress === true ? id : sender, bits };
}

function codesOf(checkTotp: CheckTotp): CheckCode {
  return (holder, sealedTotp, code, nowMs, from) =>
    checkTotp(accountIdOf(holder) ?? holder, sealedTotp, code, nowMs, from);
}

// Setting up two-factor authentication. Until a code confirms a new secret, the client stores it in encrypted form.

const pendingTotp = z.strictObject({ holder: z.string(), secret: z.string(), untilMs: z.int() });

/** Creates a two-factor secret. `pending` contains it in encrypted form and is valid until `untilMs`. */
export function newPendingTotp(
  { sealer, dice }: { readonly sealer: Sealer; readonly dice: Dice },
  { holder, email, untilMs }: { readonly holder: Holder; readonly email: string; readonly untilMs: number },
): { readonly secret: string; readonly uri: string; readonly pending: string } {
  const { secret, uri } = newTotpSecret(email, dice);
  return { secret, uri, pending: sealer.seal(JSON.stringify({ holder, secret, untilMs })) };
}

/** Decrypts a pending secret; undefined if it is invalid, belongs to another holder, or has expired. */
function pendingSecret(sealer: Sealer, pending: string, holder: Holder, nowMs: number): string | undefined {
  try {
    const { secret, ...known } = pendingTotp.parse(JSON.parse(sealer.unseal(pending)));
    return known.holder === holder && nowMs < known.untilMs ? secret : undefined;
  } catch (error) {
    if (error instanceof UnsealError || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/**
 * Checks the first code of a pending secret. Returns secret and code as commands contain them; undefined if the secret
 * is invalid, belongs to another holder, or has expired. Throws `SignInRefused` for a wrong code.
 */
export function confirmPendingTotp(
  sealer: Sealer,
  { pending, code }: { readonly pending: string; readonly code: string },
  holder: Holder,
  nowMs: number,
): { readonly sealedSecret: string; readonly totpStep: number; readonly totpSecret: string } | undefined {
  const secret = pendingSecret(sealer, pending, holder, nowMs);
  if (secret === undefined) return undefined;
  const step = totpStep(secret, code, nowMs);
  if (step === null) throw new SignInRefused("CODE_WRONG");
  const sealedSecret = sealer.seal(secret);
  return { sealedSecret, totpStep: step, totpSecret: sealedSecret };
}

export interface SignInOptions {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly sealer: Sealer;
  readonly links: LinkSecrets;
  readonly world: Dice & Saves;
  readonly checkTotp: CheckTotp;
  readonly during?: PasswordsOptions["during"];
  readonly hashCost?: PasswordsOptions["cost"];
  /** Default: `GUESS_LIMITS`. */
  readonly guessLimits?: GuessLimits;
}

export interface CustomerSignIn {
  readonly signIn: SignIn;
  readonly sessions: SessionStore;
  readonly tickets: Tickets;
  readonly pace: EmailPace;
  readonly links: LinkSecrets;
  readonly dice: Dice;
}

export function openSignIn(options: SignInOptions): CustomerSignIn {
  const { view, sequencer, sealer, links, world: dice, checkTotp, during } = options;
  const guesses = new Guesses(dice.saved, options.guessLimits);
  const tickets = new Tickets(dice, (id, nowMs) => view.access.session(id, nowMs) !== undefined);
  const pace = new EmailPace(dice.saved);
  const work = new Work(links, dice);
  const passwords = new Passwords({ sealer, dice, during, cost: options.hashCost });
  const checkCode = codesOf(checkTotp);
  const signIn = new SignIn({ view: () => view, sequencer, dice, passwords, guesses, work, checkCode });
  const sessions = new SessionStore({ access: view.access, sequencer, dice });
  return { signIn, sessions, tickets, pace, links, dice };
}
