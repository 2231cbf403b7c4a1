/** The trading statistics of a market: its 24 h ticker and its average price. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { TickerView } from "../../engine-view.ts";
import type { AveragePriceView } from "../../filters.ts";
import { DAY_MS, MINUTE_MS } from "../../numbers.ts";
import type { PastCandle } from "../../entry/past-candle.ts";

// The average price rule: sum(price * quantity) / sum(quantity) over the last minutes; without a trade in that time,
// the last trade's price. Interface 2.8, S.2. The window moves in whole seconds: a second counts if it starts after
// `now - window`, rounded down to a whole second.

interface SecondOfTrades {
  readonly second: number;
  ticksTimesLots: bigint;
  lots: bigint;
}

/** Seconds before `index` are outside the window that starts with `firstSecond`, and are not in the sums. */
interface Passed {
  readonly firstSecond: number;
  readonly index: number;
  readonly ticksTimesLots: bigint;
  readonly lots: bigint;
}

const NO_AVERAGE: AveragePriceView = Object.freeze({ numerator: 0n, denominator: 0n });

export class AveragePrice {
  readonly mins: number;
  /** Not private, so that a test can count accesses. */
  seconds: SecondOfTrades[] = [];
  /** Seconds before this index are outside the window and not in the sums. */
  private head = 0;
  private ticksTimesLots = 0n;
  private lots = 0n;
  private lastTicks = 0;
  /** The result of the last call of `at`, if there was no trade since, so that the same seconds are not read again. */
  private scanned: Passed | null = null;
  /** Last result of `at` and its second; null after a trade. */
  private cached: { readonly firstSecond: number; readonly average: AveragePriceView } | null = null;

  constructor(mins: number) {
    this.mins = mins;
  }

  /** Copies the contents of a longer window, and the last price. This window must have no trades yet. */
  inherit(longer: AveragePrice, nowMs: number): void {
    this.lastTicks = longer.lastTicks;
    const first = longer.firstSecond(nowMs);
    for (const second of longer.seconds.slice(longer.head)) {
      if (second.second < first) continue;
      this.seconds.push({ ...second });
      this.ticksTimesLots += second.ticksTimesLots;
      this.lots += second.lots;
    }
  }

  /** Sets the price that is returned before the first trade. */
  assume(priceTicks: number): void {
    this.lastTicks = priceTicks;
    this.cached = null;
  }

  add(priceTicks: number, lots: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    this.slide(nowMs);
    const bigLots = BigInt(lots);
    const product = BigInt(priceTicks) * bigLots;
    const last = this.seconds.at(-1);
    if (last !== undefined && last.second === second) {
      last.ticksTimesLots += product;
      last.lots += bigLots;
    } else {
      this.seconds.push({ second, ticksTimesLots: product, lots: bigLots });
    }
    this.ticksTimesLots += product;
    this.lots += bigLots;
    this.lastTicks = priceTicks;
    this.cached = null;
    this.scanned = null;
  }

  /** The average price at `nowMs`. Returns the same object until its trades or its window change. */
  at(nowMs: number): AveragePriceView {
    if (this.lastTicks === 0) return NO_AVERAGE;
    const firstSecond = this.firstSecond(nowMs);
    if (this.cached?.firstSecond !== firstSecond) this.cached = { firstSecond, average: this.averageFrom(firstSecond) };
    return this.cached.average;
  }

  private averageFrom(first: number): AveragePriceView {
    const scanned = this.scanned;
    let { index, ticksTimesLots, lots } =
      scanned !== null && scanned.firstSecond <= first
        ? scanned
        : { index: this.head, ticksTimesLots: this.ticksTimesLots, lots: this.lots };
    for (; index < this.seconds.length; index++) {
      const second = this.seconds[index] as SecondOfTrades;
      if (second.second >= first) break;
      ticksTimesLots -= second.ticksTimesLots;
      lots -= second.lots;
    }
    this.scanned = { firstSecond: first, index, ticksTimesLots, lots };
    if (lots === 0n) return { numerator: BigInt(this.lastTicks), denominator: 1n };
    return { numerator: ticksTimesLots, denominator: lots };
  }

  private firstSecond(nowMs: number): number {
    return Math.floor((nowMs - this.mins * 60_000) / 1000) + 1;
  }

  private slide(nowMs: number): void {
    const first = this.firstSecond(nowMs);
    for (; this.head < this.seconds.length; this.head++) {
      const second = this.seconds[this.head] as SecondOfTrades;
      if (second.second >= first) break;
      this.ticksTimesLots -= second.ticksTimesLots;
      this.lots -= second.lots;
    }
    if (this.head > 1024 && this.head * 2 > this.seconds.length) {
      this.seconds = this.seconds.slice(this.head);
      this.head = 0;
    }
  }

  /** Throws if the sums and the cached results do not match the seconds. */
  check(): void {
    const { seconds, head, scanned, cached } = this;
    const isSorted = seconds.every(({ second }, i) => i === 0 || second > (seconds[i - 1] as SecondOfTrades).second);
    assert(isSorted && head <= seconds.length, "seconds of trades ascend");
    const all = sumOf(seconds.slice(head));
    assert(
      this.lots === all.lots && this.ticksTimesLots === all.ticksTimesLots,
      "an average has the sums of its seconds",
    );
    if (scanned !== null) {
      const [left, next] = [sumOf(seconds.slice(scanned.index)), seconds[scanned.index]];
      const isFirst = next === undefined ? scanned.index === seconds.length : next.second >= scanned.firstSecond;
      const isPast = seconds.slice(head, scanned.index).every(({ second }) => second < scanned.firstSecond);
      const isSum = scanned.lots === left.lots && scanned.ticksTimesLots === left.ticksTimesLots;
      assert(isFirst && isPast && isSum, "seconds that were passed are not in the sums");
    }
    if (cached === null) return;
    const { lots, ticksTimesLots } = sumOf(seconds.slice(head).filter(({ second }) => second >= cached.firstSecond));
    const [numerator, denominator] = lots === 0n ? [BigInt(this.lastTicks), 1n] : [ticksTimesLots, lots];
    const isCached = cached.average.numerator === numerator && cached.average.denominator === denominator;
    assert(isCached, "the last average is that of its seconds");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.lastTicks);
    writer.uint(this.seconds.length - this.head);
    for (let i = this.head; i < this.seconds.length; i++) {
      const second = this.seconds[i] as SecondOfTrades;
      writer.uint(second.second);
      writer.big(second.ticksTimesLots);
      writer.big(second.lots);
    }
  }

  load(reader: ByteReader): void {
    this.lastTicks = reader.uint();
    for (let left = reader.uint(); left > 0; left--) {
      const second = { second: reader.uint(), ticksTimesLots: reader.big(), lots: reader.big() };
      this.seconds.push(second);
      this.ticksTimesLots += second.ticksTimesLots;
      this.lots += second.lots;
    }
  }
}

function sumOf(seconds: readonly SecondOfTrades[]): { readonly lots: bigint; readonly ticksTimesLots: bigint } {
  let [lots, ticksTimesLots] = [0n, 0n];
  for (const second of seconds) {
    lots += second.lots;
    ticksTimesLots += second.ticksTimesLots;
  }
  return { lots, ticksTimesLots };
}

// The 24 h ticker. Interface 2.6. The window moves in whole minutes: a minute counts if it starts after `now - 24 h`,
// rounded down to a minute. Candles from before the first trade count as the minute in which they open, and have no
// trade ids.

interface MinuteOfTrades {
  readonly minute: number;
  /** 0 for a candle from before the first trade. */
  readonly firstTradeId: number;
  readonly openTicks: number;
  /** Totals of all stored minutes before this one. The total of a window is the difference of two such totals. */
  readonly before: { readonly lots: bigint; readonly quote: bigint; readonly count: number };
  highTicks: number;
  lowTicks: number;
  closeTicks: number;
  lots: bigint;
  quote: bigint;
  count: number;
}

const NOTHING = { lots: 0n, quote: 0n, count: 0 };

/**
 * Reading takes two binary searches; apart from these, its cost does not depend on the number of minutes with trades.
 */
export class Ticker {
  private minutes: MinuteOfTrades[] = [];
  /**
   * Minutes whose high no later minute exceeds, so that the first one in a window has the high of the window. `lows` is
   * the same for lows.
   */
  private highs: MinuteOfTrades[] = [];
  private lows: MinuteOfTrades[] = [];
  /** Minutes before this index are outside the window. */
  private head = 0;
  private lastTicks = 0;
  private lastLots = 0;
  private lastTradeId = 0;
  /** Close of the last minute that was removed. */
  private closeBefore = 0;

  add(tradeId: number, priceTicks: number, lots: number, quote: bigint, nowMs: number): void {
    this.slide(nowMs);
    const minute = Math.floor(nowMs / MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last !== undefined && last.minute === minute) {
      last.closeTicks = priceTicks;
      last.lots += BigInt(lots);
      last.quote += quote;
      last.count++;
      if (priceTicks > last.highTicks) {
        last.highTicks = priceTicks;
        this.noteHigh(last);
      } else if (priceTicks < last.lowTicks) {
        last.lowTicks = priceTicks;
        this.noteLow(last);
      }
    } else {
      const prices = { openTicks: priceTicks, highTicks: priceTicks, lowTicks: priceTicks, closeTicks: priceTicks };
      this.push({ minute, firstTradeId: tradeId, ...prices, lots: BigInt(lots), quote, count: 1 });
    }
    this.lastTicks = priceTicks;
    this.lastLots = lots;
    this.lastTradeId = tradeId;
  }

  /** Adds candles from before the first trade, in order and later than all candles that were added before. */
  addPast(candles: readonly PastCandle[], nowMs: number): void {
    this.slide(nowMs);
    const known = this.minutes.slice(this.head);
    const firstLive = known.findIndex(({ firstTradeId }) => firstTradeId > 0);
    // If a trade is outside the window, so is everything before it.
    if (this.lastTradeId > 0 && known[firstLive]?.firstTradeId !== 1) return;
    const [before, live] = firstLive === -1 ? [known, []] : [known.slice(0, firstLive), known.slice(firstLive)];
    this.minutes = [];
    this.highs = [];
    this.lows = [];
    this.head = 0;
    for (const minute of before) this.push(minute);
    for (const { openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote, count } of candles) {
      const minute = Math.floor(openTimeMs / MINUTE_MS);
      const prices = { openTicks, highTicks, lowTicks, closeTicks };
      if (minute < firstMinute(nowMs)) this.closeBefore = closeTicks;
      else this.push({ minute, firstTradeId: 0, ...prices, lots, quote, count });
    }
    for (const minute of live) this.push(minute);
    if (this.lastTradeId === 0) this.lastTicks = candles.at(-1)?.closeTicks ?? this.lastTicks;
  }

  at(nowMs: number): TickerView {
    const first = firstMinute(nowMs);
    const index = indexFrom(this.minutes, this.head, first);
    const prevCloseTicks =
      index === this.head ? this.closeBefore : (this.minutes[index - 1] as MinuteOfTrades).closeTicks;
    const opening = this.minutes[index];
    const window = { openTimeMs: nowMs - DAY_MS, closeTimeMs: nowMs, prevCloseTicks };
    if (opening === undefined) return this.quiet(window);
    const { before } = opening;
    const last = this.minutes.at(-1) as MinuteOfTrades;
    return {
      ...window,
      openTicks: opening.openTicks,
      highTicks: (this.highs[indexFrom(this.highs, 0, first)] as MinuteOfTrades).highTicks,
      lowTicks: (this.lows[indexFrom(this.lows, 0, first)] as MinuteOfTrades).lowTicks,
      lastTicks: this.lastTicks,
      lastLots: this.lastLots,
      volumeLots: last.before.lots + last.lots - before.lots,
      quoteVolume: last.before.quote + last.quote - before.quote,
      // A candle that opens before the first trade contains trade 1, if there is one.
      firstTradeId: this.lastTradeId === 0 ? -1 : Math.max(1, opening.firstTradeId),
      lastTradeId: this.lastTradeId === 0 ? -1 : this.lastTradeId,
      count: last.before.count + last.count - before.count,
    };
  }

  private push(opened: Omit<MinuteOfTrades, "before">): void {
    const last = this.minutes.at(-1);
    const before =
      last === undefined
        ? NOTHING
        : {
            lots: last.before.lots + last.lots,
            quote: last.before.quote + last.quote,
            count: last.before.count + last.count,
          };
    const minute = { ...opened, before };
    this.minutes.push(minute);
    this.noteHigh(minute);
    this.noteLow(minute);
  }

  private noteHigh(minute: MinuteOfTrades): void {
    const highs = this.highs;
    while (highs.length > 0 && (highs.at(-1) as MinuteOfTrades).highTicks <= minute.highTicks) highs.pop();
    highs.push(minute);
  }

  private noteLow(minute: MinuteOfTrades): void {
    const lows = this.lows;
    while (lows.length > 0 && (lows.at(-1) as MinuteOfTrades).lowTicks >= minute.lowTicks) lows.pop();
    lows.push(minute);
  }

  /** The ticker of a window that has no trade. Interface 2.6. */
  private quiet(window: Pick<TickerView, "openTimeMs" | "closeTimeMs" | "prevCloseTicks">): TickerView {
    return {
      ...window,
      openTicks: this.lastTicks,
      highTicks: this.lastTicks,
      lowTicks: this.lastTicks,
      lastTicks: this.lastTicks,
      lastLots: this.lastLots,
      volumeLots: 0n,
      quoteVolume: 0n,
      firstTradeId: -1,
      lastTradeId: -1,
      count: 0,
    };
  }

  private slide(nowMs: number): void {
    const first = firstMinute(nowMs);
    for (; this.head < this.minutes.length; this.head++) {
      const minute = this.minutes[this.head] as MinuteOfTrades;
      if (minute.minute >= first) break;
      this.closeBefore = minute.closeTicks;
    }
    if (this.head > 256 && this.head * 2 > this.minutes.length) {
      this.minutes = this.minutes.slice(this.head);
      this.highs = this.highs.slice(indexFrom(this.highs, 0, first));
      this.lows = this.lows.slice(indexFrom(this.lows, 0, first));
      this.head = 0;
    }
  }

  /** Throws if sums, highs and lows do not match the minutes. */
  check(): void {
    const { minutes } = this;
    for (const [i, { minute, before }] of minutes.entries()) {
      const last = minutes[i - 1];
      if (last === undefined) continue;
      const isSum =
        before.lots === last.before.lots + last.lots &&
        before.quote === last.before.quote + last.quote &&
        before.count === last.before.count + last.count;
      assert(isSum && minute >= last.minute, "a minute has the sums of those before it");
    }
    const live = minutes.slice(this.head);
    const isLive = new Set(live);
    const isSame = (stored: MinuteOfTrades[], wanted: MinuteOfTrades[]): boolean => {
      const known = stored.filter((minute) => isLive.has(minute));
      return known.length === wanted.length && wanted.every((minute, i) => minute === known[i]);
    };
    const highs = unbeaten(live, (minute, later) => minute.highTicks > later.highTicks);
    const lows = unbeaten(live, (minute, later) => minute.lowTicks < later.lowTicks);
    assert(isSame(this.highs, highs) && isSame(this.lows, lows), "highs and lows are those of the minutes");
  }

  save(writer: ByteWriter): void {
    for (const value of [this.lastTicks, this.lastLots, this.lastTradeId, this.closeBefore]) writer.uint(value);
    writer.uint(this.minutes.length - this.head);
    for (let i = this.head; i < this.minutes.length; i++) {
      const minute = this.minutes[i] as MinuteOfTrades;
      writer.uint(minute.minute);
      writer.uint(minute.firstTradeId);
      writer.uint(minute.openTicks);
      writer.uint(minute.highTicks);
      writer.uint(minute.lowTicks);
      writer.uint(minute.closeTicks);
      writer.big(minute.lots);
      writer.big(minute.quote);
      writer.uint(minute.count);
    }
  }

  load(reader: ByteReader): void {
    this.lastTicks = reader.uint();
    this.lastLots = reader.uint();
    this.lastTradeId = reader.uint();
    this.closeBefore = reader.uint();
    for (let left = reader.uint(); left > 0; left--) {
      this.push({
        minute: reader.uint(),
        firstTradeId: reader.uint(),
        openTicks: reader.uint(),
        highTicks: reader.uint(),
        lowTicks: reader.uint(),
        closeTicks: reader.uint(),
        lots: reader.big(),
        quote: reader.big(),
        count: reader.uint(),
      });
    }
  }
}

/** The time from which the 24 h ticker counts trades. */
export function dayStartMs(nowMs: number): number {
  return firstMinute(nowMs) * MINUTE_MS;
}

function firstMinute(nowMs: number): number {
  return Math.floor((nowMs - DAY_MS) / MINUTE_MS) + 1;
}

/** The minutes that beat all later ones, in order. */
function unbeaten(
  minutes: readonly MinuteOfTrades[],
  beats: (minute: MinuteOfTrades, later: MinuteOfTrades) => boolean,
): MinuteOfTrades[] {
  const unbeatenMinutes: MinuteOfTrades[] = [];
  for (const minute of minutes.toReversed()) {
    const best = unbeatenMinutes.at(-1);
    if (best === undefined || beats(minute, best)) unbeatenMinutes.push(minute);
  }
  return unbeatenMinutes.reverse();
}

/** Index of the first minute, from `from` on, that is not before `minute`. The minutes are in ascending order. */
function indexFrom(minutes: readonly MinuteOfTrades[], from: number, minute: number): number {
  let low = from;
  let high = minutes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((minutes[middle] as MinuteOfTrades).minute < minute) low = middle + 1;
    else high = middle;
  }
  return low;
}
