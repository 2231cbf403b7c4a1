/** What an account may be told of the rules of trading by API. Interface 4.5, FACTS 6.4. */

/**
 * UFR: what of the value of all orders was not filled. IFER: how many of the IOC and FOK orders
 * expired without a fill. GCR: how many of the GTC orders ended so within 2.5 s.
 */
export type Indicator = "UFR" | "IFER" | "GCR";

export interface IndicatorValue {
  readonly indicator: Indicator;
  /** Orders that it is made from. */
  readonly count: number;
  /** 0 to 1. */
  readonly value: number;
  /** A value from here on, with orders enough, is too careless. */
  readonly trigger: number;
}

export interface ApiTradingStatus {
  readonly isLocked: boolean;
  /** 0 when it is not locked. */
  readonly plannedRecoverTimeMs: number;
  /** What it is locked for; null when it is not. */
  readonly lockedBy: Indicator | null;
  /** Orders that each indicator needs before it counts. */
  readonly triggerCondition: Readonly<Record<Indicator, number>>;
  /** Of the symbols that the account placed orders for within the rules' window: UFR, IFER, GCR. */
  readonly indicators: ReadonlyMap<number, readonly IndicatorValue[]>;
  /** When the indicators were made. */
  readonly updateTimeMs: number;
}

export interface TradingRulesStatus {
  /** Rejects with `HistoryBehind`. `indicators` is by symbol id. */
  status(accountId: number, nowMs: number): Promise<ApiTradingStatus>;
}
