/** A market's filters as values to compare with (Interface 2.8). Absent: the market does not have it. */
import { boundOf, type Decimal, decimal } from "../exact/decimal.ts";
import type { Market } from "../market/port.ts";

/** Values from `min` to `max` in steps, from `min` on. A maximum or step of zero is off. */
export interface Range {
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
