/** Assets, symbols and the exchange's own filters. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { z } from "zod";
import {
  assetSchema,
  exchangeFiltersSchema,
  networksSchema,
  symbolFiltersSchema,
  symbolSchema,
  symbolStatusSchema,
} from "../config/listing-schema.ts";
import { created, ok, refusalOf } from "./answer.ts";
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
        const symbol = parseWith(symbolSchema, body);
        await carryOut(node, { type: "listSymbol", symbol, by });
        return created(symbolBody(findMarket(view, symbol.symbol)));
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
        const filters = parseWith(symbolFiltersSchema, body);
        await carryOut(node, { type: "setSymbolFilters", symbol, filters, by });
        return ok(symbolBody(findMarket(view, symbol)));
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
  if (market === undefined) throw refusalOf("UNKNOWN_SYMBOL");
  return market;
}

const symbolBody = ({ spec, scale }: MarketView): object => ({ ...spec, ...scale });
