/** Figures of markets, times, and values of the lab, as panels show them. */
import {
  cutTo,
  type Decimal,
  decimal,
  divideDown,
  formatDecimal,
  HUNDRED,
  isZero,
  multiply,
  parseDecimal,
  subtract,
} from "../exact/decimal.ts";
import { BLANK, MINUS, showPrice, showUnits } from "../exact/shown.ts";
import type { OrderRow } from "../account/port.ts";
import type { Market, Print, Ticker } from "../market/port.ts";
import type { TimeZone } from "../preferences.ts";
import { form, numbers, pagesWords } from "../words/words.ts";
import type { LabAssert, LabPoint, LabScenario } from "../lab/port.ts";

/** The direction of the newest trade, everywhere: 1 if its taker bought, -1 if its taker sold, 0 if there is none. */
export const turnOf = (newest: Print | undefined): -1 | 0 | 1 =>
  newest === undefined ? 0 : newest.buyerIsMaker ? -1 : 1;

/** Formats the last price, with an arrow for the direction of the newest trade. Returns a dash before the first trade. */
export function showLast(ticker: Pick<Ticker, "lastPrice"> | undefined, turn: -1 | 0 | 1, digits: number): string {
  const arrow = turn === 0 ? "" : turn > 0 ? " ▲" : " ▼";
  return showPrice(ticker?.lastPrice, digits) + arrow;
}

/** The average price of an order's fills, as the node would write it; "" if there are none. */
export function averageOf({
  executedQty,
  cummulativeQuoteQty,
}: Pick<OrderRow, "executedQty" | "cummulativeQuoteQty">): string {
  const executed = decimal(executedQty);
  return isZero(executed) ? "" : formatDecimal(divideDown(decimal(cummulativeQuoteQty), executed, WORTH_DIGITS));
}

/** The 24-hour change of the price in hundredths of a percent; null if there was no trade. */
export function changeOf({ lastPrice, openPrice }: Ticker): number | null {
  const last = parseDecimal(lastPrice);
  const open = parseDecimal(openPrice);
  if (last === null || open === null || isZero(open)) return null;
  return Number(divideDown(multiply(subtract(last, open), HUNDRED), open, 2).units);
}

/** Formats a change with its sign, so that it is readable without color: `+1.25%`. */
export function showChange(hundredths: number | null): string {
  if (hundredths === null) return BLANK;
  const sign = hundredths > 0 ? "+" : hundredths < 0 ? MINUS : "";
  return numbers.percent(sign + showUnits(Math.abs(hundredths), 2));
}

/** The CSS class for the color of a change. */
export function toneOf(change: number | null): "up" | "down" | "" {
  return change === null || change === 0 ? "" : change > 0 ? "up" : "down";
}

const two = (value: number): string => String(value).padStart(2, "0");

export function showTime(timeMs: number, zone: TimeZone): string {
  const at = new Date(timeMs);
  return zone === "utc"
    ? `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`
    : `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** Formats a time as `2026-11-22 09:05:01`. */
export function showDateTime(timeMs: number, zone: TimeZone): string {
  const at = new Date(timeMs);
  const day =
    zone === "utc"
      ? `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`
      : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${showTime(timeMs, zone)}`;
}

/** Formats a time as `29 Nov, 21:06:57`, with the year if it is not the year of `nowMs`. */
export function showMoment(timeMs: number, zone: TimeZone, nowMs: number): string {
  const [date = "", time = ""] = showDateTime(timeMs, zone).split(" ");
  return `${showDay(date, showDateTime(nowMs, zone).slice(0, 4))}, ${time}`;
}

/** Formats a date such as `2026-11-29`, without its year if it is `thisYear`. */
export function showDay(date: string, thisYear = ""): string {
  const [year = "", month = "", day = ""] = date.split("-");
  const name = pagesWords.months.split(" ")[Number(month) - 1] ?? month;
  return pagesWords.date(Number(day), name, year === thisYear ? "" : year);
}

/** Formats a time span in its largest unit: `4 s`, `3 min`, `2 h`. */
export function showSpan(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  if (seconds < 60) return numbers.seconds(seconds);
  if (seconds < 3600) return numbers.minutes(Math.floor(seconds / 60));
  return numbers.hours(Math.floor(seconds / 3600));
}

// Estimated values of amounts in another asset, by the last prices of markets.

/** Last prices by symbol. */
export type Prices = ReadonlyMap<string, Pick<Ticker, "lastPrice">>;

/** Decimal places of divisions. */
const WORTH_DIGITS = 8;

/**
 * The value of an amount in another asset, by the market of the two assets, or through one of the assets `by` against
 * which both are traded. Returns null if there are no such markets.
 */
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
  if (price !== null) return cutTo(multiply(amount, price), WORTH_DIGITS);
  const inverse = priceOf(tickers.get(inAsset + asset));
  return inverse === null ? null : divideDown(amount, inverse, WORTH_DIGITS);
}

function priceOf(ticker: Pick<Ticker, "lastPrice"> | undefined): Decimal | null {
  const price = ticker === undefined ? null : parseDecimal(ticker.lastPrice);
  return price === null || isZero(price) ? null : price;
}

/** The quote assets of all markets, the most frequent first. */
export function quoteAssets(markets: Iterable<Pick<Market, "quoteAsset">>): string[] {
  const counts = new Map<string, number>();
  for (const { quoteAsset } of markets) counts.set(quoteAsset, (counts.get(quoteAsset) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([asset]) => asset);
}

// Values of the lab.

/** The completed percentage, rounded down, so that 100 means complete. */
export function percentOf(done: number, all: number): number {
  return all <= 0 ? 0 : Math.min(100, Math.floor((done / all) * 100));
}

/** Formats an elapsed time, such as `0:05:00` or `26:00:00`; before the start `0:00:00`. */
export function showElapsed(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The elapsed time of a scenario, limited to its total, and the total. */
export function elapsedOf({ startMs, endMs }: LabScenario, nowMs: number): readonly [now: string, end: string] {
  return [showElapsed(Math.min(nowMs, endMs) - startMs), showElapsed(endMs - startMs)];
}

/** The next events of a scenario, soonest first. */
export function nextPoints(timeline: readonly LabPoint[], atMost: number): readonly LabPoint[] {
  return timeline.filter(({ isDone }) => !isDone).slice(0, atMost);
}

const ASSERT_ORDER: readonly LabAssert["state"][] = ["failed", "waiting", "holds"];

/** Sorts assertions, failed ones first. */
export function assertsByState(asserts: readonly LabAssert[]): readonly LabAssert[] {
  return asserts.toSorted((one, other) => ASSERT_ORDER.indexOf(one.state) - ASSERT_ORDER.indexOf(other.state));
}

/** The price of the book that an order takes, as "Best bid", or "Best bid, 2 levels behind". */
export function peggedText({
  side,
  pegPriceType,
  pegOffsetValue = 0,
}: Pick<OrderRow, "side" | "pegPriceType"> & { readonly pegOffsetValue?: string | number | undefined }): string {
  return form.bestPrice((pegPriceType === "PRIMARY_PEG") === (side === "BUY"), Number(pegOffsetValue));
}
