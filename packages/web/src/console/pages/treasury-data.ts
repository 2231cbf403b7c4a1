/** How far the hot wallets cover customer balances. Amounts are decimal strings. */
import type { AssetTreasury, NetworkHoldings } from "@pricetime/server/answers";
import { add, decimal, formatDecimal, NONE, subtract } from "../../exact/decimal.ts";

export interface AssetCover {
  readonly asset: string;
  /**
   * `hot`: the balance of the hot wallets on all reachable networks; `owed`: the liabilities to customers;
   * `difference`: `hot` minus `owed`.
   */
  readonly hot: string;
  readonly owed: string;
  readonly difference: string;
}

/** One row for each asset in a hot wallet of the reachable networks. */
export function coverOf(
  assets: readonly Pick<AssetTreasury, "asset" | "customers">[],
  networks: readonly NetworkHoldings[],
): AssetCover[] {
  const hot = networks.flatMap(({ wallets }) => wallets ?? []).filter(({ wallet }) => wallet === "hot");
  const held = new Set(hot.map(({ asset }) => asset));
  return assets
    .filter(({ asset }) => held.has(asset))
    .map(({ asset, customers }) => {
      const sum = hot.filter((one) => one.asset === asset).reduce((all, { amount }) => add(all, decimal(amount)), NONE);
      const difference = subtract(sum, decimal(customers));
      return { asset, hot: formatDecimal(sum), owed: customers, difference: formatDecimal(difference) };
    });
}
