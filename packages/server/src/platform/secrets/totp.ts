/** Two-factor codes of authenticator apps: six digits that change every 30 seconds. RFC 6238. */
import { SECOND_MS } from "@pricetime/engine";
import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import type { Dice, SavedState } from "../world/port.ts";
import { savedCount } from "../world/saved-state.ts";
import type { Sealer } from "./seal.ts";

const ISSUER = "Pricetime";
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** A code is accepted in its own time step and in the steps before and after it. */
const WINDOW_STEPS = 1;
const CODE = /^[0-9]{6}$/;
/** After this many wrong codes in a row, further codes are rejected unchecked for a while. */
export const MAX_WRONG_CODES = 5;
export const WRONG_CODES_PAUSE_MS = 5 * 60_000;
/** Maximum number of stored counts of wrong codes. Above it, the oldest is dropped. */
const MAX_TRACKED_ACCOUNTS = 100_000;

/** Generates a secret, in base32 and as the URI for a QR code. */
export function newTotpSecret(email: string, dice: Dice): { readonly secret: string; readonly uri: string } {
  // Copied, because the library uses the whole underlying ArrayBuffer.
  const { buffer } = Uint8Array.from(dice.randomBytes(SECRET_BYTES));
  const totp = totpOf(new Secret({ buffer }), email);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

const totpOf = (secret: Secret, label = "account"): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_S });

/**
 * Returns the time step of a code that is valid at `nowMs`, or null. `account`: an account number, or `operator:carol`.
 * `from`: identifies a familiar browser, a session or an API key, whose wrong codes are counted separately, so that
 * another client with the password cannot block the holder; empty for any other client.
 */
export type CheckTotp = (
  account: number | string,
  sealedSecret: string,
  code: string,
  nowMs: number,
  from: string,
) => number | null;

interface WrongCodes {
  readonly count: number;
  readonly lastMs: number;
}

const SAVED = z.array(
  z.strictObject({ accountId: z.union([savedCount, z.string()]), count: savedCount, lastMs: savedCount }),
);

/** Creates the check of codes. After several wrong codes, all codes are rejected for a while. */
export function totpCheck(sealer: Pick<Sealer, "unseal">, saved: SavedState): CheckTotp {
  const wrong = new Map<number | string, WrongCodes>();
  const save = () => [...wrong].map(([accountId, { count, lastMs }]) => ({ accountId, count, lastMs }));
  for (const { accountId, ...codes } of saved.restore("codes", SAVED, save) ?? []) wrong.set(accountId, codes);
  return (account, sealedSecret, code, nowMs, from) => {
    const accountId = from === "" ? account : `${account} from ${from}`;
    const known = wrong.get(accountId);
    const isOver = known === undefined || nowMs - known.lastMs >= WRONG_CODES_PAUSE_MS;
    if (!isOver && known.count >= MAX_WRONG_CODES) return null;
    const step = totpStep(sealer.unseal(sealedSecret), code, nowMs);
    wrong.delete(accountId);
    if (step === null) {
      wrong.set(accountId, { count: isOver ? 1 : known.count + 1, lastMs: nowMs });
      const [oldest] = wrong.keys();
      if (wrong.size > MAX_TRACKED_ACCOUNTS && oldest !== undefined) wrong.delete(oldest);
    }
    return step;
  };
}

/** The time in ms until an app shows a code of a later step than `step`; 0 if it already does. */
export function laterCodeInMs(step: number, nowMs: number): number {
  return Math.max(0, (step + 1) * PERIOD_S * SECOND_MS - nowMs);
}

/** Returns the time step of a code that is valid at `nowMs`, or null. `secret` is in base32. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null;
  const totp = totpOf(Secret.fromBase32(secret));
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
