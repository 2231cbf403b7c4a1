/** Letters that strangers ask for. */
import { SignInRefused } from "../sign-in/refused.ts";
import type { LetterKind } from "../sign-in/letter-pace.ts";
import { LETTER_LIMITS } from "../sign-in/limits.ts";
import type { Asked, CustomerParts } from "./route.ts";

/** Whether a letter may go out; throws `SignInRefused` when the address has asked for too many, whoever to. */
export function mayAskForLetter(
  { ip, nowMs }: Asked,
  { room }: CustomerParts,
  kind: LetterKind,
  email: string,
): boolean {
  if (!room.pace.mayAsk(ip, nowMs)) throw new SignInRefused("TOO_MANY_TRIES", LETTER_LIMITS.windowMs);
  return room.pace.maySend(kind, email.toLowerCase(), nowMs);
}
