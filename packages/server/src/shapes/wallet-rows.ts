/** Rows of money that came, went or moved otherwise than by trading. Interface 3.6, 4.5. */

/** Interface 2.10: pending, credited but cannot withdraw, success. One that the chain took back is nowhere. */
export type DepositStatusCode = 0 | 6 | 1;

export interface DepositRow {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly assetId: number;
  readonly amount: string;
  readonly address: string;
  /** "" where the network has none; the same below. */
  readonly tag: string;
  readonly status: DepositStatusCode;
  /** When it was first seen. */
  readonly insertTimeMs: number;
  readonly updateTimeMs: number;
}

export interface WithdrawalRow {
  readonly withdrawalId: string;
  /** The client's own id; "" when it gave none. */
  readonly withdrawOrderId: string;
  readonly assetId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  /** What arrives: the fee is off already. Interface S.18. */
  readonly amount: string;
  readonly fee: string;
  /** "" before it is signed. */
  readonly txId: string;
  /** 0 to 6. Interface 2.10. */
  readonly status: number;
  readonly applyTimeMs: number;
  readonly updateTimeMs: number;
  /** What the client called the address. */
  readonly name: string;
  /** Why it was rejected or failed; "". */
  readonly why: string;
}

export interface TransferRow {
  readonly tranId: number;
  readonly fromAccountId: number;
  readonly toAccountId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly timeMs: number;
}

/** Rows of one conversion share the tranId. */
export interface DustRow {
  readonly tranId: number;
  readonly assetId: number;
  readonly amount: string;
  readonly dustAssetId: number;
  /** After the charge; both in the dust asset. */
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

/** What an account had at the end of a day (UTC). */
export interface SnapshotRow {
  /** The last second of the day. */
  readonly timeMs: number;
  /** Of what it had any, by asset id. */
  readonly balances: readonly { readonly assetId: number; readonly free: string; readonly locked: string }[];
  /** All of it in the asset asked for, at the day's last prices, rounded down; what has no price counts nothing. */
  readonly total: string;
}
