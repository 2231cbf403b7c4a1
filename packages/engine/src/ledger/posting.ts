/** Double entry: every movement of money is a posting, one amount from one place to another. */

export type Bucket = "free" | "locked";

export type PostingReason = "lock" | "release" | "trade" | "commission" | "deposit" | "debit";
/** Append only: the place in the list is the number in history. */
export const POSTING_REASONS: readonly PostingReason[] = ["lock", "release", "trade", "commission", "deposit", "debit"];

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
/** Numbers below this are the venue's; customers start here. */
export const FIRST_CUSTOMER_ACCOUNT = 100;
