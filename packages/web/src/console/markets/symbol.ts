/** A market as operators see it. */
import { consoleMarkets } from "../../words/words.ts";
import type { Desk } from "../desk.ts";

export interface ListedSymbol {
  readonly symbol: string;
  readonly status: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly orderTypes: readonly string[];
  readonly icebergAllowed: boolean;
  readonly ocoAllowed: boolean;
  readonly quoteOrderQtyMarketAllowed: boolean;
  readonly filters: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly acceptRounding?: boolean;
  /** Null where no delisting is announced. */
  readonly delisting: { readonly atMs: number; readonly why: string; readonly by: string } | null;
  /** Its open orders end in steps, and it cannot trade until none is left. */
  readonly isEndingOrders: boolean;
  readonly openOrders: number;
  /** Sentences about what is unusual. */
  readonly warnings?: readonly string[];
}

export const TRADING = "TRADING";
export const HALT = "HALT";
/** The route, in the table of routes. */
export const STATUS = "PUT /v1/symbols/{symbol}/status";

/** Opens the form that halts or resumes the market, titled as its button. */
export function openStatus({ wish }: Pick<Desk, "wish">, { symbol, status: now }: ListedSymbol, status: string): void {
  const title = status === HALT ? consoleMarkets.halt(symbol) : consoleMarkets.resume(symbol);
  wish.value = { key: STATUS, title, given: { symbol }, now: { status: now }, start: { status } };
}

export const filterOf = ({ filters }: ListedSymbol, name: string, field: string): string => {
  const value = filters[name]?.[field];
  return value === undefined ? "" : String(value);
};
