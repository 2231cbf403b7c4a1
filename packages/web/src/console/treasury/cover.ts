/** The hot wallets' coins beside what customers have of each asset. */
import { add, decimal, formatDecimal, NONE, subtract } from "../../exact/decimal.ts";
import type { AssetTreasury, NetworkHoldings } from "./treasury.ts";

export interface AssetCover {
  readonly asset: string;
  /** Decimal strings: in hot wallets of all networks that could tell, owed to customers, and the first less the second. */
  readonly hot: string;
  readonly owed: string;
  readonly difference: string;
}

/** An asset for each that a hot wallet holds or customers have on a network whose wallets can be looked into. */
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
