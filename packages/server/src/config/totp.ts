/** Two-factor codes: six digits that change every 30 seconds, as in every authenticator app. RFC 6238. */
import { Secret, TOTP } from "otpauth";
import type { Sealer } from "./seal.ts";

const ISSUER = "Pricetime";
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** A code is valid in its own step and in the one before and after it. */
const WINDOW_STEPS = 1;
const CODE = /^[0-9]{6}$/;
/** After this many wrong codes in a row, an account's codes are not checked for a while. */
export const MAX_WRONG_CODES = 5;
export const WRONG_CODES_PAUSE_MS = 5 * 60_000;
/** The accounts whose wrong codes are remembered; beyond this the oldest is forgotten. */
const MAX_TRACKED_ACCOUNTS = 100_000;

/** Makes a new secret: in base32, to be typed, and as the URI that an app reads from a picture. */
export function newTotpSecret(email: string): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(new Secret({ size: SECRET_BYTES }), email);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

const totpOf = (secret: Secret, label = "account"): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: PERIOD_S });

/** Returns the time step of an account's right code at `nowMs`, or null for a wrong code. */
export type CheckTotp = (accountId: number, sealedSecret: string, code: string, nowMs: number) => number | null;

interface WrongCodes {
  readonly count: number;
  readonly lastMs: number;
}

/** Limits guessing: after a few wrong codes even right ones are refused for a while. */
export function totpCheck(sealer: Pick<Sealer, "unseal">): CheckTotp {
  const wrong = new Map<number, WrongCodes>();
  return (accountId, sealedSecret, code, nowMs) => {
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

/** Returns the step of a code that is right at `nowMs`, or null. `secret` is in base32. */
export function totpStep(secret: string, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null;
  const totp = totpOf(Secret.fromBase32(secret));
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
