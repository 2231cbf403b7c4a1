/**
 * Brings the listing of demos of version 0.1.0 up to date at a start. Listings that an operator has changed, or that
 * the configuration contains, are left alone.
 */
import { isDeepStrictEqual } from "node:util";
import type { SymbolFilters } from "@pricetime/engine";
import { DEMO_ASSETS } from "./assets.ts";
import type { Listing } from "./listing.ts";
import { DEMO_MARKETS } from "./markets.ts";
import { act, type DemoNode } from "./operator.ts";

interface EarlierLots {
  readonly maxQty: string;
  readonly maxMarketQty: string;
}

/** The lot sizes of that version: they allowed smaller orders than an account could pay for. */
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
/** The network of USDT in that version, its only one. */
const EARLIER_NETWORK = "ETH";
const ASSET_OF_MORE_NETWORKS = "USDT";

/** Journals nothing when everything is as listed now. */
export async function renewDemoListing(node: DemoNode, configured: Listing): Promise<void> {
  await renewNetworks(node, configured);
  const isConfigured = new Set(configured.symbols.map(({ symbol }) => symbol));
  for (const { spec } of DEMO_MARKETS) {
    const { symbol, filters } = spec;
    const earlier = EARLIER_LOTS[symbol];
    const listed = node.view.marketBySymbol(symbol)?.spec.filters;
    if (earlier === undefined || isConfigured.has(symbol)) continue;
    if (isDeepStrictEqual(listed, withLots(filters, earlier))) {
      await act(node, { type: "setSymbolFilters", symbol, filters });
    }
  }
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
