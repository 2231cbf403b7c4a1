/**
 * Answers of the lab's admin API that its client in `packages/lab` also uses. Amounts are decimal strings, times are
 * milliseconds since 1970 by the exchange's clock.
 */
import type { OrderStatus, OrderType, Side } from "./enums.ts";

// Events of accounts and markets as the watch of a lab reports them.

interface OfAccount {
  /** The email address of the account: `exchange.account("alice").email`. */
  readonly account: string;
}

interface OfOrder extends OfAccount {
  readonly symbol: string;
  readonly orderId: number;
  readonly side: Side;
}

/** The state of an order after it was accepted, executed or ended. */
export interface OrderSeen extends OfOrder {
  readonly kind: "order";
  readonly clientOrderId: string;
  readonly type: OrderType;
  readonly price: string;
  readonly quantity: string;
  readonly executed: string;
  readonly status: Exclude<OrderStatus, "PENDING_CANCEL">;
}

export interface FillSeen extends OfOrder {
  readonly kind: "fill";
  readonly tradeId: number;
  readonly isMaker: boolean;
  readonly price: string;
  readonly quantity: string;
  readonly baseAsset: string;
  /** The amount paid or received in the quote asset. */
  readonly quote: string;
  readonly quoteAsset: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

/** The new balance of an account. */
export interface BalanceSeen extends OfAccount {
  readonly kind: "balance";
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** A deposit (positive) or withdrawal (negative): any change of a balance except by trading. */
export interface MoneySeen extends OfAccount {
  readonly kind: "moved";
  readonly asset: string;
  readonly amount: string;
}

/** The new number of an account's open orders, by symbol. Symbols without open orders are absent. */
export interface OpenOrdersSeen extends OfAccount {
  readonly kind: "openOrders";
  readonly count: Readonly<Record<string, number>>;
}

/** A rejected request. `account` is null if no known key was sent; `code` is null if the answer has none. */
export interface RefusalSeen {
  readonly kind: "refused";
  readonly account: string | null;
  readonly over: "rest" | "websocket";
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  readonly code: number | null;
  readonly msg: string;
}

/** The new last price of a symbol. */
export interface PriceSeen {
  readonly kind: "price";
  readonly symbol: string;
  readonly price: string;
}

/** The new status of a symbol. */
export interface StatusSeen {
  readonly kind: "status";
  readonly symbol: string;
  readonly status: string;
}

/** Whether one side of a symbol's book is now empty. */
export interface BookSeen {
  readonly kind: "book";
  readonly symbol: string;
  readonly side: Side;
  readonly isEmpty: boolean;
}

export type Seen =
  | OrderSeen
  | FillSeen
  | BalanceSeen
  | MoneySeen
  | OpenOrdersSeen
  | RefusalSeen
  | PriceSeen
  | StatusSeen
  | BookSeen;

/** One event. `number` counts from 1 without gaps, `seq` is the number of the journal entry. */
export type WatchRecord = { readonly number: number; readonly atMs: number; readonly seq: number } & Seen;

// The status of a scenario, as its runner reports it to the lab.

export interface ScenarioStatus {
  readonly name: string;
  /** SHA-256 of the scenario's file in hex, at least its first eight digits. */
  readonly hash: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The actions of the scenario. */
  readonly timeline: readonly {
    readonly atMs: number;
    readonly kind: string;
    readonly text: string;
    readonly isDone: boolean;
  }[];
  /** The assertions of the scenario. */
  readonly asserts: readonly {
    readonly name: string;
    readonly kind: "always" | "never" | "sometimes" | "finally";
    readonly state: "holds" | "waiting" | "failed";
    readonly text: string;
  }[];
}

// Markets, agents and replays.

/** One symbol's market: the settings in force and the scheduled moves. */
export interface MarketState {
  readonly symbol: string;
  readonly status: string;
  /** The type of its market maker; null if it has none. */
  readonly driver: string | null;
  /** The value around which the makers quote; null before the first step of a market that a test drives. */
  readonly price: number | null;
  /** The requested settings; null if none were ever requested. */
  readonly holds: Readonly<Record<string, unknown>> | null;
  readonly scheduled: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

export type AgentType = "noise" | "momentum" | "reversion" | "informed" | "worked" | "stop-hunter";

/** A group of agents and its results since it was created. */
export interface AgentGroup {
  readonly id: number;
  readonly type: AgentType;
  readonly symbol: string;
  readonly count: number;
  /** All settings in force, including defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isOn: boolean;
  /** Names of the agents' accounts. */
  readonly accounts: readonly string[];
  /** The number of trades. A trade between two agents of the group counts twice, here and in `volumeQuote`. */
  readonly trades: number;
  readonly volumeQuote: string;
  /** The group's position relative to the balances that the agents were given; negative if the group is short. */
  readonly positionBase: string;
  /** The profit of the group at the last price. */
  readonly profitQuote: string;
}

export type ReplayLayout = "trades" | "aggTrades" | "klines" | "lobster" | "recording";

export interface Replay {
  readonly id: number;
  readonly symbol: string;
  readonly layout: ReplayLayout;
  /** Whether the files are candles, each replayed as four trades in an assumed order. */
  readonly isAssumed: boolean;
  readonly files: readonly string[];
  readonly impact: "book" | "none";
  readonly state: "checking" | "waiting" | "playing" | "paused" | "ended" | "failed";
  readonly speed: number;
  /** The time of the last row, by the lab's clock (`atMs`) and in the file (`fileMs`); null before the first row. */
  readonly atMs: number | null;
  readonly fileMs: number | null;
  /** The number of replayed rows. */
  readonly rows: number;
  readonly trades: number;
  /** The number of rows that are not orders, such as executions of hidden orders. */
  readonly skipped: number;
  /** The number of bytes of the files that were replayed. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** The number of bytes that were checked so far, while the replay is `checking`. */
  readonly checkedBytes?: number;
  /**
   * Anomalies in the files that do not prevent the replay, such as missing candles or rows that all have the same side.
   */
  readonly doubts: readonly string[];
  /** Why the replay failed. */
  readonly error?: string;
}
