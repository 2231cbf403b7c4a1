/**
 * LOBSTER's order by order layout: a message file and, row by row, the book after each message. All integers.
 */
export const NS_A_MS = 1_000_000;

/** What a message tells. A marketable order is the run of executions that it caused, and then what of it rests. */
export const LOBSTER_TYPE = {
  newOrder: 1,
  partialCancel: 2,
  deletion: 3,
  execution: 4,
  /** What nobody saw has traded: the order id is 0, and the visible book stays as it is. */
  hiddenExecution: 5,
  cross: 6,
  halt: 7,
} as const;

/** Stands in place of the price of a halt. */
export const LOBSTER_HALT = { halted: -1, quoting: 0, trading: 1 } as const;

export interface LobsterRow {
  /** Nanoseconds after midnight, UTC. */
  readonly timeNs: number;
  /** One of `LOBSTER_TYPE`. */
  readonly type: number;
  readonly orderId: number;
  /** Visible size, in units of 10^-sizeScale. */
  readonly size: number;
  /** In units of 10^-priceScale. */
  readonly price: number;
  /** Side of the limit order, so of an execution the maker's: 1 buys, -1 sells. */
  readonly direction: 1 | -1;
}

/** In place of the price of a level that is not there; its size is 0. */
export const NO_ASK = 9_999_999_999;
export const NO_BID = -9_999_999_999;
