/** What a process that holds one contestant is told, and what it says. */
import type { Outcome } from "./contestants.ts";

/** `speed`: as fast as it goes; `pauses`: with a clock read after every step. */
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
  /** The longest in which no other process took the core; `cause` tells of it. */
  readonly maxOwnUs: number;
  readonly cause: string;
}

/** How many steps of the flow are of which kind. */
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
