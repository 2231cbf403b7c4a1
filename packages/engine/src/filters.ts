/**
 * The filters of a symbol (Interface 2.8): the fields of each filter and its checks of an order. Commands,
 * exchangeInfo, the configuration and the order form are derived from these tables. The module imports only numbers and
 * limits, so that pages can run the engine's checks.
 */
import { MAX_AVERAGE_PRICE_MINS, MAX_ICEBERG_PARTS } from "./limits.ts";
import {
  decimalsNeeded,
  LARGEST,
  parseDecimal,
  type QuoteScale,
  quoteScaleOf,
  type Range,
  type RangeFault,
  rangeFault,
  type StepOrigin,
  type SymbolScale,
  toScale,
} from "./numbers.ts";

// The values of filter fields.

/** Field values as operators write them, by kind. Prices, quantities, amounts and multipliers are decimals. */
interface Written {
  readonly price: string;
  readonly quantity: string;
  /** An amount of the quote asset. */
  readonly amount: string;
  readonly multiplier: string;
  /** The window of the average price, in minutes; 0 means the last price. */
  readonly minutes: number;
  readonly count: number;
  readonly flag: boolean;
}

/** Field values in the symbol's units, ready for checks: prices in ticks, quantities in lots, multipliers in 10^-8. */
interface Held {
  readonly price: number;
  readonly quantity: number;
  readonly amount: Notional;
  readonly multiplier: bigint;
  readonly minutes: number;
  readonly count: number;
  readonly flag: boolean;
}

/** A minimum of price times quantity. */
interface Notional {
  /** Units of the quote asset. */
  readonly units: bigint;
  /** The smallest product of ticks and lots that reaches the minimum. */
  readonly ticksLots: bigint;
  /** `ticksLots` as a number; Infinity if it is not a safe integer, so that no safe product reaches it. */
  readonly safeTicksLots: number;
  readonly scale: QuoteScale;
}

export type FieldKind = keyof Written;
type Fields = Readonly<Record<string, FieldKind>>;
type WrittenAs<F extends Fields> = { readonly [Name in keyof F]: Written[F[Name]] };
type HeldAs<F extends Fields> = { readonly [Name in keyof F]: Held[F[Name]] };

interface Units {
  readonly scale: SymbolScale;
  readonly quotePrecision: number;
  readonly parse: typeof parseDecimal;
}

/**
 * Converts a field value to the symbol's units. Returns null if the value is invalid, or the symbol's scale cannot
 * represent it.
 */
const HOLD: { readonly [Kind in FieldKind]: (value: Written[Kind], units: Units) => Held[Kind] | null } = {
  price: (text, { scale }) => atScale(text, scale.priceDecimals),
  quantity: (text, { scale }) => atScale(text, scale.quantityDecimals),
  amount: (text, { scale, quotePrecision, parse }) => {
    const units = parse(text, quotePrecision);
    return units === null ? null : notionalOf(units, quoteScaleOf(scale, quotePrecision));
  },
  multiplier: (text, { parse }) => parse(text, MULTIPLIER_DECIMALS),
  minutes: upTo(MAX_AVERAGE_PRICE_MINS),
  count: upTo(Number.MAX_SAFE_INTEGER),
  flag: (value) => value,
};

const MULTIPLIER_DECIMALS = 8;

function upTo(most: number): (value: number) => number | null {
  return (value) => (Number.isInteger(value) && value >= 0 && value <= most ? value : null);
}

function atScale(text: string, decimals: number): number | null {
  const value = decimalsNeeded(text) === null ? -1 : toScale(text, decimals);
  return value < 0 ? null : value;
}

function notionalOf(units: bigint, scale: QuoteScale): Notional {
  const ticksLots = (units * scale.divisor + scale.multiplier - 1n) / scale.multiplier;
  const isSafe = ticksLots <= BigInt(Number.MAX_SAFE_INTEGER);
  return { units, ticksLots, safeTicksLots: isSafe ? Number(ticksLots) : Number.POSITIVE_INFINITY, scale };
}

// The data of an order and its market that checks use.

/** An average price in ticks, as a fraction. The denominator is 0 if the symbol has never traded. */
export interface AveragePriceView {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * An order in ticks and lots. A field is 0 if the order has no such value, OFF_SCALE if the scale cannot represent it.
 */
export interface FilteredOrder {
  readonly hasPrice: boolean;
  readonly waitsForStop: boolean;
  readonly priceTicks: number;
  readonly stopTicks: number;
  readonly icebergLots: number;
  /** In units of the quote asset; 0n for an order by quantity. */
  readonly quoteOrderQty: bigint;
  /** For an order by `quoteOrderQty`, the lots that this amount buys or sells. */
  readonly lots: number;
  /** False for an order by `quoteOrderQty` that meets an empty book: it has no quantity to check, and expires. */
  readonly hasQuantity: boolean;
  readonly market: {
    averagePrice(mins: number, nowMs: number): AveragePriceView;
    percentBand(filter: PercentPrice, nowMs: number): PriceBand;
  };
  readonly nowMs: number;
}

/**
 * Why a value fails a check. `noQuantity`: the order has no quantity; `neverTraded`: the symbol has no average price
 * yet.
 */
export type Fault = RangeFault | "noQuantity" | "neverTraded";

/** The field of an order that a check applies to. */
export type CheckedField = "price" | "stopPrice" | "quantity" | "icebergQty";

/** `filter` is null if the symbol does not have this filter; most checks then pass. */
type Check<H> = (filter: H | null, order: FilteredOrder) => Fault | null;

/** Numbers of an account's open orders that filters limit. */
export interface OrderCounts {
  readonly open: number;
  readonly algo: number;
  readonly iceberg: number;
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

function checking<const Name extends string, const F extends Fields>(
  name: Name,
  fields: F,
  checks: Filter<Name, F>["checks"],
): Filter<Name, F> {
  return { name, fields, checks, counts: null };
}

function counting<const Name extends string, const Field extends string>(
  name: Name,
  field: Field,
  counts: keyof OrderCounts,
): Filter<Name, Readonly<Record<Field, "count">>> {
  return { name, fields: { [field]: "count" } as Readonly<Record<Field, "count">>, checks: {}, counts };
}

// PRICE_FILTER, LOT_SIZE and MARKET_LOT_SIZE: bounds, and a step that counts from the minimum or from 0. A step or
// maximum of 0 does not apply.

const PRICE_RANGE = { minPrice: "price", maxPrice: "price", tickSize: "price" } as const;
const LOT_RANGE = { minQty: "quantity", maxQty: "quantity", stepSize: "quantity" } as const;

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

/** Like `rangeFault`, but values of 0 or less fail even without a filter. */
function valueFault(range: Range | null, value: number): Fault | null {
  return value <= 0 ? "below" : rangeFault(range, value);
}

// PERCENT_PRICE: bounds of the price, as multiples of the average price. Every price passes before the first trade.

const PERCENT = { multiplierUp: "multiplier", multiplierDown: "multiplier", avgPriceMins: "minutes" } as const;
export type PercentPrice = HeldAs<typeof PERCENT>;

/** The prices that the filter allows at an average price, both bounds included. */
export interface PriceBand {
  readonly lowestTicks: number;
  readonly highestTicks: number;
}

const WHOLE = 100_000_000n;
const EVERY_PRICE: PriceBand = { lowestTicks: 0, highestTicks: LARGEST };

/** Prices are integers, so the lower bound is rounded up and the upper bound down. */
export function priceBand(filter: PercentPrice, average: AveragePriceView): PriceBand {
  if (average.denominator === 0n) return EVERY_PRICE;
  const denominator = average.denominator * WHOLE;
  return {
    lowestTicks: cappedTicks((average.numerator * filter.multiplierDown + denominator - 1n) / denominator),
    highestTicks: cappedTicks((average.numerator * filter.multiplierUp) / denominator),
  };
}

function cappedTicks(ticks: bigint): number {
  return ticks > BigInt(LARGEST) ? LARGEST + 1 : Number(ticks);
}

function bandFault(filter: PercentPrice | null, { hasPrice, priceTicks, market, nowMs }: FilteredOrder): Fault | null {
  if (filter === null || !hasPrice) return null;
  const { lowestTicks, highestTicks } = market.percentBand(filter, nowMs);
  if (priceTicks < lowestTicks) return "below";
  return priceTicks > highestTicks ? "above" : null;
}

// MIN_NOTIONAL: a minimum of price times quantity. An order without its own price is checked at the average price.
// Before the first trade, such an order passes only if it waits for a stop price.

const NOTIONAL = { minNotional: "amount", applyToMarket: "flag", avgPriceMins: "minutes" } as const;
export type MinNotional = HeldAs<typeof NOTIONAL>;

function notionalFault(filter: MinNotional | null, order: FilteredOrder): Fault | null {
  if (filter === null) return null;
  const { minNotional } = filter;
  if (order.hasPrice) return reaches(minNotional, order.priceTicks, order.lots) ? null : "below";
  if (!filter.applyToMarket) return null;
  const average = order.market.averagePrice(filter.avgPriceMins, order.nowMs);
  if (average.denominator === 0n) return order.waitsForStop ? null : "neverTraded";
  if (order.quoteOrderQty > 0n) return order.quoteOrderQty >= minNotional.units ? null : "below";
  return reachesAtAverage(minNotional, average, order.lots) ? null : "below";
}

/** Exact, because it compares before any rounding of the quote amount. */
export function reaches(notional: Notional, priceTicks: number, lots: number): boolean {
  const product = priceTicks * lots;
  if (product <= Number.MAX_SAFE_INTEGER) return product >= notional.safeTicksLots;
  return BigInt(priceTicks) * BigInt(lots) >= notional.ticksLots;
}

function reachesAtAverage({ units, scale }: Notional, average: AveragePriceView, lots: number): boolean {
  return average.numerator * BigInt(lots) * scale.multiplier >= units * scale.divisor * average.denominator;
}

// ICEBERG_PARTS: the number of slices, CEIL(quantity / icebergQty), in integers.

const PARTS = { limit: "count" } as const;

/** Maximum number of slices of an iceberg, with or without the filter. */
export function mostParts(filter: HeldAs<typeof PARTS> | null): number {
  return Math.min(filter?.limit ?? MAX_ICEBERG_PARTS, MAX_ICEBERG_PARTS);
}

function partsFault(filter: HeldAs<typeof PARTS> | null, { icebergLots, lots }: FilteredOrder): Fault | null {
  if (icebergLots <= 0) return null;
  const rest = lots % icebergLots;
  return (lots - rest) / icebergLots + (rest === 0 ? 0 : 1) > mostParts(filter) ? "above" : null;
}

// The tables of filters. Failures are reported in the order of the tables (Interface 7.9).

export const SYMBOL_FILTERS = {
  priceFilter: ranging("PRICE_FILTER", PRICE_RANGE, {
    price: (filter, order) => (order.hasPrice ? valueFault(filter, order.priceTicks) : null),
    stopPrice: (filter, order) => (order.waitsForStop ? valueFault(filter, order.stopTicks) : null),
  }),
  percentPrice: checking("PERCENT_PRICE", PERCENT, { price: bandFault }),
  lotSize: ranging("LOT_SIZE", LOT_RANGE, {
    quantity: (filter, { quoteOrderQty, lots, hasQuantity }) => {
      if (quoteOrderQty <= 0n && lots === 0) return "noQuantity";
      return hasQuantity ? valueFault(filter, lots) : null;
    },
    icebergQty: (filter, { icebergLots, hasQuantity }) =>
      hasQuantity && icebergLots !== 0 ? valueFault(filter, icebergLots) : null,
  }),
  minNotional: checking("MIN_NOTIONAL", NOTIONAL, { quantity: notionalFault }),
  icebergParts: checking("ICEBERG_PARTS", PARTS, { icebergQty: partsFault }),
  marketLotSize: ranging("MARKET_LOT_SIZE", LOT_RANGE, {
    quantity: (filter, { hasQuantity, hasPrice, lots }) => (hasQuantity && !hasPrice ? rangeFault(filter, lots) : null),
  }),
  maxNumOrders: counting("MAX_NUM_ORDERS", "limit", "open"),
  maxNumAlgoOrders: counting("MAX_NUM_ALGO_ORDERS", "maxNumAlgoOrders", "algo"),
  maxNumIcebergOrders: counting("MAX_NUM_ICEBERG_ORDERS", "maxNumIcebergOrders", "iceberg"),
};

/** Limits on an account's open orders on all symbols. */
export const EXCHANGE_FILTERS = {
  maxNumOrders: counting("EXCHANGE_MAX_NUM_ORDERS", "maxNumOrders", "open"),
  maxNumAlgoOrders: counting("EXCHANGE_MAX_NUM_ALGO_ORDERS", "maxNumAlgoOrders", "algo"),
};

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
  "lotSize.minQty": "Minimum quantity.",
  "lotSize.maxQty": "Maximum quantity.",
  "lotSize.stepSize": "Quantity increment, counted from minQty; with `interface: today`, from 0.",
  "minNotional.minNotional": "Minimum notional value: price times quantity.",
  "minNotional.applyToMarket": "Apply it to MARKET orders too, at the average price.",
  "minNotional.avgPriceMins": "Minutes of the average; 0 uses the last price.",
  "icebergParts.limit": "Maximum number of parts of an iceberg order.",
  "marketLotSize.minQty": "Minimum quantity of MARKET orders.",
  "marketLotSize.maxQty": "Maximum quantity of MARKET orders.",
  "marketLotSize.stepSize": 'Step of MARKET orders; `"0"` uses that of `lotSize`.',
  "maxNumOrders.limit": "Maximum number of open orders of an account on the symbol.",
  "maxNumAlgoOrders.maxNumAlgoOrders": "Maximum number of these that wait for a stop price.",
  "maxNumIcebergOrders.maxNumIcebergOrders": "Maximum number of these that are icebergs.",
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

/** A filter is null if it does not apply. */
export interface CompiledFilters extends HeldFilters {
  readonly checks: readonly ReadyCheck[];
  /** The lowest limit of each count; infinite where no filter limits it. */
  readonly most: OrderCounts;
  /** Whether `passesPlainly` checks all filters that apply to a LIMIT order that is not an iceberg. */
  readonly isPlain: boolean;
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
  const most = { open: LARGEST, algo: LARGEST, iceberg: LARGEST };
  for (const one of SYMBOL_COUNTS) most[one.counts] = Math.min(most[one.counts], limitOf(all, one) ?? LARGEST);
  const isPlain = checks.every((one) => !one.filter || PLAIN.includes(one.name));
  return { ...(all as HeldFilters), checks, most, isPlain };
}

function hold(fields: Fields, written: Readonly<Record<string, unknown>>, units: Units): HeldAs<Fields> | null {
  const held: Record<string, Held[FieldKind]> = {};
  for (const [field, kind] of Object.entries(fields)) {
    const value = HOLD[kind](written[field] as never, units);
    if (value === null) return null;
    held[field] = value;
  }
  return held;
}

/** The filters that `passesPlainly` in trading/check.ts knows, and those that do not apply to its orders. */
const PLAIN = "PRICE_FILTER PERCENT_PRICE LOT_SIZE MIN_NOTIONAL ICEBERG_PARTS MARKET_LOT_SIZE".split(" ");

/** Why the order is rejected: the first filter that it fails, or a missing quantity. */
export function failedFilter(
  { checks }: CompiledFilters,
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
