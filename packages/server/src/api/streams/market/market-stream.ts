/** Streams of one market: their interface and context, and their names. Interface 10.1, 10.3. */
import type { EngineView, MarketView, Side, Trade } from "@pricetime/engine";
import type { History } from "../../../history/port.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import type { Timers } from "../../../platform/world/port.ts";
import type { Turns } from "../../answers/turns.ts";
import type { GatewayLog } from "../../options.ts";
import type { Publisher } from "../port.ts";

export interface MarketStream {
  trade?(trade: Trade): void;
  /** The orders resting at a price may have changed. */
  touched?(side: Side, priceTicks: number): void;
  /** The symbol was given candles from before its first trade. */
  pastGrown?(): void;
  /** An entry that changed the market is complete; `timeMs` is its time. */
  entryDone?(timeMs: number): void;
  /** Called every `periodMs`. */
  flush?(): void;
  readonly periodMs?: number;
  /** One more subscriber has come. */
  joined?(): void;
  /** The last subscriber has gone. */
  close?(): void;
  /** What is kept of it for a checkpoint; absent: nothing, its state follows from the exchange's. */
  kept?(): KeptValue;
}

export interface MarketContext {
  readonly engine: EngineView;
  readonly history: History;
  readonly publisher: Publisher;
  /** Messages about all markets are made here. */
  readonly turns: Turns;
  readonly log: GatewayLog;
  readonly world: Timers;
  /** The exchange's time. */
  nowMs(): number;
  /** Entries yet to be applied are not earlier than this. */
  settledMs(): number;
}

/** The place of a stream that is being opened. */
export interface StreamPlace extends MarketContext {
  readonly name: string;
  readonly market: MarketView;
}
