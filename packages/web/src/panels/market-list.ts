/** Which markets the picker lists, and in which order. Pure. */
import { compare, type Decimal, NONE, parseDecimal } from "../exact/decimal.ts";
import type { Market, Ticker } from "../market/port.ts";
import { changeOf } from "./show.ts";

export type SortKey = "name" | "price" | "change" | "volume";
/** `name:up` and the like, as it is remembered. */
export type Sort = `${SortKey}:${"up" | "down"}`;
export const SORTS: readonly Sort[] = [
  "name:up",
  "name:down",
  "price:up",
  "price:down",
  "change:up",
  "change:down",
  "volume:up",
  "volume:down",
];

export interface MarketQuery {
  readonly search: string;
  readonly sort: Sort;
  /** Favourites stand first; `only`: nothing else. */
  readonly favourites: readonly string[];
  readonly only: boolean;
}

const read = (text: string | undefined): Decimal => (text === undefined ? null : parseDecimal(text)) ?? NONE;

function order(key: SortKey, one: Ticker | undefined, other: Ticker | undefined): number {
  if (key === "price") return compare(read(one?.lastPrice), read(other?.lastPrice));
  if (key === "volume") return compare(read(one?.quoteVolume), read(other?.quoteVolume));
  const least = Number.NEGATIVE_INFINITY;
  const change = (ticker: Ticker | undefined): number => (ticker === undefined ? least : (changeOf(ticker) ?? least));
  const [left, right] = [change(one), change(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export function listMarkets(
  markets: ReadonlyMap<string, Market>,
  tickers: ReadonlyMap<string, Ticker>,
  { search, sort, favourites, only }: MarketQuery,
): Market[] {
  const wanted = search.replace(/[\s/-]/g, "").toUpperCase();
  const [key, way] = sort.split(":") as [SortKey, "up" | "down"];
  const isFavourite = ({ symbol }: Market): boolean => favourites.includes(symbol);
  return [...markets.values()]
    .filter((market) => market.symbol.includes(wanted) && (!only || isFavourite(market)))
    .toSorted((one, other) => {
      const byName = one.symbol < other.symbol ? -1 : 1;
      const byKey = key === "name" ? byName : order(key, tickers.get(one.symbol), tickers.get(other.symbol));
      return Number(isFavourite(other)) - Number(isFavourite(one)) || (way === "up" ? byKey : -byKey) || byName;
    });
}
