/** Orders as the bots describe them: prices in ticks and quantities in lots of their grid. */

export const SIDES = ["BUY", "SELL"] as const;
export type Side = (typeof SIDES)[number];

export interface Quote {
  readonly ticks: number;
  readonly lots: number;
}
/** A quote that is open; `lots` is what is left of it. */
export interface OpenQuote extends Quote {
  readonly orderId: number;
  readonly side: Side;
}

export interface TakerOrder {
  readonly side: Side;
  readonly lots: number;
  /** 0: a market order; otherwise a LIMIT IOC. */
  readonly limitTicks: number;
}
