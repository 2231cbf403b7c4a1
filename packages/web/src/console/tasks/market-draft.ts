/** A new market as typed: the suggested values for its price with the operator's changes, and the request to list it. */
import type { SymbolFilters } from "@pricetime/engine/filters";
import { parseDecimal } from "../../exact/decimal.ts";
import { type NewMarket, suggestedFilters, type Traded } from "../../rules/new-market.ts";
import { consoleListMarket as words, consoleSteps } from "../../words/words.ts";

export const PRICE_FIELDS = ["tickSize", "minPrice", "maxPrice"] as const;
export const QUANTITY_FIELDS = ["stepSize", "minQty", "maxQty", "minNotional"] as const;
export const RULE_FIELDS = ["multiplierUp", "multiplierDown", "rangeUp", "rangeDown", "maxNumOrders"] as const;
export type FieldName = (typeof PRICE_FIELDS)[number] | (typeof QUANTITY_FIELDS)[number] | (typeof RULE_FIELDS)[number];
type Values = Readonly<Record<FieldName, string>>;

export interface MarketDraft {
  readonly base: string;
  readonly quote: string;
  /** "": both assets together. */
  readonly symbol: string;
  readonly price: string;
  /** The values that differ from the suggestions. */
  readonly changed: Partial<Values>;
  readonly status: "TRADING" | "HALT";
}

export const NEW_DRAFT: MarketDraft = { base: "", quote: "", symbol: "", price: "", changed: {}, status: "TRADING" };

const NO_VALUES: Values = {
  ...{ tickSize: "", minPrice: "", maxPrice: "", stepSize: "", minQty: "", maxQty: "", minNotional: "" },
  ...{ multiplierUp: "", multiplierDown: "", rangeUp: "", rangeDown: "", maxNumOrders: "" },
};

/** How far from the reference price orders may execute, unless the operator changes it. */
const SUGGESTED_RANGE = { rangeUp: "1.2", rangeDown: "0.8" };

export const symbolOf = ({ symbol, base, quote }: MarketDraft): string => symbol.trim() || base + quote;

/** The assets of the market; null until two different ones are chosen. */
export function assetsOf(
  { base, quote }: Pick<MarketDraft, "base" | "quote">,
  assets: readonly Traded[],
): { readonly base: Traded; readonly quote: Traded } | null {
  const [one, other] = [base, quote].map((name) => assets.find(({ asset }) => asset === name));
  return one === undefined || other === undefined || one === other ? null : { base: one, quote: other };
}

export function valuesOf({ price, changed }: MarketDraft, traded: ReturnType<typeof assetsOf>): Values {
  const suggested = traded === null ? null : suggestedFilters(traded.base, traded.quote, price.trim());
  if (suggested === null) return { ...NO_VALUES, ...changed };
  const { priceFilter, lotSize, minNotional, percentPrice, maxNumOrders } = suggested;
  return {
    ...{ ...priceFilter, ...lotSize, minNotional: minNotional.minNotional },
    ...{ multiplierUp: percentPrice.multiplierUp, multiplierDown: percentPrice.multiplierDown },
    ...{ maxNumOrders: String(maxNumOrders.limit), ...SUGGESTED_RANGE, ...changed },
  };
}

/** The filters of the values. Empty values set no limit. */
function filtersOf(values: Values): SymbolFilters {
  const text = (name: FieldName): string => values[name].trim() || "0";
  const isSet = (...names: FieldName[]): boolean => names.some((name) => values[name].trim() !== "");
  return {
    ...(isSet("tickSize", "minPrice", "maxPrice") && {
      priceFilter: { minPrice: text("minPrice"), maxPrice: text("maxPrice"), tickSize: text("tickSize") },
    }),
    ...(isSet("stepSize", "minQty", "maxQty") && {
      lotSize: { minQty: text("minQty"), maxQty: text("maxQty"), stepSize: text("stepSize") },
    }),
    ...(isSet("minNotional") && {
      minNotional: { minNotional: text("minNotional"), applyToMarket: true, avgPriceMins: AVERAGE_MINUTES },
    }),
    ...(isSet("multiplierUp") &&
      isSet("multiplierDown") && {
        percentPrice: {
          ...{ multiplierUp: text("multiplierUp"), multiplierDown: text("multiplierDown") },
          avgPriceMins: AVERAGE_MINUTES,
        },
      }),
    ...(isSet("maxNumOrders") && { maxNumOrders: { limit: Number(text("maxNumOrders")) } }),
  };
}

const AVERAGE_MINUTES = 5;

/** The price range of the values, with the same bounds for both sides; undefined if both are empty. */
function rangeOf({ rangeUp, rangeDown }: Values): object | undefined {
  const [up, down] = [rangeUp.trim(), rangeDown.trim()];
  if (up === "" && down === "") return undefined;
  return {
    ...(up !== "" && { bidLimitMultUp: up, askLimitMultUp: up }),
    ...(down !== "" && { bidLimitMultDown: down, askLimitMultDown: down }),
  };
}

/** The market, as far as its values can be read; null until its assets are chosen. */
export function marketOf(
  draft: MarketDraft,
  assets: readonly Traded[],
  orderTypes: readonly string[],
): NewMarket | null {
  const traded = assetsOf(draft, assets);
  if (traded === null) return null;
  const values = valuesOf(draft, traded);
  const filters = Object.keys(values).some((name) => !isNumber(values, name as FieldName)) ? {} : filtersOf(values);
  return { symbol: symbolOf(draft), ...traded, orderTypes, filters };
}

/** The body of the request that lists the market. The order types, and what else is omitted, have their defaults. */
export function bodyOf(draft: MarketDraft, { symbol, base, quote, filters }: NewMarket): object {
  const priceRange = rangeOf(valuesOf(draft, { base, quote }));
  return {
    ...{ symbol, status: draft.status, baseAsset: base.asset, quoteAsset: quote.asset, filters },
    ...(priceRange !== undefined && { priceRange }),
  };
}

// Problems of a step, which must be solved before the next one.

const SYMBOL = /^[A-Z0-9\-_.]{1,20}$/;

export function assetsProblem(draft: MarketDraft, assets: readonly Traded[], symbols: readonly string[]): string {
  const price = parseDecimal(draft.price.trim());
  if (draft.base === "") return consoleSteps.missing(words.base);
  if (draft.quote === "") return consoleSteps.missing(words.quote);
  if (assetsOf(draft, assets) === null) return words.sameAssets;
  if (!SYMBOL.test(symbolOf(draft))) return words.badSymbol;
  if (symbols.includes(symbolOf(draft))) return words.taken(symbolOf(draft));
  return price === null || price.units <= 0n ? consoleSteps.notNumber(words.price) : "";
}

export function valuesProblem(values: Values, names: readonly FieldName[]): string {
  const bad = names.find((name) => !isNumber(values, name));
  return bad === undefined ? "" : consoleSteps.notNumber(words.fields[bad]);
}

function isNumber(values: Values, name: FieldName): boolean {
  const text = values[name].trim();
  if (text === "") return true;
  const value = parseDecimal(text);
  return name === "maxNumOrders" ? /^\d{1,6}$/.test(text) : value !== null && value.units >= 0n;
}
