/**
 * A driver makes the market of a symbol: the demo's bots, or in a lab whatever replaces them. It looks and decides;
 * others carry its acts out, through the gateway or at once.
 */
import type { Keeping } from "../../../platform/world/kept.ts";
import type { OpenQuote, Quote, Side, TakerOrder } from "./orders.ts";

/** The jobs for which a symbol has accounts. */
export const JOBS = ["bids", "asks", "depth", "taker"] as const;
export type Job = (typeof JOBS)[number];

export type Action =
  | { readonly type: "cancel"; readonly job: Job; readonly orderId: number }
  | { readonly type: "quote"; readonly job: Job; readonly side: Side; readonly quote: Quote }
  | { readonly type: "take"; readonly order: TakerOrder };

/** A look is answered with the open quotes of each of its jobs; actions are carried out before the next move. */
export type Move =
  | { readonly type: "look"; readonly jobs: readonly Job[] }
  | { readonly type: "act"; readonly actions: readonly Action[] };

export type Moves<T = void> = Generator<Move, T, readonly (readonly OpenQuote[])[]>;

export interface SymbolDriver extends Keeping {
  readonly symbol: string;
  /** The market goes on from this last price; 0: nothing has traded. Called once, before the first step of all. */
  begin(lastPrice: number): void;
  /** The moves of a step. `nowMs`: the market's time. */
  step(nowMs: number): Moves;
}
