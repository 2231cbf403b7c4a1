/** Rows of money movements other than trades. Interface 3.6, 4.5. */

/** Interface 2.10: pending, credited but cannot withdraw, success. A reverted deposit is shown nowhere. */
export type DepositStatusCode = 0 | 6 | 1;

export interface DepositRow {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly assetId: number;
  readonly amount: string;
  readonly address: string;
  /** "" when the network has none; so are the tags below. */
  readonly tag: string;
  readonly status: DepositStatusCode;
  /** Time at which it was first seen. */
  readonly insertTimeMs: number;
  readonly updateTimeMs: number;
}

export interface WithdrawalRow {
  readonly withdrawalId: string;
  /** The client's own id; "" when absent. */
  readonly withdrawOrderId: string;
  readonly assetId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  /** The amount that arrives, after the fee. Interface S.18. */
  readonly amount: string;
  readonly fee: string;
  /** "" before it is signed. */
  readonly txId: string;
  /** 0 to 6. Interface 2.10. */
  readonly status: number;
  readonly applyTimeMs: number;
  readonly updateTimeMs: number;
  /** The client's name for the address. */
  readonly name: string;
  /** Reason of a rejection or failure; else "". */
  readonly why: string;
}

export interface TransferRow {
  readonly tranId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly timeMs: number;
  /** "": the client gave none. */
  readonly clientTranId: string;
}

/** Rows of one conversion share the tranId. */
export interface DustRow {
  readonly tranId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly dustAssetId: number;
  /** The amount after the charge; both in the dust asset. */
  readonly received: string;
  readonly charge: string;
  readonly timeMs: number;
}

export interface DividendRow {
  readonly tranId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly info: string;
  readonly timeMs: number;
}

/** An account's balances at the end of a day (UTC). */
export interface SnapshotRow {
  /** The last second of the day. */
  readonly timeMs: number;
  /** Balances that are not zero, by asset id. */
  readonly balances: readonly { readonly assetId: number; readonly free: string; readonly locked: string }[];
  /** Sum of all balances in the asset asked for, at the day's last prices, rounded down; others count as 0. */
  readonly total: string;
}
