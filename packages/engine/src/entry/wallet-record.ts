/**
 * Records of the wallet: deposits, withdrawals, and their rules. Amounts are units of the asset. Records are immutable:
 * each step creates a new one.
 */
import { MAX_DUST_PAUSE_MS, MAX_FEE_BPS } from "../limits.ts";
import { big, bool, fields, later, listOf, number, optional, type RecordOf, text, textAs } from "./digest.ts";
import { integer, isString, type Shaped } from "./shape.ts";
import type { WithdrawalWindow } from "./symbol.ts";

/** Hundredths of a percent. */
export type Bps = number;

/** The wire codes are 0, 6 and 1 (Interface 2.10). A dropped deposit was removed by a reorg and is not shown. */
export type DepositStatus = "pending" | "credited" | "success" | "dropped";

export type DepositRecord = RecordOf<typeof DEPOSIT_RECORD>;
export const DEPOSIT_RECORD = {
  /** Numbered from 1, over all networks. */
  depositId: number,
  network: text,
  txId: text,
  output: number,
  accountId: number,
  assetId: number,
  amount: big,
  address: text,
  tag: text,
  insertTimeMs: number,
  /**
   * The amount that the treasury paid when a reorg removed the deposit earlier. If the deposit appears again, the
   * treasury first gets this amount back, and the account gets the rest.
   */
  owed: big,
  status: textAs<DepositStatus>(),
  /**
   * The operator who took the last manual step; absent if there was none, and in journals of 0.1.0, which name no
   * operators.
   */
  by: optional(text),
};

/** The wire codes are 0 to 6 in this order. Interface 2.10. */
export const WITHDRAWAL_STATUSES = [
  "emailSent",
  "cancelled",
  "awaitingApproval",
  "rejected",
  "processing",
  "failed",
  "completed",
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The statuses of an open withdrawal. */
export const OPEN_WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = ["emailSent", "awaitingApproval", "processing"];

/** The sums of an asset's withdrawals over each window, in units. */
export type WithdrawnSums = Readonly<Record<WithdrawalWindow, bigint>>;

/**
 * The limits that a withdrawal can exceed. network: the `approvalAbove` of its network, by its own amount; account and
 * allCustomers: limits over time; dualApproval: `withdrawalsAbove` of the approval rules.
 */
export const APPROVAL_LIMITS = ["network", "account", "allCustomers", "dualApproval"] as const;

/** Why a withdrawal waits for approval: the limit that it exceeds. Amounts are decimals of the asset. */
export type ApprovalReason = RecordOf<typeof APPROVAL_REASON>;
const APPROVAL_REASON = {
  rule: textAs<(typeof APPROVAL_LIMITS)[number]>(),
  /** The window of the sum, in hours; 0 if the limit is for a single withdrawal. */
  hours: number,
  limit: text,
  /** The sum at the time of the request, including this withdrawal. */
  sum: text,
};

export type WithdrawalRecord = RecordOf<typeof WITHDRAWAL_RECORD>;
export const WITHDRAWAL_RECORD = {
  withdrawalId: text,
  accountId: number,
  assetId: number,
  network: text,
  address: text,
  tag: text,
  /** The amount that leaves the account, of which `amount - fee` arrives. */
  amount: big,
  fee: big,
  name: text,
  withdrawOrderId: text,
  applyTimeMs: number,
  confirmationHash: text,
  /** Whether an operator must approve the withdrawal. */
  needsApproval: bool,
  status: textAs<WithdrawalStatus>(),
  updateTimeMs: number,
  /** The id of the transaction that was signed last; "" if none was signed. */
  txId: text,
  /** -1 before a transaction is signed. */
  nonce: number,
  signedTx: text,
  /** Ids of all transactions ever signed, of which at most one can be mined. */
  txIds: listOf(text),
  /** The operator, as in `DepositRecord`. */
  by: optional(text),
  /**
   * The account's withdrawals of the asset over 24 hours at the time of the request, including this one. Absent if the
   * withdrawal was requested before rules version 4 and is not counted.
   */
  accountSum24h: later("accountSum24h", big),
  /** The exceeded limits. Absent if there are none, or if the withdrawal was requested before rules version 4. */
  approvalReasons: later("approvalReasons", listOf(fields(APPROVAL_REASON))),
};

/**
 * The state of the email with a withdrawal's link, in a cluster. waiting: to be sent; claimed: being sent; sent:
 * accepted by the mail server; failed: given up; unknown: claimed by a task owner that was replaced, so the result is
 * not known.
 */
export type LetterStatus = (typeof LETTER_STATUSES)[number];
export const LETTER_STATUSES = ["waiting", "claimed", "sent", "failed", "unknown"] as const;

export interface AllowedAddress {
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly name: string;
  /** Withdrawals to the address are not allowed before this time; absent if they were allowed immediately. */
  readonly fromMs?: number;
}

export type DepositAddress = RecordOf<typeof DEPOSIT_ADDRESS>;
export const DEPOSIT_ADDRESS = {
  accountId: number,
  network: text,
  address: text,
  tag: text,
};

export const DUST_RULES = {
  /** The asset that the customer receives. */
  dustAsset: isString,
  chargeBps: integer(0, MAX_FEE_BPS),
  /** Amounts of a higher value, in `limitAsset`, are not dust (0.001 BTC). */
  limitAsset: isString,
  limit: isString,
  /** The minimum time between two conversions of one account. */
  pauseMs: integer(0, MAX_DUST_PAUSE_MS),
};
/** The rules of dust conversion under /sapi: the target asset, the charge and the limits. Interface 4.6. */
export type DustRules = Shaped<typeof DUST_RULES>;

/** The metrics of an account's API trading. Interface 3.8. */
export const TRADING_INDICATORS = ["UFR", "IFER", "GCR"] as const;
export type TradingIndicator = (typeof TRADING_INDICATORS)[number];

/** A lock of an account's API trading, and its end. Interface 3.8. */
export interface ApiTradingLock {
  readonly untilMs: number;
  readonly symbol: string;
  readonly indicator: TradingIndicator;
}
