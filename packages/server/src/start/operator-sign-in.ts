/** How operators prove who they are: passwords and codes, with pauses for whoever guesses. */
import type { EngineView } from "@pricetime/engine";
import type { Sealer } from "../config/seal.ts";
import { totpStep } from "../config/totp.ts";
import type { Sequencer } from "../sequencer/port.ts";
import { Guesses } from "../sign-in/guesses.ts";
import { GUESS_LIMITS } from "../sign-in/limits.ts";
import { Passwords } from "../sign-in/passwords.ts";
import { SignIn } from "../sign-in/sign-in.ts";
import type { KeptValue } from "../world/kept.ts";
import type { World } from "../world/port.ts";

interface Ground {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly sealer: Sealer;
  readonly world: World;
}

export interface OperatorSignIn {
  readonly signIn: SignIn;
  readonly guesses: Guesses;
}

/** `kept`: the guesses that another node remembered. Wrong codes are counted with wrong passwords. */
export function operatorSignIn({ view, sequencer, sealer, world: dice }: Ground, kept?: KeptValue): OperatorSignIn {
  const guesses = new Guesses(GUESS_LIMITS, kept);
  const passwords = new Passwords({ sealer, dice });
  const signIn = new SignIn({
    ...{ view: () => view, sequencer, dice, passwords, guesses },
    checkCode: (_holder, sealedTotp, code, nowMs) => totpStep(sealer.unseal(sealedTotp), code, nowMs),
  });
  return { signIn, guesses };
}
