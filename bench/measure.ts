/** Formatting shared by the benchmarks. */
import { cpus, totalmem } from "node:os";

export const thousands = (value: number): string => Math.round(value).toLocaleString("en-US");

export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu?.model.trim() || "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
