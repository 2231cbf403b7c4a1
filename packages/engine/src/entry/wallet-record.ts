/** What the wallet keeps: deposits, withdrawals, and the rules they follow. Amounts are units of the asset. */

/** Hundredths of a percent. */
export type Bps = number;

/** Wire codes 0, 6, 1 (Interface 2.10); dropped: the chain took it back, it is shown nowhere. */
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
   * What the treasury paid for this coin when the chain took it back before: should it come again, the
   * treasury has that much of it first, and the account the rest.
   */
  readonly owed: bigint;
  status: DepositStatus;
  /** Who took the last step that was taken by hand; absent: none was, or by a journal of 0.1.0, which does not say. */
  by?: string;
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

export interface WithdrawalRecord {
  readonly withdrawalId: string;
  readonly accountId: number;
  readonly assetId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  /** What leaves the account; what arrives is `amount - fee`. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly name: string;
  readonly withdrawOrderId: string;
  readonly applyTimeMs: number;
  readonly confirmationHash: string;
  /** Whether an operator must approve it. */
  readonly needsApproval: boolean;
  status: WithdrawalStatus;
  updateTimeMs: number;
  /** Of the transaction signed last; "" before. */
  txId: string;
  /** -1 before it is signed. */
  nonce: number;
  signedTx: string;
  /** All that were ever signed, of which one at most can be mined. */
  txIds: string[];
  /** As of a deposit. */
  by?: string;
}

export interface AllowedAddress {
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
}

export interface DepositAddress {
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

/** Sapi dust conversion: what may be converted, into what, for how much. Interface 4.6. */
export interface DustRules {
  /** What the customer receives. */
  readonly dustAsset: string;
  readonly chargeBps: Bps;
  /** More than this, in `limitAsset`, is no dust (0.001 BTC). */
  readonly limitAsset: string;
  readonly limit: string;
  /** Between two conversions of one account. */
  readonly pauseMs: number;
}

/** API trading of the account is locked until then. Interface 3.8. */
export interface ApiTradingLock {
  readonly untilMs: number;
  readonly symbol: string;
  readonly indicator: "UFR" | "IFER" | "GCR";
}
