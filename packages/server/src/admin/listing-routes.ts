/** Assets, symbols and the exchange's own filters. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { z } from "zod";
import { filtersOf, withPlainFilters } from "../config/interface-filters.ts";
import {
  assetSchema,
  exchangeFiltersSchema,
  networksSchema,
  symbolFiltersSchema,
  symbolSchema,
  symbolStatusSchema,
} from "../config/listing-schema.ts";
import { created, ok } from "./answer.ts";
import { unknownName } from "./known-names.ts";
import { listingWarnings } from "./listing-warnings.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { findAsset, parseWith } from "./parse.ts";
import type { Route } from "./router.ts";

const statusSchema = z.strictObject({ status: symbolStatusSchema });

export function listingRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    { method: "GET", pattern: "/v1/assets", handle: () => ok(view.assets().map(({ spec }) => spec)) },
    {
      method: "POST",
      pattern: "/v1/assets",
      handle: async ({ body, by }) => {
        const asset = parseWith(assetSchema, body);
        await carryOut(node, { type: "listAsset", asset, by });
        return created(asset);
      },
    },
    {
      method: "GET",
      pattern: "/v1/assets/:asset",
      handle: ({ path }) => ok(findAsset(view, path["asset"] ?? "").spec),
    },
    {
      method: "PUT",
      pattern: "/v1/assets/:asset/networks",
      handle: async ({ path, body, by }) => {
        const { asset } = findAsset(view, path["asset"] ?? "").spec;
        await carryOut(node, { type: "setAssetNetworks", asset, networks: parseWith(networksSchema, body), by });
        return ok(findAsset(view, asset).spec);
      },
    },
    { method: "GET", pattern: "/v1/symbols", handle: () => ok(view.markets().map(symbolBody)) },
    {
      method: "POST",
      pattern: "/v1/symbols",
      handle: async ({ body, by }) => {
        const symbol = parseWith(symbolSchema, withPlainFilters(body));
        for (const name of [symbol.baseAsset, symbol.quoteAsset]) findAsset(view, name);
        await carryOut(node, { type: "listSymbol", symbol, by });
        return created(withWarnings(findMarket(view, symbol.symbol)));
      },
    },
    {
      method: "GET",
      pattern: "/v1/symbols/:symbol",
      handle: ({ path }) => ok(symbolBody(findMarket(view, path["symbol"]))),
    },
    {
      method: "PUT",
      pattern: "/v1/symbols/:symbol/status",
      handle: async ({ path, body, by }) => {
        const { symbol } = findMarket(view, path["symbol"]).spec;
        await carryOut(node, { type: "setSymbolStatus", symbol, ...parseWith(statusSchema, body), by });
        return ok(symbolBody(findMarket(view, symbol)));
      },
    },
    {
      method: "PUT",
      pattern: "/v1/symbols/:symbol/filters",
      handle: async ({ path, body, by }) => {
        const { symbol } = findMarket(view, path["symbol"]).spec;
        const filters = parseWith(symbolFiltersSchema, filtersOf(body));
        await carryOut(node, { type: "setSymbolFilters", symbol, filters, by });
        return ok(withWarnings(findMarket(view, symbol)));
      },
    },
    { method: "GET", pattern: "/v1/exchange-filters", handle: () => ok(view.exchangeFilters) },
    {
      method: "PUT",
      pattern: "/v1/exchange-filters",
      handle: async ({ body, by }) => {
        const filters = parseWith(exchangeFiltersSchema, body);
        await carryOut(node, { type: "setExchangeFilters", filters, by });
        return ok(view.exchangeFilters);
      },
    },
  ];
}

export function findMarket(view: EngineView, symbol: string | undefined): MarketView {
  const market = symbol === undefined ? undefined : view.marketBySymbol(symbol);
  if (market === undefined) {
    const known = view.markets().map(({ spec }) => spec.symbol);
    throw unknownName("UNKNOWN_SYMBOL", "symbol", symbol ?? "", known);
  }
  return market;
}

/** `warnings`: sentences, where there are any. */
function withWarnings(market: MarketView): object {
  const warnings = listingWarnings(market.spec);
  return { ...symbolBody(market), ...(warnings.length === 0 ? {} : { warnings }) };
}

const symbolBody = ({ spec, scale }: MarketView): object => ({ ...spec, ...scale });
