/** What the campaign and the process of the quiet client say to each other. */
import type { DemoAccount } from "@pricetime/testkit/venue";
import type { Seen } from "./verdict.ts";

export interface QuietStart {
  readonly type: "start";
  readonly port: number;
  /** The admin API, as `http://127.0.0.1:8081`. */
  readonly admin: string;
  readonly symbol: string;
  /** Each trades from an address of its own. */
  readonly accounts: readonly DemoAccount[];
  /** Orders and cancels a second, of all accounts together. */
  readonly rate: number;
}

export type QuietOrder = QuietStart | { readonly type: "window" } | { readonly type: "stop" };

export type QuietReport =
  | { readonly type: "started" }
  /** Since the window before. */
  | { readonly type: "window"; readonly seen: Seen }
  /** The last window, with what was still awaited. */
  | { readonly type: "stopped"; readonly seen: Seen };
