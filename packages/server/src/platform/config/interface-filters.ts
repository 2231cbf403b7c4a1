/**
 * Converts a symbol's filters from the interface's form, a list by `filterType` as in exchangeInfo, to that of the
 * configuration. Interface 2.8; later filters as the parent documents them today.
 */
import type { SymbolFilters } from "@pricetime/engine";
import { areSame, lesser, greater, onStep } from "./decimal-text.ts";
import { symbolFiltersSchema } from "./listing-schema.ts";

type Filter = Readonly<Record<string, unknown>>;

export interface PlainFilters {
  /** Filters by the keys of the configuration, with unchecked values. */
  readonly filters: Record<string, unknown>;
  /** Names of filters that have no meaning here. */
  readonly unknown: readonly string[];
  /** Sentences about filters that work differently here. */
  readonly notes: readonly string[];
}

interface Rule {
  readonly key: keyof SymbolFilters;
  readonly read: (filter: Filter) => object;
  /** Says what part of the filter does not apply here; null: all of it does. */
  readonly note?: (filter: Filter) => string | null;
}

/** Reads a filter that the configuration has in the same form; absent fields stay absent. */
function same(key: keyof SymbolFilters, absent: object = {}): Rule {
  const fields = Object.keys(symbolFiltersSchema.shape[key].unwrap().shape);
  const read = (filter: Filter): object => {
    const there = fields.filter((field) => filter[field] !== undefined);
    return { ...absent, ...Object.fromEntries(there.map((field) => [field, filter[field]])) };
  };
  return { key, read };
}

const RULES: Readonly<Record<string, Rule>> = {
  PRICE_FILTER: same("priceFilter"),
  PERCENT_PRICE: same("percentPrice"),
  PERCENT_PRICE_BY_SIDE: { key: "percentPrice", read: widerSide, note: sidesDiffer },
  LOT_SIZE: same("lotSize"),
  MIN_NOTIONAL: same("minNotional", { avgPriceMins: 5, applyToMarket: true }),
  NOTIONAL: { key: "minNotional", read: lowerNotional, note: upperNotional },
  ICEBERG_PARTS: same("icebergParts"),
  MARKET_LOT_SIZE: same("marketLotSize"),
  MAX_NUM_ORDERS: { key: "maxNumOrders", read: ({ limit, maxNumOrders }) => ({ limit: limit ?? maxNumOrders }) },
  MAX_NUM_ALGO_ORDERS: {
    key: "maxNumAlgoOrders",
    read: ({ maxNumAlgoOrders, limit }) => ({ maxNumAlgoOrders: maxNumAlgoOrders ?? limit }),
  },
  MAX_NUM_ICEBERG_ORDERS: {
    key: "maxNumIcebergOrders",
    read: ({ maxNumIcebergOrders, limit }) => ({ maxNumIcebergOrders: maxNumIcebergOrders ?? limit }),
  },
};

/** Converts a list in the form of exchangeInfo. Anything else gives no filters. */
export function plainFilters(list: readonly unknown[]): PlainFilters {
  const filters: Record<string, unknown> = {};
  const unknown: string[] = [];
  const notes: string[] = [];
  for (const filter of list as readonly Filter[]) {
    const type = String(filter["filterType"]);
    const rule = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
    if (rule === undefined) {
      unknown.push(type);
      continue;
    }
    filters[rule.key] = rule.read(filter);
    const note = rule.note?.(filter) ?? null;
    if (note !== null) notes.push(note);
  }
  return { filters: withCoarseMarketLot(filters), unknown, notes };
}

/**
 * A symbol as an operator writes it: filters in a list become those of the configuration. A filter of unknown type
 * stays under its own name, for the schema to refuse.
 */
export function withPlainFilters(symbol: unknown): unknown {
  if (typeof symbol !== "object" || symbol === null) return symbol;
  const { filters: list } = symbol as Filter;
  if (!Array.isArray(list)) return symbol;
  const { filters, unknown } = plainFilters(list);
  // Made as entries: to assign to `__proto__` would lose it.
  const refused = Object.fromEntries(unknown.map((type) => [type, {}]));
  return { ...symbol, filters: { ...filters, ...refused } };
}

/** Converts the filters alone, given in either form. */
export function filtersOf(filters: unknown): unknown {
  return (withPlainFilters({ filters }) as Filter)["filters"];
}

/** Merges the limits of both sides into the wider ones: this exchange has one price rule for both. */
function widerSide(filter: Filter): object {
  const { bidMultiplierUp, bidMultiplierDown, askMultiplierUp, askMultiplierDown, avgPriceMins } = filter;
  return {
    multiplierUp: greater(bidMultiplierUp, askMultiplierUp),
    multiplierDown: lesser(bidMultiplierDown, askMultiplierDown),
    avgPriceMins,
  };
}

function sidesDiffer({
  bidMultiplierUp,
  bidMultiplierDown,
  askMultiplierUp,
  askMultiplierDown,
}: Filter): string | null {
  if (areSame(bidMultiplierUp, askMultiplierUp) && areSame(bidMultiplierDown, askMultiplierDown)) return null;
  return "PERCENT_PRICE_BY_SIDE: the wider limits apply to both sides";
}

function lowerNotional({ minNotional, applyMinToMarket = true, avgPriceMins = 5 }: Filter): object {
  return { minNotional, applyToMarket: applyMinToMarket, avgPriceMins };
}

function upperNotional({ maxNotional }: Filter): string | null {
  return maxNotional === undefined ? null : "NOTIONAL: maxNotional is ignored";
}

/**
 * The parent's greatest market quantity is an average with more digits than a quantity can have. Quantities are
 * multiples of LOT_SIZE's step, so the greatest multiple below it is the same limit.
 */
function withCoarseMarketLot(filters: Record<string, unknown>): Record<string, unknown> {
  const step = (filters["lotSize"] as Filter | undefined)?.["stepSize"];
  const lot = filters["marketLotSize"] as Filter | undefined;
  if (lot === undefined || typeof step !== "string" || typeof lot["maxQty"] !== "string") return filters;
  return { ...filters, marketLotSize: { ...lot, maxQty: onStep(lot["maxQty"], step) } };
}
