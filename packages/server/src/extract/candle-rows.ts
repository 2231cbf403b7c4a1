/**
 * The candles of a symbol, as history answers them: its past, its trades since, and quiet ones between. Only those that
 * were over when the journal, or the range, ended.
 */
import type { Entry, Event, KlinesImported, MarketView, PastAdded, PastCandle, Trade } from "@pricetime/engine";
import { type KlineInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { GeneratedKlines } from "../history/klines/generated-klines.ts";
import { foldKlines, intervalsFrom, mergeKline } from "../history/klines/kline.ts";
import { archiveCloseTime, archiveTime } from "../market-files/public-archive/archive-columns.ts";
import type { Column, RowSink } from "../market-files/table.ts";
import { type Extractor, type ListedSymbol, Rows, type TimeRange } from "./extractor.ts";

export const CANDLE_LAYOUTS = ["full", "archive"] as const;

export interface CandleRowOptions extends TimeRange {
  readonly interval: KlineInterval;
  readonly layout: (typeof CANDLE_LAYOUTS)[number];
}

/** Candles of a generated past that are in memory at once. */
const CANDLES_AT_A_TIME = 1000;

type Candle = { -readonly [Key in keyof PastCandle]: PastCandle[Key] };

export function candleColumns({ market, engine }: ListedSymbol, { layout }: CandleRowOptions): Column[] {
  const time = layout === "archive" ? "text" : "time";
  const price = { kind: "price", places: market.scale.priceDecimals } as const;
  const base = { kind: "amount", places: market.scale.quantityDecimals } as const;
  const quote = { kind: "amount", places: engine.asset(market.quoteAssetId).spec.precision } as const;
  return [
    { name: "openTime", kind: time },
    { name: "open", ...price },
    { name: "high", ...price },
    { name: "low", ...price },
    { name: "close", ...price },
    { name: "volume", ...base },
    { name: "closeTime", kind: time },
    { name: "quoteVolume", ...quote },
    { name: "count", kind: "integer" },
    { name: "takerBuyBase", ...base },
    { name: "takerBuyQuote", ...quote },
    { name: "ignore", kind: "integer" },
  ];
}

export class CandleRows implements Extractor {
  readonly #market: MarketView;
  readonly #options: CandleRowOptions;
  readonly #rows: Rows;
  /** A generated past, written when the first trade or the end comes: it may be ninety thousand candles. */
  #generated: PastAdded | undefined;
  /** The one that trades are added to. */
  #candle: Candle | undefined;

  constructor({ market }: ListedSymbol, options: CandleRowOptions, open: () => RowSink) {
    this.#market = market;
    this.#options = options;
    this.#rows = new Rows(open);
  }

  get rows(): number {
    return this.#rows.count;
  }

  take(_: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === "trade") this.#trade(event);
      else if (event.type === "pastAdded" && event.symbolId === this.#market.symbolId) this.#generated = event;
      else if (event.type === "klinesImported") this.#import(event);
    }
  }

  end(endMs: number): void {
    this.#addGenerated();
    this.#passTo(Math.min(endMs, this.#options.toMs));
    this.#rows.end();
  }

  #trade({ symbolId, timeMs, priceTicks, lots, quote, takerSide }: Trade): void {
    if (symbolId !== this.#market.symbolId) return;
    this.#addGenerated();
    const isBought = takerSide === "BUY";
    const prices = { openTicks: priceTicks, highTicks: priceTicks, lowTicks: priceTicks, closeTicks: priceTicks };
    const taken = { takerBuyLots: isBought ? BigInt(lots) : 0n, takerBuyQuote: isBought ? quote : 0n };
    this.#add({ openTimeMs: timeMs, ...prices, lots: BigInt(lots), quote, count: 1, ...taken });
  }

  #import({ symbolId, interval, candles }: KlinesImported): void {
    if (symbolId !== this.#market.symbolId || !intervalsFrom(interval).includes(this.#options.interval)) return;
    for (const kline of foldKlines(symbolId, this.#options.interval, candles)) this.#add(kline);
  }

  #addGenerated(): void {
    if (this.#generated === undefined) return;
    const { symbolId, past } = this.#generated;
    this.#generated = undefined;
    const { interval, fromMs } = this.#options;
    const klines = new GeneratedKlines(symbolId, past);
    // The last one is needed for its close, wherever the range begins.
    const latestMs = openTimeOf(interval, past.endMs - 1);
    let at = Math.max(klines.first(interval), Math.min(openTimeOf(interval, fromMs), latestMs));
    while (at <= latestMs) {
      const last = lastOfSoMany(interval, at, CANDLES_AT_A_TIME);
      for (const kline of klines.between(interval, at, last)) this.#add(kline);
      at = nextOpenTime(interval, last);
    }
  }

  /** Adds a candle no longer than the interval, or a trade as one. */
  #add(later: PastCandle): void {
    const { interval } = this.#options;
    const openTimeMs = openTimeOf(interval, later.openTimeMs);
    if (this.#candle?.openTimeMs === openTimeMs) mergeKline(this.#candle, later);
    else {
      this.#passTo(openTimeMs);
      this.#candle = { ...later, openTimeMs };
    }
  }

  /** Writes what is over at this time, and the quiet candles since. */
  #passTo(timeMs: number): void {
    const { interval, fromMs, toMs } = this.#options;
    let candle = this.#candle;
    while (candle !== undefined) {
      const nextMs = nextOpenTime(interval, candle.openTimeMs);
      if (nextMs > timeMs) break;
      if (candle.openTimeMs >= fromMs && candle.openTimeMs < toMs) this.#write(candle, nextMs);
      // A long quiet time before the range is passed over.
      const openTimeMs = nextMs < fromMs ? Math.max(nextMs, openTimeOf(interval, Math.min(fromMs, timeMs))) : nextMs;
      candle = quiet(openTimeMs, candle.closeTicks);
    }
    this.#candle = candle;
  }

  #write(candle: Candle, nextMs: number): void {
    const isArchive = this.#options.layout === "archive";
    const { openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote, count } = candle;
    this.#rows.add([
      isArchive ? archiveTime(openTimeMs) : openTimeMs,
      ...[openTicks, highTicks, lowTicks, closeTicks, lots],
      isArchive ? archiveCloseTime(nextMs - 1) : nextMs - 1,
      ...[quote, count, candle.takerBuyLots, candle.takerBuyQuote, 0],
    ]);
  }
}

/** The opening time of the last of so many candles in a row. */
function lastOfSoMany(interval: KlineInterval, fromMs: number, count: number): number {
  let at = fromMs;
  for (let i = 1; i < count; i++) at = nextOpenTime(interval, at);
  return at;
}

function quiet(openTimeMs: number, closeTicks: number): Candle {
  const prices = { openTicks: closeTicks, highTicks: closeTicks, lowTicks: closeTicks, closeTicks };
  return { openTimeMs, ...prices, lots: 0n, quote: 0n, count: 0, takerBuyLots: 0n, takerBuyQuote: 0n };
}
