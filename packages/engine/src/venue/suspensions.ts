/** Suspensions of the whole venue, of an asset or of a network, and locking of a single account. */
import type { RejectReason } from "../entry/reject.ts";
import { STOP_SCOPES, type StopScope } from "../entry/venue.ts";
import { MAX_STOPS } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { closeListenKeyOf } from "../access/api-keys.ts";
import { closeOthers } from "../access/sign-in.ts";
import { present } from "../assert.ts";
import type { Command } from "../entry/command.ts";
import { cancelUnsent } from "../funds/withdrawals.ts";
import { expireOrdersOf } from "../trading/end-orders.ts";

export function setStop(state: ExchangeState, { scope, why, by, untilMs }: Command<"setStop">): RejectReason | null {
  const reason = checkScope(state, scope);
  if (reason !== null) return reason;
  if (untilMs !== null && untilMs <= state.nowMs) return "INVALID_VALUE";
  const { stops } = state;
  if (stops.get(scope) === undefined && stops.size >= MAX_STOPS) return "TOO_MANY";
  const stop = { scope, why, by, sinceMs: state.nowMs, untilMs };
  stops.put(stop);
  state.emit({ type: "stopChanged", stop, isOn: true });
  return null;
}

function checkScope(state: ExchangeState, scope: StopScope): RejectReason | null {
  if (STOP_SCOPES.some((known) => known === scope)) return null;
  const [, kind, name = ""] = /^(coin|network):(.+)$/.exec(scope) ?? [];
  if (kind === "coin") return state.assetsByName.has(name) ? null : "UNKNOWN_ASSET";
  if (kind === undefined) return "INVALID_VALUE";
  const isKnown = state.assets.some(({ spec }) => spec.networks.some(({ network }) => network === name));
  return isKnown ? null : "UNKNOWN_NETWORK";
}

export function liftStop(state: ExchangeState, { scope }: Command<"liftStop">): RejectReason | null {
  const stop = state.stops.get(scope);
  if (stop === undefined) return "UNKNOWN_STOP";
  state.stops.remove(scope);
  state.emit({ type: "stopChanged", stop, isOn: false });
  return null;
}

/** Ends the suspensions that have expired. */
export function expireStops(state: ExchangeState): void {
  if (state.nowMs < state.stops.nextDueMs()) return;
  for (const stop of [...state.stops.all()]) {
    if (stop.untilMs === null || state.nowMs < stop.untilMs) continue;
    state.stops.remove(stop.scope);
    state.emit({ type: "stopChanged", stop, isOn: false });
  }
}

// Locks an account that may be compromised.

/**
 * Ends all access to the account and its sub-accounts, because an intruder could have created keys for these and moved
 * the money there. Withdrawals that the intruder may have requested, and whose payment has not begun, are cancelled.
 * Open orders end, because the owner can no longer cancel one that an intruder placed to lose money to another account
 * (decision 69).
 */
export function freezeAccount(state: ExchangeState, { accountId }: Command<"freezeAccount">): RejectReason | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  for (const each of [accountId, ...state.accounts.subsOf(accountId)]) shut(state, each);
  closeOthers(state, `account:${accountId}`, null);
  state.emit({ type: "accountFrozen", accountId });
  state.queueEmail("frozen", account.email, { holder: `account:${accountId}` });
  return null;
}

function shut(state: ExchangeState, accountId: number): void {
  const account = present(state.accounts.get(accountId), "a sub-account is an account");
  account.canTrade = false;
  account.canWithdraw = false;
  state.emit({ type: "accountChanged", accountId });
  // Done before the listen key is closed, so that the owner's stream still reports the ended orders.
  if (state.edition >= 4) expireOrdersOf(state, accountId);
  for (const key of [...state.apiKeys.of(accountId)]) {
    state.apiKeys.delete(key);
    state.emit({ type: "apiKeyDeleted", apiKey: key.apiKey });
  }
  closeListenKeyOf(state, accountId);
  cancelUnsent(state, accountId);
}
