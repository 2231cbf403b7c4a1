/** What a stream of one market is told, and what it works with. It exists only while somebody hears it. */
import type { EngineView, MarketView, Side, Trade } from "@pricetime/engine";
import type { History } from "../../history/port.ts";
import type { Timers } from "../../world/port.ts";
import type { Turns } from "../../answers/turns.ts";
import type { GatewayLog } from "../../api/options.ts";
import type { Publisher } from "../port.ts";

export interface MarketStream {
  trade?(trade: Trade): void;
  /** What rests at a price may have changed. */
  touched?(side: Side, priceTicks: number): void;
  /** The symbol was given candles of before its first trade. */
  pastGrown?(): void;
  /** An entry that changed something of the market is over; `timeMs` is its time. */
  entryDone?(timeMs: number): void;
  /** Every `periodMs`. */
  flush?(): void;
  readonly periodMs?: number;
  /** One more hears it. */
  joined?(): void;
  /** Nobody hears it any longer. */
  close?(): void;
}

export interface MarketContext {
  readonly engine: EngineView;
  readonly history: History;
  readonly publisher: Publisher;
  /** Where what tells of all markets is made. */
  readonly turns: Turns;
  readonly log: GatewayLog;
  readonly world: Timers;
  /** The exchange's time. */
  nowMs(): number;
  /** No entry that is yet to be applied is earlier. */
  settledMs(): number;
}

/** Of a stream that is being opened. */
export interface StreamPlace extends MarketContext {
  readonly name: string;
  readonly market: MarketView;
}
