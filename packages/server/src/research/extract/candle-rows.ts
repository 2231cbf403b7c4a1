/**
 * The klines of a symbol as history returns them: backfilled klines, klines from trades, and intervals without trades
 * in between. Only complete klines, as of the end of the journal or range.
 */
import type { CandleScale, Entry, Event, MarketView, PastCandle, Trade } from "@pricetime/engine";
import { nextOpenTime, openTimeOf, type StoredInterval } from "@pricetime/protocol";
import { GeneratedKlines } from "../../history/reading/past-klines.ts";
import { foldKlines, intervalsFrom } from "../../history/table/columns.ts";
import { archiveCloseTime, archiveTime } from "../market-files/public-archive.ts";
import type { Column, RowSink } from "../market-files/write-table.ts";
import { type CANDLE_LAYOUTS, type ListedSymbol, RowExtractor, type TimeRange } from "./request.ts";

export interface CandleRowOptions extends TimeRange {
  readonly interval: StoredInterval;
  readonly layout: (typeof CANDLE_LAYOUTS)[number];
}

/** Maximum number of generated candles in memory at a time. */
const CANDLES_AT_A_TIME = 1000;

/** A candle in the units of its output file. Prices of imported candles may be finer than the symbol's. */
interface Candle extends Record<Price | Amount, bigint> {
  readonly openTimeMs: number;
  count: number;
}
type Price = "openTicks" | "highTicks" | "lowTicks" | "closeTicks";
type Amount = "lots" | "quote" | "takerBuyLots" | "takerBuyQuote";

/** `scale`: the units of the candles. */
export function candleColumns(
  { market }: ListedSymbol,
  { layout }: CandleRowOptions,
  { priceDecimals, quantityDecimals, quoteDecimals }: CandleScale,
): Column[] {
  const time = layout === "archive" ? "text" : "time";
  // Finer prices may exceed the range of safe integers.
  const kind = priceDecimals === market.scale.priceDecimals ? "price" : "amount";
  const price = { kind, places: priceDecimals } as const;
  const base = { kind: "amount", places: quantityDecimals } as const;
  const quote = { kind: "amount", places: quoteDecimals } as const;
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

export class CandleRows extends RowExtractor {
  readonly #market: MarketView;
  readonly #options: CandleRowOptions;
  /**
   * The units of the symbol, and the units of the file. The latter are those of imported candles, if they are imported
   * before the first row.
   */
  readonly #own: CandleScale;
  #scale: CandleScale;
  /** Generated candles, written at the first trade or at the end, because there may be 90,000 of them. */
  #generated: Event<"pastAdded"> | undefined;
  /** The candle to which trades are added. */
  #candle: Candle | undefined;

  constructor({ market, engine }: ListedSymbol, options: CandleRowOptions, open: (scale: CandleScale) => RowSink) {
    super(() => open(this.#scale));
    this.#market = market;
    this.#options = options;
    this.#own = { ...market.scale, quoteDecimals: engine.asset(market.quoteAssetId).spec.precision };
    this.#scale = this.#own;
  }

  take(_: Entry, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === "trade") this.#trade(event);
      else if (event.type === "pastAdded" && event.symbolId === this.#market.symbolId) this.#generated = event;
      else if (event.type === "klinesImported") this.#import(event);
    }
  }

  override end(endMs: number): void {
    this.#addGenerated();
    this.#passTo(Math.min(endMs, this.#options.toMs));
    super.end(endMs);
  }

  #trade({ symbolId, timeMs, priceTicks, lots, quote, takerSide }: Trade): void {
    if (symbolId !== this.#market.symbolId) return;
    this.#addGenerated();
    const isBought = takerSide === "BUY";
    const prices = { openTicks: priceTicks, highTicks: priceTicks, lowTicks: priceTicks, closeTicks: priceTicks };
    const taken = { takerBuyLots: isBought ? BigInt(lots) : 0n, takerBuyQuote: isBought ? quote : 0n };
    this.#add({ openTimeMs: timeMs, ...prices, lots: BigInt(lots), quote, count: 1, ...taken });
  }

  #import({ symbolId, interval, scale = this.#own, candles }: Event<"klinesImported">): void {
    if (symbolId !== this.#market.symbolId || !intervalsFrom(interval).includes(this.#options.interval)) return;
    if (this.rows === 0 && this.#candle === undefined) this.#scale = scale;
    for (const kline of foldKlines(symbolId, this.#options.interval, candles)) this.#add(kline, scale);
  }

  #addGenerated(): void {
    if (this.#generated === undefined) return;
    const { symbolId, past } = this.#generated;
    this.#generated = undefined;
    const { interval, fromMs } = this.#options;
    const klines = new GeneratedKlines(symbolId, past);
    // The last candle is always needed for its close.
    const latestMs = openTimeOf(interval, past.endMs - 1);
    const grid = { interval, offsetMs: 0 };
    let at = Math.max(klines.first(grid) ?? 0, Math.min(openTimeOf(interval, fromMs), latestMs));
    while (at <= latestMs) {
      const last = lastOfSoMany(interval, at, CANDLES_AT_A_TIME);
      for (const kline of klines.between(grid, at, last)) this.#add(kline);
      at = nextOpenTime(interval, last);
    }
  }

  /** Adds a trade (as a candle) or a candle, which must not be longer than the interval. `scale`: its units. */
  #add(later: PastCandle, scale = this.#own): void {
    const { interval } = this.#options;
    const openTimeMs = openTimeOf(interval, later.openTimeMs);
    const candle = inUnits({ ...later, openTimeMs }, scale, this.#scale);
    if (this.#candle?.openTimeMs === openTimeMs) merge(this.#candle, candle);
    else {
      this.#passTo(openTimeMs);
      this.#candle = candle;
    }
  }

  /** Writes the candles that are complete at this time, including those without trades. */
  #passTo(timeMs: number): void {
    const { interval, fromMs, toMs } = this.#options;
    let candle = this.#candle;
    while (candle !== undefined) {
      const nextMs = nextOpenTime(interval, candle.openTimeMs);
      if (nextMs > timeMs) break;
      if (candle.openTimeMs >= fromMs && candle.openTimeMs < toMs) this.#write(candle, nextMs);
      // Skips a long time without trades before the start of the range.
      const openTimeMs = nextMs < fromMs ? Math.max(nextMs, openTimeOf(interval, Math.min(fromMs, timeMs))) : nextMs;
      candle = quiet(openTimeMs, candle.closeTicks);
    }
    this.#candle = candle;
  }

  #write(candle: Candle, nextMs: number): void {
    const isArchive = this.#options.layout === "archive";
    const { openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote, count } = candle;
    const isOwn = this.#scale.priceDecimals === this.#own.priceDecimals;
    const prices = [openTicks, highTicks, lowTicks, closeTicks].map((ticks) => (isOwn ? Number(ticks) : ticks));
    this.add([
      isArchive ? archiveTime(openTimeMs) : openTimeMs,
      ...[...prices, lots],
      isArchive ? archiveCloseTime(nextMs - 1) : nextMs - 1,
      ...[quote, count, candle.takerBuyLots, candle.takerBuyQuote, 0],
    ]);
  }
}

/** The open time of the last of `count` consecutive candles. */
function lastOfSoMany(interval: StoredInterval, fromMs: number, count: number): number {
  let at = fromMs;
  for (let i = 1; i < count; i++) at = nextOpenTime(interval, at);
  return at;
}

function quiet(openTimeMs: number, closeTicks: bigint): Candle {
  const prices = { openTicks: closeTicks, highTicks: closeTicks, lowTicks: closeTicks, closeTicks };
  return { openTimeMs, ...prices, lots: 0n, quote: 0n, count: 0, takerBuyLots: 0n, takerBuyQuote: 0n };
}

/** Adds a later candle to an earlier one. */
function merge(candle: Candle, later: Candle): void {
  if (later.highTicks > candle.highTicks) candle.highTicks = later.highTicks;
  if (later.lowTicks < candle.lowTicks) candle.lowTicks = later.lowTicks;
  candle.closeTicks = later.closeTicks;
  candle.lots += later.lots;
  candle.quote += later.quote;
  candle.count += later.count;
  candle.takerBuyLots += later.takerBuyLots;
  candle.takerBuyQuote += later.takerBuyQuote;
}

/**
 * Converts a candle's units. `to` must be at least as fine as `from`, except for candles that are imported after rows
 * were written.
 */
function inUnits(candle: PastCandle, from: CandleScale, to: CandleScale): Candle {
  const price = (ticks: number): bigint => scaled(BigInt(ticks), from.priceDecimals, to.priceDecimals);
  const lots = (amount: bigint): bigint => scaled(amount, from.quantityDecimals, to.quantityDecimals);
  const quote = (amount: bigint): bigint => scaled(amount, from.quoteDecimals, to.quoteDecimals);
  return {
    openTimeMs: candle.openTimeMs,
    openTicks: price(candle.openTicks),
    highTicks: price(candle.highTicks),
    lowTicks: price(candle.lowTicks),
    closeTicks: price(candle.closeTicks),
    lots: lots(candle.lots),
    quote: quote(candle.quote),
    count: candle.count,
    takerBuyLots: lots(candle.takerBuyLots),
    takerBuyQuote: quote(candle.takerBuyQuote),
  };
}

function scaled(value: bigint, from: number, to: number): bigint {
  return to >= from ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to);
}
