/** What an account may be told about the rules of API trading. Interface 4.5, 3.8. */

/**
 * UFR: the unfilled part of the value of all orders. IFER: the part of the IOC and FOK orders that expired
 * without a fill. GCR: the part of the GTC orders that ended without a fill within 2.5 s.
 */
export type Indicator = "UFR" | "IFER" | "GCR";

export interface IndicatorValue {
  readonly indicator: Indicator;
  /** The number of orders that it is made from. */
  readonly count: number;
  /** The value, from 0 to 1. */
  readonly value: number;
  /** From this value on, with enough orders, trading is too careless. */
  readonly trigger: number;
}

export interface ApiTradingStatus {
  readonly isLocked: boolean;
  /** When the lock ends; 0 without a lock. */
  readonly plannedRecoverTimeMs: number;
  /** The indicator that caused the lock; null without a lock. */
  readonly lockedBy: Indicator | null;
  /** The orders that each indicator needs before it counts. */
  readonly triggerCondition: Readonly<Record<Indicator, number>>;
  /** UFR, IFER and GCR of each symbol that the account placed orders on within the rules' window. */
  readonly indicators: ReadonlyMap<number, readonly IndicatorValue[]>;
  /** The time when the indicators were made. */
  readonly updateTimeMs: number;
}

export interface TradingRulesStatus {
  /** Rejects with `HistoryBehind`. `indicators` is by symbol id. */
  status(accountId: number, nowMs: number): Promise<ApiTradingStatus>;
}
