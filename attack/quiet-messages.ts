/** The messages between the campaign and the process of the quiet client. */
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { Seen } from "./verdict.ts";

export interface QuietStart {
  readonly type: "start";
  readonly port: number;
  /** The URL of the admin API, such as `http://127.0.0.1:8081`. */
  readonly admin: string;
  readonly symbol: string;
  /** Each trades from an address of its own. */
  readonly accounts: readonly DemoAccount[];
  /** Orders and cancels per second, of all accounts together. */
  readonly rate: number;
}

export type QuietOrder = QuietStart | { readonly type: "window" } | { readonly type: "stop" };

export type QuietReport =
  | { readonly type: "started" }
  /** Since the previous window. */
  | { readonly type: "window"; readonly seen: Seen }
  /** The last window, including requests that were not answered yet. */
  | { readonly type: "stopped"; readonly seen: Seen };
