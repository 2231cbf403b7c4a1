/**
 * The symbols that the demo lists: liquid pairs as on a real venue, and a few odd ones (a tiny price, a
 * price of few ticks, big whole quantities, prices in the hundreds of millions, an asset of six decimals).
 *
 * The decimals of tick and step never add up to more than 8, the precision of every quote asset, so
 * each fill's price times quantity is exact. A market order may be as large as all that an account owns.
 */
import { ORDER_TYPES, type SymbolSpec } from "@pricetime/engine";

const DAY_S = 86_400;

/** How lively the demo's bots keep a symbol. */
export interface Liveliness {
  /** The approximate volume of an average day, in the quote asset. */
  readonly dailyVolume: number;
  /** The average rate of takers' orders; each trades with one quote or more. */
  readonly ordersPerSecond: number;
  /** The most quotes that the makers of a side place, on the average of a day: they have accounts for so many. */
  readonly quotesPerSecond: number;
  /** Whether small quotes crowd next to the price; a coarse tick prevents it. */
  readonly isDense: boolean;
  /** The interval between looks of its makers, in steps of the bots. */
  readonly makerSteps: number;
  /** The spread that makers leave between bid and ask; 0: a tick. */
  readonly spreadBps: number;
}

/** The bots' pace, whose average is 1.2, makes orders more and larger: this takes its square out again. */
const LESS = 0.7;

/** The average value of a taker's order, in the quote asset, so that a day has its volume. */
export const usualOrder = ({ dailyVolume, ordersPerSecond }: Liveliness): number =>
  (LESS * dailyVolume) / DAY_S / ordersPerSecond;

/** A symbol of the demo and how the bots keep it. */
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

type Usual = "quotesPerSecond" | "isDense" | "spreadBps";

function market(
  baseAsset: string,
  quoteAsset: string,
  liveliness: Omit<Liveliness, Usual> & Partial<Pick<Liveliness, Usual>>,
  rules: Rules,
): DemoMarket {
  const { tick, maxPrice, step, maxQty, maxMarketQty, minNotional } = rules;
  const spec: SymbolSpec = {
    symbol: baseAsset + quoteAsset,
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
  // A tiny price and whole quantities in the hundreds of millions.
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
  // The whole price is about 150 ticks.
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
  // A price that hardly moves, and a base asset of six decimals.
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
  // Prices near a thousand million.
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
  // What examples of client libraries trade with.
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
