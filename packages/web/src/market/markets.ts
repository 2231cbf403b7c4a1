/** The markets of a node, from its exchange information (Interface 2.7), and the 24-hour figures of all of them. */
import { decimal, isZero, leastDigits } from "../exact/decimal.ts";
import type { Market, MarketFilter } from "./port.ts";

interface SymbolAnswer {
  readonly symbol: string;
  readonly status: string;
  readonly baseAsset: string;
  readonly baseAssetPrecision: number;
  readonly quoteAsset: string;
  readonly quotePrecision: number;
  readonly orderTypes: readonly string[];
  readonly icebergAllowed: boolean;
  readonly ocoAllowed: boolean;
  readonly delistTime?: number;
  readonly filters: readonly MarketFilter[];
}

export interface ExchangeInfoAnswer {
  readonly symbols: readonly SymbolAnswer[];
  readonly exchangeFilters: readonly MarketFilter[];
}

/** Digits that a market's book has shown to need, where its filters were changed since: they only grow. */
export interface Digits {
  readonly priceDigits: number;
  readonly quantityDigits: number;
}

export function marketsOf(info: ExchangeInfoAnswer, seen: ReadonlyMap<string, Digits>): ReadonlyMap<string, Market> {
  return new Map(
    info.symbols.map((answer) => [answer.symbol, marketOf(answer, info.exchangeFilters, seen.get(answer.symbol))]),
  );
}

/** The exchange's own filters hold on each of its markets. */
function marketOf(answer: SymbolAnswer, everywhere: readonly MarketFilter[], seen: Digits | undefined): Market {
  const { symbol, baseAsset, quoteAsset, status, orderTypes, icebergAllowed, ocoAllowed, delistTime } = answer;
  const filters = [...answer.filters, ...everywhere];
  const tickSize = valueOf(filters, "PRICE_FILTER", "tickSize");
  const stepSize = valueOf(filters, "LOT_SIZE", "stepSize");
  const priceDigits = digitsOf(filters, ["PRICE_FILTER"], ["tickSize", "minPrice", "maxPrice"]);
  const quantityDigits = digitsOf(filters, ["LOT_SIZE", "MARKET_LOT_SIZE"], ["stepSize", "minQty", "maxQty"]);
  return {
    ...{ symbol, baseAsset, quoteAsset, status, orderTypes, icebergAllowed, ocoAllowed, filters },
    ...(delistTime !== undefined && { delistTime }),
    priceDigits: Math.max(seen?.priceDigits ?? 0, isOff(tickSize) ? answer.quotePrecision : priceDigits),
    quantityDigits: Math.max(seen?.quantityDigits ?? 0, isOff(stepSize) ? answer.baseAssetPrecision : quantityDigits),
    quoteDigits: answer.quotePrecision,
    tickSize,
    stepSize,
  };
}

const isOff = (step: string): boolean => isZero(decimal(step));

function valueOf(filters: readonly MarketFilter[], type: string, field: string): string {
  const value = filters.find(({ filterType }) => filterType === type)?.[field];
  return typeof value === "string" ? value : "0";
}

/** The digits that every value of these filters can be written with: those of the market's scale (decision 3). */
function digitsOf(filters: readonly MarketFilter[], types: readonly string[], fields: readonly string[]): number {
  const needed = types.flatMap((type) => fields.map((field) => leastDigits(decimal(valueOf(filters, type, field)))));
  return Math.max(...needed);
}
