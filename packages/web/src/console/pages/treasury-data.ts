/** The treasury's totals as the admin API returns them, and the hot wallets' cover of customer balances. Amounts are decimal strings. */
import { add, decimal, formatDecimal, NONE, subtract } from "../../exact/decimal.ts";

export interface AssetTreasury {
  readonly asset: string;
  readonly customers: string;
  readonly locked: string;
  readonly leaving: string;
  readonly holders: number;
  readonly house: Readonly<Record<string, string>>;
  readonly net: string;
  readonly difference: string;
}

export interface Treasury {
  readonly seq: number;
  readonly timeMs: number;
  readonly chainHash: string;
  readonly stateHash: string;
  readonly isBalanced: boolean;
  readonly assets: readonly AssetTreasury[];
  readonly wallets: readonly NetworkHoldings[];
}

/** The balances that a chain reports for the venue's wallets. */
export interface NetworkHoldings {
  readonly network: string;
  /** Null if the balances are unavailable, for the reason in `error`. */
  readonly wallets: readonly WalletHolding[] | null;
  readonly error: string;
}

export interface WalletHolding {
  readonly wallet: "hot" | "gas";
  readonly address: string;
  readonly asset: string;
  readonly amount: string;
}

export interface HouseBalance {
  readonly account: string;
  readonly asset: string;
  readonly free: string;
}

export interface ProofSummary {
  readonly number: number;
  readonly seq: number;
  readonly timeMs: number;
  readonly digest: string;
  readonly publicKey: string;
}

/** Reserves shown beside a proof; null if they are not shown for the asset. */
export interface ShownReserves {
  readonly digest: string | null;
  readonly assets: readonly ReservesOfAsset[];
  readonly reserves: readonly { readonly signature: string }[];
}

export interface ReservesOfAsset {
  readonly asset: string;
  readonly owed: string;
  readonly reserves: string | null;
  readonly surplus: string | null;
}

// The balances of the hot wallets beside the customers' balances of each asset.

export interface AssetCover {
  readonly asset: string;
  /**
   * Decimal strings: the balance of the hot wallets on all reachable networks, the liabilities to customers, and the
   * first less the second.
   */
  readonly hot: string;
  readonly owed: string;
  readonly difference: string;
}

/** One row for each asset that a hot wallet holds, or that customers have on a network with readable wallets. */
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
