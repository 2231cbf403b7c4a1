/**
 * Withdrawal limits as the APIs list them, by time window: the limit, the withdrawn amount and the remaining amount, as
 * decimals of the asset.
 */
import {
  type AssetView,
  type EngineView,
  formatDecimal,
  type LimitsOverTime,
  parseDecimal,
  type WithdrawnSums,
} from "@pricetime/engine";

/** A limit is null if there is none. */
interface WindowsUsed {
  readonly limit24h: string | null;
  readonly withdrawn24h: string;
  readonly left24h: string | null;
  readonly limit72h: string | null;
  readonly withdrawn72h: string;
  readonly left72h: string | null;
}

interface AccountLimitRow extends WindowsUsed {
  readonly asset: string;
  /** Whether the limits are set for this account and replace the asset's. */
  readonly isOwn: boolean;
}

type View = Pick<EngineView, "assets" | "funds">;

/**
 * The withdrawal limits shared by an account, its master and its sub-accounts, for each asset with a limit or
 * withdrawals.
 */
export function accountLimitRows(view: View, accountId: number, nowMs: number): AccountLimitRow[] {
  const own = view.funds.ownWithdrawalLimits(accountId);
  return used(view, accountId, nowMs, ({ assetId, spec }) => own.get(assetId) ?? spec.withdrawalLimits?.account).map(
    ({ asset, windows }) => ({ asset: asset.spec.asset, isOwn: own.has(asset.assetId), ...windows }),
  );
}

/** The limits of all customers together, and the default limits per account. */
export function allLimitRows(view: View, nowMs: number): object[] {
  return used(view, null, nowMs, ({ spec }) => spec.withdrawalLimits?.allCustomers).map(({ asset, windows }) => {
    const { asset: name, withdrawalLimits } = asset.spec;
    const { per24h = null, per72h = null } = withdrawalLimits?.account ?? {};
    return { asset: name, accountLimit24h: per24h, accountLimit72h: per72h, ...windows };
  });
}

function used(
  view: View,
  accountId: number | null,
  nowMs: number,
  limitsOf: (asset: AssetView) => LimitsOverTime | undefined,
): { readonly asset: AssetView; readonly windows: WindowsUsed }[] {
  const withdrawn = view.funds.withdrawn(accountId, nowMs);
  return view.assets().flatMap((asset) => {
    const limits = limitsOf(asset);
    const sums = withdrawn.get(asset.assetId);
    const isNamed = limits !== undefined || sums !== undefined || asset.spec.withdrawalLimits !== undefined;
    return isNamed ? [{ asset, windows: windowsUsed(asset, limits ?? {}, sums) }] : [];
  });
}

const NOTHING: WithdrawnSums = { per24h: 0n, per72h: 0n };

function windowsUsed({ spec: { precision } }: AssetView, limits: LimitsOverTime, sums = NOTHING): WindowsUsed {
  const decimal = (units: bigint): string => formatDecimal(units, precision);
  const left = (limit: string | undefined, sum: bigint): string | null => {
    const units = limit === undefined ? null : parseDecimal(limit, precision);
    return units === null ? null : decimal(units > sum ? units - sum : 0n);
  };
  return {
    limit24h: limits.per24h ?? null,
    withdrawn24h: decimal(sums.per24h),
    left24h: left(limits.per24h, sums.per24h),
    limit72h: limits.per72h ?? null,
    withdrawn72h: decimal(sums.per72h),
    left72h: left(limits.per72h, sums.per72h),
  };
}
