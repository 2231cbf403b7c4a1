/**
 * `@kline_<interval>`: the current candle every two seconds (`1s`: every second), and once more when it closes. Trades
 * of the candle from before the first subscriber are read from history. Interface 10.3.
 */
import { decimalsNeeded, type MarketView, parseDecimal, toScale, type Trade } from "@pricetime/engine";
import { openTimeOf } from "@pricetime/protocol";
import { z } from "zod";
import type { KlineRow } from "../../../history/shapes/market-data.ts";
import type { Cancel } from "../../../platform/world/port.ts";
import { savedCount, SavedStateUnreadable } from "../../../platform/world/saved-state.ts";
import { Kline, KLINE_STATE, type KlineKind, klineTrade, type KlineTrade } from "./kline.ts";
import type { MarketStream, StreamPlace } from "./market-stream.ts";

/**
 * Reads candles from history, only a few at a time, so that a client that opens a thousand kline streams does not block
 * other queries. If a stream is closed before its turn, its candle is not read.
 */
export type Load = () => Promise<void>;

const MAX_LOADS_AT_A_TIME = 8;

export class CandleLoads {
  /** Waiting loads in the order in which they were requested. */
  readonly #waiting = new Set<Load>();
  #underWay = 0;

  /** Adds a load, which must never reject. */
  add(load: Load): void {
    this.#waiting.add(load);
    this.#startNext();
  }

  /** Removes a load. Does nothing if it has already started. */
  remove(load: Load): void {
    this.#waiting.delete(load);
  }

  #startNext(): void {
    for (const load of this.#waiting) {
      if (this.#underWay >= MAX_LOADS_AT_A_TIME) return;
      this.#waiting.delete(load);
      void this.#carryOut(load);
    }
  }

  async #carryOut(load: Load): Promise<void> {
    this.#underWay++;
    await load();
    this.#underWay--;
    this.#startNext();
  }
}

/** Minimum time between two messages about a changed candle. */
const CADENCE_MS = 2000;
const CADENCE_OF_SECONDS_MS = 1000;
/** Interval at which the end of a candle is checked. */
const CLOSE_CHECK_MS = 100;
/** A candle's close is sent at most this long after its end. */
const MOST_LATE_MS = 10 * CLOSE_CHECK_MS;
/** The closes of seconds that are sent after the machine has stood still: without a limit, a day would be 86,400. */
const MOST_MISSED_SECONDS_MS = 60_000;
/** Delay before history is queried again after an error. */
export const RETRY_MS = 1000;
/** Maximum number of trades buffered during a history query. Above it, the query is repeated. */
const MAX_WAITING_TRADES = 100_000;

/** Null if history has not answered yet; the query is then repeated after a restore. */
const SAVED = z.strictObject({ kline: KLINE_STATE.nullable(), hasNews: z.boolean(), sentMs: savedCount }).nullable();

export class KlineStream implements MarketStream {
  readonly periodMs = CLOSE_CHECK_MS;
  readonly #place: StreamPlace;
  readonly #kind: KlineKind;
  readonly #loads: CandleLoads;
  /** The current candle; undefined before the symbol's first candle. */
  #kline: Kline | undefined;
  /** Trades since the history query started; null once it has completed. */
  #waiting: KlineTrade[] | null = [];
  /** Whether the running history query may miss newer candles. */
  #isStale = false;
  #hasNews = true;
  #sentMs = 0;
  #isOpen = true;
  #stopRetry: Cancel | undefined;

  constructor(place: StreamPlace, kind: KlineKind, loads: CandleLoads) {
    this.#place = place;
    this.#kind = kind;
    this.#loads = loads;
    const restored = place.saved.restore(place.name, SAVED, () => {
      if (this.#waiting !== null) return null;
      return { kline: this.#kline?.state ?? null, hasNews: this.#hasNews, sentMs: this.#sentMs };
    });
    if (restored) this.#goOn(restored);
    else loads.add(this.#load);
  }

  #goOn({ kline, hasNews, sentMs }: NonNullable<z.infer<typeof SAVED>>): void {
    this.#kline = kline === null ? undefined : this.#checked(new Kline(this.#kind, kline));
    this.#hasNews = hasNews;
    this.#sentMs = sentMs;
    this.#waiting = null;
  }

  /**
   * Checks that a restored candle is the current one. An older one would be followed by a message for each candle
   * since. Throws `SavedStateUnreadable`.
   */
  #checked(kline: Kline): Kline {
    const { name } = this.#place;
    const { interval, offsetMs } = this.#kind;
    const isWhole = openTimeOf(interval, kline.openTimeMs, offsetMs) === kline.openTimeMs;
    const isCurrent = kline.closeTimeMs >= this.#place.settledMs() - MOST_LATE_MS;
    if (!isWhole || !isCurrent)
      throw new SavedStateUnreadable(`the checkpoint is damaged: ${name}: not the current candle`);
    return kline;
  }

  trade(trade: Trade): void {
    if (this.#waiting === null) this.#add(klineTrade(trade));
    else if (this.#waiting.length < MAX_WAITING_TRADES) this.#waiting.push(klineTrade(trade));
  }

  /**
   * Queries history again if the added candles may include the start of the current candle, or the close that it
   * repeats.
   */
  historyAdded(): void {
    const { past, firstTradeMs } = this.#place.market;
    const openMs = this.#kline?.openTimeMs ?? 0;
    if (firstTradeMs > 0 && (past?.endMs ?? 0) <= openMs) return;
    this.#isStale = true;
    if (this.#waiting === null) this.#loadAgain();
  }

  flush(): void {
    if (this.#waiting !== null || this.#kline === undefined) return;
    this.#closeUntil(this.#place.settledMs());
    const nowMs = this.#place.nowMs();
    const cadenceMs = this.#kind.interval === "1s" ? CADENCE_OF_SECONDS_MS : CADENCE_MS;
    if (this.#hasNews && nowMs - this.#sentMs >= cadenceMs) this.#send(this.#kline, false);
  }

  close(): void {
    this.#isOpen = false;
    this.#loads.remove(this.#load);
    this.#stopRetry?.();
  }

  #add(trade: KlineTrade): void {
    this.#kline ??= Kline.quiet(this.#kind, trade.timeMs, trade.priceTicks);
    this.#closeUntil(trade.timeMs);
    this.#kline.add(trade);
    this.#hasNews = true;
  }

  /** Sends the final message about each candle that ends before this time. */
  #closeUntil(timeMs: number): void {
    while (this.#kline !== undefined && this.#kline.closeTimeMs < timeMs) {
      this.#send(this.#kline, true);
      const { closeTimeMs } = this.#kline;
      const isFarBehind = this.#kind.interval === "1s" && timeMs - closeTimeMs > MOST_MISSED_SECONDS_MS;
      this.#kline = this.#kline.next(isFarBehind ? timeMs - MOST_MISSED_SECONDS_MS : closeTimeMs + 1);
      this.#hasNews = true;
    }
  }

  #send(kline: Kline, isClosed: boolean): void {
    const { name, engine, market, publisher } = this.#place;
    const nowMs = this.#place.nowMs();
    publisher.publish(name, kline.text(engine, market, nowMs, isClosed));
    this.#hasNews = false;
    this.#sentMs = nowMs;
  }

  readonly #load = async (): Promise<void> => {
    const waiting: KlineTrade[] = [];
    this.#waiting = waiting;
    this.#isStale = false;
    try {
      const kline = await this.#fromHistory();
      if (!this.#isOpen) return;
      if (waiting.length >= MAX_WAITING_TRADES) throw new Error("too many trades arrived before history answered");
      // If the old candle has ended during the query, its final message is sent.
      if (kline !== undefined) this.#closeUntil(kline.openTimeMs);
      this.#kline = kline;
      this.#hasNews = true;
      this.#waiting = null;
      // History may already include some of these trades.
      for (const trade of waiting) if (trade.tradeId > (kline?.lastTradeId ?? 0)) this.#add(trade);
      if (this.#isStale) this.#loadAgain();
    } catch (error) {
      if (!this.#isOpen) return;
      this.#place.log.error({ err: error, stream: this.#place.name }, "cannot read a candle from history, retrying");
      this.#stopRetry = this.#place.world.after(RETRY_MS, () => this.#loads.add(this.#load));
    }
  };

  /** Queries history again, and buffers trades until it answers. */
  #loadAgain(): void {
    this.#waiting = [];
    this.#loads.add(this.#load);
  }

  /** The current candle from history. It covers at least the last applied entry. */
  async #fromHistory(): Promise<Kline | undefined> {
    const { engine, history, market } = this.#place;
    const { seq } = engine;
    const { symbolId } = market;
    const asked = { symbolId, ...this.#kind, nowMs: this.#place.settledMs(), limit: 1 };
    const [row] = await history.query(seq, "klines", asked);
    if (row === undefined) return undefined;
    if (row.count === row.pastCount) return this.#klineOf(row, -1);
    const [first] = await history.query(seq, "trades", { symbolId, startTimeMs: row.openTimeMs, limit: 1 });
    return this.#klineOf(row, first?.id ?? -1);
  }

  #klineOf(row: KlineRow, firstTradeId: number): Kline {
    const { engine, market } = this.#place;
    const { priceDecimals, quantityDecimals } = market.scale;
    const quoteDecimals = engine.asset(market.quoteAssetId).spec.precision;
    const { openTimeMs, count, pastCount } = row;
    const counts = { openTimeMs, count, firstTradeId, pastCount };
    const isFiner =
      areFiner([row.open, row.high, row.low, row.close], priceDecimals) ||
      areFiner([row.volume, row.takerBuyBase], quantityDecimals) ||
      areFiner([row.quoteVolume, row.takerBuyQuote], quoteDecimals);
    if (isFiner) {
      const { open, high, low, close, volume, quoteVolume, takerBuyBase, takerBuyQuote } = row;
      const before = { open, high, low, close, volume, quoteVolume, takerBuyBase, takerBuyQuote };
      const nothing = { lots: 0n, quote: 0n, takerBuyLots: 0n, takerBuyQuote: 0n };
      return new Kline(this.#kind, {
        ...counts,
        ...{ openTicks: 0, highTicks: 0, lowTicks: 0, closeTicks: 0, ...nothing, before },
      });
    }
    return new Kline(this.#kind, {
      ...counts,
      openTicks: ticksOf(market, row.open),
      highTicks: ticksOf(market, row.high),
      lowTicks: ticksOf(market, row.low),
      closeTicks: ticksOf(market, row.close),
      lots: unitsOf(row.volume, quantityDecimals),
      quote: unitsOf(row.quoteVolume, quoteDecimals),
      takerBuyLots: unitsOf(row.takerBuyBase, quantityDecimals),
      takerBuyQuote: unitsOf(row.takerBuyQuote, quoteDecimals),
    });
  }
}

function areFiner(texts: readonly string[], decimals: number): boolean {
  return texts.some((text) => (decimalsNeeded(text) ?? 0) > decimals);
}

function ticksOf(market: MarketView, price: string): number {
  return toScale(price, market.scale.priceDecimals);
}

/** Converts an amount with 8 decimals to units. Decimals beyond `decimals` must be zeros. */
function unitsOf(amount: string, decimals: number): bigint {
  const places = parseDecimal(amount, 8);
  if (places === null) throw new TypeError(`history gave an amount that is none: ${amount}`);
  return places / 10n ** BigInt(8 - decimals);
}
