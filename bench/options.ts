/** What a benchmark can be told on the command line. */
export interface BenchOptions {
  /** Rounds to take the median of; `lab-memory`: days. Default: the benchmark's own, at least 5. */
  readonly rounds?: number;
  /** `reads`: rows of the large history. */
  readonly rows?: number;
  /** `reads`: where the large history is kept between runs. */
  readonly data?: string;
  /** `engine`, `beside`: this of its flows alone, without growth and memory or the order path. */
  readonly flow?: string;
  /** `beside`: the other checkout's folder. */
  readonly checkout?: string;
  /** `terminal`: for how long the page is watched. */
  readonly minutes?: number;
}
