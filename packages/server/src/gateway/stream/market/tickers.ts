/** `@ticker` and `@miniTicker`, of one market or of all that changed in a second. FACTS 3.3. */
import { dayTickerShape } from "../../rest/ticker-shape.ts";
import type { MarketContext, MarketStream, StreamPlace } from "./market-stream.ts";
import type { ArrayPeriod } from "./stream-name.ts";
import type { MarketView } from "@pricetime/engine";

const PERIOD_MS = 1000;
/** The window slides by whole minutes. */
const MINUTE_MS = 60_000;

export type TickerKind = "ticker" | "miniTicker";

/** What of a message tells something new, around what every message has another of. */
interface TickerText {
  readonly head: string;
  readonly times: string;
  readonly tail: string;
}

/** One market's ticker, and whether it says anything new. */
class ChangingTicker {
  readonly #market: MarketView;
  readonly #context: MarketContext;
  readonly #kind: TickerKind;
  #updateId = -1;
  #minute = -1;
  #told = "";

  constructor(market: MarketView, context: MarketContext, kind: TickerKind) {
    this.#market = market;
    this.#context = context;
    this.#kind = kind;
    this.change();
  }

  /** The message, if it is another than before. Every trade moves the book: its number tells of both. */
  change(): string | undefined {
    const { bookUpdateId, spec } = this.#market;
    const nowMs = this.#context.nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (bookUpdateId === this.#updateId && minute === this.#minute) return undefined;
    this.#updateId = bookUpdateId;
    this.#minute = minute;
    const { head, times, tail } = (this.#kind === "ticker" ? tickerText : miniTickerText)(
      this.#context,
      this.#market,
      nowMs,
    );
    if (head + tail === this.#told) return undefined;
    this.#told = head + tail;
    const event = this.#kind === "ticker" ? "24hrTicker" : "24hrMiniTicker";
    return `{"e":"${event}","E":${nowMs},"s":"${spec.symbol}",${head}${times}${tail}}`;
  }
}

function tickerText({ engine }: MarketContext, market: MarketView, nowMs: number): TickerText {
  const ticker = dayTickerShape(engine, market, nowMs);
  return {
    head:
      `"p":"${ticker.priceChange}","P":"${ticker.priceChangePercent}","w":"${ticker.weightedAvgPrice}",` +
      `"x":"${ticker.prevClosePrice}","c":"${ticker.lastPrice}","Q":"${ticker.lastQty}",` +
      `"b":"${ticker.bidPrice}","B":"${ticker.bidQty}","a":"${ticker.askPrice}","A":"${ticker.askQty}",` +
      `"o":"${ticker.openPrice}","h":"${ticker.highPrice}","l":"${ticker.lowPrice}",` +
      `"v":"${ticker.volume}","q":"${ticker.quoteVolume}"`,
    times: `,"O":${ticker.openTime},"C":${ticker.closeTime}`,
    tail: `,"F":${ticker.firstId},"L":${ticker.lastId},"n":${ticker.count}`,
  };
}

function miniTickerText({ engine }: MarketContext, market: MarketView, nowMs: number): TickerText {
  const ticker = dayTickerShape(engine, market, nowMs);
  const head =
    `"c":"${ticker.lastPrice}","o":"${ticker.openPrice}","h":"${ticker.highPrice}","l":"${ticker.lowPrice}",` +
    `"v":"${ticker.volume}","q":"${ticker.quoteVolume}"`;
  return { head, times: "", tail: "" };
}

export class TickerStream implements MarketStream {
  readonly periodMs = PERIOD_MS;
  readonly #place: StreamPlace;
  readonly #ticker: ChangingTicker;

  constructor(place: StreamPlace, kind: TickerKind) {
    this.#place = place;
    this.#ticker = new ChangingTicker(place.market, place, kind);
  }

  flush(): void {
    const message = this.#ticker.change();
    if (message !== undefined) this.#place.publisher.publish(this.#place.name, message);
  }
}

/** All markets in one array: those that changed. */
export class AllTickersStream {
  readonly periodMs: ArrayPeriod;
  readonly #name: string;
  readonly #context: MarketContext;
  readonly #kind: TickerKind;
  readonly #tickers: ChangingTicker[] = [];

  constructor(name: string, context: MarketContext, kind: TickerKind, periodMs: ArrayPeriod) {
    this.#name = name;
    this.#context = context;
    this.#kind = kind;
    this.periodMs = periodMs;
  }

  add(market: MarketView): void {
    this.#tickers.push(new ChangingTicker(market, this.#context, this.#kind));
  }

  flush(): void {
    const changed: string[] = [];
    for (const ticker of this.#tickers) {
      const message = ticker.change();
      if (message !== undefined) changed.push(message);
    }
    if (changed.length > 0) this.#context.publisher.publish(this.#name, `[${changed.join(",")}]`);
  }
}
