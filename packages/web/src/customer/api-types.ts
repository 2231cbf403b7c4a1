/** The responses of the exchange API, as far as the pages use them (Interface 4). */

/** Interface 4.6, `capital/config/getall`. */
export interface Coin {
  readonly coin: string;
  readonly name: string;
  readonly free: string;
  readonly locked: string;
  readonly withdrawing: string;
  readonly networkList: readonly Network[];
}

export interface Network {
  readonly network: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly depositEnable: boolean;
  readonly withdrawEnable: boolean;
  readonly withdrawFee: string;
  readonly withdrawMin: string;
  readonly withdrawMax: string;
  readonly withdrawIntegerMultiple: string;
  readonly minConfirm: number;
  readonly unLockConfirm: number;
  readonly sameAddress: boolean;
  readonly depositDesc: string;
}

export interface Withdrawal {
  readonly id: string;
  /** The amount that arrives. */
  readonly amount: string;
  readonly transactionFee: string;
  readonly coin: string;
  readonly status: number;
  readonly address: string;
  readonly addressTag: string;
  readonly txId: string;
  readonly applyTime: string;
  readonly completeTime?: string;
  readonly network: string;
  readonly info: string;
}

export interface SymbolInfo {
  readonly symbol: string;
  readonly status: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
}
