/** Common parts of deposits, withdrawals and transfers: amounts in units of an asset, and the networks of assets. */
import { MAX_MOVE_UNITS, MAX_NETWORKS } from "../limits.ts";
import { decimalParser } from "../numbers.ts";
import type { AssetView } from "../engine-view.ts";
import type { DepositRecord, WithdrawalRecord } from "../entry/wallet-record.ts";
import { OUTSIDE_ACCOUNT, TREASURY_ACCOUNT } from "../state/ledger.ts";
import type { AssetNetwork } from "../entry/symbol.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { transactionKey } from "../state/funds/deposits.ts";
import { digestOfContents } from "../state/funds/used-ids.ts";
import type { Command } from "../entry/command.ts";

type Rules = Parameters<typeof decimalParser>[0];

/**
 * The amount in units of the asset, zero or more; null if the asset cannot represent the amount or it exceeds the
 * limit.
 */
export function unitsOf(rules: Rules, asset: AssetView, amount: string): bigint | null {
  const units = decimalParser(rules)(amount, asset.spec.precision);
  return units === null || units > MAX_MOVE_UNITS ? null : units;
}

/** Like `unitsOf`, but zero is also rejected. */
export function positiveUnitsOf(rules: Rules, asset: AssetView, amount: string): bigint | null {
  const units = unitsOf(rules, asset, amount);
  return units === 0n ? null : units;
}

/** The record with the name of the operator who took the step. An automatic step of a node does not change the name. */
export function noted<T extends DepositRecord | WithdrawalRecord>(record: T, { by }: { readonly by?: string }): T {
  return by === undefined ? record : { ...record, by };
}

// Networks: the rules of assets on them, their cost to the exchange, and the block height up to which each network has
// been read.

export function networkOf({ spec }: AssetView, network: string): AssetNetwork | undefined {
  return spec.networks.find((listed) => listed.network === network);
}

/** The network that is used if a request names none. */
export function defaultNetworkOf({ spec }: AssetView): AssetNetwork | undefined {
  return spec.networks.find((network) => network.isDefault) ?? spec.networks[0];
}

/**
 * Whether an operator reports a deposit with more precision than the network supports. Deposits that a network's
 * watcher has seen are not checked, because they have already arrived.
 */
export function isFinerThanCarried(
  state: ExchangeState,
  asset: AssetView,
  { network, by }: { readonly network: string; readonly by?: string },
  amount: bigint,
): boolean {
  if (state.edition < 4 || by === undefined) return false;
  const step = unitsOf(state, asset, networkOf(asset, network)?.depositStep ?? "0") ?? 0n;
  return step > 0n && amount % step !== 0n;
}

/** Whether the networks are distinct, at most one is the default, and the asset can represent their amounts. */
export function areNetworksOf(state: ExchangeState, asset: AssetView, networks: readonly AssetNetwork[]): boolean {
  if (new Set(networks.map(({ network }) => network)).size !== networks.length) return false;
  if (networks.filter(({ isDefault }) => isDefault).length > 1) return false;
  return networks.every((network) => {
    const { withdrawFee, withdrawMin, withdrawMax, withdrawStep, depositStep, depositMin, approvalAbove } = network;
    const amounts = [withdrawFee, withdrawMin, withdrawMax, withdrawStep, depositStep, depositMin, approvalAbove];
    if (amounts.some((amount) => amount !== undefined && unitsOf(state, asset, amount) === null)) return false;
    const { creditConfirmations = 1, finalConfirmations = creditConfirmations } = network;
    return finalConfirmations >= creditConfirmations;
  });
}

export function setAssetNetworks(state: ExchangeState, command: Command<"setAssetNetworks">): RejectReason | null {
  const { networks } = command;
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  if (!areNetworksOf(state, asset, networks)) return "INVALID_VALUE";
  state.putAsset({ ...asset, spec: { ...asset.spec, networks } });
  state.emit({ type: "done" });
  return null;
}

export function payNetworkCost(state: ExchangeState, command: Command<"payNetworkCost">): RejectReason | null {
  const asset = state.assetsByName.get(command.asset);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const amount = unitsOf(state, asset, command.amount);
  if (amount === null) return "INVALID_VALUE";
  const key = transactionKey(command.network, command.txId);
  const contents = digestOfContents(state.edition, [asset.assetId, amount]);
  const repeat = state.funds.paidCosts.repeat(key, contents);
  if (repeat !== null) return repeat;
  state.funds.paidCosts.add(key, contents, state.seq);
  state.ledger.pay({
    assetId: asset.assetId,
    amount,
    from: TREASURY_ACCOUNT,
    to: OUTSIDE_ACCOUNT,
    reason: "networkCost",
  });
  state.emit({ type: "networkChanged", network: command.network });
  return null;
}

export function advanceNetwork(state: ExchangeState, command: Command<"advanceNetwork">): RejectReason | null {
  const { network, height, blockHash } = command;
  const { heights } = state.funds;
  if (!heights.has(network) && heights.size >= MAX_NETWORKS) return "TOO_MANY";
  heights.set(network, { height, blockHash });
  state.emit({ type: "networkChanged", network });
  return null;
}
