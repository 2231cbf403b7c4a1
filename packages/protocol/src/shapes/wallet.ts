/** Wallet answers that clients request while they load. Interface 4.6, S.16. */

export interface CoinNetwork {
  readonly network: string;
  readonly coin: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly depositEnable: boolean;
  readonly withdrawEnable: boolean;
  readonly withdrawFee: string;
  readonly withdrawMin: string;
  readonly withdrawMax: string;
  /** The smallest step of an amount. */
  readonly withdrawIntegerMultiple: string;
  /** Confirmations until a deposit can be traded with, and until it can be withdrawn. */
  readonly minConfirm: number;
  readonly unLockConfirm: number;
  /** Addresses are shared, and told apart by a tag. */
  readonly sameAddress: boolean;
  /** Message while deposits are suspended; else "". */
  readonly depositDesc: string;
}

export interface Coin {
  readonly coin: string;
  readonly name: string;
  readonly free: string;
  /** Excludes what withdrawals hold, which is in `withdrawing`. */
  readonly locked: string;
  readonly withdrawing: string;
  readonly depositAllEnable: boolean;
  readonly withdrawAllEnable: boolean;
  readonly trading: boolean;
  readonly isLegalMoney: boolean;
  readonly networkList: readonly CoinNetwork[];
}

/** Fractions as decimal strings, as in "0.001". */
export interface TradeFee {
  readonly symbol: string;
  readonly makerCommission: string;
  readonly takerCommission: string;
}

/** 0 normal, 1 maintenance. */
export interface SystemStatus {
  readonly status: 0 | 1;
  readonly msg: string;
}
