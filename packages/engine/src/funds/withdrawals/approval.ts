/** Which withdrawals wait for operators, and which of them for two: by their amounts, and by sums over time. */
import type { LimitsOverTime } from "../../entry/symbol.ts";
import type { ApprovalReason, WithdrawalRecord, WithdrawnSums } from "../../entry/wallet-record.ts";
import { formatDecimal } from "../../number/decimal.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";
import type { AssetView } from "../../view/engine-view.ts";
import { unitsOf } from "../amount.ts";
import type { Payout } from "./checks.ts";
import { limitsOfAccount, masterIdOf, windowsOf, withdrawn } from "./limits-over-time.ts";

type Approval = Pick<WithdrawalRecord, "needsApproval" | "accountSum24h" | "approvalReasons">;

/**
 * Whether a requested withdrawal waits for approval, and why. What the rules reserve for two operators does so whatever
 * the network says, or one operator could evade them by changing the network.
 */
export function approvalOf(state: ExchangeState, { account, asset, network, amount }: Payout): Approval {
  const { approvalAbove } = network;
  const isAbove = approvalAbove !== undefined && amount > (unitsOf(state, asset, approvalAbove) ?? 0n);
  const rule = ruleFor(state, asset);
  if (state.edition < 4) return { needsApproval: isAbove || isExceeded(state, asset, rule, amount) };
  const masterId = state.accounts.masterOf(account);
  const of = (whose: number | null): WithdrawnSums => {
    const { per24h, per72h } = withdrawn(state, whose, asset.assetId);
    return { per24h: per24h + amount, per72h: per72h + amount };
  };
  const ofAccount = of(masterId);
  const exceeded = (name: ApprovalReason["rule"], limits: LimitsOverTime, sums: WithdrawnSums): ApprovalReason[] =>
    windowsOf(limits)
      .filter(({ window, limit }) => isExceeded(state, asset, limit, sums[window]))
      .map(({ window, hours, limit }) => reasonFor(asset, name, hours, limit, sums[window]));
  const approvalReasons = [
    ...(isAbove ? [reasonFor(asset, "network", 0, approvalAbove, amount)] : []),
    ...exceeded("account", limitsOfAccount(state, masterId, asset), ofAccount),
    ...exceeded("allCustomers", asset.spec.withdrawalLimits?.allCustomers ?? {}, of(null)),
    ...exceeded("dualApproval", rule === undefined ? {} : { per24h: rule }, ofAccount),
  ];
  const needsApproval = approvalReasons.length > 0;
  return { needsApproval, accountSum24h: ofAccount.per24h, ...(needsApproval && { approvalReasons }) };
}

function reasonFor(
  { spec }: AssetView,
  rule: ApprovalReason["rule"],
  hours: number,
  limit: string,
  sum: bigint,
): ApprovalReason {
  return { rule, hours, limit, sum: formatDecimal(sum, spec.precision) };
}

/** The sum above which approval rules reserve withdrawals of the asset for two operators. */
function ruleFor(state: ExchangeState, { spec }: AssetView): string | undefined {
  return state.proposals.rules.withdrawalsAbove.find((one) => one.asset === spec.asset)?.amount;
}

function isExceeded(state: ExchangeState, asset: AssetView, limit: string | undefined, sum: bigint): boolean {
  return limit !== undefined && sum > (unitsOf(state, asset, limit) ?? 0n);
}

/**
 * Whether approval rules reserve the approval for two operators. The account's 24-hour sum counts as of now and as of
 * the request: otherwise a split amount would pass one by one, at once or a day later.
 */
export function isForTwo(state: ExchangeState, withdrawal: WithdrawalRecord): boolean {
  const { assetId, amount, accountSum24h = 0n } = withdrawal;
  const asset = state.assetOf(assetId);
  const rule = ruleFor(state, asset);
  if (state.edition < 4) return isExceeded(state, asset, rule, amount);
  return isExceeded(state, asset, rule, accountSum24h) || isExceeded(state, asset, rule, sumNow(state, withdrawal));
}

/** The account's sum over 24 hours with this withdrawal, also when it is older, or was never counted. */
function sumNow(state: ExchangeState, { accountId, assetId, amount, applyTimeMs, accountSum24h }: WithdrawalRecord) {
  const { per24h } = withdrawn(state, masterIdOf(state, accountId), assetId);
  const isIn = accountSum24h !== undefined && state.funds.withdrawalCounts.isRecent("per24h", applyTimeMs, state.nowMs);
  return isIn ? per24h : per24h + amount;
}
