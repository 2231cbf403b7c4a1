/**
 * The symbols that the demo lists: liquid pairs as on a real venue, and a few odd ones (a tiny price, a
 * price of few ticks, big whole quantities, prices in the hundreds of millions, an asset of six decimals).
 *
 * The decimals of tick and step never add up to more than 8, the precision of every quote asset, so
 * each fill's price times quantity is exact. A market order may be as large as all that an account owns.
 */
import { ORDER_TYPES, type SymbolSpec } from "@pricetime/engine";

/** A symbol of the demo and how the bots keep it. */
export interface DemoMarket {
  readonly spec: SymbolSpec;
  /** What a level of the book is worth, near the top, in the quote asset. */
  readonly levelNotional: number;
  /** What changes hands in an average day, about, in the quote asset. */
  readonly dailyVolume: number;
  /** Its bots act at every second step only. */
  readonly isQuiet: boolean;
}

interface Rules {
  readonly tick: string;
  readonly maxPrice: string;
  readonly step: string;
  readonly maxQty: string;
  readonly maxMarketQty: string;
  readonly minNotional: string;
}

function quiet(...words: Parameters<typeof market>): DemoMarket {
  return { ...market(...words), isQuiet: true };
}

function market(
  baseAsset: string,
  quoteAsset: string,
  levelNotional: number,
  dailyVolume: number,
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
  return { spec, levelNotional, dailyVolume, isQuiet: false };
}

export const DEMO_MARKETS: readonly DemoMarket[] = [
  market("BTC", "USDT", 30_000, 400_000_000, {
    tick: "0.01",
    maxPrice: "1000000",
    step: "0.000001",
    maxQty: "90000",
    maxMarketQty: "20000",
    minNotional: "10",
  }),
  market("ETH", "USDT", 20_000, 150_000_000, {
    tick: "0.01",
    maxPrice: "1000000",
    step: "0.0001",
    maxQty: "900000",
    maxMarketQty: "400000",
    minNotional: "10",
  }),
  market("ETH", "BTC", 0.3, 500, {
    tick: "0.00001",
    maxPrice: "1000",
    step: "0.001",
    maxQty: "900000",
    maxMarketQty: "400000",
    minNotional: "0.0001",
  }),
  market("BNB", "USDT", 8000, 30_000_000, {
    tick: "0.01",
    maxPrice: "100000",
    step: "0.001",
    maxQty: "9000000",
    maxMarketQty: "2500000",
    minNotional: "10",
  }),
  // A tiny price and whole quantities in the hundreds of millions.
  quiet("SHIB", "USDT", 5000, 8_000_000, {
    tick: "0.00000001",
    maxPrice: "1",
    step: "1",
    maxQty: "900000000000000",
    maxMarketQty: "100000000000000",
    minNotional: "5",
  }),
  // The whole price is about 150 ticks.
  market("DOGE", "BTC", 0.1, 100, {
    tick: "0.00000001",
    maxPrice: "1",
    step: "1",
    maxQty: "90000000000",
    maxMarketQty: "20000000000",
    minNotional: "0.0001",
  }),
  // A price that hardly moves, and a base asset of six decimals.
  quiet("USDC", "USDT", 20_000, 50_000_000, {
    tick: "0.0001",
    maxPrice: "1000",
    step: "0.01",
    maxQty: "9000000000",
    maxMarketQty: "2000000000",
    minNotional: "10",
  }),
  // Prices near a thousand million.
  quiet("BTC", "IDR", 200_000_000, 55_000_000_000, {
    tick: "1",
    maxPrice: "100000000000",
    step: "0.00001",
    maxQty: "90000",
    maxMarketQty: "20000",
    minNotional: "20000",
  }),
  // What examples of client libraries trade with.
  quiet("BNB", "BTC", 0.1, 100, {
    tick: "0.000001",
    maxPrice: "1000",
    step: "0.01",
    maxQty: "9000000",
    maxMarketQty: "2500000",
    minNotional: "0.0001",
  }),
  quiet("LTC", "USDT", 6000, 15_000_000, {
    tick: "0.01",
    maxPrice: "100000",
    step: "0.00001",
    maxQty: "90000000",
    maxMarketQty: "20000000",
    minNotional: "10",
  }),
  quiet("TRX", "BTC", 0.05, 80, {
    tick: "0.00000001",
    maxPrice: "1",
    step: "1",
    maxQty: "90000000000",
    maxMarketQty: "20000000000",
    minNotional: "0.0001",
  }),
];
