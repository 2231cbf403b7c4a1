/** Limits on the sum of withdrawals over time: operators set them, and every request counts (decision 72). */
import type { RejectReason } from "../../entry/reject.ts";
import { type LimitsOverTime, WITHDRAWAL_WINDOWS, type WithdrawalLimits } from "../../entry/symbol.ts";
import type { SetAccountWithdrawalLimits, SetWithdrawalLimits } from "../../entry/wallet-command.ts";
import type { WithdrawalRecord, WithdrawnSums } from "../../entry/wallet-record.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import { NOTHING_WITHDRAWN } from "../../state/funds/withdrawal-counts.ts";
import type { AssetView } from "../../view/engine-view.ts";
import { unitsOf } from "../amount.ts";

/** Whether the asset can hold the limits. */
export function areLimitsOf(state: ExchangeState, asset: AssetView, limits: WithdrawalLimits | undefined): boolean {
  return [limits?.account, limits?.allCustomers].every((some) => some === undefined || isHeld(state, asset, some));
}

function isHeld(state: ExchangeState, asset: AssetView, limits: LimitsOverTime): boolean {
  return windowsOf(limits).every(({ limit }) => unitsOf(state, asset, limit) !== null);
}

/** The windows that have a limit. */
export function windowsOf(limits: LimitsOverTime) {
  const windows = Object.keys(WITHDRAWAL_WINDOWS) as (keyof LimitsOverTime)[];
  return windows.flatMap((window) => {
    const limit = limits[window];
    return limit === undefined ? [] : [{ window, hours: WITHDRAWAL_WINDOWS[window], limit }];
  });
}

export function setWithdrawalLimits(state: ExchangeState, command: SetWithdrawalLimits): RejectReason | null {
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const { limits: withdrawalLimits } = command;
  if (!areLimitsOf(state, asset, withdrawalLimits)) return "INVALID_VALUE";
  state.putAsset({ ...asset, spec: { ...asset.spec, withdrawalLimits } });
  state.emit({ type: "done" });
  return null;
}

export function setAccountWithdrawalLimits(
  state: ExchangeState,
  command: SetAccountWithdrawalLimits,
): RejectReason | null {
  const { accountId, limits } = command;
  const account = state.accounts.get(accountId);
  if (account === undefined) return "UNKNOWN_ACCOUNT";
  if (account.masterId !== null) return "MASTER_ONLY";
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  if (limits !== null && !isHeld(state, asset, limits)) return "INVALID_VALUE";
  const { withdrawalCounts: counts } = state.funds;
  const isNew = counts.ownLimitsOf(accountId, asset.assetId) === undefined;
  if (limits !== null && isNew && counts.isFull) return "TOO_MANY";
  counts.setOwnLimits(accountId, asset.assetId, limits);
  state.emit({ type: "done" });
  return null;
}

/** The limits that apply to the account. */
export function limitsOfAccount(state: ExchangeState, masterId: number, { assetId, spec }: AssetView): LimitsOverTime {
  return state.funds.withdrawalCounts.ownLimitsOf(masterId, assetId) ?? spec.withdrawalLimits?.account ?? {};
}

/** What was withdrawn of the asset by the master account with its sub-accounts; null: by all customers. */
export function withdrawn(state: ExchangeState, masterId: number | null, assetId: number): WithdrawnSums {
  return state.funds.withdrawalCounts.withdrawn(masterId, state.nowMs).get(assetId) ?? NOTHING_WITHDRAWN;
}

export function masterIdOf(state: ExchangeState, accountId: number): number {
  return state.accounts.get(accountId)?.masterId ?? accountId;
}

export function count(state: ExchangeState, { accountId, assetId, amount, accountSum24h }: WithdrawalRecord): void {
  if (accountSum24h === undefined) return;
  state.funds.withdrawalCounts.add(masterIdOf(state, accountId), assetId, amount, state.nowMs);
}

/** A withdrawal that was cancelled, rejected or failed counts no more, if it ever did. */
export function countBack(state: ExchangeState, withdrawal: WithdrawalRecord): void {
  const { accountId, assetId, amount, applyTimeMs, accountSum24h } = withdrawal;
  if (accountSum24h === undefined) return;
  state.funds.withdrawalCounts.remove(masterIdOf(state, accountId), assetId, amount, applyTimeMs);
}
