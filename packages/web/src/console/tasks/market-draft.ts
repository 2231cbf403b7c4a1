/** A new market as typed: the suggested values for its price with the operator's changes, and the request to list it. */
import { type SymbolFilters, trailingBounds } from "@pricetime/engine/filters";
import { parseDecimal } from "../../exact/decimal.ts";
import { type NewMarket, suggestedFilters, type Traded } from "../../rules/new-market.ts";
import { consoleListMarket as words, consoleSteps } from "../../words/words.ts";

export const PRICE_FIELDS = ["tickSize", "minPrice", "maxPrice"] as const;
const QUANTITY_FIELDS = ["stepSize", "minQty", "maxQty", "minNotional"] as const;
const BAND_FIELDS = ["multiplierUp", "multiplierDown"] as const;
/** With the filters of today, asks have a band of their own. */
const ASK_FIELDS = ["askMultiplierUp", "askMultiplierDown"] as const;
export const COUNT_FIELDS = ["maxNumOrders", "maxNumOrderLists", "maxNumOrderAmends"] as const;
const DELTA_FIELDS = ["trailingLeast", "trailingMost"] as const;
export const RULE_FIELDS = ["rangeUp", "rangeDown", ...DELTA_FIELDS, "maxPosition", ...COUNT_FIELDS] as const;
type Names = typeof PRICE_FIELDS | typeof QUANTITY_FIELDS | typeof BAND_FIELDS | typeof ASK_FIELDS | typeof RULE_FIELDS;
export type FieldName = Names[number] | "maxNotional";
type Values = Readonly<Record<FieldName, string>>;

/** Which filters limit the value and the price of an order: MIN_NOTIONAL and PERCENT_PRICE, the ones of today, or all. */
export type FilterForms = "2019" | "today" | "both";

export const quantityFields = (forms: FilterForms): readonly FieldName[] =>
  forms === "2019" ? QUANTITY_FIELDS : [...QUANTITY_FIELDS, "maxNotional"];
export const bandFields = (forms: FilterForms): readonly FieldName[] =>
  forms === "2019" ? BAND_FIELDS : [...BAND_FIELDS, ...ASK_FIELDS];

export interface MarketDraft {
  readonly base: string;
  readonly quote: string;
  /** "": both assets together. */
  readonly symbol: string;
  readonly price: string;
  /** Null: the filters of the venue's interface. */
  readonly forms: FilterForms | null;
  /** The values that differ from the suggestions. */
  readonly changed: Partial<Values>;
  readonly status: "TRADING" | "HALT";
}

export const NEW_DRAFT: MarketDraft = {
  ...{ base: "", quote: "", symbol: "", price: "", forms: null, changed: {}, status: "TRADING" },
};

const NO_VALUES: Values = {
  ...{ tickSize: "", minPrice: "", maxPrice: "", stepSize: "", minQty: "", maxQty: "", minNotional: "" },
  ...{ maxNotional: "", multiplierUp: "", multiplierDown: "", askMultiplierUp: "", askMultiplierDown: "" },
  ...{ rangeUp: "", rangeDown: "", trailingLeast: "", trailingMost: "", maxPosition: "" },
  ...{ maxNumOrders: "", maxNumOrderLists: "", maxNumOrderAmends: "" },
};

/**
 * How far from the reference price orders may execute, how far trailing stops follow the price (basis points), and the
 * numbers of order lists and amendments, unless the operator changes them.
 */
const SUGGESTED_RULES = {
  ...{ rangeUp: "1.2", rangeDown: "0.8", trailingLeast: "10", trailingMost: "2000" },
  ...{ maxNumOrderLists: "20", maxNumOrderAmends: "10" },
};

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
  const { multiplierUp, multiplierDown } = percentPrice;
  return {
    ...NO_VALUES,
    ...{ ...priceFilter, ...lotSize, minNotional: minNotional.minNotional },
    ...{ multiplierUp, multiplierDown, askMultiplierUp: multiplierUp, askMultiplierDown: multiplierDown },
    ...{ maxNumOrders: String(maxNumOrders.limit), ...SUGGESTED_RULES, ...changed },
  };
}

/** The filters of the values. Empty values set no limit. */
function filtersOf(values: Values, forms: FilterForms): SymbolFilters {
  const text = (name: FieldName): string => values[name].trim() || "0";
  const isSet = (...names: FieldName[]): boolean => names.some((name) => values[name].trim() !== "");
  const count = (name: FieldName, otherwise = 0): number => (isSet(name) ? Number(text(name)) : otherwise);
  const widest = trailingBounds(null, true);
  const [least, most] = [count("trailingLeast", widest.min), count("trailingMost", widest.max)];
  return {
    ...(isSet("tickSize", "minPrice", "maxPrice") && {
      priceFilter: { minPrice: text("minPrice"), maxPrice: text("maxPrice"), tickSize: text("tickSize") },
    }),
    ...(isSet("stepSize", "minQty", "maxQty") && {
      lotSize: { minQty: text("minQty"), maxQty: text("maxQty"), stepSize: text("stepSize") },
    }),
    ...(forms !== "today" && formsOf2019(values)),
    ...(forms !== "2019" && formsOfToday(values)),
    ...(isSet("trailingLeast", "trailingMost") && {
      trailingDelta: {
        ...{ minTrailingAboveDelta: least, maxTrailingAboveDelta: most },
        ...{ minTrailingBelowDelta: least, maxTrailingBelowDelta: most },
      },
    }),
    ...(isSet("maxPosition") && { maxPosition: { maxPosition: text("maxPosition") } }),
    ...(isSet("maxNumOrders") && { maxNumOrders: { limit: count("maxNumOrders") } }),
    ...(isSet("maxNumOrderLists") && { maxNumOrderLists: { maxNumOrderLists: count("maxNumOrderLists") } }),
    ...(isSet("maxNumOrderAmends") && { maxNumOrderAmends: { maxNumOrderAmends: count("maxNumOrderAmends") } }),
  };
}

function formsOf2019(values: Values): SymbolFilters {
  const { minNotional, multiplierUp, multiplierDown } = trimmed(values);
  return {
    ...(minNotional !== "" && { minNotional: { minNotional, applyToMarket: true, avgPriceMins: AVERAGE_MINUTES } }),
    ...(multiplierUp !== "" &&
      multiplierDown !== "" && { percentPrice: { multiplierUp, multiplierDown, avgPriceMins: AVERAGE_MINUTES } }),
  };
}

function formsOfToday(values: Values): SymbolFilters {
  const found = trimmed(values);
  const { minNotional, maxNotional, multiplierUp, multiplierDown, askMultiplierUp, askMultiplierDown } = found;
  const bounds = [multiplierUp, multiplierDown, askMultiplierUp, askMultiplierDown];
  return {
    ...(minNotional + maxNotional !== "" && {
      notional: {
        ...{ minNotional: minNotional || "0", applyMinToMarket: true },
        ...{ maxNotional: maxNotional || "0", applyMaxToMarket: false, avgPriceMins: AVERAGE_MINUTES },
      },
    }),
    ...(bounds.every((bound) => bound !== "") && {
      percentPriceBySide: {
        ...{ bidMultiplierUp: multiplierUp, bidMultiplierDown: multiplierDown },
        ...{ askMultiplierUp, askMultiplierDown, avgPriceMins: AVERAGE_MINUTES },
      },
    }),
  };
}

const trimmed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()])) as Values;

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
  forms: FilterForms,
  terms: Pick<NewMarket, "orderTypes" | "stepOrigin">,
): NewMarket | null {
  const traded = assetsOf(draft, assets);
  if (traded === null) return null;
  const values = valuesOf(draft, traded);
  const shown = [...PRICE_FIELDS, ...quantityFields(forms), ...bandFields(forms), ...RULE_FIELDS];
  const filters = shown.every((name) => isNumber(values, name)) ? filtersOf(values, forms) : {};
  return { symbol: symbolOf(draft), ...traded, ...terms, filters };
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
  if (bad !== undefined) return consoleSteps.notNumber(words.fields[bad]);
  const band = names.filter((name) => bandFields("both").includes(name));
  return new Set(band.map((name) => values[name].trim() === "")).size > 1 ? words.bandIncomplete : "";
}

function isNumber(values: Values, name: FieldName): boolean {
  const text = values[name].trim();
  if (text === "") return true;
  const value = parseDecimal(text);
  if (DELTA_FIELDS.some((one) => one === name)) return /^\d{1,4}$/.test(text) && Number(text) > 0;
  if (COUNT_FIELDS.some((one) => one === name)) return /^\d{1,6}$/.test(text);
  return value !== null && value.units >= 0n;
}
