/** Which withdrawals wait for operators: by the network's own amount, and by the rules that ask for two persons. */
import type { AssetNetwork } from "../../entry/symbol.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { AssetView } from "../../view/engine-view.ts";
import { unitsOf } from "../amount.ts";

/**
 * Whether the amount waits for approval on the network. What the rules keep for two persons does whatever the network
 * says, or one person could go round them by changing the network.
 */
export function needsApproval(
  state: ExchangeState,
  asset: AssetView,
  { approvalAbove }: AssetNetwork,
  amount: bigint,
): boolean {
  const isAbove = approvalAbove !== undefined && amount > (unitsOf(asset, approvalAbove) ?? 0n);
  return isAbove || isForTwo(state, asset, amount);
}

/** Whether rules keep a withdrawal of that amount for two persons. */
export function isForTwo(state: ExchangeState, asset: AssetView, amount: bigint): boolean {
  const rule = state.proposals.rules.withdrawalsAbove.find((one) => one.asset === asset.spec.asset);
  return rule !== undefined && amount > (unitsOf(asset, rule.amount) ?? 0n);
}
