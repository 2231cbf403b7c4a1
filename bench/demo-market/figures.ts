/** The statistical properties of a recorded market that are known from real markets. */
import { moveFactor } from "@pricetime/server/demo";
import { DEPTH_BPS, type Recording, type SymbolRecording } from "./recording.ts";
import * as of from "./statistics.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MINUTE_S = 60;
const DAY_HOURS = 24;
const BRANCHING_MS = 2 * MINUTE_MS;

type Band = readonly [low: number, high: number];

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The significant number of decimal places. */
  readonly digits: number;
  /** The value measured on real markets. */
  readonly real: string;
  /** The range of real markets, in which ours must be. */
  readonly band: Band;
  /** With fewer hours, the figure is not judged. */
  readonly leastHours: number;
  /**
   * The figure depends on events so rare that one week may be outside of the band: the mean of several seeds is judged.
   */
  readonly isOfMean: boolean;
  /** Why ours is known to be outside of the band, which stays as it is. */
  readonly missed: string | undefined;
}

export const isWithin = ([low, high]: Band, value: number): boolean => value >= low && value <= high;

/** The figures outside of their bands, as text, without known ones. */
export const outside = (figures: readonly Figure[]): string[] =>
  figures
    .filter(({ band, value, missed }) => missed === undefined && !isWithin(band, value))
    .map(({ name, value }) => `${name}: ${value.toFixed(3)}`);

export const isJudged = ({ band }: Figure): boolean => band !== ANY;

const ANY: Band = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
const AND_MORE = Number.POSITIVE_INFINITY;
/** One hour is too little to judge how orders are filled and clustered, because hours differ. */
const SOME_HOURS = 6;
/** A figure of rare events needs weeks. */
const WEEK_HOURS = 7 * DAY_HOURS;
const MONTH_HOURS = 28 * DAY_HOURS;

export function figuresOf({ fromMs, toMs }: Pick<Recording, "fromMs" | "toMs">, market: SymbolRecording): Figure[] {
  return [
    ...flow(market, fromMs, toMs),
    ...book(market),
    ...returns(market, fromMs),
    ...memories(market),
    ...movesByHour(market, fromMs),
    ...withVolume(market, fromMs, toMs),
    ...byTheClock(market, fromMs, toMs),
  ];
}

/** The figures that depend only on prices, with one price per second. */
export function priceFigures(prices: readonly number[], fromMs: number): Figure[] {
  return [...returns({ prices }, fromMs), ...memories({ prices }), ...movesByHour({ prices }, fromMs)];
}

type Rest = readonly [digits: number, real: string, band?: Band, leastHours?: number];
export const figure = (name: string, value: number, [digits, real, band = ANY, leastHours = 0]: Rest): Figure => ({
  ...{ name, value, digits, real, band, leastHours, isOfMean: false, missed: undefined },
});
const ofMean = (of: Figure): Figure => ({ ...of, isOfMean: true });
const missed = (why: string, of: Figure): Figure => ({ ...of, missed: why });

/** Needs at least a day, because hours differ. */
const day = (name: string, value: number, [digits, real, band = ANY]: Rest): Figure =>
  figure(name, value, [digits, real, band, DAY_HOURS]);

function flow({ taken, levelChanges }: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const seconds = (toMs - fromMs) / 1000;
  const { timesMs, signs, notionals, fills } = taken;
  const trades = of.sum(fills);
  const gaps = timesMs.slice(1).map((timeMs, index) => timeMs - (timesMs[index] ?? 0));
  const counts = of.countsPer(timesMs, fromMs, toMs, 10_000);
  const inSeconds = of.countsPer(timesMs, fromMs, toMs, 1000, fills);
  const lags = [1, 2, 5, 10, 20, 50];
  const memory = lags.map((lag) => of.autocorrelation(signs, lag));
  const volume = of.sum(notionals);
  return [
    day("trades a second", trades / seconds, [2, "13 (4.6 to 50)", [4.6, 50]]),
    figure("taker orders a second", timesMs.length / seconds, [2, ""]),
    figure("fills per taker order", trades / timesMs.length, [2, "2.2 (perpetual 3.3)", [2.2, 3.3], SOME_HOURS]),
    figure("time between taker orders: deviation / mean", of.deviation(gaps) / of.mean(gaps), [2, "1.8", [1.2, 2.7]]),
    figure("trades in 1 s: variance / mean", of.variance(inSeconds) / of.mean(inSeconds), [
      ...([1, "21", [14, 32], SOME_HOURS] as const),
    ]),
    figure("orders in 10 s: variance / mean", of.variance(counts) / of.mean(counts), [1, ""]),
    day("branching ratio of orders, median hour", branching(timesMs, fromMs, toMs), [2, "0.77 (0.97)", [0.7, 0.97]]),
    day("level changes per trade", levelChanges / trades, [1, "14 (perpetual)", [7, 28]]),
    day("level changes per taker order", levelChanges / timesMs.length, [1, "45 (perpetual)", [22, 90]]),
    ...lags.map((lag, index) => {
      const [real = "", band = ANY] = SIGN_MEMORY[lag] ?? [];
      return figure(`sign acf, lag ${lag}`, memory[index] ?? Number.NaN, [2, real, band]);
    }),
    day("sign acf: decay exponent, lags 1 to 50", -of.slope(lags.map(Math.log), memory.map(Math.log)), [
      ...([2, "0.4 (perpetual 0.6)", [0.4, 0.6]] as const),
    ]),
    figure("value of an order: median", of.median(notionals), [0, "215", [107, 430]]),
    figure("value of an order: mean", volume / timesMs.length, [0, "2350", [1175, 4700]]),
    figure("value of an order: 99 %", of.quantile(notionals, 0.99), [0, "34000", [17_000, 68_000]]),
    day("value of an order: tail exponent (5 %)", of.tailExponent(notionals, 0.05), [2, "1.4 to 1.7", [1.4, 1.7]]),
    figure("daily volume in the quote asset", (volume / seconds) * 86_400, [0, ""]),
  ];
}

/** The measured value at each lag, spot and perpetual, with a tolerance of a tenth around both. */
const SIGN_MEMORY: Readonly<Record<number, readonly [real: string, band: Band]>> = {
  1: ["0.46 (perpetual 0.45)", [0.35, 0.56]],
  2: ["0.41 (perpetual 0.34)", [0.24, 0.51]],
  5: ["0.35 (perpetual 0.18)", [0.08, 0.45]],
  10: ["0.28 (perpetual 0.14)", [0.04, 0.38]],
  20: ["0.23 (perpetual 0.09)", [0, 0.33]],
  50: ["0.13 (perpetual 0.04)", [0, 0.23]],
};

/**
 * The fraction of an hour's orders that were triggered by other orders: the variance of counts is the mean times one
 * over the square of the remaining fraction, in intervals that are long compared with the time between an order and the
 * orders it triggers (Hardiman and Bouchaud, 2014). The median of hours, within which the rate is almost constant.
 */
function branching(timesMs: readonly number[], fromMs: number, toMs: number): number {
  const perHour = HOUR_MS / BRANCHING_MS;
  const counts = of.countsPer(timesMs, fromMs, toMs, BRANCHING_MS);
  const hours = Array.from({ length: Math.floor(counts.length / perHour) }, (_, hour) =>
    counts.slice(hour * perHour, (hour + 1) * perHour),
  );
  // Corrects the bias of a variance of few counts around their own mean.
  const ratios = hours.map((hour) => (of.variance(hour) * perHour) / (perHour - 1) / of.mean(hour));
  return of.median(ratios.map((ratio) => 1 - 1 / Math.sqrt(Math.max(1, ratio))));
}

/** A side has few quotes far from the price, and large ones, so ten minutes are too little for its average depth. */
function book({ spreads, books, prices, tick }: SymbolRecording): Figure[] {
  const known = spreads.filter((spread) => !Number.isNaN(spread));
  const spreadBps = (1e4 * of.mean(known) * tick) / of.mean(prices.filter((price) => price > 0));
  const real: readonly Band[] = [
    [0.24, 0.68],
    [2.6, 4.9],
    [5.2, 7.1],
    [8, 15],
    [10, 19],
    [13, 25],
  ];
  return [
    figure("spread in ticks: median", of.median(known), [0, "1", [1, 3]]),
    figure("spread in bps: mean", spreadBps, [3, "0.0012 to 0.19", [0.001, 0.25]]),
    figure("seconds with an empty side, %", 100 * (1 - known.length / spreads.length), [2, "", [0, 0.5]]),
    missed(
      "a book of thousands of levels would need thousands of orders in every demo, and their updates",
      figure("levels per side", of.mean(books.map(({ levels }) => levels)), [0, "3,500 within 100 bps", [3500, 4300]]),
    ),
    ...DEPTH_BPS.map((bps, index) => {
      const depth = of.mean(books.map((sample) => sample.depth[index] ?? 0)) / 1e6;
      return figure(`depth within ${bps} bps, millions`, depth, [
        2,
        (real[index] ?? []).join(" to "),
        real[index] ?? ANY,
        DAY_HOURS,
      ]);
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
  // Kurtosis decreases with the horizon; a single storm accounts for half of it.
  const step = (name: string, shorter: readonly number[], longer: readonly number[], real: string): Figure =>
    ofMean(
      figure(`kurtosis of ${name}`, of.excessKurtosis(shorter) / of.excessKurtosis(longer), [
        ...([2, real, [1, AND_MORE], WEEK_HOURS] as const),
      ]),
    );
  return [
    figure("1 min return: deviation, bps", bps, [1, "5.8 (weekdays 2025)", [4, 10], WEEK_HOURS]),
    figure("1 min return: deviation at an average hour, bps", bps / Math.sqrt(pace), [1, "5.8", [4, 10], 12]),
    figure("5 min return: deviation, bps", 1e4 * of.deviation(r5), [1, "12.5"]),
    figure("1 h return: deviation, bps", 1e4 * of.deviation(r60), [1, "41", ANY, DAY_HOURS]),
    ofMean(figure("deviation 1 h / 5 min", of.deviation(r60) / of.deviation(r5), [2, "3.3", [3, 3.6], WEEK_HOURS])),
    figure("1 min: excess kurtosis", of.excessKurtosis(r1), [1, "5.4 to 40", [5, 40], WEEK_HOURS]),
    ofMean(figure("5 min: excess kurtosis", of.excessKurtosis(r5), [1, "5.8 to 19", [2, 40], WEEK_HOURS])),
    ofMean(figure("15 min: excess kurtosis", of.excessKurtosis(r15), [1, "13.8", [2, 40], WEEK_HOURS])),
    ofMean(figure("1 h: excess kurtosis", of.excessKurtosis(r60), [1, "4.7 to 12", [2, AND_MORE], WEEK_HOURS])),
    step("1 min / of 5 min", r1, r5, ""),
    step("5 min / of 15 min", r5, r15, "1.4"),
    step("15 min / of 1 h", r15, r60, "1.2"),
    step("1 min / of 1 h", r1, r60, "2.7 to 3.7"),
    figure("1 min: tail exponent (1 %)", of.tailExponent(r1, 0.01), [1, "3.0 to 4.0", [2.5, 4.5], WEEK_HOURS]),
    ofMean(figure("5 min: tail exponent (1 %)", of.tailExponent(r5, 0.01), [1, "3.5", [2.5, 4.5], WEEK_HOURS])),
    figure("1 min: skewness", of.skewness(r1), [2, "-1.0 to 0.5", [-1.5, 1.5], WEEK_HOURS]),
    figure("minutes without a change, %", 100 * still, [1, "2.4", [0, 15]]),
  ];
}

function memories(market: Pick<SymbolRecording, "prices">): Figure[] {
  const ofReturns = [1, 5, 15, 60].map((minutes) => {
    const real = { 1: "0.000", 5: "-0.014", 15: "0.011", 60: "0.027" }[minutes] ?? "";
    const isFew = minutes >= 15;
    const name = `${minutes < 60 ? `${minutes} min` : "1 h"}: acf of returns, lag 1`;
    const returned = logReturns(market, minutes);
    const one = figure(name, of.autocorrelation(returned, 1), [
      ...([3, real, [-0.05, 0.05], isFew ? WEEK_HOURS : DAY_HOURS] as const),
    ]);
    return isFew ? ofMean(one) : one;
  });
  const [sizes1, sizes5] = [1, 5].map((minutes) => logReturns(market, minutes).map(Math.abs)) as [number[], number[]];
  const fall = [1, 5, 12, 60].map((lag) => of.autocorrelation(sizes1, lag));
  const leastStep = Math.min(...fall.slice(1).map((value, index) => (fall[index] ?? 0) - value));
  return [
    ...ofReturns,
    figure("1 min: acf of absolute returns, smallest decrease from lag 1 to 5, 12, 60", leastStep, [
      3,
      "0.01",
      [0, 1],
      WEEK_HOURS,
    ]),
    ...[1, 5, 12, 60, 288].map((lag) => {
      const real = { 1: "0.23", 5: "0.22", 12: "0.19", 60: "0.10", 288: "0.02" }[lag] ?? "";
      const rest: Rest = [2, real, lag > 60 ? ANY : [0.01, 0.5], lag > 5 ? WEEK_HOURS : DAY_HOURS];
      return figure(`1 min: acf of absolute returns, lag ${lag}`, of.autocorrelation(sizes1, lag), rest);
    }),
    ...[1, 5, 12, 60, 288].map((lag) => {
      const real = { 1: "0.31", 5: "0.27", 12: "0.22", 60: "0.12", 288: "0.115" }[lag] ?? "";
      const bands: Readonly<Record<number, Rest>> = {
        1: [2, real, [0.15, 0.4], WEEK_HOURS],
        60: [2, real, [0.04, AND_MORE], WEEK_HOURS],
      };
      const name = `5 min: acf of absolute returns, lag ${lag}`;
      return ofMean(figure(name, of.autocorrelation(sizes5, lag), bands[lag] ?? [2, real, ANY, WEEK_HOURS]));
    }),
  ];
}

function withVolume(market: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const volumes = volumePer(market, fromMs, toMs, MINUTE_MS);
  const moves = logReturns(market, 1).map(Math.abs);
  const logs = volumePer(market, fromMs, toMs, 5 * MINUTE_MS).map((volume) => Math.log(volume + 1));
  const shared = of.correlation(moves, volumes.slice(1, moves.length + 1));
  return [
    figure("1 min: correlation of absolute return and volume", shared, [2, "0.65", [0.3, 1], 6]),
    ...[1, 12, 60, 288].map((lag) => {
      const real = { 1: "0.73", 12: "0.47", 60: "0.24", 288: "0.23" }[lag] ?? "";
      const name = `5 min: acf of log volume, lag ${lag}`;
      return figure(name, of.autocorrelation(logs, lag), [
        2,
        real,
        lag === 1 ? [0.4, 1] : ANY,
        lag > 60 ? WEEK_HOURS : 6,
      ]);
    }),
  ];
}

function movesByHour(market: Pick<SymbolRecording, "prices">, fromMs: number): Figure[] {
  const sizes = Array.from({ length: DAY_HOURS }, (): number[] => []);
  for (const [minute, move] of logReturns(market, 1).entries()) {
    sizes[Math.floor(minute / MINUTE_S + fromMs / HOUR_MS + 1 / MINUTE_S) % DAY_HOURS]?.push(Math.abs(move));
  }
  const moves = sizes.map(of.mean);
  return [
    ofMean(
      figure("size of moves: busiest hour / average", Math.max(...moves) / of.mean(moves), [
        ...([2, "1.59", [1.2, 1.6], WEEK_HOURS] as const),
      ]),
    ),
    ofMean(
      figure("size of moves: calmest hour / average", Math.min(...moves) / of.mean(moves), [
        ...([2, "0.68", [0.65, 0.85], WEEK_HOURS] as const),
      ]),
    ),
  ];
}

/** Volume by hour and by day of the week (UTC), over whole days. */
function byTheClock(market: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const hourly = volumePer(market, fromMs, toMs, HOUR_MS);
  const byHour = Array.from({ length: DAY_HOURS }, (_, hour) =>
    of.mean(hourly.filter((__, index) => (index + fromMs / HOUR_MS) % DAY_HOURS === hour)),
  );
  const isWeekend = (index: number): boolean => [0, 6].includes(new Date(fromMs + index * HOUR_MS).getUTCDay());
  const [weekend, week] = [true, false].map((wanted) =>
    of.mean(hourly.filter((_, index) => isWeekend(index) === wanted)),
  );
  const share = (100 * of.sum(byHour.slice(13, 16))) / of.sum(byHour);
  const busiest = byHour.indexOf(Math.max(...byHour));
  return [
    figure("busiest hour, UTC", busiest, [0, "14", [13, 15], WEEK_HOURS]),
    ofMean(figure("volume from 13:00 to 16:00, %", share, [0, "23", [17, 29], WEEK_HOURS])),
    ofMean(
      figure("busiest hour / calmest hour", Math.max(...byHour) / Math.min(...byHour), [1, "4.0", [3, 4], WEEK_HOURS]),
    ),
    figure("second daily peak relative to the first", secondHump(byHour), [2, "0.14", [0, 0.25], MONTH_HOURS]),
    ofMean(
      figure("volume of a weekend day / weekday", (weekend ?? 0) / (week ?? 0), [
        ...([2, "0.55", [0.5, 0.8], WEEK_HOURS] as const),
      ]),
    ),
  ];
}

/**
 * How far the second peak of the daily volume profile is above the valley between the peaks, as a fraction of the first
 * peak.
 */
function secondHump(byHour: readonly number[]): number {
  const top = Math.max(...byHour);
  const fromTop = byHour.map((_, index) => byHour[(byHour.indexOf(top) + index) % byHour.length] ?? 0);
  const above = fromTop.map((volume, index) => {
    const valleys = [fromTop.slice(0, index + 1), fromTop.slice(index)].map((way) => Math.min(...way));
    return volume - Math.max(...valleys);
  });
  return Math.max(...above) / top;
}

function volumePer({ taken }: SymbolRecording, fromMs: number, toMs: number, pieceMs: number): number[] {
  const sums = Array.from({ length: Math.floor((toMs - fromMs) / pieceMs) }, () => 0);
  for (const [order, timeMs] of taken.timesMs.entries()) {
    const index = Math.floor((timeMs - fromMs) / pieceMs);
    if (index < sums.length) sums[index] = (sums[index] ?? 0) + (taken.notionals[order] ?? 0);
  }
  return sums;
}
