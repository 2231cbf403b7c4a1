/** The messages of one WebSocket connection, from its opening until it was lost. */
interface Heard {
  readonly node: string;
  readonly openedMs: number;
  /** The connection was still open at the end. */
  isWhole: boolean;
}

export interface UserMessages extends Heard {
  readonly account: number;
  /** Executions, each in the format of `executionKey`. */
  readonly keys: string[];
}

export interface HeardTrade {
  readonly tradeId: number;
  readonly price: string;
  readonly quantity: string;
}

export interface TradeMessages extends Heard {
  readonly symbol: string;
  readonly trades: HeardTrade[];
}

export interface HeardDepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly (readonly [price: string, quantity: string])[];
  readonly a: readonly (readonly [price: string, quantity: string])[];
}

export interface DepthMessages extends Heard {
  readonly symbol: string;
  readonly events: HeardDepthEvent[];
}
