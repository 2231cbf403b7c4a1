/** Operators' and customers' acts on the list of addresses to which an account may withdraw. */
import { tellOwner } from "../../access/tell-owner.ts";
import { MAX_ADDRESS_WAIT_MS, MAX_ALLOWED_ADDRESSES } from "../../limits.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { isListEnforced } from "../../state/accounts/address-list.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { AllowAddress, DisallowAddress, SetAddressList } from "../../entry/wallet-command.ts";

export function allowAddress(state: ExchangeState, command: AllowAddress): RejectReason | null {
  const { accountId, network, address, tag, name, fromMs, by } = command;
  const { allowed } = state.funds;
  if (state.accounts.get(accountId) === undefined) return "UNKNOWN_ACCOUNT";
  if (isTooLate(state, fromMs)) return "INVALID_VALUE";
  if (allowed.get(accountId, network, address, tag) !== undefined) return "ALREADY_EXISTS";
  if (allowed.size(accountId) >= MAX_ALLOWED_ADDRESSES) return "TOO_MANY";
  allowed.add(accountId, { network, address, tag, name, ...(fromMs !== undefined && { fromMs }) });
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
  const { accountId, isEnforced, fromMs, by } = command;
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  if (isTooLate(state, fromMs) || (isEnforced && fromMs !== undefined)) return "INVALID_VALUE";
  const wasEnforced = isListEnforced(account, state.nowMs);
  const holdsOn = wasEnforced && fromMs !== undefined;
  account.isAddressListEnforced = isEnforced || holdsOn;
  if (holdsOn) account.addressListEndsMs = fromMs;
  else delete account.addressListEndsMs;
  state.emit({ type: "accountChanged", accountId });
  const facts = { fromMs: String(fromMs ?? state.nowMs) };
  if (wasEnforced && !isEnforced) tellOwner(state, "addressListEnded", { accountId, by, facts });
  return null;
}

function isTooLate(state: ExchangeState, fromMs = 0): boolean {
  return fromMs > state.nowMs + MAX_ADDRESS_WAIT_MS;
}
