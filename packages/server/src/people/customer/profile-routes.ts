/** The signed-in account, its permissions and sub-accounts, and the public settings of accounts. */
import type { AccountView } from "@pricetime/engine";
import { type CustomerAnswer, ok } from "./answer.ts";
import type { CustomerParts, CustomerRoute, SignedIn } from "./route.ts";
import { LOOK } from "./weights.ts";

function profile({ account, holder, nowMs }: SignedIn, { view, settings }: CustomerParts): CustomerAnswer {
  const {
    accountId,
    email,
    name,
    makerBps,
    takerBps,
    canTrade,
    canWithdraw,
    canDeposit,
    confirmsByMail: confirmsByEmail,
  } = account;
  return ok({
    ...{ accountId, email, name, makerBps, takerBps, canTrade, canWithdraw, canDeposit, confirmsByEmail },
    ...addressListOf(account, nowMs),
    addressWaitMs: settings.addressWaitMs,
    hasTotp: account.sealedTotp !== null,
    heldUntilMs: view.access.heldUntilMs(holder),
    subAccounts: view.subAccounts(accountId).flatMap((each) => subBody(view.account(each))),
  });
}

interface AddressList {
  readonly isAddressListEnforced: boolean;
  /** Null: it is not being turned off. */
  readonly addressListEndsMs: number | null;
}

/** Whether the allowlist is on, and until when. */
export function addressListOf(account: AccountView, nowMs: number): AddressList {
  const endsMs = account.addressListEndsMs ?? null;
  const isAddressListEnforced = account.isAddressListEnforced && nowMs < (endsMs ?? Infinity);
  return { isAddressListEnforced, addressListEndsMs: isAddressListEnforced ? endsMs : null };
}

function subBody(account: AccountView | undefined): object[] {
  if (account === undefined) return [];
  const { accountId, email, name, isEnabled } = account;
  return [{ accountId, email, name, isEnabled }];
}

export const PROFILE_ROUTES: readonly CustomerRoute[] = [
  {
    method: "GET",
    path: "/profile",
    weight: LOOK,
    summary: "Returns the signed-in account, its permissions and its sub-accounts.",
    answers:
      "`accountId`, `email`, `name`, `makerBps`, `takerBps`, `canTrade`, `canWithdraw`, `canDeposit`, `confirmsByEmail`, `isAddressListEnforced`, `addressListEndsMs`, `addressWaitMs`, `hasTotp`, `heldUntilMs`, `subAccounts`.",
    handle: profile,
  },
];
