/** Two-factor codes of whoever has a password, by the check that withdrawals use too: wrong ones are counted together. */
import { accountIdOf } from "@pricetime/engine";
import type { CheckTotp } from "../../platform/config/totp.ts";
import type { CheckCode } from "./sign-in.ts";

export function codesOf(checkTotp: CheckTotp): CheckCode {
  return (holder, sealedTotp, code, nowMs, from) =>
    checkTotp(accountIdOf(holder) ?? holder, sealedTotp, code, nowMs, from);
}
