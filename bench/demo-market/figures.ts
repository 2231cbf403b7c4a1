/** The figures of a recorded market that are known of real ones, one by one. */
import { moveFactor } from "@pricetime/server/demo";
import { DEPTH_BPS, type Recording, type SymbolRecording } from "./recording.ts";
import * as of from "./statistics.ts";

const MINUTE_S = 60;

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

export function figuresOf({ fromMs, toMs }: Pick<Recording, "fromMs" | "toMs">, market: SymbolRecording): Figure[] {
  return [
    ...flow(market, fromMs, toMs),
    ...book(market),
    ...returns(market, fromMs),
    ...withVolume(market, fromMs, toMs),
  ];
}

type Rest = readonly [digits: number, real: string, band?: readonly [number, number], leastHours?: number];
const figure = (name: string, value: number, [digits, real, band = ANY, leastHours = 0]: Rest): Figure => ({
  ...{ name, value, digits, real, band, leastHours },
});

function flow({ orders }: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const seconds = (toMs - fromMs) / 1000;
  const trades = orders.reduce((sum, { fills }) => sum + fills, 0);
  const times = orders.map(({ timeMs }) => timeMs);
  const gaps = times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? 0));
  const counts = of.countsPer(times, fromMs, toMs, 10_000);
  const signs = orders.map(({ side }) => (side === "BUY" ? 1 : -1));
  const notionals = orders.map(({ notional }) => notional);
  const volume = notionals.reduce((sum, notional) => sum + notional, 0);
  return [
    figure("trades a second", trades / seconds, [2, "4.6 to 50", [2, 8]]),
    figure("orders that take, a second", orders.length / seconds, [2, "", [1, 6]]),
    figure("fills of such an order", trades / orders.length, [2, "2.2", [1.05, 3]]),
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
    figure("value of an order: mean", volume / orders.length, [0, "2350", [1000, 5000]]),
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

/** Of the last prices, one of each `seconds`. */
function logReturns({ prices }: SymbolRecording, seconds: number): number[] {
  const taken = prices.filter((price, index) => price > 0 && (index + 1) % seconds === 0);
  return taken.slice(1).map((price, index) => Math.log(price / (taken[index] ?? price)));
}

function returns(market: SymbolRecording, fromMs: number): Figure[] {
  const [r1, r5, r60] = [1, 5, 60].map((minutes) => logReturns(market, minutes * MINUTE_S)) as [
    number[],
    number[],
    number[],
  ];
  const abs1 = r1.map(Math.abs);
  const abs5 = r5.map(Math.abs);
  const still = r1.filter((value) => value === 0).length / r1.length;
  const hours = market.prices.length / 3600;
  const pace = of.mean(Array.from({ length: Math.ceil(hours) }, (_, h) => moveFactor(fromMs + h * 3_600_000) ** 2));
  return [
    figure("1 min return: deviation, bps", 1e4 * of.deviation(r1), [1, "5.8 (weekdays 2025)", [2.5, 12], 1]),
    figure("the same at an average hour", (1e4 * of.deviation(r1)) / Math.sqrt(pace), [1, "5.8", [3, 10], 12]),
    figure("deviation 1 h / 5 min", of.deviation(r60) / of.deviation(r5), [2, "3.3", [2.6, 4.2], 48]),
    figure("1 min: excess kurtosis", of.excessKurtosis(r1), [1, "5.4 to 40", [1.5, 60], 6]),
    figure("1 min: tail exponent (1 %)", of.tailExponent(r1, 0.01), [1, "3.0 to 4.0", [2, 6], 24]),
    figure("1 min: acf of returns, lag 1", of.autocorrelation(r1, 1), [3, "-0.04 to 0.05", [-0.08, 0.08], 6]),
    ...[1, 5, 60].map((lag) => {
      const real = { 1: "0.23", 5: "0.19", 60: "0.10" }[lag] ?? "";
      return figure(`1 min: acf of absolute returns, lag ${lag}`, of.autocorrelation(abs1, lag), [
        2,
        real,
        lag > 5 ? ANY : [0.05, 0.5],
        6,
      ]);
    }),
    figure("5 min: acf of absolute returns, lag 1", of.autocorrelation(abs5, 1), [2, "0.31", [0.08, 0.5], 24]),
    figure("minutes without a change, %", 100 * still, [1, "2.4", [0, 15]]),
  ];
}

function withVolume(market: SymbolRecording, fromMs: number, toMs: number): Figure[] {
  const volumes = volumePer(market, fromMs, toMs, 60_000);
  const moves = logReturns(market, MINUTE_S).map(Math.abs);
  const logs = volumePer(market, fromMs, toMs, 300_000).map((volume) => Math.log(volume + 1));
  const hourly = volumePer(market, fromMs, toMs, 3_600_000);
  const shared = of.correlation(moves, volumes.slice(1, moves.length + 1));
  return [
    figure("1 min: correlation of absolute return and volume", shared, [2, "0.65", [0.2, 0.9], 6]),
    figure("5 min: acf of log volume, lag 1", of.autocorrelation(logs, 1), [2, "0.73", [0.2, 0.95], 6]),
    figure("busiest hour / calmest hour", Math.max(...hourly) / Math.min(...hourly), [1, "4.0", [2, 12], 24]),
  ];
}

function volumePer({ orders }: SymbolRecording, fromMs: number, toMs: number, pieceMs: number): number[] {
  const sums = Array.from({ length: Math.floor((toMs - fromMs) / pieceMs) }, () => 0);
  for (const { timeMs, notional } of orders) {
    const index = Math.floor((timeMs - fromMs) / pieceMs);
    if (index < sums.length) sums[index] = (sums[index] ?? 0) + notional;
  }
  return sums;
}
