/**
 * Market streams, made from the events of durable entries. Interface 10.3. A stream exists from its first subscriber to
 * its last: without subscribers it costs nothing.
 */
import type { Entry, Event, MarketView } from "@pricetime/engine";
import { z } from "zod";
import type { KeptValue, Keeping } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import type { Audience, StreamNames } from "../port.ts";
import { BookTickerStream } from "./book-ticker.ts";
import { Cadence } from "./cadence.ts";
import { CandleLoads } from "./candle-loads.ts";
import { DepthStream, PartialDepthStream } from "./depth.ts";
import { KlineStream } from "./kline-stream.ts";
import { MarketFeed } from "./market-feed.ts";
import type { MarketContext, MarketStream } from "./market-stream.ts";
import { ALL_MARKETS, isAllMarkets, readStreamName } from "./stream-name.ts";
import type { AllMarketsName, StreamKind } from "./stream-name.ts";
import { AllTickersStream, TickerStream } from "./tickers.ts";
import { AggTradeStream, TradeStream } from "./trades.ts";

/** In the order in which they were opened, in which their messages of the same moment leave. */
const KEPT = z.array(z.strictObject({ name: z.string(), kept: keptPart }));

export class MarketStreams implements Audience, StreamNames, Keeping {
  readonly #context: MarketContext;
  readonly #cadence: Cadence;
  readonly #candleLoads = new CandleLoads();
  /** Feeds by symbolId. */
  readonly #feeds = new Map<number, MarketFeed>();
  /** Open streams of all markets; those of best prices are in every feed as well. */
  readonly #ofAll = new Set<AllMarketsName>();
  readonly #allTickers = new Map<AllMarketsName, AllTickersStream>();
  /** All open streams, in the order in which they were opened. */
  readonly #names = new Set<string>();

  /** Kept streams that have subscribers now go on; the others are over. Throws `KeptUnreadable`. */
  constructor(context: MarketContext, kept: KeptValue = []) {
    this.#context = context;
    this.#cadence = new Cadence(context.world);
    for (const stream of readKept("streams", KEPT, kept)) {
      if (context.publisher.hasSubscribers(stream.name)) this.#openOne(stream.name, stream.kept);
    }
  }

  kept(): KeptValue {
    return [...this.#names].map((name) => ({ name, kept: this.#keptOf(name) }));
  }

  #keptOf(name: string): KeptValue {
    if (isAllMarkets(name)) return this.#allTickers.get(name)?.kept() ?? null;
    return this.#feedOf(name)?.stream(name)?.kept?.() ?? null;
  }

  /** An entry was applied; the records in its events are still as it left them. */
  applied(entry: Entry, events: readonly Event[]): void {
    if (this.#feeds.size === 0 && this.#ofAll.size === 0) return;
    const touched = new Set<MarketFeed>();
    for (const event of events) {
      if (event.type === "symbolListed") this.#listed(event.symbolId);
      const symbolId = symbolOf(event);
      const feed = symbolId === undefined ? undefined : this.#feeds.get(symbolId);
      if (feed === undefined) continue;
      feed.take(event);
      touched.add(feed);
    }
    for (const feed of touched) feed.entryDone(entry.timeMs);
  }

  /** Whether the stream can ever have a message: its market is listed, or it is one of all markets. */
  isStream(name: string): boolean {
    return isAllMarkets(name) || this.#read(name) !== undefined;
  }

  opened(name: string): void {
    if (!this.#names.has(name)) this.#openOne(name);
  }

  #openOne(name: string, kept?: KeptValue): void {
    if (isAllMarkets(name)) {
      this.#names.add(name);
      this.#openForAll(name, kept);
      return;
    }
    const read = this.#read(name);
    if (read === undefined) return;
    this.#names.add(name);
    this.#open(name, read.market, read.stream, kept);
  }

  joined(name: string): void {
    this.#feedOf(name)?.joined(name);
  }

  closed(name: string): void {
    this.#names.delete(name);
    if (isAllMarkets(name)) {
      this.#closeForAll(name);
      return;
    }
    const feed = this.#feedOf(name);
    if (feed !== undefined) this.#closeIn(feed, name);
  }

  /** The feed of a stream of one market, if it is open. */
  #feedOf(name: string): MarketFeed | undefined {
    const read = this.#read(name);
    return read === undefined ? undefined : this.#feeds.get(read.market.symbolId);
  }

  #read(name: string): { readonly market: MarketView; readonly stream: StreamKind } | undefined {
    const read = readStreamName(name);
    const market = read === null ? undefined : this.#context.engine.marketBySymbol(read.symbol);
    return read === null || market === undefined ? undefined : { market, stream: read.stream };
  }

  #listed(symbolId: number): void {
    const market = this.#context.engine.market(symbolId);
    for (const all of this.#allTickers.values()) all.add(market);
    if (this.#ofAll.has("!bookTicker")) {
      this.#open("!bookTicker", market, { kind: "bookTicker" });
    }
  }

  #open(name: string, market: MarketView, stream: StreamKind, kept?: KeptValue): void {
    let feed = this.#feeds.get(market.symbolId);
    if (feed === undefined) this.#feeds.set(market.symbolId, (feed = new MarketFeed(market)));
    const made = this.#make(name, market, stream, kept);
    feed.add(name, made);
    if (isPeriodic(made)) this.#cadence.add(made.periodMs, made);
  }

  #closeIn(feed: MarketFeed, name: string): void {
    const stream = feed.remove(name);
    if (stream === undefined) return;
    if (isPeriodic(stream)) this.#cadence.remove(stream.periodMs, stream);
    stream.close?.();
    if (!feed.isHeard) this.#feeds.delete(feed.market.symbolId);
  }

  #make(name: string, market: MarketView, stream: StreamKind, kept: KeptValue | undefined): MarketStream {
    const place = { ...this.#context, name, market };
    switch (stream.kind) {
      case "trade":
        return new TradeStream(place);
      case "aggTrade":
        return new AggTradeStream(place);
      case "bookTicker":
        return new BookTickerStream(place);
      case "ticker":
      case "miniTicker":
        return new TickerStream(place, stream.kind, kept);
      case "kline":
        return new KlineStream(place, stream.interval, this.#candleLoads, kept);
      case "depth":
        return new DepthStream(place, stream.periodMs, kept);
      case "partialDepth":
        return new PartialDepthStream(place, stream.levels, stream.periodMs, kept);
    }
  }

  #openForAll(name: AllMarketsName, kept?: KeptValue): void {
    this.#ofAll.add(name);
    const stream = ALL_MARKETS[name];
    const markets = this.#context.engine.markets();
    if (stream.kind === "bookTicker") {
      for (const market of markets) this.#open(name, market, stream);
      return;
    }
    const all = new AllTickersStream(name, this.#context, stream.kind, stream.periodMs);
    if (kept === undefined) for (const market of markets) all.add(market);
    else all.addKept(markets, kept);
    this.#allTickers.set(name, all);
    this.#cadence.add(all.periodMs, all);
  }

  #closeForAll(name: AllMarketsName): void {
    this.#ofAll.delete(name);
    for (const feed of this.#feeds.values()) this.#closeIn(feed, name);
    const all = this.#allTickers.get(name);
    if (all === undefined) return;
    this.#allTickers.delete(name);
    this.#cadence.remove(all.periodMs, all);
  }
}

function isPeriodic(stream: MarketStream): stream is MarketStream & { flush(): void; readonly periodMs: number } {
  return stream.flush !== undefined && stream.periodMs !== undefined;
}

function symbolOf(event: Event): number | undefined {
  switch (event.type) {
    case "trade":
    case "pastAdded":
    case "klinesImported":
      return event.symbolId;
    case "orderOpened":
    case "orderEnded":
      return event.order.symbolId;
  }
  return undefined;
}
