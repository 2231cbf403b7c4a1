/** What customers and operators sign in with, put together. */
import type { EngineView } from "@pricetime/engine";
import { z } from "zod";
import type { LinkSecrets } from "../../platform/config/link-secrets.ts";
import type { CheckTotp } from "../../platform/config/totp.ts";
import type { Sealer } from "../../platform/config/seal.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { KeptValue, Keeping } from "../../platform/world/kept.ts";
import type { Dice } from "../../platform/world/port.ts";
import { keptPart, readKept } from "../../platform/world/read-kept.ts";
import { Guesses } from "./guesses.ts";
import { LetterPace } from "./letter-pace.ts";
import { GUESS_LIMITS, type GuessLimits, LETTER_LIMITS } from "./limits.ts";
import { Passwords, type PasswordsOptions } from "./passwords.ts";
import { SessionDoor } from "./session-door.ts";
import { SignIn } from "./sign-in.ts";
import { codesOf } from "./codes.ts";
import { Tickets } from "./tickets.ts";
import { Work } from "./work.ts";

export interface SignInOptions {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly sealer: Sealer;
  readonly links: LinkSecrets;
  readonly dice: Dice;
  readonly checkTotp: CheckTotp;
  readonly during?: PasswordsOptions["during"];
  /** Default: `GUESS_LIMITS`. */
  readonly guessLimits?: GuessLimits;
  /** What another node kept. */
  readonly kept?: KeptValue | undefined;
}

export interface SignInRoom extends Keeping {
  readonly signIn: SignIn;
  readonly sessions: SessionDoor;
  readonly tickets: Tickets;
  readonly pace: LetterPace;
  readonly links: LinkSecrets;
  readonly dice: Dice;
}

const KEPT = z.strictObject({ guesses: keptPart, tickets: keptPart, letters: keptPart, work: keptPart });

/** Throws `KeptUnreadable`. */
export function openSignIn(options: SignInOptions): SignInRoom {
  const { view, sequencer, sealer, links, dice, checkTotp, during } = options;
  const kept = options.kept === undefined ? undefined : readKept("signing in", KEPT, options.kept);
  const guesses = new Guesses(options.guessLimits ?? GUESS_LIMITS, kept?.guesses);
  const tickets = new Tickets(dice, (id, nowMs) => view.access.session(id, nowMs) !== undefined, kept?.tickets);
  const pace = new LetterPace(LETTER_LIMITS, kept?.letters);
  const work = new Work(links, dice, kept?.work);
  const passwords = new Passwords({ sealer, dice, during });
  const checkCode = codesOf(checkTotp);
  const signIn = new SignIn({ view: () => view, sequencer, dice, passwords, guesses, work, checkCode });
  const sessions = new SessionDoor({ access: view.access, sequencer, dice });
  const ownKept = (): KeptValue => ({
    ...{ guesses: guesses.kept(), tickets: tickets.kept(), letters: pace.kept(), work: work.kept() },
  });
  return { signIn, sessions, tickets, pace, links, dice, kept: ownKept };
}
