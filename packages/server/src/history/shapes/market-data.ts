/**
 * Market data in the format of the interface: tickers, including those of symbols without trades, levels of the order
 * book, and klines with sums of their decimals. Interface 2.6.
 */
import {
  type DepthLevel,
  type EngineView,
  formatDecimal,
  fromScale,
  type MarketView,
  parseDecimal,
  type TickerView,
  WIRE_PLACES,
} from "@pricetime/engine";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import type { BookTicker, Kline, MiniTicker, PriceTicker, Ticker24hr, WindowTicker } from "@pricetime/protocol";
import {
  amountText,
  differenceText,
  percentText,
  priceText,
  quantityText,
  volumeText,
  weightedPriceText,
} from "./amounts.ts";

/** The best bid and ask of a book; zeros for an empty side. */
interface BookTop {
  readonly market: MarketView;
  readonly bid: DepthLevel;
  readonly ask: DepthLevel;
}

/** The best bid and ask, and the 24-hour statistics. */
export interface DayTicker extends BookTop {
  readonly ticker: TickerView;
}

export function readBookTop(market: MarketView): BookTop {
  return { market, bid: market.bestLevel("BUY"), ask: market.bestLevel("SELL") };
}

export function readDayTicker(market: MarketView, nowMs: number): DayTicker {
  return {
    market,
    bid: market.bestLevel("BUY"),
    ask: market.bestLevel("SELL"),
    ticker: market.ticker(nowMs),
  };
}

function topShape({ market, bid, ask }: BookTop): Omit<BookTicker, "symbol"> {
  return {
    bidPrice: priceText(market, bid[0]),
    bidQty: quantityText(market, bid[1]),
    askPrice: priceText(market, ask[0]),
    askQty: quantityText(market, ask[1]),
  };
}

export function dayTickerShape(engine: EngineView, read: DayTicker): Ticker24hr {
  const { market, ticker } = read;
  const { openTicks, lastTicks } = ticker;
  return {
    symbol: market.spec.symbol,
    priceChange: differenceText(market, openTicks, lastTicks),
    priceChangePercent: percentText(openTicks, lastTicks),
    weightedAvgPrice: weightedPriceText(engine, market, ticker.quoteVolume, ticker.volumeLots),
    prevClosePrice: priceText(market, ticker.prevCloseTicks),
    lastPrice: priceText(market, lastTicks),
    lastQty: quantityText(market, ticker.lastLots),
    ...topShape(read),
    openPrice: priceText(market, openTicks),
    highPrice: priceText(market, ticker.highTicks),
    lowPrice: priceText(market, ticker.lowTicks),
    volume: volumeText(market, ticker.volumeLots),
    quoteVolume: amountText(engine, market.quoteAssetId, ticker.quoteVolume),
    openTime: ticker.openTimeMs,
    closeTime: ticker.closeTimeMs,
    firstId: ticker.firstTradeId,
    lastId: ticker.lastTradeId,
    count: ticker.count,
  };
}

/** The 24-hour statistics without best bid and ask, price change and average price. */
export function miniTickerShape(engine: EngineView, { market, ticker }: Omit<DayTicker, "bid" | "ask">): MiniTicker {
  return {
    symbol: market.spec.symbol,
    openPrice: priceText(market, ticker.openTicks),
    highPrice: priceText(market, ticker.highTicks),
    lowPrice: priceText(market, ticker.lowTicks),
    lastPrice: priceText(market, ticker.lastTicks),
    volume: volumeText(market, ticker.volumeLots),
    quoteVolume: amountText(engine, market.quoteAssetId, ticker.quoteVolume),
    openTime: ticker.openTimeMs,
    closeTime: ticker.closeTimeMs,
    firstId: ticker.firstTradeId,
    lastId: ticker.lastTradeId,
    count: ticker.count,
  };
}

/** The interval of the average price. Interface 2.8, the average price rule. */
export const AVERAGE_PRICE_MINS = 5;

/** The last price of a market. */
interface LastPrice {
  readonly market: MarketView;
  readonly ticks: number;
}

export function readLastPrice(market: MarketView): LastPrice {
  return { market, ticks: market.lastTradeTicks };
}

export function priceTickerShape({ market, ticks }: LastPrice): PriceTicker {
  return { symbol: market.spec.symbol, price: priceText(market, ticks) };
}

export function bookTickerShape(read: BookTop): BookTicker {
  return { symbol: read.market.spec.symbol, ...topShape(read) };
}

// Windows of statistics.

export interface WindowBounds {
  /** Whole minutes; `toMs` is later than now. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The close time that is reported. Trades that are applied until history is read are later, and move it. */
  readonly closeTimeMs: number;
}

/** A window of this size that ends now. It starts with a whole minute, so it is up to a minute longer. */
export function windowUntil(nowMs: number, sizeMs: number): WindowBounds {
  const fromMs = openTimeOf("1m", nowMs - sizeMs);
  return { fromMs, toMs: nextOpenTime("1d", nowMs), closeTimeMs: nowMs };
}

/**
 * The statistics of a window from its trades and earlier candles, as one kline. Prices and amounts have 8 places, and
 * the sums are exact. `lastId`: the last trade before the end of the window.
 */
export function windowTickerShape(symbol: string, kline: KlineRow, lastId: number): WindowTicker {
  const { open, high, low, close, volume, quoteVolume, openTimeMs, closeTimeMs, count, pastCount } = kline;
  const [from, to, base] = [unitsOf(open), unitsOf(close), unitsOf(volume)];
  const average = base === 0n ? 0n : (unitsOf(quoteVolume) * 10n ** BigInt(WIRE_PLACES)) / base;
  const trades = count - pastCount;
  return {
    symbol,
    priceChange: formatDecimal(to - from, WIRE_PLACES),
    priceChangePercent: percentText(from, to),
    weightedAvgPrice: formatDecimal(average, WIRE_PLACES),
    openPrice: open,
    highPrice: high,
    lowPrice: low,
    lastPrice: close,
    volume,
    quoteVolume,
    openTime: openTimeMs,
    closeTime: closeTimeMs,
    // Ids have no gaps.
    firstId: trades === 0 ? -1 : lastId - trades + 1,
    lastId: trades === 0 ? -1 : lastId,
    count,
  };
}

/** The fields of a window's statistics of `type` MINI. */
export function miniWindowShape(ticker: WindowTicker): MiniTicker {
  const { priceChange: _, priceChangePercent: __, weightedAvgPrice: ___, ...mini } = ticker;
  return mini;
}

// Levels are serialized by hand for speed, because there are very many.

type WriteLevel = (level: DepthLevel) => string;

/** Serializes one level of a market as JSON. */
export function levelWriter(market: MarketView): WriteLevel {
  const { priceDecimals, quantityDecimals } = market.scale;
  return ([priceTicks, lots]) => `["${fromScale(priceTicks, priceDecimals)}","${fromScale(lots, quantityDecimals)}"]`;
}

export function levelsJson(market: MarketView, levels: readonly DepthLevel[]): string {
  const write = levelWriter(market);
  let json = "[";
  for (const level of levels) json += json.length > 1 ? `,${write(level)}` : write(level);
  return `${json}]`;
}

// Klines.

/**
 * closeTimeMs is the next open time - 1. Intervals without trades are filled in, starting at the symbol's first kline.
 */
export interface KlineRow {
  readonly openTimeMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly closeTimeMs: number;
  readonly quoteVolume: string;
  readonly count: number;
  readonly takerBuyBase: string;
  readonly takerBuyQuote: string;
  /** The part of `count` before the symbol's first trade, which has no trade ids. */
  readonly pastCount: number;
}

export function klineShape(row: KlineRow): Kline {
  return [
    ...([row.openTimeMs, row.open, row.high, row.low, row.close, row.volume] as const),
    ...([row.closeTimeMs, row.quoteVolume, row.count, row.takerBuyBase, row.takerBuyQuote, "0"] as const),
  ];
}

// Backfilled klines may have finer units than the symbol. A kline that combines them with trades is summed in decimals,
// which are exact for any units.

export type KlineDecimals = Omit<KlineRow, "openTimeMs" | "closeTimeMs" | "count" | "pastCount">;

export const NOTHING = formatDecimal(0n, WIRE_PLACES);

/** The sum of two klines of one interval. Other fields are dropped. */
export function addKlineDecimals(earlier: KlineDecimals, later: KlineDecimals): KlineDecimals {
  return {
    open: earlier.open,
    high: unitsOf(later.high) > unitsOf(earlier.high) ? later.high : earlier.high,
    low: unitsOf(later.low) < unitsOf(earlier.low) ? later.low : earlier.low,
    close: later.close,
    volume: sum(earlier.volume, later.volume),
    quoteVolume: sum(earlier.quoteVolume, later.quoteVolume),
    takerBuyBase: sum(earlier.takerBuyBase, later.takerBuyBase),
    takerBuyQuote: sum(earlier.takerBuyQuote, later.takerBuyQuote),
  };
}

/** A kline without trades, which repeats the previous price. */
export function quietKlineDecimals(price: string): KlineDecimals {
  const amounts = { volume: NOTHING, quoteVolume: NOTHING, takerBuyBase: NOTHING, takerBuyQuote: NOTHING };
  return { open: price, high: price, low: price, close: price, ...amounts };
}

function sum(a: string, b: string): string {
  return formatDecimal(unitsOf(a) + unitsOf(b), WIRE_PLACES);
}

/** Throws on a malformed amount; history contains none. */
function unitsOf(text: string): bigint {
  const units = parseDecimal(text, WIRE_PLACES);
  if (units === null) throw new TypeError(`history gave an amount that is none: ${text}`);
  return units;
}
