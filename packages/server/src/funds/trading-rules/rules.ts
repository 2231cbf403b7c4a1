/** Computes the three indicators from an account's conduct, and whether they are too careless. Interface 3.8. */
import type { ConductRow } from "../../history/wallet-port.ts";
import type { Indicator, IndicatorValue } from "./port.ts";

/** The rule for one indicator. */
export interface Rule {
  /** The fraction from which trading is too careless, */
  readonly trigger: number;
  /** if it is made from at least this many orders. */
  readonly orders: number;
}
export interface Rules {
  readonly ufr: Rule;
  readonly ifer: Rule;
  readonly gcr: Rule;
}

/** Returns UFR, IFER, GCR, in this order. Without an order to count the value is 0. */
export function indicatorsOf(row: ConductRow, rules: Rules): readonly IndicatorValue[] {
  const { submitted, filled } = row;
  return [
    value("UFR", row.orders, ratio(submitted - filled, submitted), rules.ufr),
    value("IFER", row.immediate, ratio(row.immediateExpired, row.immediate), rules.ifer),
    value("GCR", row.goodTillCancel, ratio(row.goodTillCancelQuick, row.goodTillCancel), rules.gcr),
  ];
}

/** Returns the first indicator that is too careless. */
export function breachOf(row: ConductRow, rules: Rules): Indicator | undefined {
  const condition = triggerCondition(rules);
  const isBreach = ({ indicator, count, value, trigger }: IndicatorValue): boolean =>
    count >= condition[indicator] && value >= trigger;
  return indicatorsOf(row, rules).find(isBreach)?.indicator;
}

/** Returns the orders that each indicator needs. */
export function triggerCondition({ ufr, ifer, gcr }: Rules): Readonly<Record<Indicator, number>> {
  return { UFR: ufr.orders, IFER: ifer.orders, GCR: gcr.orders };
}

function value(indicator: Indicator, count: number, of: number, { trigger }: Rule): IndicatorValue {
  return { indicator, count, value: of, trigger };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(Math.max(part / whole, 0), 1);
}
