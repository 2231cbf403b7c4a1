/**
 * The demo's listing, merged with the configuration's; its update from earlier versions; and generated candles before the
 * first trade.
 */
import {
  type Command,
  type AssetSpec,
  decimalsNeeded,
  type EngineView,
  formatDecimal,
  MINUTE_MS,
  NEWEST_GENERATOR,
  type RejectReason,
  type SymbolFilters,
  type SymbolSpec,
  toScale,
} from "@pricetime/engine";
import { DEMO_ASSETS, type DemoAsset } from "./assets.ts";
import { DEMO_MARKETS, type DemoMarket, withoutNewFilters } from "./markets.ts";
import { isDeepStrictEqual } from "node:util";
import { act, BY, type DemoNode } from "./operator.ts";
import { whole } from "./exact.ts";

interface Listing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
}

/**
 * Merges the demo's listing with the configuration's, which takes precedence. A symbol of the demo is omitted if one of
 * its assets is listed with other decimals. `listed`: the assets that already exist.
 */
export function demoListing(configured: Listing, listed: readonly AssetSpec[] = []): Listing {
  const own = DEMO_ASSETS.map(({ spec }) => spec);
  const assets = new Map([...own, ...configured.assets].map((spec) => [spec.asset, spec]));
  const decimals = new Map([...assets.values(), ...listed].map(({ asset, precision }) => [asset, precision]));
  const isOwn = (name: string): boolean =>
    own.some((spec) => spec.asset === name && decimals.get(name) === spec.precision);
  const markets = DEMO_MARKETS.filter(({ spec }) => isOwn(spec.baseAsset) && isOwn(spec.quoteAsset));
  const symbols = new Map(
    [...markets.map(({ spec }) => spec), ...configured.symbols].map((spec) => [spec.symbol, spec]),
  );
  return { assets: [...assets.values()], symbols: [...symbols.values()] };
}

/** Returns the demo's symbols as currently listed, without symbols whose assets an operator has changed. */
export function liveMarkets(view: EngineView): DemoMarket[] {
  return DEMO_MARKETS.flatMap((market) => {
    const { symbol, baseAsset, quoteAsset } = market.spec;
    const live = view.marketBySymbol(symbol)?.spec;
    const isSame = live?.baseAsset === baseAsset && live.quoteAsset === quoteAsset;
    return isSame ? [{ ...market, spec: live }] : [];
  });
}

/** Whether a symbol accepts orders now. */
export function isTrading(view: EngineView, symbol: string): boolean {
  return view.marketBySymbol(symbol)?.spec.status === "TRADING" && !view.isInMaintenance;
}

// Updates the listings of a demo of an earlier version when it starts. Symbols that an operator has changed, or that the
// configuration contains, stay unchanged.

interface EarlierLots {
  readonly maxQty: string;
  readonly maxMarketQty: string;
}

/** The maximum lot sizes in version 0.1.0, which were smaller than what an account could pay for. */
const EARLIER_LOTS: Readonly<Record<string, EarlierLots>> = {
  BTCUSDT: { maxQty: "9000", maxMarketQty: "300" },
  ETHUSDT: { maxQty: "9000", maxMarketQty: "2000" },
  ETHBTC: { maxQty: "100000", maxMarketQty: "2000" },
  BNBUSDT: { maxQty: "900000", maxMarketQty: "10000" },
  SHIBUSDT: { maxQty: "46116860414", maxMarketQty: "20000000000" },
  DOGEBTC: { maxQty: "90000000", maxMarketQty: "9000000" },
  USDCUSDT: { maxQty: "10000000", maxMarketQty: "1000000" },
  BTCIDR: { maxQty: "9000", maxMarketQty: "100" },
};
/** The only network of USDT in version 0.1.0. */
const EARLIER_NETWORK = "ETH";
const ASSET_OF_MORE_NETWORKS = "USDT";

/** Updates the listing. Journals nothing if everything is up to date. */
export async function renewDemoListing(node: DemoNode, configured: Listing): Promise<void> {
  await renewNetworks(node, configured);
  const isConfigured = new Set(configured.symbols.map(({ symbol }) => symbol));
  for (const { spec } of DEMO_MARKETS) {
    const { symbol, filters } = spec;
    const listed = node.view.marketBySymbol(symbol)?.spec.filters;
    if (isConfigured.has(symbol)) continue;
    if (earlierFilters(spec).some((earlier) => isDeepStrictEqual(listed, earlier))) {
      await act(node, { type: "setSymbolFilters", symbol, filters });
    }
  }
}

/** The filters that versions 0.2.0 and 0.1.0 listed. */
function earlierFilters({ symbol, filters }: SymbolSpec): SymbolFilters[] {
  const earlier = withoutNewFilters(filters);
  const lots = EARLIER_LOTS[symbol];
  return lots === undefined ? [earlier] : [earlier, withLots(earlier, lots)];
}

async function renewNetworks(node: DemoNode, configured: Listing): Promise<void> {
  const { networks } = DEMO_ASSETS.find(({ spec }) => spec.asset === ASSET_OF_MORE_NETWORKS)?.spec ?? { networks: [] };
  const listed = node.view.assets().find(({ spec }) => spec.asset === ASSET_OF_MORE_NETWORKS)?.spec.networks;
  const earlier = networks.filter(({ network }) => network === EARLIER_NETWORK);
  if (configured.assets.some(({ asset }) => asset === ASSET_OF_MORE_NETWORKS)) return;
  if (!isDeepStrictEqual(listed, earlier)) return;
  await act(node, { type: "setAssetNetworks", asset: ASSET_OF_MORE_NETWORKS, networks });
}

function withLots(filters: SymbolFilters, { maxQty, maxMarketQty }: EarlierLots): SymbolFilters {
  const { lotSize, marketLotSize } = filters;
  return {
    ...filters,
    ...(lotSize === undefined ? {} : { lotSize: { ...lotSize, maxQty } }),
    ...(marketLotSize === undefined ? {} : { marketLotSize: { ...marketLotSize, maxQty: maxMarketQty } }),
  };
}

// Each symbol gets candles for the time before its first trade. They end at the price at which the bots start.

const DAYS_A_YEAR = 365;
const DAY_SECONDS = 86_400;
/** The average number of trades per taker order of the bots: an order in a dense book has several. */
const TRADES_AN_ORDER = { dense: 3.4, other: 0.9 };
/** A symbol whose candles are rejected for one of these reasons starts without candles. */
const WITHOUT: ReadonlySet<RejectReason> = new Set(["ORDERS_WAIT", "INVALID_VALUE"]);

/**
 * Adds backfilled candles to all symbols, unless something has traded. Skips symbols that already have candles, that
 * have waiting orders, or whose units are too fine; resolves to the last two kinds. The same seed and minute give the
 * same candles.
 */
export async function giveDemoPast(node: DemoNode, markets: readonly DemoMarket[], seed: number): Promise<string[]> {
  if (node.view.markets().some(({ firstTradeMs }) => firstTradeMs > 0)) return [];
  const endMs = Math.floor(node.sequencer.nowMs() / MINUTE_MS) * MINUTE_MS;
  const commands = markets.flatMap((market) => {
    const live = node.view.marketBySymbol(market.spec.symbol);
    const command = live?.past === null ? pastOf(market, seed, endMs) : null;
    return command === null ? [] : [command];
  });
  const refused = await Promise.all(
    commands.map(async (command) => {
      const { events } = await node.sequencer.run(command);
      const first = events[0];
      if (first?.type !== "rejected") return [];
      if (WITHOUT.has(first.reason)) return [command.symbol];
      throw new Error(`the demo's past of ${command.symbol} was refused: ${first.reason}`);
    }),
  );
  return refused.flat();
}

/** Returns the command that adds candles to a symbol; null if the symbol's filters define no tick or no step. */
function pastOf(
  { spec, dailyVolume, ordersPerSecond, isDense }: DemoMarket,
  seed: number,
  endMs: number,
): Command<"addPast"> | null {
  const { priceFilter, lotSize } = spec.filters;
  const [base, quote] = [spec.baseAsset, spec.quoteAsset].map((asset) =>
    DEMO_ASSETS.find((each) => each.spec.asset === asset),
  );
  if (base === undefined || quote === undefined) return null;
  const price = base.startValue / quote.startValue;
  const endPrice = stepped(price, priceFilter?.tickSize);
  const dayVolume = stepped(dailyVolume / price, lotSize?.stepSize);
  if (endPrice === null || dayVolume === null) return null;
  const dayTrades = Math.ceil(DAY_SECONDS * ordersPerSecond * TRADES_AN_ORDER[isDense ? "dense" : "other"]);
  const what = { type: "addPast", by: BY, symbol: spec.symbol, generator: NEWEST_GENERATOR } as const;
  return { ...what, seed, endMs, endPrice, dayVolume, dayTrades, base: movesOf(base), quote: movesOf(quote) };
}

function movesOf({ yearlyVolatility, marketCorrelation }: DemoAsset): Command<"addPast">["base"] {
  return {
    dayMoveBps: Math.round((10_000 * yearlyVolatility) / Math.sqrt(DAYS_A_YEAR)),
    marketPercent: Math.round(100 * marketCorrelation),
  };
}

/** Formats the nearest multiple of `step`, at least one step, as a decimal. */
function stepped(value: number, step: string | undefined): string | null {
  const decimals = step === undefined ? null : decimalsNeeded(step);
  if (step === undefined || decimals === null) return null;
  const units = toScale(step, decimals);
  if (units <= 0) return null;
  const steps = Math.max(1, Math.round((value * whole(10, decimals)) / units));
  return formatDecimal(BigInt(steps * units), decimals, decimals);
}
