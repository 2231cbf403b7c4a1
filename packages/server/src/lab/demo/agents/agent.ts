/**
 * Agents trade beside the bots of a lab's symbol. An agent sees the public market and its own orders, and answers with
 * its acts, which others carry out. It draws from dice of its own, so the same sight gives the same acts.
 */
import type { Keeping } from "../../../platform/world/kept.ts";
import type { Grid } from "../bots/grid.ts";
import type { OpenQuote, Quote, Side, TakerOrder } from "../bots/orders.ts";
import type { Tape } from "./tape.ts";

export interface AgentView {
  readonly nowMs: number;
  /** The best prices, in ticks of the grid; none is 0: agents sleep while a side is empty. */
  readonly bid: number;
  readonly ask: number;
  readonly tape: Pick<Tape, "last" | "returnOver" | "high" | "low">;
  /** What it owns beyond what it was given; below 0: what it owes. */
  readonly positionLots: number;
  /** Its orders that rest. */
  readonly open: readonly OpenQuote[];
}

export type AgentAct =
  | { readonly type: "cancel"; readonly orderId: number }
  | { readonly type: "quote"; readonly side: Side; readonly quote: Quote }
  | { readonly type: "take"; readonly order: TakerOrder }
  /** Its private news becomes public: the value is higher by this from now on, as a logarithm. */
  | { readonly type: "news"; readonly size: number };

export interface Agent extends Keeping {
  /** When it wakes next. */
  readonly nextMs: number;
  /** `nextMs` is later afterwards. */
  wake(view: AgentView): readonly AgentAct[];
}

/** What an agent is made with. */
export interface AgentParts {
  readonly seed: number;
  /** Its own among all, for its dice. */
  readonly name: string;
  readonly nowMs: number;
  readonly grid: Grid;
  /** In the quote asset: its average order, what it may own or owe, and the least that the symbol takes. */
  readonly orderQuote: number;
  readonly maxPositionQuote: number;
  readonly minNotional: number;
  /** What is usually traded in a day, in the quote asset. */
  readonly dailyVolume: number;
}
