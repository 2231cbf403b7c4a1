/** Public market records. Interface 2.6; decimals are strings of 8 places, times milliseconds. */

export interface ServerTime {
  readonly serverTime: number;
}

export type DepthLevel = readonly [price: string, quantity: string];

export interface Depth {
  readonly lastUpdateId: number;
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

export interface PublicTrade {
  readonly id: number;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly time: number;
  readonly isBuyerMaker: boolean;
  readonly isBestMatch: boolean;
}

export interface AggregateTrade {
  readonly a: number;
  readonly p: string;
  readonly q: string;
  readonly f: number;
  readonly l: number;
  readonly T: number;
  readonly m: boolean;
  readonly M: boolean;
}

export type Kline = readonly [
  openTime: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  closeTime: number,
  quoteVolume: string,
  trades: number,
  takerBuyBase: string,
  takerBuyQuote: string,
  ignored: "0",
];

export interface AveragePrice {
  readonly mins: number;
  readonly price: string;
}

/** `bidQty` and `askQty` are extras that clients read (Interface S.19); `priceChangePercent` has 3 places. */
export interface Ticker24hr {
  readonly symbol: string;
  readonly priceChange: string;
  readonly priceChangePercent: string;
  readonly weightedAvgPrice: string;
  readonly prevClosePrice: string;
  readonly lastPrice: string;
  readonly lastQty: string;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly openTime: number;
  readonly closeTime: number;
  /** -1 without a trade in the window; so is `lastId`. */
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

/** The fields of a 24hr ticker of `type` MINI. */
export type MiniTicker = Pick<
  Ticker24hr,
  | "symbol"
  | "openPrice"
  | "highPrice"
  | "lowPrice"
  | "lastPrice"
  | "volume"
  | "quoteVolume"
  | "openTime"
  | "closeTime"
  | "firstId"
  | "lastId"
  | "count"
>;

export interface PriceTicker {
  readonly symbol: string;
  readonly price: string;
}

export interface BookTicker {
  readonly symbol: string;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
}
