/**
 * What the demo lists: liquid pairs as on a real venue, and a few odd ones (a tiny price, a price of
 * few ticks, big whole quantities, prices in the hundreds of millions, an asset of six decimals).
 *
 * The decimals of tick and step never add up to more than 8, the precision of every quote asset, so
 * each fill's price times quantity is exact.
 */
import { ORDER_TYPES } from "@pricetime/engine";
import type { AssetNetwork, AssetSpec, EngineView, SymbolSpec } from "@pricetime/engine";

/** What the bots need to know of an asset. */
export interface DemoAsset {
  readonly spec: AssetSpec;
  /** What one is worth in USDT when the demo begins. */
  readonly startValue: number;
  /** How much its worth moves with each step of the bots, in basis points. */
  readonly volatilityBps: number;
  /** What each demo account gets, a decimal. */
  readonly grant: string;
}

/** Blocks that a deposit of the demo needs to be traded with, and to be final: a second each, so that a client sees every step. */
const DEPTHS = { creditConfirmations: 2, finalConfirmations: 4 };

function network(
  name: string,
  withdrawFee: string,
  withdrawMin: string,
  more: Partial<AssetNetwork> = {},
): AssetNetwork {
  const open = { network: name, isDefault: true, depositEnabled: true, withdrawEnabled: true };
  return { ...open, withdrawFee, withdrawMin, withdrawMax: "1000000000", ...DEPTHS, ...more };
}

function asset(name: string, fullName: string, precision: number, ...networks: readonly AssetNetwork[]): AssetSpec {
  return { asset: name, name: fullName, precision, networks };
}

export const DEMO_ASSETS: readonly DemoAsset[] = [
  {
    spec: asset("USDT", "TetherUS", 8, network("ETH", "5", "10")),
    startValue: 1,
    volatilityBps: 0,
    grant: "100000000",
  },
  {
    spec: asset("BTC", "Bitcoin", 8, network("BTC", "0.0005", "0.0010", { approvalAbove: "100" })),
    startValue: 60_000,
    volatilityBps: 0.5,
    grant: "2000",
  },
  {
    spec: asset("ETH", "Ether", 8, network("ETH", "0.005", "0.010")),
    startValue: 3000,
    volatilityBps: 0.6,
    grant: "20000",
  },
  {
    spec: asset(
      "BNB",
      "BNB",
      8,
      network("BSC", "0.001", "0.002"),
      network("BNB", "0.001", "0.002", { isDefault: false, isTagged: true }),
    ),
    startValue: 500,
    volatilityBps: 0.6,
    grant: "100000",
  },
  {
    spec: asset("SHIB", "Shiba Inu", 8, network("ETH", "100000", "200000")),
    startValue: 0.00001234,
    volatilityBps: 0.8,
    grant: "1000000000000",
  },
  {
    spec: asset("DOGE", "Dogecoin", 8, network("DOGE", "5", "10")),
    startValue: 0.09,
    volatilityBps: 0.8,
    grant: "500000000",
  },
  {
    spec: asset("USDC", "USD Coin", 6, network("ETH", "5", "10")),
    startValue: 1.0002,
    volatilityBps: 0.05,
    grant: "50000000",
  },
  {
    spec: asset("IDR", "Rupiah", 8, network("BANK", "10000", "20000")),
    startValue: 1 / 16_000,
    volatilityBps: 0.1,
    grant: "1000000000000",
  },
];

/** A symbol of the demo and how the bots keep it. */
export interface DemoMarket {
  readonly spec: SymbolSpec;
  /** What a level of the book is worth, near the top, in the quote asset. */
  readonly levelNotional: number;
}

interface Rules {
  readonly tick: string;
  readonly maxPrice: string;
  readonly step: string;
  readonly maxQty: string;
  readonly maxMarketQty: string;
  readonly minNotional: string;
}

function market(baseAsset: string, quoteAsset: string, levelNotional: number, rules: Rules): DemoMarket {
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
  return { spec, levelNotional };
}

export const DEMO_MARKETS: readonly DemoMarket[] = [
  market("BTC", "USDT", 30_000, {
    tick: "0.01",
    maxPrice: "1000000",
    step: "0.000001",
    maxQty: "9000",
    maxMarketQty: "300",
    minNotional: "10",
  }),
  market("ETH", "USDT", 20_000, {
    tick: "0.01",
    maxPrice: "1000000",
    step: "0.0001",
    maxQty: "9000",
    maxMarketQty: "2000",
    minNotional: "10",
  }),
  market("ETH", "BTC", 0.3, {
    tick: "0.00001",
    maxPrice: "1000",
    step: "0.001",
    maxQty: "100000",
    maxMarketQty: "2000",
    minNotional: "0.0001",
  }),
  market("BNB", "USDT", 8000, {
    tick: "0.01",
    maxPrice: "100000",
    step: "0.001",
    maxQty: "900000",
    maxMarketQty: "10000",
    minNotional: "10",
  }),
  // A tiny price and whole quantities in the hundreds of millions.
  market("SHIB", "USDT", 5000, {
    tick: "0.00000001",
    maxPrice: "1",
    step: "1",
    maxQty: "46116860414",
    maxMarketQty: "20000000000",
    minNotional: "5",
  }),
  // The whole price is about 150 ticks.
  market("DOGE", "BTC", 0.1, {
    tick: "0.00000001",
    maxPrice: "1",
    step: "1",
    maxQty: "90000000",
    maxMarketQty: "9000000",
    minNotional: "0.0001",
  }),
  // A price that hardly moves, and a base asset of six decimals.
  market("USDC", "USDT", 20_000, {
    tick: "0.0001",
    maxPrice: "1000",
    step: "0.01",
    maxQty: "10000000",
    maxMarketQty: "1000000",
    minNotional: "10",
  }),
  // Prices near a thousand million.
  market("BTC", "IDR", 200_000_000, {
    tick: "1",
    maxPrice: "100000000000",
    step: "0.00001",
    maxQty: "9000",
    maxMarketQty: "100",
    minNotional: "20000",
  }),
];

export interface Listing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
}

/** What the demo lists together with what the configuration lists, which wins where both name the same. */
export function demoListing(configured: Listing): Listing {
  const assets = new Map(
    [...DEMO_ASSETS.map(({ spec }) => spec), ...configured.assets].map((spec) => [spec.asset, spec]),
  );
  const symbols = new Map(
    [...DEMO_MARKETS.map(({ spec }) => spec), ...configured.symbols].map((spec) => [spec.symbol, spec]),
  );
  return { assets: [...assets.values()], symbols: [...symbols.values()] };
}

/** The demo's symbols as they are listed now; without those that an operator has listed otherwise. */
export function liveMarkets(view: EngineView): DemoMarket[] {
  return DEMO_MARKETS.flatMap(({ spec, levelNotional }) => {
    const live = view.marketBySymbol(spec.symbol)?.spec;
    const isSame = live?.baseAsset === spec.baseAsset && live.quoteAsset === spec.quoteAsset;
    return isSame ? [{ spec: live, levelNotional }] : [];
  });
}
