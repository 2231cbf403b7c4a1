/** Records of the venue as a whole: its stops, its rules of approval, coins that nobody is known to own. */

/** What may be stopped everywhere at once; `coin:BTC` and `network:ETH` stop one coin's and one network's movements. */
export const STOP_SCOPES = ["trading", "placing", "withdrawals"] as const;
/** One of `STOP_SCOPES`, or `coin:` or `network:` with a name. */
export type StopScope = string;

/** In force until it is lifted, or until `untilMs`. */
export interface StopRecord {
  readonly scope: StopScope;
  readonly why: string;
  readonly by: string;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

/** A symbol stops trading for good at `atMs`. */
export interface DelistingRecord {
  readonly atMs: number;
  readonly why: string;
  readonly by: string;
  /** When the time was set. */
  readonly sinceMs: number;
}

/** The venue's own accounts against which a customer's balance may be adjusted. */
export const HOUSE_ACCOUNTS = ["treasury", "fees", "dust"] as const;
export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number];

export const ADJUSTMENT_CATEGORIES = ["correction", "goodwill", "fee", "unknownDeposit", "other"] as const;
export type AdjustmentCategory = (typeof ADJUSTMENT_CATEGORIES)[number];

/** Why a coin that came is nobody's. */
export const UNKNOWN_DEPOSIT_REASONS = ["unknownAddress", "unknownAsset", "noTag", "wrongNetwork", "other"] as const;
export type UnknownDepositReason = (typeof UNKNOWN_DEPOSIT_REASONS)[number];

/** A coin that came to the venue and that no rule gives to a customer. */
export interface UnknownDepositRecord {
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly address: string;
  readonly tag: string;
  /** The asset's name or the token's contract, as the network says. */
  readonly coin: string;
  /** As the network says: a decimal of an asset that is listed, whole units of anything else. */
  readonly amount: string;
  readonly reason: UnknownDepositReason;
  readonly seenMs: number;
}

/** Which acts need two persons. */
export interface ApprovalRules {
  /** Operators besides the author who must approve: 1 to 5. */
  readonly approvals: number;
  /** Withdrawals above the amount, a decimal of the asset, are approved by a proposal alone. */
  readonly withdrawalsAbove: readonly { readonly asset: string; readonly amount: string }[];
  /** Types of acts. */
  readonly acts: readonly string[];
}

/** From `fromMs` on no act needs two persons any more, unless somebody stops it before. */
export interface BreakGlassRecord {
  readonly by: string;
  readonly why: string;
  readonly sinceMs: number;
  readonly fromMs: number;
}

/** A proof of liabilities whose root stands in the journal, where all see the same. */
export interface PublishedProof {
  /** Counts the venue's proofs, from 1. */
  readonly number: number;
  /** The entry as of which it proves. */
  readonly seq: number;
  /** 64 hex digits over all of the proof that is public. */
  readonly root: string;
  /** The root of the proof before it; 64 zeros: it is number 1. */
  readonly previous: string;
  readonly publishedMs: number;
}
