/** The messages to and from the process of one implementation. */
import type { Outcome } from "./contestants.ts";

/** `speed`: as fast as possible; `pauses`: the clock is read after every step. */
export interface RoundOrder {
  readonly kind: "speed" | "pauses";
  readonly from: number;
  readonly to: number;
}

/** Times between the ends of consecutive steps. */
export interface Pauses {
  readonly p50Us: number;
  readonly p9999Us: number;
  readonly maxUs: number;
  /** The longest one in which no other process used the core; `cause` describes it. */
  readonly maxOwnUs: number;
  readonly cause: string;
}

/** The number of steps of each kind. */
export interface FlowShares {
  readonly opening: number;
  readonly adds: number;
  readonly cancels: number;
  readonly crossing: number;
}

export type Report =
  | { readonly type: "loaded"; readonly flow: FlowShares }
  | { readonly type: "round"; readonly perSecond: number; readonly pauses: Pauses | null }
  | { readonly type: "outcome"; readonly outcome: Outcome }
  | { readonly type: "failed"; readonly reason: string };
