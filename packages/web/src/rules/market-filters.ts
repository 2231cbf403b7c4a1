/** A market's filters as values (Interface 2.8), and the prices and quantities of a draft checked against them. */
import {
  boundOf,
  compare,
  cutTo,
  type Decimal,
  decimal,
  divideDown,
  formatDecimal,
  formatShort,
  isOnStep,
  isZero,
  multiply,
  NONE,
  raiseTo,
  stepDown,
  stepUp,
} from "../exact/decimal.ts";
import type { Market } from "../market/port.ts";
import { RULES } from "../words/words.ts";
import type { Field, Problem } from "./draft.ts";

// The filters as values to compare with. Absent: the market does not have the filter.

/** Values from `min` to `max` in steps, from `min` on. A maximum or step of zero is off. */
interface Range {
  readonly min: Decimal;
  readonly max: Decimal | null;
  readonly step: Decimal;
}

export interface MarketRules {
  readonly price: Range | null;
  readonly lot: Range | null;
  readonly marketLot: Range | null;
  readonly percent: { readonly up: Decimal; readonly down: Decimal; readonly minutes: number } | null;
  readonly notional: { readonly min: Decimal; readonly isOfMarket: boolean; readonly minutes: number } | null;
  readonly icebergParts: number;
  readonly maxOrders: number;
  readonly maxAlgoOrders: number;
  readonly maxIcebergOrders: number;
  /** The most open orders on all markets together. */
  readonly maxOrdersAnywhere: number;
  readonly maxAlgoOrdersAnywhere: number;
}

/** No iceberg has more parts, whatever the filter says. */
const MOST_PARTS = 1000;

const known = new WeakMap<Market, MarketRules>();

export function rulesOf(market: Market): MarketRules {
  const rules = known.get(market) ?? read(market);
  known.set(market, rules);
  return rules;
}

function read({ filters }: Market): MarketRules {
  const of = (type: string) => filters.find(({ filterType }) => filterType === type);
  const count = (type: string, field: string): number => Number(of(type)?.[field] ?? Infinity);
  const range = (type: string, min: string, max: string, step: string): Range | null => {
    const filter = of(type);
    if (filter === undefined) return null;
    return {
      ...{ min: decimal(String(filter[min])), step: decimal(String(filter[step])) },
      max: boundOf(String(filter[max])),
    };
  };
  const percent = of("PERCENT_PRICE");
  const notional = of("MIN_NOTIONAL");
  return {
    price: range("PRICE_FILTER", "minPrice", "maxPrice", "tickSize"),
    lot: range("LOT_SIZE", "minQty", "maxQty", "stepSize"),
    marketLot: range("MARKET_LOT_SIZE", "minQty", "maxQty", "stepSize"),
    percent:
      percent === undefined
        ? null
        : {
            up: decimal(String(percent["multiplierUp"])),
            down: decimal(String(percent["multiplierDown"])),
            minutes: Number(percent["avgPriceMins"]),
          },
    notional:
      notional === undefined
        ? null
        : {
            min: decimal(String(notional["minNotional"])),
            isOfMarket: notional["applyToMarket"] === true,
            minutes: Number(notional["avgPriceMins"]),
          },
    icebergParts: Math.min(MOST_PARTS, count("ICEBERG_PARTS", "limit")),
    maxOrders: count("MAX_NUM_ORDERS", "maxNumOrders"),
    maxAlgoOrders: count("MAX_NUM_ALGO_ORDERS", "maxNumAlgoOrders"),
    maxIcebergOrders: count("MAX_NUM_ICEBERG_ORDERS", "maxNumIcebergOrders"),
    maxOrdersAnywhere: count("EXCHANGE_MAX_NUM_ORDERS", "maxNumOrders"),
    maxAlgoOrdersAnywhere: count("EXCHANGE_MAX_NUM_ALGO_ORDERS", "maxNumAlgoOrders"),
  };
}

// Prices and quantities of a draft against the filters, each with the nearest values that pass.

interface Named {
  readonly field: Field;
  readonly filter: string;
  readonly digits: number;
}

/** PRICE_FILTER, LOT_SIZE and MARKET_LOT_SIZE are one rule. */
export function checkRange(value: Decimal, range: Range, named: Named): Problem | null {
  const { min, max, step } = range;
  const { field, filter, digits } = named;
  const problem = (text: string, nearest: readonly Decimal[]): Problem => ({
    ...{ field, kind: "filter", filter, text, nearest: nearest.map((one) => show(one, digits)) },
  });
  if (compare(value, min) < 0) return problem(RULES.below(filter, show(min, digits)), [min]);
  if (max !== null && compare(value, max) > 0) {
    const highest = stepDown(max, step, min);
    return problem(RULES.above(filter, show(highest, digits)), [highest]);
  }
  if (isZero(step) || isOnStep(value, step, min)) return null;
  const nearest = [stepDown(value, step, min), stepUp(value, step, min)].filter(
    (one) => compare(one, min) >= 0 && !isZero(one) && (max === null || compare(one, max) <= 0),
  );
  return problem(
    RULES.step(
      filter,
      formatShort(step),
      nearest.map((one) => show(one, digits)),
    ),
    nearest,
  );
}

/** Where no filter limits the digits of a value, the asset does. */
export function checkDigits(value: Decimal, field: Field, digits: number): Problem | null {
  if (compare(cutTo(value, digits), value) === 0) return null;
  const nearest = [cutTo(value, digits), raiseTo(value, digits)].filter((one) => !isZero(one));
  const shown = nearest.map((one) => formatDecimal(one, digits));
  return { field, kind: "filter", filter: null, text: RULES.digits(digits, shown), nearest: shown };
}

export interface Band {
  readonly lowest: Decimal;
  readonly highest: Decimal;
}

/** The prices that PERCENT_PRICE allows, on the market's ticks. */
export function percentBand(average: Decimal, up: Decimal, down: Decimal, price: Range | null, digits: number): Band {
  const [low, high] = [raiseTo(multiply(average, down), digits), cutTo(multiply(average, up), digits)];
  if (price === null) return { lowest: low, highest: high };
  return { lowest: stepUp(low, price.step, price.min), highest: stepDown(high, price.step, price.min) };
}

export function checkBand(value: Decimal, { lowest, highest }: Band, digits: number): Problem | null {
  if (compare(value, lowest) >= 0 && compare(value, highest) <= 0) return null;
  const [low, high] = [show(lowest, digits), show(highest, digits)];
  const nearest = [compare(value, lowest) < 0 ? low : high];
  return { field: "price", kind: "filter", filter: "PERCENT_PRICE", text: RULES.percent(low, high), nearest };
}

/** The least quantity that makes an order worth `min` at a price, on the market's lots. */
export function leastQuantity(min: Decimal, price: Decimal, lot: Range | null, digits: number): Decimal {
  const cut = divideDown(min, price, digits);
  const least = compare(multiply(cut, price), min) < 0 ? { units: cut.units + 1n, digits } : cut;
  if (lot === null) return least;
  return stepUp(compare(least, lot.min) < 0 ? lot.min : least, lot.step, lot.min);
}

/** Checks how many slices an iceberg has, and offers the least slice that makes few enough. */
export function checkIcebergParts(
  quantity: Decimal,
  slice: Decimal,
  most: number,
  lot: Range | null,
  digits: number,
): Problem | null {
  const whole = divideDown(quantity, slice, 0);
  const hasRest = compare(multiply(whole, slice), quantity) < 0;
  if (whole.units + (hasRest ? 1n : 0n) <= BigInt(most)) return null;
  const by: Decimal = { units: BigInt(most), digits: 0 };
  const cut = divideDown(quantity, by, digits);
  const slim = compare(multiply(cut, by), quantity) < 0 ? { units: cut.units + 1n, digits } : cut;
  const least = show(stepUp(slim, lot?.step ?? NONE, lot?.min ?? NONE), digits);
  return {
    ...{ field: "icebergQty", kind: "filter", filter: "ICEBERG_PARTS" },
    text: RULES.icebergParts(most, least),
    nearest: [least],
  };
}

/** The value with the market's digits where they suffice. */
export function show(value: Decimal, digits: number): string {
  return compare(cutTo(value, digits), value) === 0 ? formatDecimal(value, digits) : formatShort(value);
}
