/** Double entry: every movement of money is a posting, one amount from one place to another. */

export type Bucket = "free" | "locked";

/** Append only: the place in the list is the number in history. */
export const POSTING_REASONS = [
  "lock",
  "release",
  "trade",
  "commission",
  "deposit",
  "debit",
  "withdrawal",
  "withdrawalFee",
  "depositDropped",
  "networkCost",
  "transfer",
  "dust",
  "dustCharge",
  "dividend",
  "adjustment",
] as const;
export type PostingReason = (typeof POSTING_REASONS)[number];

/** `amount` > 0, in units of the asset. */
export interface Posting {
  readonly assetId: number;
  readonly amount: bigint;
  readonly fromAccountId: number;
  readonly fromBucket: Bucket;
  readonly toAccountId: number;
  readonly toBucket: Bucket;
  readonly reason: PostingReason;
}

/**
 * The venue's own accounts. OUTSIDE stands for the world: it alone may go below zero, and its
 * balance is minus what the venue holds for others, so each asset sums to zero over all accounts.
 */
export const OUTSIDE_ACCOUNT = 1;
export const FEE_ACCOUNT = 2;
/** Deposits that a chain has shown but that are not credited yet. */
export const DEPOSITS_ACCOUNT = 3;
/**
 * The venue's own money, which pays dividends, networks' costs and the shortage of dropped deposits. The last two may
 * bring it below zero: then the venue owes, and its operator sees it.
 */
export const TREASURY_ACCOUNT = 4;
/** Buys dust from customers and pays them in the dust asset, which an operator provides. Never below zero. */
export const DUST_ACCOUNT = 5;
/** Numbers below this are the venue's; customers start here. */
export const FIRST_CUSTOMER_ACCOUNT = 100;
