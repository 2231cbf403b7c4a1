/** How a stop order follows the price: the part of its state that trailing stops have. Decision 98. */

export interface Trailing {
  /** In basis points. */
  readonly delta: number;
  /** The last price when an order without a stop price was placed; 0 if there was none, or with a stop price. */
  startTicks: number;
  /** When the order began to follow the price; 0 before. */
  sinceMs: number;
  /** What it has reached; null while the order does not follow the price. */
  extreme: Extreme | null;
}

/** The highest or lowest price since some orders began to follow the price, which they share. */
export interface Extreme {
  /** 0 if the symbol has not traded yet. */
  ticks: number;
  /** The number of orders; of those that share the extreme that replaced this one. */
  orders: number;
  /** The extreme that replaced this one, because a later price exceeded both; null for one in force. */
  into: Extreme | null;
  /** The first price that triggers one of the orders that are the oldest of their delta; 0 if it has none. */
  nextTicks: number;
}

export function waitingTrail(delta: number): Trailing {
  return { delta, startTicks: 0, sinceMs: 0, extreme: null };
}

/** The extreme of an order that follows the price; null for others. Shortens the way to it for the next time. */
export function extremeOf(trailing: Trailing): Extreme | null {
  let extreme = trailing.extreme;
  if (extreme === null || extreme.into === null) return extreme;
  while (extreme.into !== null) extreme = extreme.into;
  for (let each = trailing.extreme; each !== null && each !== extreme; ) {
    const { into }: Extreme = each;
    each.into = extreme;
    each = into;
  }
  trailing.extreme = extreme;
  return extreme;
}
