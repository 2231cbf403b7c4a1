/** Operators' acts on the list of addresses to which an account may withdraw. */
import { tellOwner } from "../../access/tell-owner.ts";
import { MAX_ALLOWED_ADDRESSES } from "../../limits.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { AllowAddress, DisallowAddress, SetAddressList } from "../../entry/wallet-command.ts";

export function allowAddress(state: ExchangeState, command: AllowAddress): RejectReason | null {
  const { accountId, network, address, tag, name, by } = command;
  const { allowed } = state.funds;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (allowed.has(accountId, network, address, tag)) return "ALREADY_EXISTS";
  if (allowed.size(accountId) >= MAX_ALLOWED_ADDRESSES) return "TOO_MANY";
  allowed.add(accountId, { network, address, tag, name });
  state.emit({ type: "accountChanged", accountId });
  tellOwner(state, "addressAdded", { accountId, by, facts: { network, address, tag, name } });
  return null;
}

export function disallowAddress(state: ExchangeState, command: DisallowAddress): RejectReason | null {
  const { accountId, network, address, tag } = command;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (!state.funds.allowed.delete(accountId, network, address, tag)) return "UNKNOWN_ADDRESS";
  state.emit({ type: "accountChanged", accountId });
  return null;
}

export function setAddressList(state: ExchangeState, command: SetAddressList): RejectReason | null {
  const account = state.accounts.get(command.accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  account.isAddressListEnforced = command.isEnforced;
  state.emit({ type: "accountChanged", accountId: command.accountId });
  return null;
}
