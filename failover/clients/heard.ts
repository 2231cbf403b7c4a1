/** What one WebSocket connection heard, from when it was open until it was lost. */
interface Heard {
  readonly node: string;
  readonly openedMs: number;
  /** It was open when all was over. */
  isWhole: boolean;
}

export interface HeardUser extends Heard {
  readonly account: number;
  /** Executions, each as `executionKey` of the checks writes it. */
  readonly keys: string[];
}

export interface HeardTrade {
  readonly tradeId: number;
  readonly price: string;
  readonly quantity: string;
}

export interface HeardTrades extends Heard {
  readonly symbol: string;
  readonly trades: HeardTrade[];
}

export interface HeardDepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly (readonly [price: string, quantity: string])[];
  readonly a: readonly (readonly [price: string, quantity: string])[];
}

export interface HeardDepth extends Heard {
  readonly symbol: string;
  readonly events: HeardDepthEvent[];
}
