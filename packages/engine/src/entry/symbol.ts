/** Operators' definitions of assets and symbols. Interface 2.7, 2.8. Decimals are strings, as in exchangeInfo. */
import type { SymbolFilters } from "../filters.ts";
import type { OrderType } from "./order-record.ts";

export type SymbolStatus =
  | "PRE_TRADING"
  | "TRADING"
  | "POST_TRADING"
  | "END_OF_DAY"
  | "HALT"
  | "AUCTION_MATCH"
  | "BREAK";
export const SYMBOL_STATUSES: readonly SymbolStatus[] = [
  "PRE_TRADING",
  "TRADING",
  "POST_TRADING",
  "END_OF_DAY",
  "HALT",
  "AUCTION_MATCH",
  "BREAK",
];

/** The rules of an asset on one network. Amounts are decimal strings of the asset. */
export interface AssetNetwork {
  readonly network: string;
  readonly isDefault: boolean;
  readonly depositEnabled: boolean;
  readonly withdrawEnabled: boolean;
  readonly withdrawFee: string;
  readonly withdrawMin: string;
  readonly withdrawMax: string;
  /** Withdrawals must be multiples of it. Default: the asset's smallest unit. */
  readonly withdrawStep?: string;
  /** Deposits that an operator reports must be multiples of it. Default: the asset's smallest unit. */
  readonly depositStep?: string;
  /** Deposits below it are not credited. Default: all are. */
  readonly depositMin?: string;
  /** Blocks, including the one with the transaction, until a deposit can be traded (6). Default: 1. */
  readonly creditConfirmations?: number;
  /**
   * Blocks until a deposit can be withdrawn again (1), or a withdrawal by the exchange is done (6). Default:
   * `creditConfirmations`.
   */
  readonly finalConfirmations?: number;
  /** Whether customers share addresses, which a tag then distinguishes. */
  readonly isTagged?: boolean;
  /** Whether withdrawals wait for the link in an email. */
  readonly confirmsByMail?: boolean;
  /** Withdrawals above this amount wait for an operator. Default: none does. */
  readonly approvalAbove?: string;
  /** Message to customers while deposits are suspended. */
  readonly depositTip?: string;
}

/** The windows over which withdrawals are summed, in hours. */
export const WITHDRAWAL_WINDOWS = { per24h: 24, per72h: 72 } as const;
export type WithdrawalWindow = keyof typeof WITHDRAWAL_WINDOWS;

/**
 * The maximum that may be withdrawn over each window without approval, in decimals of the asset. Default: any amount.
 */
export type LimitsOverTime = { readonly [Window in WithdrawalWindow]?: string };

/** Withdrawals above a limit wait for approval (decision 72). Default: no limit. */
export interface WithdrawalLimits {
  /** For each account without its own limits; a master and its sub-accounts count together. */
  readonly account?: LimitsOverTime;
  /** For all customers together: a budget of the hot wallet. */
  readonly allCustomers?: LimitsOverTime;
}

export interface AssetSpec {
  /** For example `BTC`: 1 to 20 of A-Z and 0-9. */
  readonly asset: string;
  readonly name: string;
  /** Decimals of the smallest unit, 0 to 8. */
  readonly precision: number;
  readonly networks: readonly AssetNetwork[];
  readonly withdrawalLimits?: WithdrawalLimits;
}

export interface SymbolSpec {
  /** For example `BTCUSDT`: 1 to 20 of A-Z, 0-9, `-`, `_`, `.`. */
  readonly symbol: string;
  readonly status: SymbolStatus;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly orderTypes: readonly OrderType[];
  readonly icebergAllowed: boolean;
  readonly ocoAllowed: boolean;
  readonly quoteOrderQtyMarketAllowed: boolean;
  readonly filters: SymbolFilters;
  /**
   * Whether an operator accepts that one unit of the quote asset is a large part of the smallest trade. Decision 70.
   */
  readonly acceptRounding?: boolean;
}
