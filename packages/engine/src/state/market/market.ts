/** The state of one symbol: its book, its filters, and its trading statistics. */
import { assert } from "../../assert.ts";
import type { Book } from "../book/book.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import {
  parseDecimal,
  powerOfTen,
  type QuoteScale,
  quoteScaleOf,
  type StepOrigin,
  type SymbolScale,
} from "../../numbers.ts";
import type { CandleScale, PastCandle, PastReach } from "../../entry/past-candle.ts";
import {
  EXPIRY_REASONS,
  type ExpiryReason,
  ORDER_TYPES,
  type OrderType,
  RULES_4_SINCE,
  RULES_5_SINCE,
  type Side,
  SIDES,
  type TimeInForce,
  TIMES_IN_FORCE,
  SELF_TRADE_PREVENTION_MODES,
  type SelfTradePreventionMode,
} from "../../entry/order-record.ts";
import type { Order, OrderTerms } from "../order/order.ts";
import { Triggers } from "../book/triggers.ts";
import type { DepthLevel, MarketView, TickerView } from "../../engine-view.ts";
import { AveragePrice, Ticker } from "./ticker.ts";
import { compilePriceRange, type PriceRange, ReferencePrice } from "./reference-price.ts";
import {
  type AveragePriceView,
  type CompiledFilters,
  compileFilters,
  type PercentBand,
  type PercentPrice,
  type PriceBand,
  priceBand,
  SYMBOL_FILTERS,
  type SymbolFilters,
} from "../../filters.ts";
import type { SymbolSpec, SymbolStatus } from "../../entry/symbol.ts";
import type { DelistingRecord } from "../../entry/venue.ts";

/** The window of `GET avgPrice`. */
const DEFAULT_AVERAGE_PRICE_MINS = 5;

const NO_LEVEL: DepthLevel = [0, 0];

/**
 * Terms after this many others move forward when they are looked up. Clients can create hundreds of combinations, which
 * would otherwise stay ahead of those of most orders.
 */
const FREQUENT_TERMS = 8;

/** An asset of the symbol: its number and the decimals of its unit. */
export interface MarketAsset {
  readonly assetId: number;
  readonly precision: number;
}

export class Market implements MarketView {
  // What every order reads comes first: with hundreds of symbols, it must stay in the processor's cache.
  readonly symbolId: number;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  readonly book: Book;
  readonly quoteScale: QuoteScale;
  /** Units of the base asset in one lot. */
  readonly lotUnits: bigint;
  spec: SymbolSpec;
  filters: CompiledFilters;
  delisting: DelistingRecord | null = null;
  lastTradeTicks = 0;
  bookUpdateId = 0;
  private touchedBySeq = 0;
  /** All combinations of terms that the symbol's orders have had so far, roughly by how often they are looked up. */
  private readonly terms: OrderTerms[] = [];
  private readonly averages = new Map<number, AveragePrice>();
  /** The band that was needed last, found without reading the list, which is one step of memory more for each symbol. */
  private lastBand: PercentBand | null = null;
  /** The execution rule PRICE_RANGE; null if the symbol has none. */
  private priceRange: PriceRange | null = null;
  private reference: ReferencePrice | null = null;
  lastTradeId = 0;
  lastAggTradeId = 0;
  /** Orders that wait for their stop price. */
  readonly triggers = new Triggers();
  private readonly dayTicker = new Ticker();
  lastOrderNumber = 0;
  readonly scale: SymbolScale;
  private readonly quotePrecision: number;
  firstTradeMs = 0;
  past: PastReach | null = null;
  isDelisted = false;
  isEndingOrders = false;
  /** The number of matches that self-trade prevention prevented, which is the id of the next one. */
  preventedMatches = 0;
  /** The last result for each filter, of which a symbol has at most three: one for both sides, and one for each. */
  private readonly bands: PercentBand[] = [];

  constructor(
    symbolId: number,
    spec: SymbolSpec,
    scale: SymbolScale,
    filters: CompiledFilters,
    base: MarketAsset,
    quote: MarketAsset,
    book: Book,
  ) {
    this.symbolId = symbolId;
    this.spec = spec;
    this.scale = scale;
    this.filters = filters;
    this.baseAssetId = base.assetId;
    this.quoteAssetId = quote.assetId;
    this.book = book;
    this.quoteScale = quoteScaleOf(scale, quote.precision);
    this.quotePrecision = quote.precision;
    this.lotUnits = powerOfTen(base.precision - scale.quantityDecimals);
    this.watchAverages(0);
  }

  setFilters(spec: SymbolSpec, filters: CompiledFilters, nowMs: number): void {
    this.spec = spec;
    this.filters = filters;
    this.bands.length = 0;
    this.lastBand = null;
    this.watchAverages(nowMs);
  }

  /** The reference price starts again if its buckets change. */
  setPriceRange(spec: SymbolSpec, range: PriceRange | null): void {
    this.spec = spec;
    this.priceRange = range;
    this.bands.length = 0;
    this.lastBand = null;
    if (range === null) this.reference = null;
    else if (!this.reference?.hasBucketsOf(range)) this.reference = new ReferencePrice(range, this.decimalsBeyondTick);
  }

  /** The decimals that a reference price has beyond those of the symbol's prices. */
  private get decimalsBeyondTick(): number {
    return Math.max(0, this.quotePrecision - this.scale.priceDecimals);
  }

  statusAt(nowMs: number): SymbolStatus {
    return this.delisting !== null && nowMs >= this.delisting.atMs ? "BREAK" : this.spec.status;
  }

  /** The number of open orders that rest or wait for a stop price. Pending orders of lists are not counted. */
  get openOrderCount(): number {
    return this.book.size + this.triggers.size;
  }

  /** At most `count` open orders: first those on the book, best price first. */
  firstOpenOrders(count: number): Order[] {
    const found: Order[] = [];
    for (const orders of [this.book.orders("BUY"), this.book.orders("SELL"), this.triggers.orders()]) {
      for (const order of orders) {
        if (found.length >= count) return found;
        found.push(order);
      }
    }
    return found;
  }

  /** Records that the current command changed the book: one update id per command. */
  touchBook(seq: number): void {
    if (this.touchedBySeq === seq) return;
    this.touchedBySeq = seq;
    this.bookUpdateId++;
  }

  /** The shared object of all orders with these terms. */
  termsOf(
    side: Side,
    type: OrderType,
    timeInForce: TimeInForce,
    selfTradePrevention: SelfTradePreventionMode = "NONE",
    expiryReason: ExpiryReason = "NONE",
  ): OrderTerms {
    const { symbolId, terms: all } = this;
    for (let place = 0; place < all.length; place++) {
      const terms = all[place] as OrderTerms;
      const isShared =
        terms.side === side &&
        terms.type === type &&
        terms.timeInForce === timeInForce &&
        terms.selfTradePrevention === selfTradePrevention &&
        terms.expiryReason === expiryReason;
      if (!isShared) continue;
      if (place >= FREQUENT_TERMS) moveForward(all, place);
      return terms;
    }
    const terms: OrderTerms = { symbolId, side, type, timeInForce, selfTradePrevention, expiryReason };
    all.push(terms);
    return terms;
  }

  /** The terms of an order that expired. They differ only in the reason. */
  termsOfExpired({ terms }: Order, reason: ExpiryReason): OrderTerms {
    return this.termsOf(terms.side, terms.type, terms.timeInForce, terms.selfTradePrevention, reason);
  }

  /** Base units of a number of lots. */
  baseOf(lots: number): bigint {
    return this.lotUnits === 1n ? BigInt(lots) : BigInt(lots) * this.lotUnits;
  }

  recordTrade(tradeId: number, priceTicks: number, lots: number, quote: bigint, nowMs: number): void {
    assert(tradeId === this.lastTradeId + 1, "trade ids must have no gaps");
    if (tradeId === 1) this.firstTradeMs = nowMs;
    this.lastTradeId = tradeId;
    this.lastTradeTicks = priceTicks;
    for (const average of this.averages.values()) average.add(priceTicks, lots, nowMs);
    this.reference?.add(priceTicks, nowMs);
    this.dayTicker.add(tradeId, priceTicks, lots, quote, nowMs);
  }

  /**
   * Adds candles from before the first trade: at least those of the last day, in order, after the existing ones, in
   * units of the symbol. `past` is the new extent.
   */
  addPast(past: PastReach, candles: readonly PastCandle[], nowMs: number): void {
    this.past = past;
    this.dayTicker.addPast(candles, nowMs);
    const last = candles.at(-1);
    if (last === undefined || this.lastTradeId > 0) return;
    this.lastTradeTicks = last.closeTicks;
    for (const average of this.averages.values()) average.assume(last.closeTicks);
  }

  /** The units of candles of the symbol's own trades. */
  get candleScale(): CandleScale {
    return { ...this.scale, quoteDecimals: this.quotePrecision };
  }

  bestLevel(side: Side): DepthLevel {
    const ticks = this.book.bestTicks(side);
    return ticks === 0 ? NO_LEVEL : [ticks, this.book.visibleLotsAt(side, ticks)];
  }
  bids(limit: number): DepthLevel[] {
    return this.depth("BUY", limit);
  }
  asks(limit: number): DepthLevel[] {
    return this.depth("SELL", limit);
  }

  visibleLotsAt(side: Side, priceTicks: number): number {
    return this.book.visibleLotsAt(side, priceTicks);
  }

  /** The average price over the last `mins` minutes; the last price if `mins` is 0. */
  averagePrice(mins: number, nowMs: number): AveragePriceView {
    const average = this.averages.get(mins);
    if (average !== undefined) return average.at(nowMs);
    return this.lastTradeTicks === 0
      ? { numerator: 0n, denominator: 0n }
      : { numerator: BigInt(this.lastTradeTicks), denominator: 1n };
  }

  /** The price that orders may not leave too far; null if the symbol has no such rule, or no recent trade. */
  referencePrice(nowMs: number): AveragePriceView | null {
    return this.reference === null ? null : this.reference.at(nowMs);
  }

  /** The price with which filters compare: the reference price if there is one. */
  filterPrice(mins: number, nowMs: number): AveragePriceView {
    return this.referencePrice(nowMs) ?? this.averagePrice(mins, nowMs);
  }

  /** The prices at which an order of this side may trade if it meets the book now; null if all are allowed. */
  rangeOf(side: Side, nowMs: number): PriceBand | null {
    const { priceRange, reference } = this;
    if (priceRange === null || reference === null) return null;
    const price = reference.at(nowMs);
    return price === null ? null : priceBand(side === "BUY" ? priceRange.bid : priceRange.ask, price);
  }

  /** The prices that PERCENT_PRICE or one side of PERCENT_PRICE_BY_SIDE allows, recomputed only if the average price has changed. */
  percentBand(filter: PercentPrice, nowMs: number): PriceBand {
    const average = this.filterPrice(filter.avgPriceMins, nowMs);
    const { bands, lastBand } = this;
    if (lastBand?.average === average && lastBand.filter === filter) return lastBand;
    const found = bands.findIndex((band) => band.filter === filter);
    const place = found === -1 ? bands.length : found;
    const band = bands[place]?.average === average ? bands[place] : { average, filter, ...priceBand(filter, average) };
    bands[place] = band;
    this.lastBand = band;
    return band;
  }

  ticker(nowMs: number): TickerView {
    return this.dayTicker.at(nowMs);
  }

  /** Throws if values derived from the listing, the orders or the trades do not match them. */
  check(base: MarketAsset, quote: MarketAsset, seq: number, stepOrigin: StepOrigin): void {
    const { spec, scale } = this;
    assert(this.baseAssetId === base.assetId && this.quoteAssetId === quote.assetId, "a market knows its assets");
    assert(this.lotUnits === powerOfTen(base.precision - scale.quantityDecimals), "a lot has the listed size");
    assert(asText(this.quoteScale) === asText(quoteScaleOf(scale, quote.precision)), "a market has the listed scale");
    assert(this.quotePrecision === quote.precision, "a market knows the digits of its quote asset");
    const filters = compileFilters(spec.filters, scale, quote.precision, stepOrigin);
    assert(asText(this.filters) === asText(filters), "a market has the listed filters");
    assert(this.touchedBySeq <= seq, "no later command has changed the book");
    assert(
      !this.isDelisted || (this.delisting !== null && spec.status === "BREAK"),
      "a delisted symbol stays in BREAK",
    );
    assert(!this.isEndingOrders || spec.status !== "TRADING", "a symbol whose orders are ending does not trade");
    for (const band of this.bands) {
      const { lowestTicks, highestTicks } = priceBand(band.filter, band.average);
      assert(band.lowestTicks === lowestTicks && band.highestTicks === highestTicks, "the band is of its average");
    }
    assert(this.lastBand === null || this.bands.includes(this.lastBand), "the band that was needed last is listed");
    for (const { symbolId, side, type, timeInForce, selfTradePrevention, expiryReason } of this.terms) {
      const areKnown = SIDES.includes(side) && ORDER_TYPES.includes(type) && TIMES_IN_FORCE.includes(timeInForce);
      assert(symbolId === this.symbolId && areKnown, "orders share terms of their market");
      const isMode = SELF_TRADE_PREVENTION_MODES.includes(selfTradePrevention);
      assert(isMode && EXPIRY_REASONS.includes(expiryReason), "orders share terms of their market");
    }
    for (const [mins, average] of this.averages) {
      assert(average.mins === mins, "an average is found by its minutes");
      average.check();
    }
    const range = spec.priceRange === undefined ? null : compilePriceRange(spec.priceRange, parseDecimal);
    assert(asText(this.priceRange) === asText(range), "a market has the listed price range");
    assert((this.reference === null) === (range === null), "a market with a price range has a reference price");
    if (range !== null) this.reference?.check(range, this.decimalsBeyondTick);
    this.dayTicker.check();
    this.book.check(this.quoteScale);
    this.triggers.check(this.lastTradeTicks);
  }

  private depth(side: "BUY" | "SELL", limit: number): DepthLevel[] {
    const levels: DepthLevel[] = [];
    this.book.walk(side, (priceTicks, visibleLots) => {
      if (levels.length === limit) return false;
      levels.push([priceTicks, visibleLots]);
      return true;
    });
    return levels;
  }

  /** Opens the windows that the filters need. A new window starts with the contents of the longest existing one. */
  private watchAverages(nowMs: number): void {
    for (const mins of [DEFAULT_AVERAGE_PRICE_MINS, ...averageMinutes(this.filters)]) {
      if (mins === 0 || this.averages.has(mins)) continue;
      const average = new AveragePrice(mins);
      const longest = this.averages.get(Math.max(...this.averages.keys()));
      if (longest !== undefined) average.inherit(longest, nowMs);
      this.averages.set(mins, average);
    }
  }

  save(writer: ByteWriter): void {
    for (const value of [this.bookUpdateId, this.lastTradeTicks, this.lastTradeId, this.lastAggTradeId]) {
      writer.uint(value);
    }
    writer.uint(this.averages.size);
    for (const average of this.averages.values()) {
      writer.uint(average.mins);
      average.save(writer);
    }
    this.dayTicker.save(writer);
    writer.uint(this.firstTradeMs);
    writer.text(this.past?.interval ?? "");
    writer.uint(this.past?.firstMs ?? 0);
    writer.uint(this.past?.endMs ?? 0);
    writer.uint(this.past?.scale.priceDecimals ?? 0);
    writer.uint(this.past?.scale.quantityDecimals ?? 0);
    writer.uint(this.past?.scale.quoteDecimals ?? 0);
    writer.uint(this.preventedMatches);
    this.reference?.save(writer);
  }

  /** `layout` is that of the snapshot. Before rules version 4, earlier candles are in the symbol's own units. */
  load(reader: ByteReader, layout: number): void {
    this.bookUpdateId = reader.uint();
    this.lastTradeTicks = reader.uint();
    this.lastTradeId = reader.uint();
    this.lastAggTradeId = reader.uint();
    this.averages.clear();
    for (let left = reader.uint(); left > 0; left--) {
      const average = new AveragePrice(reader.uint());
      average.load(reader);
      this.averages.set(average.mins, average);
    }
    this.dayTicker.load(reader);
    this.firstTradeMs = reader.uint();
    const interval = reader.text() as PastReach["interval"] | "";
    const [firstMs, endMs] = [reader.uint(), reader.uint()];
    const scale =
      layout >= RULES_4_SINCE
        ? { priceDecimals: reader.uint(), quantityDecimals: reader.uint(), quoteDecimals: reader.uint() }
        : this.candleScale;
    this.past = interval === "" ? null : { interval, firstMs, endMs, scale };
    if (layout >= RULES_5_SINCE) this.preventedMatches = reader.uint();
    this.reference?.load(reader);
  }

  saveDelisting(writer: ByteWriter): void {
    const { delisting, isDelisted, isEndingOrders } = this;
    writer.text(JSON.stringify({ delisting, isDelisted, isEndingOrders }));
  }

  loadDelisting(reader: ByteReader): void {
    const saved = JSON.parse(reader.text()) as Pick<Market, "delisting" | "isDelisted" | "isEndingOrders">;
    this.delisting = saved.delisting;
    this.isDelisted = saved.isDelisted;
    this.isEndingOrders = saved.isEndingOrders;
  }
}

/** Exchanges an element with the one halfway to the front. */
function moveForward<T>(list: T[], place: number): void {
  const to = place >> 1;
  [list[place], list[to]] = [list[to] as T, list[place] as T];
}

/** Converts a value to text for comparison. */
function asText(value: object | null): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}

// Markets for which a tick is due: a scheduled delisting, or open orders that are ended in steps.

export class DueMarkets {
  private readonly delistings = new Set<Market>();
  private readonly endings = new Set<Market>();
  private nextDelistingMs = Number.POSITIVE_INFINITY;

  /**
   * Must be called after the delisting of a market has changed, or the ending of its orders has started or finished.
   */
  update(market: Market): void {
    put(this.delistings, market, waitsForDelisting(market));
    put(this.endings, market, market.isEndingOrders);
    this.nextDelistingMs = firstOf(this.delistings);
  }

  /** Markets whose delisting is due, by number. */
  toDelist(nowMs: number): readonly Market[] {
    if (nowMs < this.nextDelistingMs) return [];
    return byNumber(this.delistings).filter(({ delisting }) => delisting !== null && nowMs >= delisting.atMs);
  }

  /** Markets whose orders are being ended, by number. */
  withEndingOrders(): readonly Market[] {
    return this.endings.size === 0 ? [] : byNumber(this.endings);
  }

  /** The time of the next due step: 0 if one is due immediately, Infinity if none is due. */
  nextDueMs(): number {
    return this.endings.size > 0 ? 0 : this.nextDelistingMs;
  }

  check(markets: readonly Market[]): void {
    for (const market of markets) {
      assert(this.delistings.has(market) === waitsForDelisting(market), "a delisting to come is known to be due");
      assert(this.endings.has(market) === market.isEndingOrders, "orders that are ending are known to be due");
    }
    const areListed = [...this.delistings, ...this.endings].every((market) => markets[market.symbolId] === market);
    assert(areListed, "what is due is of listed markets");
    assert(this.nextDelistingMs === firstOf(this.delistings), "the next delisting is the earliest");
  }
}

function waitsForDelisting({ delisting, isDelisted }: Market): boolean {
  return delisting !== null && !isDelisted;
}

function put(markets: Set<Market>, market: Market, isIn: boolean): void {
  if (isIn) markets.add(market);
  else markets.delete(market);
}

function byNumber(markets: Iterable<Market>): Market[] {
  return [...markets].sort((a, b) => a.symbolId - b.symbolId);
}

function firstOf(delistings: Iterable<Market>): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { delisting } of delistings) firstMs = Math.min(firstMs, delisting?.atMs ?? firstMs);
  return firstMs;
}

/** The windows, in minutes, of the average prices that these filters use. */
function averageMinutes(filters: CompiledFilters): number[] {
  return Object.entries(SYMBOL_FILTERS).flatMap(([key, { fields }]) => {
    const values = filters[key as keyof SymbolFilters] as Readonly<Record<string, unknown>> | null;
    return Object.entries(fields).flatMap(([field, kind]) =>
      kind === "minutes" && values !== null ? [values[field] as number] : [],
    );
  });
}
