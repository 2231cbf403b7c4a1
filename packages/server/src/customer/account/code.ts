/** Two-factor codes of acts by which a thief with an open session could get at the money. */
import { z } from "zod";
import { type AccountParts, AccountRefused, type AccountRequest } from "./port.ts";

export const code = z.string().optional();

/**
 * Throws `AccountRefused` unless the code is right, or the signed-in account needs none. A code that has opened a session
 * or paid out money is not taken again.
 */
export function demandCode(
  { view, checkTotp, world }: Pick<AccountParts, "view" | "checkTotp" | "world">,
  { accountId }: Pick<AccountRequest, "accountId">,
  given: string | undefined,
): void {
  const sealed = view.account(accountId)?.sealedTotp ?? null;
  if (sealed === null) return;
  if (given === undefined) throw new AccountRefused(401, "CODE_REQUIRED", "This takes a two-factor code.");
  // The wall clock, which the app with the codes uses too.
  const step = checkTotp(accountId, sealed, given, world.nowMs());
  if (step === null) throw new AccountRefused(401, "CODE_WRONG", "The two-factor code is wrong.");
  if (step <= view.access.totpStep(accountId)) {
    throw new AccountRefused(401, "CODE_WRONG", "The two-factor code was used already: wait for the next.");
  }
}
