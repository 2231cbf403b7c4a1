/** Filters and sorts the markets of the picker. All functions are pure. */
import { compare, type Decimal, NONE, parseDecimal } from "../exact/decimal.ts";
import type { Market, Ticker } from "../market/port.ts";
import { changeOf, quoteAssets, worthIn } from "./show.ts";

export type SortKey = "name" | "price" | "change" | "volume";
/** A sort order in the form in which it is stored, such as `name:up`. */
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
  /** The symbols of favorites, which are listed first. If `only` is set, only favorites are listed. */
  readonly favourites: readonly string[];
  readonly only: boolean;
}

const read = (text: string | undefined): Decimal => (text === undefined ? null : parseDecimal(text)) ?? NONE;

function order(key: Exclude<SortKey, "name" | "volume">, one: Ticker | undefined, other: Ticker | undefined): number {
  if (key === "price") return compare(read(one?.lastPrice), read(other?.lastPrice));
  const least = Number.NEGATIVE_INFINITY;
  const change = (ticker: Ticker | undefined): number => (ticker === undefined ? least : (changeOf(ticker) ?? least));
  const [left, right] = [change(one), change(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export interface Volumes {
  /** The most common quote asset, in which all volumes are, so that they can be compared. */
  readonly asset: string;
  /** The volumes by symbol. Volumes that no price converts to the asset are absent. */
  readonly of: ReadonlyMap<string, Decimal>;
}

/** The 24-hour volumes of all markets, as the list shows and sorts them. */
export function volumesOf(markets: ReadonlyMap<string, Market>, tickers: ReadonlyMap<string, Ticker>): Volumes {
  const by = quoteAssets(markets.values());
  const [asset = ""] = by;
  const volumes = [...markets.values()].map(({ symbol, quoteAsset }) => {
    const volume = read(tickers.get(symbol)?.quoteVolume);
    return [symbol, worthIn(volume, quoteAsset, asset, tickers, by)] as const;
  });
  return { asset, of: new Map(volumes.filter((one): one is readonly [string, Decimal] => one[1] !== null)) };
}

export function listMarkets(
  markets: ReadonlyMap<string, Market>,
  tickers: ReadonlyMap<string, Ticker>,
  volumes: Volumes,
  { search, sort, favourites, only }: MarketQuery,
): Market[] {
  const wanted = search.replace(/[\s/-]/g, "").toUpperCase();
  const [key, way] = sort.split(":") as [SortKey, "up" | "down"];
  const isFavourite = ({ symbol }: Market): boolean => favourites.includes(symbol);
  const byKeyOf = (one: Market, other: Market): number => {
    if (key === "name") return one.symbol < other.symbol ? -1 : 1;
    if (key !== "volume") return order(key, tickers.get(one.symbol), tickers.get(other.symbol));
    return compare(volumes.of.get(one.symbol) ?? NONE, volumes.of.get(other.symbol) ?? NONE);
  };
  return [...markets.values()]
    .filter((market) => market.symbol.includes(wanted) && (!only || isFavourite(market)))
    .toSorted((one, other) => {
      const byName = one.symbol < other.symbol ? -1 : 1;
      const byKey = byKeyOf(one, other);
      return Number(isFavourite(other)) - Number(isFavourite(one)) || (way === "up" ? byKey : -byKey) || byName;
    });
}
