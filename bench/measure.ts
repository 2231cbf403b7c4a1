/** Arithmetic and words of the benchmarks. */
import { cpus, totalmem } from "node:os";

/** Nearest rank: `quantile(values, 0.5)` is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const thousands = (value: number): string => Math.round(value).toLocaleString("en-US");

export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu?.model.trim() || "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
