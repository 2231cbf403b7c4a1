/** Makes and compares keys, secrets and tokens. */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Dice, LETTERS_AND_DIGITS } from "../world/port.ts";

/** Bytes from here on are thrown away, so that each letter is equally likely. */
const FAIR_BYTES = 256 - (256 % LETTERS_AND_DIGITS.length);
export const KEY_LENGTH = 64;

/** Returns a new API key, API secret or token: 64 letters and digits, drawn evenly. Interface S.6. */
export function randomKey({ randomBytes }: Dice, length = KEY_LENGTH): string {
  let key = "";
  while (key.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && key.length < length) key += LETTERS_AND_DIGITS[byte % LETTERS_AND_DIGITS.length];
    }
  }
  return key;
}

/** Returns whether two texts are equal, in a time that does not reveal where they differ. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
