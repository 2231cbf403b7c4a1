/** Who is signed in, what they may do, and their sub-accounts. */
import type { AccountView } from "@pricetime/engine";
import { type AccountParts, type AccountRoute, ok, own } from "./port.ts";
import { ownAccount } from "./parse.ts";

export function profileRoutes(parts: AccountParts): AccountRoute[] {
  const { view, sequencer, addressWaitMs } = parts;
  return [
    own({
      method: "GET",
      path: "profile",
      handle: (request) => {
        const account = ownAccount(parts, request);
        const { accountId, email, name, makerBps, takerBps, canTrade, canWithdraw, canDeposit } = account;
        const subs = view.subAccounts(accountId).flatMap((each) => view.account(each) ?? []);
        return ok({
          ...{ accountId, email, name, makerBps, takerBps, canTrade, canWithdraw, canDeposit },
          ...addressListOf(account, sequencer.nowMs()),
          addressWaitMs,
          confirmsByMail: account.confirmsByMail,
          hasTotp: account.sealedTotp !== null,
          heldUntilMs: view.access.heldUntilMs(request.holder),
          subAccounts: subs.map(subBody),
        });
      },
    }),
  ];
}

export interface AddressList {
  readonly isAddressListEnforced: boolean;
  /** Null: nobody has ended it. */
  readonly addressListEndsMs: number | null;
}

/** Whether the account may withdraw only to its list, and until when. */
export function addressListOf(account: AccountView, nowMs: number): AddressList {
  const endsMs = account.addressListEndsMs ?? null;
  const isAddressListEnforced = account.isAddressListEnforced && nowMs < (endsMs ?? Infinity);
  return { isAddressListEnforced, addressListEndsMs: isAddressListEnforced ? endsMs : null };
}

function subBody({ accountId, email, name, isEnabled }: AccountView): object {
  return { accountId, email, name, isEnabled };
}
