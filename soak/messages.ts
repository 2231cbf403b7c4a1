/** What the processes of a soak tell each other. */
import type { DemoAccount } from "@pricetime/testkit/venue";

export interface TraderStart {
  readonly type: "start";
  readonly port: number;
  /** The last one has no money. */
  readonly accounts: readonly DemoAccount[];
  /** That carry orders. */
  readonly connections: number;
  /** That ask history, one question after another. */
  readonly readers: number;
  readonly answersFile: string;
  readonly seed: number;
}

export type TraderOrder =
  | TraderStart
  /** Every connection sends as soon as it is answered. */
  | { readonly type: "closedLoop" }
  /** Requests are due by the clock, so many a second. `forgets`: what was due and not sent is forgotten. */
  | { readonly type: "openLoop"; readonly rate: number; readonly forgets: boolean }
  /** Tell what was since the last time. */
  | { readonly type: "window" }
  /** Nothing more is due; what is under way is awaited. */
  | { readonly type: "stop" };

export interface Window {
  readonly type: "window";
  readonly seconds: number;
  readonly answered: number;
  /** Milliseconds of each order and cancel, from when it was due. */
  readonly delaysMs: Float64Array;
  /** Milliseconds of each question about the past, from when it was sent. */
  readonly readDelaysMs: Float64Array;
  /** Due and not sent yet. */
  readonly backlog: number;
}

export interface Stopped {
  readonly type: "stopped";
  /** Orders and cancels, whose numbers go from 1 to this. */
  readonly sent: number;
  /** Requests without an answer because their connection was lost. */
  readonly unanswered: number;
  /** Answers by kind and status. */
  readonly counts: Readonly<Record<string, number>>;
}

export type TraderReport =
  | { readonly type: "started" }
  | Window
  | Stopped
  | { readonly type: "checked"; readonly problems: readonly string[] };

/** Sockets on one address. */
export interface SocketPlan {
  readonly path: string;
  readonly count: number;
  /** The first of them keeps what it hears there; the others must hear as many bytes. */
  readonly record?: StreamRecord;
}

export interface StreamRecord {
  /** `trade`: every message as it is. `user`: what executionReports say. */
  readonly kind: "trade" | "user";
  /** The symbol, or the account's mail address. */
  readonly of: string;
  readonly file: string;
}

export type ListenerOrder =
  | { readonly type: "open"; readonly port: number; readonly plans: readonly SocketPlan[]; readonly idle: number }
  /** Is everything still open, and does it answer? */
  | { readonly type: "check" };

export type ListenerReport =
  | { readonly type: "opened" }
  | {
      readonly type: "checked";
      readonly alive: number;
      readonly problems: readonly string[];
      readonly messages: number;
    };
