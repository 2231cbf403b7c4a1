/** Limits of emails that can be requested without a session. */
import { foldedEmail } from "@pricetime/engine";
import { SignInRefused } from "../sign-in/refused.ts";
import type { LetterKind } from "../sign-in/letter-pace.ts";
import { LETTER_LIMITS } from "../sign-in/limits.ts";
import type { Asked, CustomerParts } from "./route.ts";

/**
 * Whether an email may be sent. Throws `SignInRefused` when the IP address has requested too many emails, to any recipient.
 * `letter`: null when none would be sent anyway.
 */
export function mayAskForLetter(
  { ip, nowMs }: Asked,
  { room }: CustomerParts,
  letter: { readonly kind: LetterKind; readonly email: string } | null,
): boolean {
  if (!room.pace.mayAsk(ip, nowMs)) throw new SignInRefused("TOO_MANY_TRIES", LETTER_LIMITS.windowMs);
  return letter !== null && room.pace.maySend(letter.kind, foldedEmail(letter.email), nowMs);
}
