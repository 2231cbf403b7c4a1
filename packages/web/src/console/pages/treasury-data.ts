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

/** What a chain says of the venue's own wallets. */
export interface NetworkHoldings {
  readonly network: string;
  /** Null: nobody can tell, for the reason in `error`. */
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

/** Reserves beside a proof; null: none is shown of the asset. */
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
