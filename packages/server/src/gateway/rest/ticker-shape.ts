/** Tickers. Interface 2.6; what they say without trades: FACTS 5. */
import type { EngineView, MarketView } from "@pricetime/engine";
import type { BookTicker, MiniTicker, PriceTicker, Ticker24hr } from "@pricetime/protocol";
import {
  amountText,
  differenceText,
  percentText,
  priceText,
  quantityText,
  volumeText,
  weightedPriceText,
} from "./amounts.ts";

interface BookTop {
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
}

/** A side without orders is all zeros. */
function bookTop(market: MarketView): BookTop {
  const [bidTicks, bidLots] = market.bids(1)[0] ?? [0, 0];
  const [askTicks, askLots] = market.asks(1)[0] ?? [0, 0];
  return {
    bidPrice: priceText(market, bidTicks),
    bidQty: quantityText(market, bidLots),
    askPrice: priceText(market, askTicks),
    askQty: quantityText(market, askLots),
  };
}

export function dayTickerShape(engine: EngineView, market: MarketView, nowMs: number): Ticker24hr {
  const ticker = market.ticker(nowMs);
  const { openTicks, lastTicks } = ticker;
  const { bidPrice, bidQty, askPrice, askQty } = bookTop(market);
  return {
    symbol: market.spec.symbol,
    priceChange: differenceText(market, openTicks, lastTicks),
    priceChangePercent: percentText(openTicks, lastTicks),
    weightedAvgPrice: weightedPriceText(engine, market, ticker.quoteVolume, ticker.volumeLots),
    prevClosePrice: priceText(market, ticker.prevCloseTicks),
    lastPrice: priceText(market, lastTicks),
    lastQty: quantityText(market, ticker.lastLots),
    bidPrice,
    bidQty,
    askPrice,
    askQty,
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

/** Without what is of the book, of change and of average. */
export function miniTickerShape(engine: EngineView, market: MarketView, nowMs: number): MiniTicker {
  const ticker = market.ticker(nowMs);
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

export function priceTickerShape(market: MarketView): PriceTicker {
  return { symbol: market.spec.symbol, price: priceText(market, market.lastTradeTicks) };
}

export function bookTickerShape(market: MarketView): BookTicker {
  return { symbol: market.spec.symbol, ...bookTop(market) };
}
