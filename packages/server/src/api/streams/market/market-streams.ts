/**
 * Market streams, generated from the events of durable entries. Interface 10.3. A stream exists from its first
 * subscriber to its last, so unused streams cost nothing.
 */
import type { Cancel, SavedState, Timers } from "../../../platform/world/port.ts";
import { type Entry, type Event, isClosed, type MarketView, type OrderRecord, priceInEffect } from "@pricetime/engine";
import {
  ALL_MARKETS,
  type AllMarketsName,
  isAllMarkets,
  type MarketContext,
  type MarketStream,
  readStreamName,
  type StreamKind,
} from "./market-stream.ts";
import { z } from "zod";
import { type Audience, OPEN_STREAMS } from "../port.ts";
import { BookTickerStream, DepthStream, PartialDepthStream } from "./book.ts";
import { CandleLoads, KlineStream } from "./kline-stream.ts";
import { AllTickersStream, AllWindowsStream, TickerStream, WindowReads, WindowTickerStream } from "./tickers.ts";
import { AggTradeStream, AveragePriceStream, ReferencePriceStream, TradeStream } from "./trades.ts";

export interface Periodic {
  flush(): void;
}

interface Beat {
  readonly members: Set<Periodic>;
  readonly stop: Cancel;
}

/** Calls its members periodically. A timer runs only while there are members with its period. */
class Cadence {
  readonly #timers: Timers;
  readonly #beats = new Map<number, Beat>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Adding a member again has no effect. */
  add(periodMs: number, member: Periodic): void {
    let beat = this.#beats.get(periodMs);
    if (beat === undefined) this.#beats.set(periodMs, (beat = this.#start(periodMs)));
    beat.members.add(member);
  }

  remove(periodMs: number, member: Periodic): void {
    const beat = this.#beats.get(periodMs);
    if (beat?.members.delete(member) !== true || beat.members.size > 0) return;
    beat.stop();
    this.#beats.delete(periodMs);
  }

  #start(periodMs: number): Beat {
    const members = new Set<Periodic>();
    const flush = (): void => {
      for (const member of members) member.flush();
    };
    return { members, stop: this.#timers.every(periodMs, flush, `streams ${periodMs}`) };
  }
}

// Passes the events of one market to its streams.

type Hook = "trade" | "touched" | "entryDone";
type Having<Name extends Hook> = MarketStream & Required<Pick<MarketStream, Name>>;

class MarketFeed {
  readonly market: MarketView;
  readonly #streams = new Map<string, MarketStream>();
  /** The last order opened by this entry. Its rest may go to the book. */
  #meetsBook: OrderRecord | undefined;
  #onTrade: Having<"trade">[] = [];
  #onTouched: Having<"touched">[] = [];
  #onEntryDone: Having<"entryDone">[] = [];

  constructor(market: MarketView) {
    this.market = market;
  }

  get hasStreams(): boolean {
    return this.#streams.size > 0;
  }

  add(name: string, stream: MarketStream): void {
    this.#streams.set(name, stream);
    this.#sort();
  }

  /** Removes a stream. Returns it; undefined if there is none. */
  remove(name: string): MarketStream | undefined {
    const stream = this.#streams.get(name);
    this.#streams.delete(name);
    this.#sort();
    return stream;
  }

  stream(name: string): MarketStream | undefined {
    return this.#streams.get(name);
  }

  joined(name: string): void {
    this.#streams.get(name)?.joined?.();
  }

  /** Handles an event of this market. */
  take(event: Event): void {
    switch (event.type) {
      case "trade": {
        for (const stream of this.#onTrade) stream.trade(event);
        this.#touch(event.maker.order, event.priceTicks);
        if (event.taker.order.status === "FILLED") this.#meetsBook = undefined;
        return;
      }
      case "tradePrevented":
        if (event.makerLots > 0) this.#touch(event.maker, event.priceTicks);
        if (isClosed(event.taker.status)) this.#meetsBook = undefined;
        return;
      case "orderOpened":
      case "orderReleased":
        this.#touchLeftToRest();
        if (event.order.isWorking) this.#meetsBook = event.order;
        return;
      case "orderEnded":
      case "orderAmended":
        if (event.order.isWorking) this.#touch(event.order, priceInEffect(event.order));
        return;
      case "pastAdded":
      case "klinesImported":
        for (const stream of this.#streams.values()) stream.historyAdded?.();
    }
  }

  /** Called after the last event of an entry that has events of this market. */
  entryDone(timeMs: number): void {
    this.#touchLeftToRest();
    for (const stream of this.#onEntryDone) stream.entryDone(timeMs);
  }

  /** Touches the price of the opened order, unless the order was filled immediately. */
  #touchLeftToRest(): void {
    if (this.#meetsBook !== undefined) this.#touch(this.#meetsBook, priceInEffect(this.#meetsBook));
    this.#meetsBook = undefined;
  }

  /** Touches a price, except for 0, at which no order can rest. */
  #touch({ side }: OrderRecord, priceTicks: number): void {
    if (priceTicks === 0) return;
    for (const stream of this.#onTouched) stream.touched(side, priceTicks);
  }

  #sort(): void {
    const all = [...this.#streams.values()];
    this.#onTrade = all.filter((stream) => has(stream, "trade"));
    this.#onTouched = all.filter((stream) => has(stream, "touched"));
    this.#onEntryDone = all.filter((stream) => has(stream, "entryDone"));
  }
}

function has<Name extends Hook>(stream: MarketStream, hook: Name): stream is Having<Name> {
  return stream[hook] !== undefined;
}

/** Names in the order in which the streams were opened. Their messages in one turn have the same order. */
const SAVED_NAMES = z.array(z.string());

export class MarketStreams implements Audience {
  readonly #context: MarketContext;
  readonly #cadence: Cadence;
  readonly #candleLoads = new CandleLoads();
  readonly #windowReads: WindowReads;
  /** The feed of each market by symbolId. */
  readonly #feeds = new Map<number, MarketFeed>();
  /** Open streams of all markets. Those with best prices are also in each feed. */
  readonly #ofAll = new Set<AllMarketsName>();
  readonly #allTickers = new Map<AllMarketsName, AllTickersStream | AllWindowsStream>();
  /** All open streams, in the order in which they were opened. */
  readonly #names = new Set<string>();
  readonly #saved: SavedState;

  /** Restores the streams of a checkpoint that currently have subscribers; the others remain closed. */
  constructor(context: MarketContext) {
    const { saved } = context.world;
    this.#context = context;
    this.#cadence = new Cadence(context.world);
    this.#windowReads = new WindowReads(context);
    this.#saved = saved.within(OPEN_STREAMS);
    const names = saved.restore(OPEN_STREAMS, SAVED_NAMES, () => [...this.#names]) ?? [];
    for (const name of names) if (context.publisher.hasSubscribers(name)) this.#openOne(name);
    this.#saved.startFresh();
  }

  /** Called when an entry has been applied. The records in its events must not have changed since. */
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

  /** Whether the stream can ever have a message: its market is listed, or it is a stream of all markets. */
  isStream(name: string): boolean {
    return this.#isOfAll(name) || this.#read(name) !== undefined;
  }

  #isOfAll(name: string): name is AllMarketsName {
    return isAllMarkets(name) && !this.#context.venueInterface.isRetiredStream(name);
  }

  opened(name: string): void {
    if (!this.#names.has(name)) this.#openOne(name);
  }

  #openOne(name: string): void {
    if (this.#isOfAll(name)) {
      this.#names.add(name);
      this.#openForAll(name);
      return;
    }
    const read = this.#read(name);
    if (read === undefined) return;
    this.#names.add(name);
    this.#open(name, read.market, read.stream);
  }

  joined(name: string): void {
    this.#feedOf(name)?.joined(name);
  }

  closed(name: string): void {
    this.#names.delete(name);
    this.#saved.within(name).end();
    if (this.#isOfAll(name)) {
      this.#closeForAll(name);
      return;
    }
    const feed = this.#feedOf(name);
    if (feed !== undefined) this.#closeIn(feed, name);
  }

  /** The feed of the stream's market, if it exists. */
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

  #open(name: string, market: MarketView, stream: StreamKind): void {
    let feed = this.#feeds.get(market.symbolId);
    if (feed === undefined) this.#feeds.set(market.symbolId, (feed = new MarketFeed(market)));
    const made = this.#make(name, market, stream);
    feed.add(name, made);
    if (isPeriodic(made)) this.#cadence.add(made.periodMs, made);
  }

  #closeIn(feed: MarketFeed, name: string): void {
    const stream = feed.remove(name);
    if (stream === undefined) return;
    if (isPeriodic(stream)) this.#cadence.remove(stream.periodMs, stream);
    stream.close?.();
    if (!feed.hasStreams) this.#feeds.delete(feed.market.symbolId);
  }

  #make(name: string, market: MarketView, stream: StreamKind): MarketStream {
    const place = { ...this.#context, name, market, saved: this.#saved };
    switch (stream.kind) {
      case "trade":
        return new TradeStream(place);
      case "aggTrade":
        return new AggTradeStream(place);
      case "bookTicker":
        return new BookTickerStream(place);
      case "ticker":
      case "miniTicker":
        return new TickerStream(place, stream.kind);
      case "windowTicker":
        return new WindowTickerStream(place, stream.size, this.#windowReads);
      case "avgPrice":
        return new AveragePriceStream(place, this.#candleLoads);
      case "referencePrice":
        return new ReferencePriceStream(place);
      case "kline":
        return new KlineStream(place, stream, this.#candleLoads);
      case "depth":
        return new DepthStream(place, stream.periodMs);
      case "partialDepth":
        return new PartialDepthStream(place, stream.levels, stream.periodMs);
    }
  }

  #openForAll(name: AllMarketsName): void {
    this.#ofAll.add(name);
    const stream = ALL_MARKETS[name];
    const markets = this.#context.engine.markets();
    if (stream.kind === "bookTicker") {
      for (const market of markets) this.#open(name, market, stream);
      return;
    }
    const saved = this.#saved.within(name);
    const all =
      stream.kind === "windowTicker"
        ? new AllWindowsStream(name, this.#context, stream.size, this.#windowReads, saved)
        : new AllTickersStream(name, this.#context, stream.kind, stream.periodMs, saved);
    for (const market of markets) all.add(market);
    this.#allTickers.set(name, all);
    this.#cadence.add(all.periodMs, all);
  }

  #closeForAll(name: AllMarketsName): void {
    this.#ofAll.delete(name);
    for (const feed of this.#feeds.values()) this.#closeIn(feed, name);
    const all = this.#allTickers.get(name);
    if (all === undefined) return;
    all.close();
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
    case "tradePrevented":
    case "pastAdded":
    case "klinesImported":
      return event.symbolId;
    case "orderOpened":
    case "orderReleased":
    case "orderEnded":
    case "orderAmended":
      return event.order.symbolId;
  }
  return undefined;
}
