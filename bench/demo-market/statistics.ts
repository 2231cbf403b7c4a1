/** Statistics of returns, times and sizes as plain functions without state. */

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const mean = (values: readonly number[]): number => sum(values) / values.length;

export function variance(values: readonly number[]): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}

export const deviation = (values: readonly number[]): number => Math.sqrt(variance(values));

/** 0 for a normal distribution. */
export function excessKurtosis(values: readonly number[]): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 4)) / variance(values) ** 2 - 3;
}

/** 0 for a symmetric distribution. */
export function skewness(values: readonly number[]): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 3)) / variance(values) ** 1.5;
}

export function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [middleX, middleY] = [mean(xs), mean(ys)];
  const shared = mean(xs.map((x, index) => (x - middleX) * ((ys[index] ?? 0) - middleY)));
  return shared / (deviation(xs) * deviation(ys));
}

/** The correlation of a series with itself, shifted by `lag`. */
export const autocorrelation = (values: readonly number[], lag: number): number =>
  values.length <= lag + 2 ? Number.NaN : correlation(values.slice(lag), values.slice(0, -lag));

/** `part` is from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The exponent of a power-law tail, from the largest `part` of the values (Hill estimator). */
export function tailExponent(values: readonly number[], part: number): number {
  const sorted = values.map(Math.abs).toSorted((a, b) => b - a);
  const count = Math.max(2, Math.floor(sorted.length * part));
  const threshold = sorted[count] ?? 0;
  return count / sorted.slice(0, count).reduce((sum, value) => sum + Math.log(value / threshold), 0);
}

/** The slope of the least-squares line through the points. */
export function slope(xs: readonly number[], ys: readonly number[]): number {
  return (correlation(xs, ys) * deviation(ys)) / deviation(xs);
}

/** The number of events in each interval of `pieceMs` from `fromMs` to `toMs`; with `weights`, their sum. */
export function countsPer(
  timesMs: readonly number[],
  fromMs: number,
  toMs: number,
  pieceMs: number,
  weights?: readonly number[],
): number[] {
  const counts = Array.from({ length: Math.ceil((toMs - fromMs) / pieceMs) }, () => 0);
  for (const [at, timeMs] of timesMs.entries()) {
    const index = Math.floor((timeMs - fromMs) / pieceMs);
    if (index >= 0 && index < counts.length) counts[index] = (counts[index] ?? 0) + (weights?.[at] ?? 1);
  }
  return counts;
}
