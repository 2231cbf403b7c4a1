/** The messages to and from the load process. */
import type { Quantiles } from "@pricetime/testkit/delays";
import type { Requests } from "./requests.ts";

export interface LoadOrder {
  readonly port: number;
  /** The number of accounts that send, in turn: the first ones of the venue. */
  readonly accounts: number;
  /** The prefix of the number in client order IDs. Default: `b`. */
  readonly marker?: string;
  readonly requests: Requests;
  readonly connections: number;
  /**
   * Requests per second, each due by the clock. Delays count from the due time, so that a stall counts for all requests
   * that it delays. Default: 0, a closed loop, in which each connection sends its next request after a response.
   */
  readonly perSecond?: number;
  /** Head and body are sent separately, as Python's clients do. Default: in one piece. */
  readonly apart?: boolean;
  /** The number of requests at the start that are not measured. Default: 0. */
  readonly warmUp?: number;
  /** A text that every response's body must contain, at its beginning if it is long; "": anything. */
  readonly expected: string;
  /** The status that every response must have. Default: 200. */
  readonly status?: number;
}

export interface LoadResult {
  readonly answered: number;
  /** Measured responses per second. */
  readonly perSecond: number;
  readonly delayMs: Quantiles;
  /** Responses with another status than expected, by status. */
  readonly failures: Readonly<Record<string, number>>;
  /** A response that was not as expected. */
  readonly oddAnswer: string;
  /** The number of responses that were as expected. */
  readonly asExpected: number;
  readonly bytesAnAnswer: number;
  /** Processor time of the load process itself, in microseconds per response. */
  readonly cpuAnAnswerUs: number;
}

/** `result` is the message of the error if the load failed. */
export interface LoadReport {
  readonly type: "ended";
  readonly result: LoadResult | string;
}
