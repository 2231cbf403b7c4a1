/** What all benchmarks share: their options, the tables that they print, and programs that measure in a process. */
import { execFile } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The command-line options of benchmarks. */
export interface BenchOptions {
  /**
   * The number of rounds, of which the median is taken; for `lab-memory`, days. Default: the benchmark's own, at least
   * 5.
   */
  readonly rounds?: number;
  /** `reads`: the rows of the large history; `export`, `lab-replay`, `lab-restore`: trades. */
  readonly rows?: number;
  /** `reads`: the folder of the large history, which is reused between runs. */
  readonly data?: string;
  /** `engine`, `beside`: only this flow, without growth and memory, or the order path. */
  readonly flow?: string;
  /** `beside`: the other checkout's folder. */
  readonly checkout?: string;
  /** `terminal`: how long the page is observed. */
  readonly minutes?: number;
}

type Cells = readonly (string | number)[];

const row = (cells: Cells): string => `| ${cells.join(" | ")} |`;

/** A Markdown table, line by line. */
export function table(head: readonly string[], rows: readonly Cells[]): string[] {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)];
}

export const thousands = (value: number): string => Math.round(value).toLocaleString("en-US");

export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu?.model.trim() || "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

/** Runs a program in a new process of Node and returns the JSON that it prints. */
export async function measuredIn<Result>(
  program: URL,
  args: readonly string[],
  nodeArgs: readonly string[] = [],
): Promise<Result> {
  const argv = ["--disable-warning=ExperimentalWarning", ...nodeArgs, fileURLToPath(program), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  return JSON.parse(stdout) as Result;
}
