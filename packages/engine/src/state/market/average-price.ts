/**
 * The average price rule: sum(price * quantity) / sum(quantity) over the last minutes; without a trade in that time,
 * the last trade's price. Interface 2.8, S.2. The window slides by whole seconds: a second counts if it starts after
 * `now - window`, rounded down to a second.
 */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { AveragePriceView } from "../../view/engine-view.ts";

interface SecondOfTrades {
  readonly second: number;
  ticksTimesLots: bigint;
  lots: bigint;
}

/** Seconds before `index` are out of the window that begins with `firstSecond`, and are not in the sums. */
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
  /** Seconds before this index are out of the window and not in the sums. */
  private head = 0;
  private ticksTimesLots = 0n;
  private lots = 0n;
  private lastTicks = 0;
  /** How far `at` came the last time, if there was no trade since: seconds passed then need not be looked at again. */
  private came: Passed | null = null;
  /** Last result of `at` and its second; null since the last trade. */
  private said: { readonly firstSecond: number; readonly average: AveragePriceView } | null = null;

  constructor(mins: number) {
    this.mins = mins;
  }

  /** Takes over the contents of a longer window, and the last price. Only for a window without trades. */
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

  /** Sets the price to be returned before the first trade. */
  assume(priceTicks: number): void {
    this.lastTicks = priceTicks;
    this.said = null;
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
    this.said = null;
    this.came = null;
  }

  /** Returns the same object until something changes. */
  at(nowMs: number): AveragePriceView {
    if (this.lastTicks === 0) return NO_AVERAGE;
    const firstSecond = this.firstSecond(nowMs);
    if (this.said?.firstSecond !== firstSecond) this.said = { firstSecond, average: this.averageFrom(firstSecond) };
    return this.said.average;
  }

  private averageFrom(first: number): AveragePriceView {
    const came = this.came;
    let { index, ticksTimesLots, lots } =
      came !== null && came.firstSecond <= first
        ? came
        : { index: this.head, ticksTimesLots: this.ticksTimesLots, lots: this.lots };
    for (; index < this.seconds.length; index++) {
      const second = this.seconds[index] as SecondOfTrades;
      if (second.second >= first) break;
      ticksTimesLots -= second.ticksTimesLots;
      lots -= second.lots;
    }
    this.came = { firstSecond: first, index, ticksTimesLots, lots };
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

  /** Throws when the sums, and what was last made of them, are not those of the seconds. */
  check(): void {
    const { seconds, head, came, said } = this;
    const isSorted = seconds.every(({ second }, i) => i === 0 || second > (seconds[i - 1] as SecondOfTrades).second);
    assert(isSorted && head <= seconds.length, "seconds of trades ascend");
    const all = sumOf(seconds.slice(head));
    assert(
      this.lots === all.lots && this.ticksTimesLots === all.ticksTimesLots,
      "an average has the sums of its seconds",
    );
    if (came !== null) {
      const [left, next] = [sumOf(seconds.slice(came.index)), seconds[came.index]];
      const isFirst = next === undefined ? came.index === seconds.length : next.second >= came.firstSecond;
      const isPast = seconds.slice(head, came.index).every(({ second }) => second < came.firstSecond);
      const isSum = came.lots === left.lots && came.ticksTimesLots === left.ticksTimesLots;
      assert(isFirst && isPast && isSum, "seconds that were passed are not in the sums");
    }
    if (said === null) return;
    const { lots, ticksTimesLots } = sumOf(seconds.slice(head).filter(({ second }) => second >= said.firstSecond));
    const [numerator, denominator] = lots === 0n ? [BigInt(this.lastTicks), 1n] : [ticksTimesLots, lots];
    const isSaid = said.average.numerator === numerator && said.average.denominator === denominator;
    assert(isSaid, "the last average is that of its seconds");
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
