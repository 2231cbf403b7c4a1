/**
 * The symbols that the demo lists: liquid pairs as on a real exchange, and a few unusual ones (a tiny price, a price of
 * few ticks, large whole quantities, prices in the hundreds of millions, an asset with six decimals).
 *
 * The decimals of tick and step never add up to more than 8, the precision of every quote asset, so each fill's price
 * times quantity is exact. A market order may be as large as an account's entire balance.
 */
import { ORDER_TYPES, type SymbolFilters, type SymbolSpec } from "@pricetime/engine";

const DAY_S = 86_400;

/** The activity of a symbol's bots. */
export interface Liveliness {
  /** The approximate volume of an average day, in the quote asset. */
  readonly dailyVolume: number;
  /** The average rate of taker orders; each results in at least one trade. */
  readonly ordersPerSecond: number;
  /**
   * The maximum number of quotes that the makers of a side place per second, averaged over a day. It determines the
   * number of their accounts.
   */
  readonly quotesPerSecond: number;
  /** Whether many small quotes are close to the price. A coarse tick prevents this. */
  readonly isDense: boolean;
  /** The interval between rounds of the symbol's makers, in steps. */
  readonly makerSteps: number;
  /** The spread between bid and ask; 0 means one tick. */
  readonly spreadBps: number;
}

/**
 * Compensates for the bots' activity factor, whose average is 1.2 and which multiplies both the number and the size of
 * orders.
 */
const LESS = 0.7;

/** Returns the average value of a taker order, in the quote asset, that results in the daily volume. */
export const usualOrder = ({ dailyVolume, ordersPerSecond }: Liveliness): number =>
  (LESS * dailyVolume) / DAY_S / ordersPerSecond;

/** Returns the smallest value of an order that MIN_NOTIONAL and NOTIONAL accept, in the quote asset. */
export const leastValue = ({ filters: { minNotional, notional } }: Pick<SymbolSpec, "filters">): number =>
  Math.max(Number(minNotional?.minNotional ?? 0), Number(notional?.minNotional ?? 0));

/** A symbol of the demo, and the activity of its bots. */
export interface DemoMarket extends Liveliness {
  readonly spec: SymbolSpec;
}

interface Rules {
  readonly tick: string;
  readonly maxPrice: string;
  readonly step: string;
  readonly maxQty: string;
  readonly maxMarketQty: string;
  readonly minNotional: string;
}

/** Bounds of trailing stops, in basis points. */
const TRAILING_DELTA = {
  ...{ minTrailingAboveDelta: 10, maxTrailingAboveDelta: 2000 },
  ...{ minTrailingBelowDelta: 10, maxTrailingBelowDelta: 2000 },
};

/** For clients of today that do not read MIN_NOTIONAL and PERCENT_PRICE, on the symbols that they try first. */
const BOTH_FORMS: ReadonlySet<string> = new Set(["BTCUSDT", "ETHUSDT", "BNBUSDT"]);
/** Far above the largest quotes of the bots. */
const MAX_NOTIONAL = "9000000000";

const formsOfToday = (minNotional: string): SymbolFilters => ({
  percentPriceBySide: {
    ...{ bidMultiplierUp: "5", bidMultiplierDown: "0.2", askMultiplierUp: "5", askMultiplierDown: "0.2" },
    avgPriceMins: 5,
  },
  notional: {
    ...{ minNotional, applyMinToMarket: true, maxNotional: MAX_NOTIONAL, applyMaxToMarket: false, avgPriceMins: 5 },
  },
});

/** The filters of a demo symbol as in version 0.2.0. */
export function withoutNewFilters(filters: SymbolFilters): SymbolFilters {
  const { trailingDelta: _delta, percentPriceBySide: _band, notional: _value, ...earlier } = filters;
  return earlier;
}

type Usual = "quotesPerSecond" | "isDense" | "spreadBps";

function market(
  baseAsset: string,
  quoteAsset: string,
  liveliness: Omit<Liveliness, Usual> & Partial<Pick<Liveliness, Usual>>,
  rules: Rules,
): DemoMarket {
  const { tick, maxPrice, step, maxQty, maxMarketQty, minNotional } = rules;
  const symbol = baseAsset + quoteAsset;
  const spec: SymbolSpec = {
    symbol,
    status: "TRADING",
    baseAsset,
    quoteAsset,
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    quoteOrderQtyMarketAllowed: true,
    filters: {
      priceFilter: { minPrice: tick, maxPrice, tickSize: tick },
      percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
      lotSize: { minQty: step, maxQty, stepSize: step },
      minNotional: { minNotional, applyToMarket: true, avgPriceMins: 5 },
      icebergParts: { limit: 10 },
      marketLotSize: { minQty: "0", maxQty: maxMarketQty, stepSize: "0" },
      maxNumOrders: { limit: 200 },
      maxNumAlgoOrders: { maxNumAlgoOrders: 5 },
      maxNumIcebergOrders: { maxNumIcebergOrders: 10 },
      trailingDelta: TRAILING_DELTA,
      ...(BOTH_FORMS.has(symbol) && formsOfToday(minNotional)),
    },
  };
  const usual = { quotesPerSecond: liveliness.ordersPerSecond, isDense: false, spreadBps: 0 };
  return { spec, ...usual, ...liveliness };
}

export const DEMO_MARKETS: readonly DemoMarket[] = [
  market(
    "BTC",
    "USDT",
    { dailyVolume: 400_000_000, ordersPerSecond: 1.5, quotesPerSecond: 14, isDense: true, makerSteps: 2 },
    {
      tick: "0.01",
      maxPrice: "1000000",
      step: "0.000001",
      maxQty: "90000",
      maxMarketQty: "20000",
      minNotional: "10",
    },
  ),
  market(
    "ETH",
    "USDT",
    { dailyVolume: 150_000_000, ordersPerSecond: 1.8, makerSteps: 2 },
    {
      tick: "0.01",
      maxPrice: "1000000",
      step: "0.0001",
      maxQty: "900000",
      maxMarketQty: "400000",
      minNotional: "10",
    },
  ),
  market(
    "ETH",
    "BTC",
    { dailyVolume: 500, ordersPerSecond: 0.3, makerSteps: 6 },
    {
      tick: "0.00001",
      maxPrice: "1000",
      step: "0.001",
      maxQty: "900000",
      maxMarketQty: "400000",
      minNotional: "0.0001",
    },
  ),
  market(
    "BNB",
    "USDT",
    { dailyVolume: 30_000_000, ordersPerSecond: 0.6, makerSteps: 4 },
    {
      tick: "0.01",
      maxPrice: "100000",
      step: "0.001",
      maxQty: "9000000",
      maxMarketQty: "2500000",
      minNotional: "10",
    },
  ),
  // A symbol with a tiny price and large whole quantities (hundreds of millions).
  market(
    "SHIB",
    "USDT",
    { dailyVolume: 8_000_000, ordersPerSecond: 0.3, makerSteps: 6 },
    {
      tick: "0.00000001",
      maxPrice: "1",
      step: "1",
      maxQty: "900000000000000",
      maxMarketQty: "100000000000000",
      minNotional: "5",
    },
  ),
  // A symbol with a price of about 150 ticks.
  market(
    "DOGE",
    "BTC",
    { dailyVolume: 100, ordersPerSecond: 0.22, makerSteps: 8 },
    {
      tick: "0.00000001",
      maxPrice: "1",
      step: "1",
      maxQty: "90000000000",
      maxMarketQty: "20000000000",
      minNotional: "0.0001",
    },
  ),
  // A symbol with a nearly constant price and a base asset with six decimals.
  market(
    "USDC",
    "USDT",
    { dailyVolume: 50_000_000, ordersPerSecond: 0.3, makerSteps: 6 },
    {
      tick: "0.0001",
      maxPrice: "1000",
      step: "0.01",
      maxQty: "9000000000",
      maxMarketQty: "2000000000",
      minNotional: "10",
    },
  ),
  // A symbol with prices near a thousand million.
  market(
    "BTC",
    "IDR",
    { dailyVolume: 55_000_000_000, ordersPerSecond: 0.15, makerSteps: 8, spreadBps: 3 },
    {
      tick: "1",
      maxPrice: "100000000000",
      step: "0.00001",
      maxQty: "90000",
      maxMarketQty: "20000",
      minNotional: "20000",
    },
  ),
  // Symbols that the examples of client libraries use.
  market(
    "BNB",
    "BTC",
    { dailyVolume: 100, ordersPerSecond: 0.15, makerSteps: 8 },
    {
      tick: "0.000001",
      maxPrice: "1000",
      step: "0.01",
      maxQty: "9000000",
      maxMarketQty: "2500000",
      minNotional: "0.0001",
    },
  ),
  market(
    "LTC",
    "USDT",
    { dailyVolume: 15_000_000, ordersPerSecond: 0.3, makerSteps: 6 },
    {
      tick: "0.01",
      maxPrice: "100000",
      step: "0.00001",
      maxQty: "90000000",
      maxMarketQty: "20000000",
      minNotional: "10",
    },
  ),
  market(
    "TRX",
    "BTC",
    { dailyVolume: 80, ordersPerSecond: 0.18, makerSteps: 8 },
    {
      tick: "0.00000001",
      maxPrice: "1",
      step: "1",
      maxQty: "90000000000",
      maxMarketQty: "20000000000",
      minNotional: "0.0001",
    },
  ),
];
