/** Orders as the bots speak of them: prices in ticks, quantities in lots, of their grid. */

export type Side = "BUY" | "SELL";

export interface Quote {
  readonly ticks: number;
  readonly lots: number;
}
/** `lots`: what is left of it. */
export interface OpenQuote extends Quote {
  readonly orderId: number;
  readonly side: Side;
}

export interface TakerOrder {
  readonly side: Side;
  readonly lots: number;
  /** 0: a market order. Else a LIMIT IOC. */
  readonly limitTicks: number;
}
