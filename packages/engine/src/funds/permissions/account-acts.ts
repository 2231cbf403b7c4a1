/** An operator's settings of an account's safety and standing, and of the venue as a whole. */
import { tellOwner } from "../../access/tell-owner.ts";
import type { RejectReason } from "../../entry/reject.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { SetAccountStatus, SetMaintenance, SetTotp } from "../../entry/wallet-command.ts";

export function setTotp(state: ExchangeState, { accountId, sealedSecret, by }: SetTotp): RejectReason | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  // A second secret would silently lock out the holder of the first.
  if (state.edition >= 2 && sealedSecret !== null && account.sealedTotp !== null) return "ALREADY_EXISTS";
  account.sealedTotp = sealedSecret;
  state.emit({ type: "accountChanged", accountId });
  tellOwner(state, "totpChanged", { accountId, by, facts: { change: sealedSecret === null ? "removed" : "set" } });
  return null;
}

export function setAccountStatus(state: ExchangeState, command: SetAccountStatus): RejectReason | null {
  const { accountId, message, objs } = command;
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  account.statusMessage = message;
  account.statusObjs = objs;
  state.emit({ type: "accountChanged", accountId });
  return null;
}

export function setMaintenance(state: ExchangeState, { isOn }: SetMaintenance): RejectReason | null {
  state.funds.isInMaintenance = isOn;
  state.emit({ type: "maintenanceChanged", isOn });
  return null;
}
