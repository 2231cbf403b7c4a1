/** A market's filters, compiled for the engine's checks in ticks and lots (Interface 2.8). */
import {
  type CompiledFilters,
  compileFilters,
  EXCHANGE_FILTERS,
  SYMBOL_FILTERS,
  type SymbolFilters,
} from "@pricetime/engine/filters";
import type { StepOrigin } from "@pricetime/engine/numbers";
import { compare, cutTo, type Decimal, formatDecimal, formatShort } from "../exact/decimal.ts";
import type { Market, MarketFilter } from "../market/port.ts";

/** Where a venue with this interface counts the steps of its filters from. Older nodes do not name theirs. */
export const stepOriginOf = (venueInterface: string | undefined): StepOrigin =>
  venueInterface === "today" ? "zero" : "minimum";

export interface MarketRules {
  readonly filters: CompiledFilters;
  /** The exchange's filters, which limit the number of open orders on all markets. */
  readonly everywhere: object;
}

const known = new WeakMap<Market, MarketRules>();

export function rulesOf(market: Market): MarketRules {
  const rules = known.get(market) ?? compiled(market);
  known.set(market, rules);
  return rules;
}

/** Decimal places of amounts of the quote asset where they are rounded: those of prices, and at least two. */
export const amountDigits = ({ quoteDigits, priceDigits }: Pick<Market, "quoteDigits" | "priceDigits">): number =>
  Math.max(2, Math.min(quoteDigits, priceDigits));

function compiled({ filters: sent, priceDigits, quantityDigits, quoteDigits, stepOrigin }: Market): MarketRules {
  const scale = { priceDecimals: priceDigits, quantityDecimals: quantityDigits };
  const compile = (filters: SymbolFilters): CompiledFilters | null =>
    compileFilters(filters, scale, quoteDigits, stepOrigin);
  // If the filters have more digits than the market, only the node checks them.
  const filters = (compile(writtenFilters(sent)) ?? compile({})) as CompiledFilters;
  return { filters, everywhere: named(EXCHANGE_FILTERS, sent) };
}

/** The filters of the exchange information, by the engine's keys. */
export const writtenFilters = (sent: readonly MarketFilter[]): SymbolFilters => named(SYMBOL_FILTERS, sent);

function named(table: Readonly<Record<string, { readonly name: string }>>, sent: readonly MarketFilter[]): object {
  const filterOf = (name: string) => sent.find(({ filterType }) => filterType === name);
  return Object.fromEntries(Object.entries(table).map(([key, { name }]) => [key, filterOf(name)]));
}

/** Formats a value with the market's digits, or with more if it needs more. */
export function show(value: Decimal, digits: number): string {
  return compare(cutTo(value, digits), value) === 0 ? formatDecimal(value, digits) : formatShort(value);
}
