/** Routes of assets, symbols and exchange filters. */
import type { Command, AssetSpec, EngineView, MarketView, PriceRangeRule, SymbolFilters } from "@pricetime/engine";
import { z } from "zod";
import { findAsset, findMarket } from "./parse.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut, requireRules } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { filtersOf, withPlainFilters } from "../../platform/config/interface-filters.ts";
import {
  assetSchema,
  exchangeFiltersSchema,
  networksSchema,
  newFiltersSchema,
  priceRangeSchema,
  selfTradePreventionSchema,
  symbolSchema,
  symbolStatusSchema,
} from "../../platform/config/listing-schema.ts";
import { created, ok, Rejection } from "../http/answer.ts";
import { withOldNames } from "./deprecated-names.ts";
import { previewFilters } from "./filter-preview.ts";
import { acceptingRounding } from "./listing.ts";
import { filtersFault, listingWarnings, roundingFault } from "../../platform/config/listing-warnings.ts";
import { endingBody, orderBody } from "./order-end-routes.ts";
import { assetRow, filterPreview, type OtherRates, symbolFees, symbolFeesRow, symbolRow } from "./answers.ts";

// The fees of a symbol: the default rates, and accounts whose rates differ.

const MAX_ACCOUNTS = 500;
const feesQuery = z.strictObject({
  /** The page begins after this account. */
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(MAX_ACCOUNTS).default(100),
});

interface Rates {
  readonly makerBps: number;
  readonly takerBps: number;
}

function symbolFeeRoute({ view, fees }: AdminNode): AdminRoute {
  return listRoute({
    pattern: "/v1/symbols/:symbol/fees",
    summary: "Returns the default fee rates, and the accounts that have other rates on the symbol.",
    answers: "Rates in basis points. Send `next` as `after` for the next page; null: this is the last page.",
    query: feesQuery,
    row: symbolFeesRow,
    answer: symbolFees,
    filePage: { limit: MAX_ACCOUNTS },
    page: ({ path, query: { after, limit } }) => {
      const { symbolId, spec } = findMarket(view, path.symbol);
      const { makerBps, takerBps } = fees;
      const accounts = othersOn(view, symbolId, { fees, after, limit });
      const next = accounts.length < limit ? undefined : accounts.at(-1)?.accountId;
      return {
        rows: accounts,
        body: { symbol: spec.symbol, makerBps, takerBps, accounts, next: next ?? null },
        next: next === undefined ? undefined : { after: next },
      };
    },
  });
}

function othersOn(
  view: EngineView,
  symbolId: number,
  { fees, after, limit }: { readonly fees: Rates; readonly after: number; readonly limit: number },
): OtherRates[] {
  const others: OtherRates[] = [];
  for (const account of view.accounts()) {
    const { accountId, email } = account;
    if (accountId <= after) continue;
    const rates = view.fees(accountId, symbolId);
    if (isSame(rates, fees)) continue;
    const { makerBps, takerBps } = rates;
    others.push({ accountId, email, makerBps, takerBps, isOfSymbol: !isSame(rates, account) });
    if (others.length === limit) break;
  }
  return others;
}

const isSame = (one: Rates, other: Rates): boolean =>
  one.makerBps === other.makerBps && one.takerBps === other.takerBps;

const statusSchema = z.strictObject({ status: symbolStatusSchema });

export function listingRoutes(node: AdminNode): AdminRoute[] {
  return [
    ...assetRoutes(node),
    ...symbolRoutes(node),
    preventionRoute(node),
    ...rangeRoutes(node),
    symbolFeeRoute(node),
    ...exchangeFilterRoutes(node),
  ];
}

function assetRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/assets",
      summary: "Lists assets with their networks.",
      row: assetRow,
      page: () => ({ rows: view.assets().map(({ spec }) => assetBody(spec)) }),
    }),
    route({
      endpoint: "POST /v1/assets",
      needs: "venue",
      summary: "Lists an asset.",
      answer: assetRow,
      status: 201,
      body: assetSchema,
      handle: async ({ body: asset, by }) => {
        await carryOut(node, { type: "listAsset", asset, by });
        return created(assetBody(asset));
      },
    }),
    route({
      endpoint: "GET /v1/assets/:asset",
      needs: "view",
      summary: "Returns an asset.",
      answer: assetRow,
      handle: ({ path }) => ok(assetBody(findAsset(view, path.asset).spec)),
    }),
    route({
      endpoint: "PUT /v1/assets/:asset/networks",
      needs: "money",
      summary: "Sets the networks of an asset, with their fees, limits and confirmations.",
      answer: assetRow,
      body: networksSchema,
      handle: async ({ path, body, by }) => {
        const { asset } = findAsset(view, path.asset).spec;
        await carryOut(node, { type: "setAssetNetworks", asset, networks: body, by });
        return ok(assetBody(findAsset(view, asset).spec));
      },
    }),
  ];
}

/** The asset as sent in answers. The journal stores the networks' `confirmsByEmail` under its old name. */
function assetBody({ networks, ...asset }: AssetSpec): object {
  const named = networks.map(({ confirmsByMail, ...network }) =>
    confirmsByMail === undefined
      ? network
      : withOldNames({ ...network, confirmsByEmail: confirmsByMail }, "confirmsByEmail"),
  );
  return { ...asset, networks: named };
}

function symbolRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/symbols",
      summary: "Lists symbols with their filters and scales.",
      answers: "A list of symbols, with `warnings` where a symbol has unusual settings.",
      row: symbolRow,
      page: () => ({ rows: view.markets().map((market) => withWarnings(node, market)) }),
    }),
    route({
      endpoint: "POST /v1/symbols",
      needs: "venue",
      summary: "Lists a symbol. Filters may be sent as a list, as in exchangeInfo.",
      answers: "The symbol, with `warnings` where it has unusual settings.",
      answer: symbolRow,
      status: 201,
      body: symbolSchema,
      asSchema: withPlainFilters,
      handle: async ({ body: symbol, by }) => {
        for (const name of [symbol.baseAsset, symbol.quoteAsset]) findAsset(view, name);
        const command: Command<"listSymbol"> = { type: "listSymbol", symbol, by };
        await carryOutListing(node, command, () => roundingFault(view, symbol));
        return created(withWarnings(node, findMarket(view, symbol.symbol)));
      },
    }),
    route({
      endpoint: "GET /v1/symbols/:symbol",
      needs: "view",
      summary: "Returns a symbol.",
      answer: symbolRow,
      answers: "The symbol, with `warnings` where it has unusual settings.",
      handle: ({ path }) => ok(withWarnings(node, findMarket(view, path.symbol))),
    }),
    route({
      endpoint: "PUT /v1/symbols/:symbol/status",
      needs: "venue",
      summary: "Sets the status of a symbol: halts or resumes trading.",
      answer: symbolRow,
      body: statusSchema,
      handle: async ({ path, body, by }) => {
        const { symbol } = findMarket(view, path.symbol).spec;
        await carryOut(node, { type: "setSymbolStatus", symbol, ...body, by });
        return ok(symbolBody(findMarket(view, symbol)));
      },
    }),
    route({
      endpoint: "PUT /v1/symbols/:symbol/filters",
      needs: "venue",
      summary:
        "Replaces the filters of a symbol. Omitted filters are removed. They may be sent as a list, as in exchangeInfo.",
      answer: symbolRow,
      body: newFiltersSchema,
      asSchema: filtersOf,
      handle: async ({ path, body: { acceptRounding, ...filters }, by }) => {
        const market = findMarket(view, path.symbol);
        const { symbol } = market.spec;
        const rounding = acceptRounding === undefined ? {} : { acceptRounding };
        const command: Command<"setSymbolFilters"> = { type: "setSymbolFilters", symbol, filters, ...rounding, by };
        await carryOutListing(node, command, () => filtersFault(view, withFilters(market, filters)));
        return ok(withWarnings(node, findMarket(view, symbol)));
      },
    }),
    route({
      endpoint: "POST /v1/symbols/:symbol/filters/preview",
      needs: "view",
      summary: "Previews filters: which open orders they would reject. Changes nothing.",
      answers:
        "The number of open orders, and of those that the filters would reject, by reason, with the first 20. Open orders " +
        "stay open whatever the filters. MIN_NOTIONAL is not applied to orders without a price.",
      answer: filterPreview,
      body: newFiltersSchema,
      asSchema: filtersOf,
      handle: async ({ path, body }) => ok(await previewBody(node, findMarket(view, path.symbol), body)),
    }),
  ];
}

function preventionRoute(node: AdminNode): AdminRoute {
  const { view } = node;
  return route({
    endpoint: "PUT /v1/symbols/:symbol/self-trade-prevention",
    needs: "venue",
    summary: "Sets which modes of self-trade prevention new orders of a symbol may have, and the default mode.",
    answer: symbolRow,
    body: selfTradePreventionSchema,
    handle: async ({ path, body, by }) => {
      const { symbol } = findMarket(view, path.symbol).spec;
      requireRules(view, 5);
      await carryOut(node, { type: "setSelfTradePrevention", symbol, ...body, by });
      return ok(symbolBody(findMarket(view, symbol)));
    },
  });
}

/** Routes that set and remove the price range of a symbol. */
function rangeRoutes(node: AdminNode): readonly AdminRoute[] {
  const { view } = node;
  const set = async (name: string, priceRange: PriceRangeRule | null, by: string): Promise<object> => {
    const { symbol } = findMarket(view, name).spec;
    requireRules(view, 5);
    await carryOut(node, { type: "setPriceRange", symbol, priceRange, by });
    return symbolBody(findMarket(view, symbol));
  };
  return [
    route({
      endpoint: "PUT /v1/symbols/:symbol/price-range",
      needs: "venue",
      summary: "Sets the prices at which orders of a symbol may execute, as multiples of its reference price.",
      answer: symbolRow,
      body: priceRangeSchema,
      handle: async ({ path, body, by }) => ok(await set(path.symbol, body, by)),
    }),
    route({
      endpoint: "DELETE /v1/symbols/:symbol/price-range",
      needs: "venue",
      summary: "Removes the price range of a symbol: its orders execute at any price of the book.",
      answer: symbolRow,
      handle: async ({ path, by }) => ok(await set(path.symbol, null, by)),
    }),
  ];
}

/** Runs a listing command. A lab accepts any rounding; otherwise `fault` returns the error message with the figures. */
async function carryOutListing(
  node: AdminNode,
  command: Command<"listSymbol"> | Command<"setSymbolFilters">,
  fault: () => string | undefined,
): Promise<void> {
  try {
    await carryOut(node, command);
  } catch (error) {
    if (!(error instanceof Rejection) || error.code !== "ROUNDING_TOO_COARSE") throw error;
    if (node.isLab === true) {
      await carryOut(node, acceptingRounding(command));
      return;
    }
    const { status, code } = error;
    const why = fault();
    throw why === undefined ? error : new Rejection(status, code, `${why}.`);
  }
}

function withFilters(
  { spec, scale, baseAssetId, quoteAssetId }: MarketView,
  filters: SymbolFilters,
  acceptRounding = false,
) {
  return { spec: { ...spec, filters, acceptRounding }, scale, baseAssetId, quoteAssetId };
}

async function previewBody(node: AdminNode, market: MarketView, body: z.output<typeof newFiltersSchema>) {
  const { acceptRounding = market.spec.acceptRounding ?? false, ...filters } = body;
  const { view, world, sequencer } = node;
  const nowMs = sequencer.nowMs();
  const { examples, ...counts } = await previewFilters(view, market, { filters, nowMs, timers: world });
  const warnings = listingWarnings(node, withFilters(market, filters, acceptRounding));
  return {
    ...{ symbol: market.spec.symbol, filters, ...(warnings.length > 0 && { warnings }), ...counts },
    examples: examples.map(({ order, reason }) => ({
      accountId: order.accountId,
      ...orderBody(view, order),
      reason,
    })),
  };
}

function exchangeFilterRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      endpoint: "GET /v1/exchange-filters",
      needs: "view",
      summary: "Returns the exchange filters, which apply to all symbols together.",
      handle: () => ok(view.exchangeFilters),
    }),
    route({
      endpoint: "PUT /v1/exchange-filters",
      needs: "venue",
      summary: "Sets the exchange filters, which apply to all symbols together.",
      body: exchangeFiltersSchema,
      handle: async ({ body: filters, by }) => {
        await carryOut(node, { type: "setExchangeFilters", filters, by });
        return ok(view.exchangeFilters);
      },
    }),
  ];
}

/** Adds `warnings`, a list of sentences, if there are any. */
function withWarnings(node: AdminNode, market: MarketView): object {
  const warnings = listingWarnings(node, market);
  return { ...symbolBody(market), ...(warnings.length === 0 ? {} : { warnings }) };
}

const symbolBody = (market: MarketView): object => ({ ...market.spec, ...market.scale, ...endingBody(market) });
