/** The command-line options of benchmarks. */
export interface BenchOptions {
  /**
   * The number of rounds, of which the median is taken; for `lab-memory`, days. Default: the benchmark's own, at least
   * 5.
   */
  readonly rounds?: number;
  /** `reads`: the rows of the large history. */
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
