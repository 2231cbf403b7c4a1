/** The asset in which the dashboard of the business and the portfolios of customers give values. */
import type { EngineView } from "@pricetime/engine";

/** The settings of the reports. */
export interface ReportSettings {
  /** The asset of values. Undefined: the quote asset of most markets. */
  readonly asset?: string | undefined;
  /** Accounts that are not customers. */
  readonly excludedAccounts: readonly number[];
}

/** Without a setting, the quote asset of most markets, the one that was listed first of several; "" without markets. */
export function valuationAsset(
  view: Pick<EngineView, "assets" | "markets">,
  { asset }: Pick<ReportSettings, "asset">,
): string {
  if (asset !== undefined) return asset;
  const counts = new Map<string, number>();
  for (const { spec } of view.markets()) counts.set(spec.quoteAsset, (counts.get(spec.quoteAsset) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return view.assets().find(({ spec }) => counts.get(spec.asset) === most)?.spec.asset ?? "";
}
