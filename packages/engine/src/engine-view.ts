/** Records of the read side of the engine: balances, accounts, markets and nodes. */
import type { OrderRecord, Side } from "./entry/order-record.ts";
import type { PastReach } from "./entry/past-candle.ts";
import type { SymbolScale } from "./numbers.ts";
import type { AveragePriceView } from "./filters.ts";
import type { AssetSpec, SymbolSpec, SymbolStatus } from "./entry/symbol.ts";
import type { DelistingRecord } from "./entry/venue.ts";

/** An account's balance of an asset, in units of the asset. */
export interface BalanceView {
  readonly free: bigint;
  readonly locked: bigint;
}

export interface AssetView {
  readonly assetId: number;
  readonly spec: AssetSpec;
}

export interface AccountView {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly makerBps: number;
  readonly takerBps: number;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  readonly createdMs: number;
  /** The master of a sub-account; null for a master account. */
  readonly masterId: number | null;
  /** False for a disabled sub-account. */
  readonly isEnabled: boolean;
  readonly confirmsByMail: boolean;
  /** Whether withdrawals are restricted to the account's address allowlist. */
  readonly isAddressListEnforced: boolean;
  /** The time from which the allowlist is no longer enforced; absent if it was not switched off. */
  readonly addressListEndsMs?: number;
  /** Sealed two-factor secret; null if no code is required. */
  readonly sealedTotp: string | null;
  /** The operator's message in accountStatus; "" if there is none. */
  readonly statusMessage: string;
  readonly statusObjs: readonly string[];
  /** The language of emails to the customer; absent if none was chosen. */
  readonly language?: string;
  /** Whether self-trade prevention applies among this master account and its sub-accounts. Default: no. */
  readonly isTradeGroup?: boolean;
  /** Whether the account pays commission in the venue's discount asset where it can. Default: no. */
  readonly paysInDiscountAsset?: boolean;
  /** Time of the last change of a balance. */
  readonly updateTimeMs: number;
}

/** One price of the book: `[priceTicks, lots]`, visible lots only. */
export type DepthLevel = readonly [priceTicks: number, lots: number];

/**
 * Statistics of the 24 h up to `nowMs`. `count` is 0 if the window has no trade, `lastTicks` is 0 if there was never a
 * trade. Candles from before the first trade are included with their own values. Trade ids are -1 if there is no trade.
 */
export interface TickerView {
  /** The last price before the window; 0 if there was no trade before it. */
  readonly prevCloseTicks: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lastTicks: number;
  readonly lastLots: number;
  readonly volumeLots: bigint;
  /** Units of the quote asset. */
  readonly quoteVolume: bigint;
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly count: number;
}

export interface MarketView {
  readonly symbolId: number;
  /** The specification from the listing, with the current status and filters. */
  readonly spec: SymbolSpec;
  readonly scale: SymbolScale;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  /** Increases by one with every command that changes the book. Sent as `lastUpdateId` of depth. */
  readonly bookUpdateId: number;
  /** The price of the last trade. Before the first trade, the close of the last earlier candle; 0 if there is none. */
  readonly lastTradeTicks: number;
  /** The time of the first trade; 0 before it. */
  readonly firstTradeMs: number;
  /** The extent of the candles from before the first trade; null if there are none. */
  readonly past: PastReach | null;
  /** The time at which the symbol stops trading permanently; null if no delisting is scheduled. */
  readonly delisting: DelistingRecord | null;
  /** Whether the delisting has taken effect: its time has passed and a later entry has been applied. */
  readonly isDelisted: boolean;
  /**
   * Whether an operator or a delisting is ending the open orders in steps. The symbol cannot trade again until this is
   * done.
   */
  readonly isEndingOrders: boolean;
  /** The number of open orders, including waiting stop orders. */
  readonly openOrderCount: number;
  /** The status with which the engine checks an order at this time: BREAK from the delisting on. */
  statusAt(nowMs: number): SymbolStatus;
  /** The best price of a side; `[0, 0]` if there are no orders. */
  bestLevel(side: Side): DepthLevel;
  bids(limit: number): DepthLevel[];
  asks(limit: number): DepthLevel[];
  /** Visible lots at a price; 0 if no order rests there. */
  visibleLotsAt(side: Side, priceTicks: number): number;
  averagePrice(mins: number, nowMs: number): AveragePriceView;
  /** Null if the symbol has no price range, or no trade within its buckets. */
  referencePrice(nowMs: number): AveragePriceView | null;
  /** The price with which filters compare: the reference price if there is one, otherwise the average price. */
  filterPrice(mins: number, nowMs: number): AveragePriceView;
  ticker(nowMs: number): TickerView;
}

/** The public fields of an open order. */
export type QuoteView = Pick<
  OrderRecord,
  "orderId" | "side" | "priceTicks" | "quantityLots" | "executedLots" | "preventedLots"
>;

/** An email address in lower case, and the accounts whose addresses equal it except for case, oldest first. */
export interface SharedEmail {
  readonly email: string;
  readonly accounts: readonly AccountView[];
}

/** A node as of its last batch. */
export interface NodeRecord {
  readonly node: string;
  /** The id of the process that runs under the node's name. */
  readonly incarnation: string;
  /** The number of the node's last batch. */
  readonly number: number;
  readonly release: string;
}

/** The current owner of a task (role). */
export interface RoleRecord {
  readonly role: string;
  readonly node: string;
  readonly incarnation: string;
  /** The fencing token: starts at 1 and increases by one with each grant. */
  readonly number: number;
}
