/**
 * Records of the wallet: deposits, withdrawals, and their rules. Amounts are units of the asset. A record is a value: a
 * step makes a new one.
 */

import type { WithdrawalWindow } from "./symbol.ts";

/** Hundredths of a percent. */
export type Bps = number;

/** Wire codes 0, 6, 1 (Interface 2.10); dropped: the chain reverted it, and it is shown nowhere. */
export type DepositStatus = "pending" | "credited" | "success" | "dropped";

export interface DepositRecord {
  /** From 1, over all networks. */
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly accountId: number;
  readonly assetId: number;
  readonly amount: bigint;
  readonly address: string;
  readonly tag: string;
  readonly insertTimeMs: number;
  /**
   * What the treasury paid for this coin when the chain reverted it before: should the coin come again, the treasury
   * gets this much of it first, and the account the rest.
   */
  readonly owed: bigint;
  readonly status: DepositStatus;
  /** Operator of the last step taken by hand; absent: none was, or the journal is of 0.1.0, which names none. */
  readonly by?: string;
}

/** Wire codes 0 to 6 in this order. Interface 2.10. */
export type WithdrawalStatus =
  | "emailSent"
  | "cancelled"
  | "awaitingApproval"
  | "rejected"
  | "processing"
  | "failed"
  | "completed";
export const WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = [
  "emailSent",
  "cancelled",
  "awaitingApproval",
  "rejected",
  "processing",
  "failed",
  "completed",
];

/** The statuses of a withdrawal that is not over. */
export const OPEN_WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = ["emailSent", "awaitingApproval", "processing"];

/** What was withdrawn of an asset over each window, in units. */
export type WithdrawnSums = Readonly<Record<WithdrawalWindow, bigint>>;

/**
 * What a withdrawal can exceed. network: the `approvalAbove` of its network, by its own amount; account and
 * allCustomers: limits over time; dualApproval: `withdrawalsAbove` of the approval rules.
 */
export const APPROVAL_LIMITS = ["network", "account", "allCustomers", "dualApproval"] as const;

/** Why a withdrawal waits for approval: the limit that it exceeds. Decimals of the asset. */
export interface ApprovalReason {
  readonly rule: (typeof APPROVAL_LIMITS)[number];
  /** The window of the sum, in hours; 0: the withdrawal alone. */
  readonly hours: number;
  readonly limit: string;
  /** At the request, this withdrawal included. */
  readonly sum: string;
}

export interface WithdrawalRecord {
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly assetId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  /** Amount that leaves the account; `amount - fee` arrives. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly name: string;
  readonly withdrawOrderId: string;
  readonly applyTimeMs: number;
  readonly confirmationHash: string;
  /** Whether an operator must approve it. */
  readonly needsApproval: boolean;
  readonly status: WithdrawalStatus;
  readonly updateTimeMs: number;
  /** Id of the transaction signed last; "" before. */
  readonly txId: string;
  /** -1 before a transaction is signed. */
  readonly nonce: number;
  readonly signedTx: string;
  /** Ids of all transactions ever signed, of which at most one can be mined. */
  readonly txIds: readonly string[];
  /**
   * What the account withdrew of the asset over 24 hours as of the request, this withdrawal included. Absent: it was
   * requested before rules version 4, and was not counted.
   */
  readonly accountSum24h?: bigint;
  /** Absent: no limit was exceeded, or it was requested before rules version 4. */
  readonly approvalReasons?: readonly ApprovalReason[];
  /** As in `DepositRecord`. */
  readonly by?: string;
}

/**
 * The letter with a withdrawal's link, among several nodes. waiting: to be sent; claimed: it is being sent; sent: the
 * mail server took it; failed: given up; unknown: claimed by a holder that was replaced, so nobody knows.
 */
export type LetterStatus = (typeof LETTER_STATUSES)[number];
export const LETTER_STATUSES = ["waiting", "claimed", "sent", "failed", "unknown"] as const;

export interface AllowedAddress {
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  /** Nothing is paid to it before. Absent: it could be paid at once. */
  readonly fromMs?: number;
}

export interface DepositAddress {
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

/** Conversion of dust by sapi: which assets, into which, at what charge. Interface 4.6. */
export interface DustRules {
  /** The asset that the customer receives. */
  readonly dustAsset: string;
  readonly chargeBps: Bps;
  /** Amounts worth more than this, in `limitAsset`, are no dust (0.001 BTC). */
  readonly limitAsset: string;
  readonly limit: string;
  /** Pause between two conversions of one account. */
  readonly pauseMs: number;
}

/** What is counted of an account's trading by API. Interface 3.8. */
export type TradingIndicator = "UFR" | "IFER" | "GCR";

/** The lock of an account's API trading, and its end. Interface 3.8. */
export interface ApiTradingLock {
  readonly untilMs: number;
  readonly symbol: string;
  readonly indicator: TradingIndicator;
}
