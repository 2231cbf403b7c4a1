/**
 * Converts a symbol's filters from the exchangeInfo form, a list with `filterType`, to the configuration's form.
 * Interface 2.8.
 */
import {
  formatDecimal,
  parseDecimal,
  SYMBOL_FILTERS,
  type SymbolFilters,
  withoutTrailingZeros,
} from "@pricetime/engine";
import { PLAIN_DECIMAL } from "./listing-schema.ts";

type Filter = Readonly<Record<string, unknown>>;

export interface PlainFilters {
  /** Filters by their configuration key. The values are not validated. */
  readonly filters: Record<string, unknown>;
  /** The types of unsupported filters. */
  readonly unknown: readonly string[];
}

interface Rule {
  /** The filter's `filterType` in exchangeInfo. */
  readonly name: string;
  readonly key: keyof SymbolFilters;
  readonly read: (filter: Filter) => object;
}

/** Default values of fields that a filter may omit. */
const ABSENT: { readonly [Key in keyof SymbolFilters]?: object } = {
  minNotional: { avgPriceMins: 5, applyToMarket: true },
  notional: { applyMinToMarket: true, maxNotional: "0", applyMaxToMarket: false, avgPriceMins: 5 },
};

/**
 * The rule for a filter with the same fields in both forms. The field of a filter on open orders is called `limit` or
 * has a specific name.
 */
function same(key: keyof SymbolFilters): Rule {
  const { name, fields, counts } = SYMBOL_FILTERS[key];
  const names = Object.keys(fields);
  const limit = [...names, "limit", key];
  const read = (filter: Filter): object => {
    if (counts !== null)
      return {
        [names[0] as string]: limit
          .map((field) => filter[field])
          .find((value) => value !== undefined && value !== null),
      };
    const there = names.filter((field) => filter[field] !== undefined);
    return { ...ABSENT[key], ...Object.fromEntries(there.map((field) => [field, filter[field]])) };
  };
  return { name, key, read };
}

const RULES: ReadonlyMap<string, Rule> = new Map(
  (Object.keys(SYMBOL_FILTERS) as (keyof SymbolFilters)[]).map(same).map((rule) => [rule.name, rule]),
);

/** Converts a list of filters in the form of exchangeInfo. */
export function plainFilters(list: readonly unknown[]): PlainFilters {
  const filters: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const filter of list as readonly Filter[]) {
    const type = String(filter["filterType"]);
    const rule = RULES.get(type);
    if (rule === undefined) {
      unknown.push(type);
      continue;
    }
    filters[rule.key] = rule.read(filter);
  }
  return { filters: withCoarseMarketLot(filters), unknown };
}

/**
 * Converts a symbol's filters if they are a list. An unknown filter keeps its own name, so that the schema rejects it.
 */
export function withPlainFilters(symbol: unknown): unknown {
  if (typeof symbol !== "object" || symbol === null) return symbol;
  const { filters: list } = symbol as Filter;
  if (!Array.isArray(list)) return symbol;
  const { filters, unknown } = plainFilters(list);
  // With `fromEntries`, because assigning to the key `__proto__` would add no key.
  const refused = Object.fromEntries(unknown.map((type) => [type, {}]));
  return { ...symbol, filters: { ...filters, ...refused } };
}

/** Converts filters in either form. */
export function filtersOf(filters: unknown): unknown {
  return (withPlainFilters({ filters }) as Filter)["filters"];
}

/**
 * The parent exchange's maximum market quantity is an average with more digits than a quantity can have. Rounding it
 * down to a multiple of LOT_SIZE's step gives the same limit.
 */
function withCoarseMarketLot(filters: Record<string, unknown>): Record<string, unknown> {
  const step = (filters["lotSize"] as Filter | undefined)?.["stepSize"];
  const lot = filters["marketLotSize"] as Filter | undefined;
  if (lot === undefined || typeof step !== "string" || typeof lot["maxQty"] !== "string") return filters;
  return { ...filters, marketLotSize: { ...lot, maxQty: onStep(lot["maxQty"], step) } };
}

const DECIMALS = 20;

/** Rounds `value` down to a multiple of `step`. Values that are not decimals stay, so that the schema rejects them. */
export function onStep(value: string, step: string): string {
  if (!PLAIN_DECIMAL.test(value) || !PLAIN_DECIMAL.test(step)) return value;
  const [units, size] = [parseDecimal(value, DECIMALS), parseDecimal(step, DECIMALS)];
  if (units === null || size === null || size === 0n || units % size === 0n) return value;
  return withoutTrailingZeros(formatDecimal(units - (units % size), DECIMALS, DECIMALS));
}
