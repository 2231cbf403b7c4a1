/** The account and its trades (Interface 2.4, 2.5), and the state of a connection to the WebSocket API. */

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
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  readonly updateTime: number;
  readonly accountType: "SPOT";
  readonly balances: readonly Balance[];
  readonly permissions: readonly ["SPOT"];
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
