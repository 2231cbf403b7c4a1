/**
 * The filters of a symbol (Interface 2.8): one record for each, with its fields and its checks of an order. Commands,
 * exchangeInfo, the configuration and the order form are derived from these tables. The module imports only numbers,
 * limits and the checks, so that pages can run the engine's checks.
 */
import {
  bandFault,
  type Check,
  type CheckedField,
  type FieldKind,
  type Fields,
  type FilteredOrder,
  type HeldAs,
  hold,
  LOT_RANGE,
  MIN_NOTIONAL,
  minNotionalFault,
  NOTIONAL_RANGE,
  notionalFault,
  PARTS,
  partsFault,
  PERCENT,
  PERCENT_BY_SIDE,
  percentBySide,
  POSITION,
  positionFault,
  PRICE_RANGE,
  sideBandFault,
  TRAILING,
  trailingFault,
  valueFault,
  type Written,
} from "./filter-checks.ts";
import {
  decimalsNeeded,
  LARGEST,
  parseDecimal,
  type Range,
  rangeFault,
  type StepOrigin,
  type SymbolScale,
} from "./numbers.ts";

export {
  type AveragePriceView,
  exceeds,
  type Fault,
  type FieldKind,
  type FilteredOrder,
  isOutside,
  type MinNotional,
  mostParts,
  type NotionalRange,
  percentOfSide,
  type PercentBand,
  type PercentPrice,
  type PercentPriceBySide,
  type PriceBand,
  priceBand,
  type PriceBounds,
  reaches,
  trailingBounds,
  type TrailingDelta,
} from "./filter-checks.ts";

/** Numbers of an account's open orders, and of its open order lists, that filters limit. */
export interface OrderCounts {
  readonly open: number;
  readonly algo: number;
  readonly iceberg: number;
  readonly lists: number;
}

interface Filter<Name extends string, F extends Fields, H = HeldAs<F>> {
  /** The name of the filter on the wire, which is also its reject reason. */
  readonly name: Name;
  readonly fields: F;
  readonly checks: { readonly [Field in CheckedField]?: Check<H> };
  /** The kind of orders whose number the filter's only field limits; null if the filter checks single orders. */
  readonly counts: keyof OrderCounts | null;
  /** Converts the values to the form that the checks use. Default: the form of `fields`. */
  readonly held?: (values: HeldAs<F>, stepOrigin: StepOrigin) => H;
}

function checking<const Name extends string, const F extends Fields, H = HeldAs<F>>(
  name: Name,
  fields: F,
  checks: Filter<Name, F, H>["checks"],
  held?: (values: HeldAs<F>) => H,
): Filter<Name, F, H> {
  return { name, fields, checks, counts: null, ...(held && { held }) };
}

function counting<const Name extends string, const Field extends string>(
  name: Name,
  field: Field,
  counts: keyof OrderCounts,
): Filter<Name, Readonly<Record<Field, "count">>> {
  return { name, fields: { [field]: "count" } as Readonly<Record<Field, "count">>, checks: {}, counts };
}

function ranging<const Name extends string, F extends typeof PRICE_RANGE | typeof LOT_RANGE>(
  name: Name,
  fields: F,
  checks: Filter<Name, F, Range>["checks"],
): Filter<Name, F, Range> {
  const held = (values: HeldAs<F>, stepOrigin: StepOrigin): Range => {
    const [min, max, step] = Object.values(values) as [number, number, number];
    return { min, max, step, origin: stepOrigin === "zero" ? 0 : min };
  };
  return { name, fields, checks, counts: null, held };
}

// The tables of filters. Failures are reported in the order of the tables (Interface 7.9).

export const SYMBOL_FILTERS = {
  priceFilter: ranging("PRICE_FILTER", PRICE_RANGE, {
    price: (filter, order) => (order.hasPrice ? valueFault(filter, order.priceTicks) : null),
    stopPrice: (filter, { waitsForStop, stopTicks, trailingDelta }) =>
      waitsForStop && (stopTicks !== 0 || trailingDelta === 0) ? valueFault(filter, stopTicks) : null,
  }),
  percentPrice: checking("PERCENT_PRICE", PERCENT, { price: bandFault }),
  percentPriceBySide: checking("PERCENT_PRICE_BY_SIDE", PERCENT_BY_SIDE, { price: sideBandFault }, percentBySide),
  trailingDelta: checking("TRAILING_DELTA", TRAILING, { trailingDelta: trailingFault }),
  lotSize: ranging("LOT_SIZE", LOT_RANGE, {
    quantity: (filter, { quoteOrderQty, lots, hasQuantity }) => {
      if (quoteOrderQty <= 0n && lots === 0) return "noQuantity";
      return hasQuantity ? valueFault(filter, lots) : null;
    },
    icebergQty: (filter, { icebergLots, hasQuantity }) =>
      hasQuantity && icebergLots !== 0 ? valueFault(filter, icebergLots) : null,
  }),
  minNotional: checking("MIN_NOTIONAL", MIN_NOTIONAL, { quantity: minNotionalFault }),
  notional: checking("NOTIONAL", NOTIONAL_RANGE, { quantity: notionalFault }),
  icebergParts: checking("ICEBERG_PARTS", PARTS, { icebergQty: partsFault }),
  marketLotSize: ranging("MARKET_LOT_SIZE", LOT_RANGE, {
    quantity: (filter, { hasQuantity, hasPrice, lots }) => (hasQuantity && !hasPrice ? rangeFault(filter, lots) : null),
  }),
  maxPosition: checking("MAX_POSITION", POSITION, { quantity: positionFault }),
  maxNumOrders: counting("MAX_NUM_ORDERS", "limit", "open"),
  maxNumAlgoOrders: counting("MAX_NUM_ALGO_ORDERS", "maxNumAlgoOrders", "algo"),
  maxNumIcebergOrders: counting("MAX_NUM_ICEBERG_ORDERS", "maxNumIcebergOrders", "iceberg"),
  maxNumOrderLists: counting("MAX_NUM_ORDER_LISTS", "maxNumOrderLists", "lists"),
  maxNumOrderAmends: checking("MAX_NUM_ORDER_AMENDS", { maxNumOrderAmends: "count" } as const, {
    amendments: (filter, { amendCount }) => (amendCount > (filter?.maxNumOrderAmends ?? LARGEST) ? "above" : null),
  }),
};

/** Limits on an account's open orders and order lists on all symbols. */
export const EXCHANGE_FILTERS = {
  maxNumOrders: counting("EXCHANGE_MAX_NUM_ORDERS", "maxNumOrders", "open"),
  maxNumAlgoOrders: counting("EXCHANGE_MAX_NUM_ALGO_ORDERS", "maxNumAlgoOrders", "algo"),
  maxNumIcebergOrders: counting("EXCHANGE_MAX_NUM_ICEBERG_ORDERS", "maxNumIcebergOrders", "iceberg"),
  maxNumOrderLists: counting("EXCHANGE_MAX_NUM_ORDER_LISTS", "maxNumOrderLists", "lists"),
};

type WrittenAs<F extends Fields> = { readonly [Name in keyof F]: Written[F[Name]] };
type Table = Readonly<Record<string, Pick<Filter<string, Fields>, "name" | "fields" | "counts">>>;
/** The filters of a table as operators write them; an absent filter does not apply. */
type WrittenTable<T> = {
  readonly [Key in keyof T]?: T[Key] extends { readonly fields: infer F extends Fields } ? WrittenAs<F> : never;
};

export type SymbolFilters = WrittenTable<typeof SYMBOL_FILTERS>;
export type ExchangeFilters = WrittenTable<typeof EXCHANGE_FILTERS>;
export type FilterName = (typeof SYMBOL_FILTERS)[keyof SymbolFilters]["name"];
export type ExchangeFilterName = (typeof EXCHANGE_FILTERS)[keyof ExchangeFilters]["name"];

type FieldPath = {
  readonly [Key in keyof SymbolFilters]-?: `${Key}.${keyof NonNullable<SymbolFilters[Key]> & string}`;
}[keyof SymbolFilters];

/** Descriptions of the fields, for the documentation of the settings. */
export const FIELD_DESCRIPTIONS: Readonly<Record<FieldPath, string>> = {
  "priceFilter.minPrice": "Minimum price.",
  "priceFilter.maxPrice": "Maximum price.",
  "priceFilter.tickSize": "Price increment, counted from minPrice; with `interface: today`, from 0.",
  "percentPrice.multiplierUp": "Maximum price, as a multiple of the average price.",
  "percentPrice.multiplierDown": "Minimum price, as a multiple of the average price.",
  "percentPrice.avgPriceMins": "Minutes of the average; 0 uses the last price.",
  "percentPriceBySide.bidMultiplierUp": "Maximum price of BUY orders, as a multiple of the average price.",
  "percentPriceBySide.bidMultiplierDown": "Minimum price of BUY orders.",
  "percentPriceBySide.askMultiplierUp": "Maximum price of SELL orders.",
  "percentPriceBySide.askMultiplierDown": "Minimum price of SELL orders.",
  "percentPriceBySide.avgPriceMins": "Minutes of the average; 0 uses the last price.",
  "trailingDelta.minTrailingAboveDelta":
    "Minimum distance, in basis points, of trailing STOP_LOSS BUY and TAKE_PROFIT SELL orders.",
  "trailingDelta.maxTrailingAboveDelta": "Maximum distance of these.",
  "trailingDelta.minTrailingBelowDelta": "Minimum distance of trailing STOP_LOSS SELL and TAKE_PROFIT BUY orders.",
  "trailingDelta.maxTrailingBelowDelta": "Maximum distance of these.",
  "lotSize.minQty": "Minimum quantity.",
  "lotSize.maxQty": "Maximum quantity.",
  "lotSize.stepSize": "Quantity increment, counted from minQty; with `interface: today`, from 0.",
  "minNotional.minNotional": "Minimum notional value: price times quantity.",
  "minNotional.applyToMarket": "Apply it to MARKET orders too, at the average price.",
  "minNotional.avgPriceMins": "Minutes of the average; 0 uses the last price.",
  "notional.minNotional": "Minimum notional value.",
  "notional.applyMinToMarket": "Apply the minimum to MARKET orders too, at the average price.",
  "notional.maxNotional": 'Maximum notional value; `"0"` means none.',
  "notional.applyMaxToMarket": "Apply the maximum to MARKET orders too, at the average price.",
  "notional.avgPriceMins": "Minutes of the average; 0 uses the last price.",
  "icebergParts.limit": "Maximum number of parts of an iceberg order.",
  "marketLotSize.minQty": "Minimum quantity of MARKET orders.",
  "marketLotSize.maxQty": "Maximum quantity of MARKET orders.",
  "marketLotSize.stepSize": 'Step of MARKET orders; `"0"` uses that of `lotSize`.',
  "maxPosition.maxPosition": "Maximum of the base asset that an account has, and buys with its open orders.",
  "maxNumOrders.limit": "Maximum number of open orders of an account on the symbol.",
  "maxNumAlgoOrders.maxNumAlgoOrders": "Maximum number of these that wait for a stop price.",
  "maxNumIcebergOrders.maxNumIcebergOrders": "Maximum number of these that are icebergs.",
  "maxNumOrderLists.maxNumOrderLists": "Maximum number of open order lists of an account on the symbol.",
  "maxNumOrderAmends.maxNumOrderAmends": "Maximum number of times that an order can be amended.",
};

/** Maps every field of the filters in a table to the value of its kind in `byKind`. */
export function eachField<T>(table: Table, byKind: Readonly<Record<FieldKind, T>>): Record<string, Record<string, T>> {
  const made = (fields: Fields): Record<string, T> =>
    Object.fromEntries(Object.entries(fields).map(([field, kind]) => [field, byKind[kind]]));
  return Object.fromEntries(Object.entries(table).map(([key, { fields }]) => [key, made(fields)]));
}

// The filters of one symbol, in the symbol's units.

interface ReadyCheck {
  readonly name: FilterName;
  readonly field: CheckedField;
  readonly check: Check<object>;
  readonly filter: object | null;
}

type HeldFilters = {
  readonly [Key in keyof SymbolFilters]-?:
    | ((typeof SYMBOL_FILTERS)[Key] extends Filter<string, infer _, infer H> ? H : never)
    | null;
};

/** The filters that `passesPlainly` in trading/check.ts knows. */
type PlainFilters = Pick<
  HeldFilters,
  "priceFilter" | "percentPrice" | "percentPriceBySide" | "lotSize" | "minNotional" | "notional"
>;

/** A filter is null if it does not apply. */
export interface CompiledFilters extends HeldFilters {
  readonly checks: readonly ReadyCheck[];
  /** The lowest limit of each count; infinite where no filter limits it. */
  readonly most: OrderCounts;
  /**
   * All filters that apply to a LIMIT order that is not an iceberg; null if there are others. In an object of their own,
   * because most orders read them, and the others would put them further apart in memory.
   */
  readonly plain: PlainFilters | null;
}

/** Returns null if a value is not a decimal, or the symbol's scale cannot represent it. */
export function compileFilters(
  filters: SymbolFilters,
  scale: SymbolScale,
  quotePrecision: number,
  stepOrigin: StepOrigin = "minimum",
  parse: typeof parseDecimal = parseDecimal,
): CompiledFilters | null {
  const units = { scale, quotePrecision, parse };
  const all: Record<string, object | null> = {};
  const checks: ReadyCheck[] = [];
  for (const [key, one] of Object.entries(
    SYMBOL_FILTERS as unknown as Record<string, Filter<FilterName, Fields, object>>,
  )) {
    const written = filters[key as keyof SymbolFilters];
    const values = written === undefined ? undefined : hold(one.fields, written, units);
    if (values === null) return null;
    const filter = values === undefined ? null : (one.held?.(values, stepOrigin) ?? values);
    all[key] = filter;
    for (const [field, check] of Object.entries(one.checks)) {
      checks.push({ name: one.name, field: field as CheckedField, check, filter });
    }
  }
  const held = all as HeldFilters;
  const { priceFilter, percentPrice, percentPriceBySide, lotSize, minNotional, notional } = held;
  const isPlain = checks.every((one) => !one.filter || PLAIN.includes(one.name));
  const plain = isPlain ? { priceFilter, percentPrice, percentPriceBySide, lotSize, minNotional, notional } : null;
  return { plain, most: lowestLimits(SYMBOL_COUNTS, all), checks, ...held };
}

/** The names of `PlainFilters`, and of filters that do not apply to such orders. */
const PLAIN: readonly string[] = [
  ...["PRICE_FILTER", "PERCENT_PRICE", "PERCENT_PRICE_BY_SIDE", "LOT_SIZE", "MIN_NOTIONAL", "NOTIONAL"],
  ...["TRAILING_DELTA", "ICEBERG_PARTS", "MARKET_LOT_SIZE", "MAX_NUM_ORDER_AMENDS"],
];

/** Why the order is rejected: the first filter that it fails, or a missing quantity. */
export function failedFilter(
  { checks }: Pick<CompiledFilters, "checks">,
  order: FilteredOrder,
): FilterName | "INVALID_QUANTITY" | null {
  for (const { name, check, filter } of checks) {
    const fault = check(filter, order);
    if (fault !== null) return fault === "noQuantity" ? "INVALID_QUANTITY" : name;
  }
  return null;
}

/** A filter that limits the number of open orders. */
interface CountFilter<Name extends string> {
  readonly key: string;
  readonly name: Name;
  readonly field: string;
  readonly counts: keyof OrderCounts;
}

function countFilters<T extends Table>(table: T): readonly CountFilter<T[keyof T]["name"]>[] {
  return Object.entries(table).flatMap(([key, { name, fields, counts }]) =>
    counts === null ? [] : Object.keys(fields).map((field) => ({ key, name, field, counts })),
  );
}

export const SYMBOL_COUNTS = countFilters(SYMBOL_FILTERS);
export const EXCHANGE_COUNTS = countFilters(EXCHANGE_FILTERS);

/** The lowest limit of each count; `LARGEST` where no filter limits it. */
export function lowestLimits(counts: readonly CountFilter<string>[], filters: object): OrderCounts {
  const most = { open: LARGEST, algo: LARGEST, iceberg: LARGEST, lists: LARGEST };
  for (const one of counts) most[one.counts] = Math.min(most[one.counts], limitOf(filters, one) ?? LARGEST);
  return most;
}

type Limits = Readonly<Record<string, Readonly<Record<string, unknown>> | null | undefined>>;

/** The limit that a filter sets; undefined if the filter does not apply. */
export function limitOf(filters: object, { key, field }: CountFilter<string>): number | undefined {
  return (filters as Limits)[key]?.[field] as number | undefined;
}

/** Whether `adds` more orders exceed the limit. `there` counts the account's open orders; undefined if it has none. */
export function exceedsCount(
  filters: object,
  one: CountFilter<string>,
  there: Partial<OrderCounts> | undefined,
  adds: OrderCounts,
): boolean {
  const more = adds[one.counts];
  const limit = more > 0 ? limitOf(filters, one) : undefined;
  return limit !== undefined && (there?.[one.counts] ?? 0) + more > limit;
}

/**
 * The coarsest units that represent every value the filters allow; without a step, the units of the assets. Returns
 * null if a filter value is not a decimal, or is finer than the assets' units.
 */
export function scaleFor(
  { priceFilter, lotSize, marketLotSize }: SymbolFilters,
  basePrecision: number,
  quotePrecision: number,
): SymbolScale | null {
  const priceDecimals = stepped(priceFilter?.tickSize) ? mostDecimals(PRICE_RANGE, priceFilter) : quotePrecision;
  const quantityDecimals = stepped(lotSize?.stepSize) ? mostDecimals(LOT_RANGE, lotSize, marketLotSize) : basePrecision;
  if (priceDecimals === null || priceDecimals > quotePrecision) return null;
  if (quantityDecimals === null || quantityDecimals > basePrecision) return null;
  return { priceDecimals, quantityDecimals };
}

function stepped(step = ""): boolean {
  return /[1-9]/.test(step);
}

function mostDecimals(fields: Fields, ...filters: readonly (object | undefined)[]): number | null {
  const texts = filters.flatMap((filter = {}) =>
    Object.keys(fields).map((field) => (filter as Readonly<Record<string, string>>)[field] ?? "0"),
  );
  const needed = texts.map(decimalsNeeded);
  return needed.includes(null) ? null : Math.max(...(needed as number[]));
}
