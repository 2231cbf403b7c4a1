/** The figures of a recorded market that are known of real ones, one by one. */
import { moveFactor } from "@pricetime/server/demo";
import { DEPTH_BPS, type Recording, type SymbolRecording } from "./recording.ts";
import * as of from "./statistics.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MINUTE_S = 60;
const DAY_HOURS = 24;

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** How many digits after the point are worth showing. */
  readonly digits: number;
  /** What was measured on real markets. */
  readonly real: string;
  /** Where ours should lie on BTCUSDT; of a day and more, where it needs one. */
  readonly band: readonly [low: number, high: number];
  /** It says little of less. */
  readonly leastHours: number;
}

const ANY = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
/** A figure of rare events settles in weeks. */
const WEEK_HOURS = 7 * DAY_HOURS;
const MONTH_HOURS = 28 * DAY_HOURS;

export function figuresOf({ fromMs, toMs }: Pick<Recording, "fromMs" | "toMs">, market: SymbolRecording): Figure[] {
  return [
    ...flow(market, fromMs, toMs),
    ...book(market),
    ...returns(market, fromMs),
    ...memories(market),
    ...withVolume(market, fromMs, toMs),
    ...byTheClock(market, fromMs, toMs),
  ];
}

/** Those that prices alone tell, one of each second. */
export function priceFigures(prices: readonly number[], fromMs: number): Figure[] {
  return [...returns({ prices }, fromMs), ...memories({ prices })];
}

type Rest = readonly [digits: number, real: string, band?: readonly [number, number], leastHours?: number];
const figure = (name: string, value: number, [digits, real, band = ANY, leastHours = 0]: Rest): Figure => ({
  ...{ name, value, digits, real, band, leastHours },
});

function flow({ taken }: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const seconds = (toMs - fromMs) / 1000;
  const { timesMs, signs, notionals, fills } = taken;
  const trades = of.sum(fills);
  const gaps = timesMs.slice(1).map((timeMs, index) => timeMs - (timesMs[index] ?? 0));
  const counts = of.countsPer(timesMs, fromMs, toMs, 10_000);
  const volume = of.sum(notionals);
  return [
    figure("trades a second", trades / seconds, [2, "4.6 to 50", [2, 8]]),
    figure("orders that take, a second", timesMs.length / seconds, [2, "", [1, 6]]),
    figure("fills of such an order", trades / timesMs.length, [2, "2.2", [1.05, 3]]),
    figure("time between them: deviation / mean", of.deviation(gaps) / of.mean(gaps), [2, "1.8", [1.2, 3]]),
    figure("orders in 10 s: variance / mean", of.variance(counts) / of.mean(counts), [
      1,
      "21 (of trades, 1 s)",
      [3, 60],
    ]),
    ...[1, 2, 5, 10, 20, 50].map((lag) => {
      const real = { 1: "0.46", 2: "0.41", 5: "0.35", 10: "0.28", 20: "0.23", 50: "0.13" }[lag] ?? "";
      const band = [0.05, 0.6] as const;
      return figure(`sign acf, lag ${lag}`, of.autocorrelation(signs, lag), [2, real, lag > 10 ? ANY : band]);
    }),
    figure("value of an order: median", of.median(notionals), [0, "215", [80, 800]]),
    figure("value of an order: mean", volume / timesMs.length, [0, "2350", [1000, 5000]]),
    figure("value of an order: 99 %", of.quantile(notionals, 0.99), [0, "34000", [10_000, 60_000]]),
    figure("value of an order: tail exponent (5 %)", of.tailExponent(notionals, 0.05), [2, "1.4 to 1.7", [1, 2.2]]),
    figure("volume a day, of the quote asset", (volume / seconds) * 86_400, [0, ""]),
  ];
}

function book({ spreads, books }: SymbolRecording): Figure[] {
  const known = spreads.filter((spread) => !Number.isNaN(spread));
  const real = ["0.24 to 0.68 M", "2.6 to 4.9 M", "5.2 to 7.1 M", "8 to 15 M", "10 to 19 M", "13 to 25 M"];
  return [
    figure("spread in ticks: median", of.median(known), [0, "1", [1, 3]]),
    figure("spread in ticks: mean", of.mean(known), [1, "", [1, 60]]),
    figure("seconds with an empty side, %", 100 * (1 - known.length / spreads.length), [2, "", [0, 0.5]]),
    figure("levels of a side", of.mean(books.map(({ levels }) => levels)), [0, "3,500 within 100 bps", [20, 100]]),
    ...DEPTH_BPS.map((bps, index) => {
      const depth = of.mean(books.map((sample) => sample.depth[index] ?? 0)) / 1e6;
      return figure(`depth within ${bps} bps, millions`, depth, [3, real[index] ?? "", ANY]);
    }),
  ];
}

/** Logarithmic returns of the last prices, sampled every `minutes`. */
function logReturns({ prices }: Pick<SymbolRecording, "prices">, minutes: number): number[] {
  const taken = prices.filter((price, index) => price > 0 && (index + 1) % (minutes * MINUTE_S) === 0);
  return taken.slice(1).map((price, index) => Math.log(price / (taken[index] ?? price)));
}

function returns(market: Pick<SymbolRecording, "prices">, fromMs: number): Figure[] {
  const [r1, r5, r15, r60] = [1, 5, 15, 60].map((minutes) => logReturns(market, minutes)) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const still = r1.filter((value) => value === 0).length / r1.length;
  const hours = Math.ceil(market.prices.length / 3600);
  const pace = of.mean(Array.from({ length: hours }, (_, hour) => moveFactor(fromMs + hour * HOUR_MS) ** 2));
  const bps = 1e4 * of.deviation(r1);
  return [
    figure("1 min return: deviation, bps", bps, [1, "5.8 (weekdays 2025)", [2.5, 12], 1]),
    figure("the same at an average hour", bps / Math.sqrt(pace), [1, "5.8", [4, 10], 12]),
    figure("5 min return: deviation, bps", 1e4 * of.deviation(r5), [1, "12.5"]),
    figure("1 h return: deviation, bps", 1e4 * of.deviation(r60), [1, "41", ANY, DAY_HOURS]),
    figure("deviation 1 h / 5 min", of.deviation(r60) / of.deviation(r5), [2, "3.3", [3, 3.65], WEEK_HOURS]),
    figure("1 min: excess kurtosis", of.excessKurtosis(r1), [1, "5.4 to 40", [5, 40], WEEK_HOURS]),
    figure("5 min: excess kurtosis", of.excessKurtosis(r5), [1, "5.8 to 19", [2, 25], WEEK_HOURS]),
    figure("15 min: excess kurtosis", of.excessKurtosis(r15), [1, "13.8", [1, 20], WEEK_HOURS]),
    figure("1 h: excess kurtosis", of.excessKurtosis(r60), [1, "4.7 to 12", [2, 20], MONTH_HOURS]),
    figure("kurtosis of 1 min / of 1 h", of.excessKurtosis(r1) / of.excessKurtosis(r60), [
      1,
      "2.7 to 3.7",
      [1, 100],
      WEEK_HOURS,
    ]),
    figure("1 min: tail exponent (1 %)", of.tailExponent(r1, 0.01), [1, "3.0 to 4.0", [2.5, 4.5], WEEK_HOURS]),
    figure("5 min: tail exponent (1 %)", of.tailExponent(r5, 0.01), [1, "3.5", [2.5, 5.5], WEEK_HOURS]),
    figure("1 min: skewness", of.skewness(r1), [2, "-1.0 to 0.5", [-1.5, 1.5], WEEK_HOURS]),
    figure("minutes without a change, %", 100 * still, [1, "2.4", [0, 15]]),
  ];
}

function memories(market: Pick<SymbolRecording, "prices">): Figure[] {
  const ofReturns = [1, 5, 15, 60].map((minutes) => {
    const real = { 1: "0.000", 5: "-0.014", 15: "0.011", 60: "0.027" }[minutes] ?? "";
    // So far a series of independent returns as long may be from 0.
    const band = minutes < 15 ? 0.05 : 0.2;
    const name = `${minutes < 60 ? `${minutes} min` : "1 h"}: acf of returns, lag 1`;
    const returned = logReturns(market, minutes);
    return figure(name, of.autocorrelation(returned, 1), [
      3,
      real,
      [-band, band],
      minutes < 15 ? DAY_HOURS : WEEK_HOURS,
    ]);
  });
  const [sizes1, sizes5] = [1, 5].map((minutes) => logReturns(market, minutes).map(Math.abs)) as [number[], number[]];
  return [
    ...ofReturns,
    ...[1, 5, 12, 60, 288].map((lag) => {
      const real = { 1: "0.23", 5: "0.22", 12: "0.19", 60: "0.10", 288: "0.02" }[lag] ?? "";
      const rest: Rest = [2, real, lag > 60 ? ANY : [0.01, 0.5], lag > 5 ? WEEK_HOURS : DAY_HOURS];
      return figure(`1 min: acf of absolute returns, lag ${lag}`, of.autocorrelation(sizes1, lag), rest);
    }),
    ...[1, 5, 12, 60, 288].map((lag) => {
      const real = { 1: "0.31", 5: "0.27", 12: "0.22", 60: "0.12", 288: "0.115" }[lag] ?? "";
      const bands: Readonly<Record<number, Rest>> = {
        1: [2, real, [0.15, 0.4], WEEK_HOURS],
        60: [2, real, [0.04, 0.5], MONTH_HOURS],
      };
      const name = `5 min: acf of absolute returns, lag ${lag}`;
      return figure(name, of.autocorrelation(sizes5, lag), bands[lag] ?? [2, real, ANY, WEEK_HOURS]);
    }),
  ];
}

function withVolume(market: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const volumes = volumePer(market, fromMs, toMs, MINUTE_MS);
  const moves = logReturns(market, 1).map(Math.abs);
  const logs = volumePer(market, fromMs, toMs, 5 * MINUTE_MS).map((volume) => Math.log(volume + 1));
  const shared = of.correlation(moves, volumes.slice(1, moves.length + 1));
  return [
    figure("1 min: correlation of absolute return and volume", shared, [2, "0.65", [0.3, 0.9], 6]),
    ...[1, 12, 60, 288].map((lag) => {
      const real = { 1: "0.73", 12: "0.47", 60: "0.24", 288: "0.23" }[lag] ?? "";
      const name = `5 min: acf of log volume, lag ${lag}`;
      return figure(name, of.autocorrelation(logs, lag), [
        2,
        real,
        lag === 1 ? [0.4, 0.95] : ANY,
        lag > 60 ? WEEK_HOURS : 6,
      ]);
    }),
  ];
}

/** Volume by the hour and by the day of the week (UTC), over whole days. */
function byTheClock(market: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const hourly = volumePer(market, fromMs, toMs, HOUR_MS);
  const sizes = Array.from({ length: DAY_HOURS }, (): number[] => []);
  for (const [minute, move] of logReturns(market, 1).entries()) {
    sizes[Math.floor(minute / MINUTE_S + fromMs / HOUR_MS + 1 / MINUTE_S) % DAY_HOURS]?.push(Math.abs(move));
  }
  const byHour = Array.from({ length: DAY_HOURS }, (_, hour) =>
    of.mean(hourly.filter((__, index) => (index + fromMs / HOUR_MS) % DAY_HOURS === hour)),
  );
  const moves = sizes.map(of.mean);
  const isWeekend = (index: number): boolean => [0, 6].includes(new Date(fromMs + index * HOUR_MS).getUTCDay());
  const [weekend, week] = [true, false].map((wanted) =>
    of.mean(hourly.filter((_, index) => isWeekend(index) === wanted)),
  );
  const share = (100 * of.sum(byHour.slice(13, 16))) / of.sum(byHour);
  const busiest = byHour.indexOf(Math.max(...byHour));
  return [
    figure("busiest hour, UTC", busiest, [0, "14", [13, 15], WEEK_HOURS]),
    figure("volume from 13 to 16 hours, %", share, [0, "23", [16, 32], WEEK_HOURS]),
    figure("busiest hour / calmest hour", Math.max(...byHour) / Math.min(...byHour), [1, "4.0", [2.5, 8], WEEK_HOURS]),
    figure("size of moves: busiest hour / average", Math.max(...moves) / of.mean(moves), [
      2,
      "1.6",
      [1.2, 2.2],
      WEEK_HOURS,
    ]),
    figure("size of moves: calmest hour / average", Math.min(...moves) / of.mean(moves), [
      2,
      "0.65",
      [0.45, 0.85],
      WEEK_HOURS,
    ]),
    figure("volume of a weekend day / of a weekday", (weekend ?? 0) / (week ?? 0), [2, "0.55", [0.4, 0.8], WEEK_HOURS]),
  ];
}

function volumePer({ taken }: SymbolRecording, fromMs: number, toMs: number, pieceMs: number): number[] {
  const sums = Array.from({ length: Math.floor((toMs - fromMs) / pieceMs) }, () => 0);
  for (const [order, timeMs] of taken.timesMs.entries()) {
    const index = Math.floor((timeMs - fromMs) / pieceMs);
    if (index < sums.length) sums[index] = (sums[index] ?? 0) + (taken.notionals[order] ?? 0);
  }
  return sums;
}
