/** The messages between the processes of a soak test. */
import type { DemoAccount } from "@pricetime/testkit/venue";

export interface TraderStart {
  readonly type: "start";
  readonly port: number;
  /** The last one has no funds. */
  readonly accounts: readonly DemoAccount[];
  /** Connections that carry orders. */
  readonly connections: number;
  /** Connections that query history, one request after another. */
  readonly readers: number;
  readonly answersFile: string;
  readonly seed: number;
}

export type TraderOrder =
  | TraderStart
  /** Every connection sends its next request as soon as it has a response. */
  | { readonly type: "closedLoop" }
  /**
   * Requests are due by the clock, at `rate` per second. With `forgets`, requests that are due but not sent are
   * dropped.
   */
  | { readonly type: "openLoop"; readonly rate: number; readonly forgets: boolean }
  /** Requests the results since the last window. */
  | { readonly type: "window" }
  /** No more requests are due; running ones are awaited. */
  | { readonly type: "stop" };

export interface Window {
  readonly type: "window";
  readonly seconds: number;
  readonly answered: number;
  /** Milliseconds of each order and cancel, from when it was due. */
  readonly delaysMs: Float64Array;
  /** Milliseconds of each history query, from when it was sent. */
  readonly readDelaysMs: Float64Array;
  /** Requests that are due and not sent yet. */
  readonly backlog: number;
}

export interface Stopped {
  readonly type: "stopped";
  /** The number of orders and cancels, which are numbered from 1. */
  readonly sent: number;
  /** Requests without a response because their connection was lost. */
  readonly unanswered: number;
  /** Responses by kind and status. */
  readonly counts: Readonly<Record<string, number>>;
}

export type TraderReport =
  | { readonly type: "started" }
  | Window
  | Stopped
  | { readonly type: "checked"; readonly problems: readonly string[] };

/** Sockets with the same URL. */
export interface SocketPlan {
  readonly path: string;
  readonly count: number;
  /** The first socket records its messages; the others must receive the same number of bytes. */
  readonly record?: StreamRecord;
}

export interface StreamRecord {
  /** `trade`: complete messages; `user`: the compared fields of executionReports. */
  readonly kind: "trade" | "user";
  /** The symbol, or the account's email address. */
  readonly of: string;
  readonly file: string;
}

export type ListenerOrder =
  | { readonly type: "open"; readonly port: number; readonly plans: readonly SocketPlan[]; readonly idle: number }
  /** Checks that all connections are open and respond. */
  | { readonly type: "check" };

export type ListenerReport =
  | { readonly type: "opened" }
  | {
      readonly type: "checked";
      readonly alive: number;
      readonly problems: readonly string[];
      readonly messages: number;
    };
