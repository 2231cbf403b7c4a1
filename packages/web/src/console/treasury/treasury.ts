/** What the venue has and owes. Amounts are decimal strings. */

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
