/** What an amount is worth in another asset, by the last price of a market that trades the two. An estimate. Pure. */
import { cutTo, type Decimal, divideDown, isZero, multiply, parseDecimal } from "../exact/decimal.ts";
import type { Market, Ticker } from "../market/port.ts";

/** Last prices by the name of the market. */
export type Prices = ReadonlyMap<string, Pick<Ticker, "lastPrice">>;

/** Digits of an estimate that was divided. */
const DIGITS = 8;

/** Straight, or by one of the assets `by` that both are traded against; null: no way was found. */
export function worthIn(
  amount: Decimal,
  asset: string,
  inAsset: string,
  tickers: Prices,
  by: Iterable<string>,
): Decimal | null {
  const straight = convert(amount, asset, inAsset, tickers);
  if (straight !== null) return straight;
  for (const middle of by) {
    const first = convert(amount, asset, middle, tickers);
    const second = first === null ? null : convert(first, middle, inAsset, tickers);
    if (second !== null) return second;
  }
  return null;
}

function convert(amount: Decimal, asset: string, inAsset: string, tickers: Prices): Decimal | null {
  if (asset === inAsset || isZero(amount)) return amount;
  const price = priceOf(tickers.get(asset + inAsset));
  if (price !== null) return cutTo(multiply(amount, price), DIGITS);
  const inverse = priceOf(tickers.get(inAsset + asset));
  return inverse === null ? null : divideDown(amount, inverse, DIGITS);
}

function priceOf(ticker: Pick<Ticker, "lastPrice"> | undefined): Decimal | null {
  const price = ticker === undefined ? null : parseDecimal(ticker.lastPrice);
  return price === null || isZero(price) ? null : price;
}

/** What markets are priced in, the commonest first. */
export function quoteAssets(markets: Iterable<Pick<Market, "quoteAsset">>): string[] {
  const counts = new Map<string, number>();
  for (const { quoteAsset } of markets) counts.set(quoteAsset, (counts.get(quoteAsset) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([asset]) => asset);
}
