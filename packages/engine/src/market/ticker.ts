/**
 * The 24 h ticker. Interface 2.6. The window slides by whole minutes: a minute counts while it
 * starts after `now - 24 h`, rounded down to a minute.
 */
import type { ByteReader, ByteWriter } from "../bytes.ts";
import type { TickerView } from "../view.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

interface MinuteOfTrades {
  readonly minute: number;
  readonly firstTradeId: number;
  readonly openTicks: number;
  highTicks: number;
  lowTicks: number;
  closeTicks: number;
  lots: bigint;
  quote: bigint;
  count: number;
}

export class Ticker {
  private minutes: MinuteOfTrades[] = [];
  /** Minutes before this index are out of the window. */
  private head = 0;
  private lastTicks = 0;
  private lastLots = 0;
  private lastTradeId = 0;
  /** Close of the last minute that was let go. */
  private closeBefore = 0;

  add(tradeId: number, priceTicks: number, lots: number, quote: bigint, nowMs: number): void {
    this.slide(nowMs);
    const minute = Math.floor(nowMs / MINUTE_MS);
    const last = this.minutes.at(-1);
    if (last !== undefined && last.minute === minute) {
      if (priceTicks > last.highTicks) last.highTicks = priceTicks;
      if (priceTicks < last.lowTicks) last.lowTicks = priceTicks;
      last.closeTicks = priceTicks;
      last.lots += BigInt(lots);
      last.quote += quote;
      last.count++;
    } else {
      this.minutes.push({
        minute,
        firstTradeId: tradeId,
        openTicks: priceTicks,
        highTicks: priceTicks,
        lowTicks: priceTicks,
        closeTicks: priceTicks,
        lots: BigInt(lots),
        quote,
        count: 1,
      });
    }
    this.lastTicks = priceTicks;
    this.lastLots = lots;
    this.lastTradeId = tradeId;
  }

  at(nowMs: number): TickerView {
    const first = firstMinute(nowMs);
    let index = this.head;
    let prevCloseTicks = this.closeBefore;
    for (; index < this.minutes.length; index++) {
      const minute = this.minutes[index] as MinuteOfTrades;
      if (minute.minute >= first) break;
      prevCloseTicks = minute.closeTicks;
    }
    const opening = this.minutes[index];
    const window = { openTimeMs: nowMs - DAY_MS, closeTimeMs: nowMs, prevCloseTicks };
    if (opening === undefined) return this.quiet(window);
    let { highTicks, lowTicks } = opening;
    let volumeLots = 0n;
    let quoteVolume = 0n;
    let count = 0;
    for (; index < this.minutes.length; index++) {
      const minute = this.minutes[index] as MinuteOfTrades;
      if (minute.highTicks > highTicks) highTicks = minute.highTicks;
      if (minute.lowTicks < lowTicks) lowTicks = minute.lowTicks;
      volumeLots += minute.lots;
      quoteVolume += minute.quote;
      count += minute.count;
    }
    return {
      ...window,
      openTicks: opening.openTicks,
      highTicks,
      lowTicks,
      lastTicks: this.lastTicks,
      lastLots: this.lastLots,
      volumeLots,
      quoteVolume,
      firstTradeId: opening.firstTradeId,
      lastTradeId: this.lastTradeId,
      count,
    };
  }

  /** No trade in the window. FACTS 5. */
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
      this.head = 0;
    }
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
      this.minutes.push({
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

function firstMinute(nowMs: number): number {
  return Math.floor((nowMs - DAY_MS) / MINUTE_MS) + 1;
}
