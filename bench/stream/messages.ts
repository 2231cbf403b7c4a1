/** The messages between the stream benchmark and its two processes. Times are `process.hrtime` in milliseconds. */

/** The two compared senders. */
export type Sender = "hub" | "bare";

export interface ServerPorts {
  readonly hub: number;
  readonly bare: number;
  /** A complete node: orders, journal, market streams. */
  readonly node: number;
}

export type ServerOrder =
  /** Sends one message `turns` times on each of so many streams, to every connection on that port. */
  | { readonly type: "fan"; readonly sender: Sender; readonly streams: number; readonly turns: number }
  /** Trades at a fixed pace. */
  | { readonly type: "trade"; readonly trades: number; readonly everyMs: number };

export type ServerReport =
  | { readonly type: "listening"; readonly ports: ServerPorts; readonly messageBytes: number }
  | { readonly type: "fanned"; readonly startMs: number }
  /** The time at which each trade was durable. */
  | { readonly type: "traded"; readonly committed: readonly (readonly [tradeId: number, atMs: number])[] };

export type ClientOrder =
  | { readonly type: "open"; readonly port: number; readonly path: string; readonly count: number }
  /** Waits until every connection has received so many bytes. */
  | { readonly type: "await"; readonly bytesEach: number }
  | { readonly type: "hear" }
  | { readonly type: "heard" }
  | { readonly type: "close" };

export type ClientReport =
  | { readonly type: "open" }
  | { readonly type: "had"; readonly endMs: number }
  | { readonly type: "hearing" }
  | { readonly type: "heard"; readonly arrivals: readonly (readonly [tradeId: number, atMs: number])[] }
  | { readonly type: "closed"; readonly stillOpen: number };

export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The streams of the `fan` orders. */
export function streamNames(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `bench${n}@trade`);
}
