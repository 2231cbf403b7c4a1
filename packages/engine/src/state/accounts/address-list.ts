/** Whether an account's withdrawals go to the addresses on its list alone. */
import type { Account } from "./accounts.ts";

export function isListEnforced(account: Account, nowMs: number): boolean {
  return account.isAddressListEnforced && nowMs < (account.addressListEndsMs ?? Infinity);
}
