/** What the load process is told and what it answers. */
import type { Quantiles } from "@pricetime/testkit/delays";
import type { Requests } from "./requests.ts";

export interface LoadOrder {
  readonly port: number;
  /** Accounts that send, in turn: the first so many of the venue. */
  readonly accounts: number;
  /** Stands before the number in client order ids. */
  readonly marker: string;
  readonly requests: Requests;
  readonly connections: number;
  /**
   * Requests a second, each due by the clock; its delay counts from when it was due, so that a stall is
   * counted for all whom it held up. 0: closed loop, each connection sends when it was answered.
   */
  readonly perSecond: number;
  /** Head and body are written apart, as Python's clients do. Default: in one piece. */
  readonly apart?: boolean;
  /** So many at the start are not measured. */
  readonly warmUp: number;
  /** Must stand in every answer's body, at its beginning when it is long; "": anything will do. */
  readonly expected: string;
  /** Status that every answer must have. Default: 200. */
  readonly status?: number;
}

export interface LoadResult {
  readonly answered: number;
  /** Measured answers a second. */
  readonly perSecond: number;
  readonly delayMs: Quantiles;
  /** Answers of another status than expected, by status. */
  readonly failures: Readonly<Record<string, number>>;
  /** An answer that was not as expected. */
  readonly oddAnswer: string;
  /** Answers that hold what was expected. */
  readonly asExpected: number;
  readonly bytesAnAnswer: number;
  /** What the load itself took of a core, in microseconds. */
  readonly cpuAnAnswerUs: number;
}
