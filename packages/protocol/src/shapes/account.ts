/** The account and its trades (Interface 2.4, 2.5), and the state of a connection to the WebSocket API. */
import type { ExchangeFilter, SymbolFilter } from "./market.ts";

export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/**
 * Commissions are in basis points; `permissions` is an extra field (Interface S.19). Every asset of the venue has a
 * balance.
 */
export interface Account {
  readonly makerCommission: number;
  readonly takerCommission: number;
  readonly buyerCommission: number;
  readonly sellerCommission: number;
  /** The same as decimals: 10 basis points are "0.00100000". */
  readonly commissionRates: AllRates;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  readonly brokered: false;
  readonly requireSelfTradePrevention: false;
  readonly preventSor: false;
  readonly updateTime: number;
  readonly accountType: "SPOT";
  readonly balances: readonly Balance[];
  readonly permissions: readonly ["SPOT"];
  /** The number of the account. */
  readonly uid: number;
  /** Present if the account is part of a trade group. */
  readonly tradeGroupId?: number;
}

/** Rates as decimals, 8 places. */
export interface CommissionRates {
  readonly maker: string;
  readonly taker: string;
}

/** The rates of the buyer or the seller add to those of maker or taker. */
interface AllRates extends CommissionRates {
  readonly buyer: string;
  readonly seller: string;
}

/** A discount for paying in another asset. */
export interface Discount {
  readonly enabledForAccount: boolean;
  readonly enabledForSymbol: boolean;
  readonly discountAsset: string | null;
  /** The part of the standard commission that remains. */
  readonly discount: string;
}

/** The rates of an account on a symbol. */
export interface AccountFilters {
  readonly exchangeFilters: readonly ExchangeFilter[];
  readonly symbolFilters: readonly SymbolFilter[];
  /** Filters of the account's assets, which this exchange does not have. */
  readonly assetFilters: readonly [];
}

export interface Commission {
  readonly symbol: string;
  readonly standardCommission: AllRates;
  readonly specialCommission: AllRates;
  readonly taxCommission: AllRates;
  readonly discount: Discount;
}

/** The rates that a tested order would pay. */
export interface OrderCommission {
  readonly standardCommissionForOrder: CommissionRates;
  readonly specialCommissionForOrder: CommissionRates;
  readonly taxCommissionForOrder: CommissionRates;
  readonly discount: Discount;
}

export interface AccountTrade {
  readonly symbol: string;
  readonly id: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly time: number;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
  readonly isBestMatch: boolean;
}

export interface ListenKeyAnswer {
  readonly listenKey: string;
}

export interface SessionStatus {
  /** The API key that is logged on. If there is none, `apiKey` and `authorizedSince` are null. */
  readonly apiKey: string | null;
  readonly authorizedSince: number | null;
  readonly connectedSince: number;
  readonly returnRateLimits: boolean;
  readonly serverTime: number;
  /** Whether the connection has subscriptions. */
  readonly userDataStream: boolean;
}

export interface Subscribed {
  /** Numbered from 0 on each connection. */
  readonly subscriptionId: number;
}
