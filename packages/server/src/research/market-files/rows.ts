/** What a file of a market holds, row by row, whatever its layout. Prices and quantities are decimals as they stand there. */
import type { Side } from "@pricetime/engine";
import type { FileInterval } from "./candle-intervals.ts";

export const LAYOUTS = ["trades", "aggTrades", "klines", "lobster", "recording"] as const;
export type Layout = (typeof LAYOUTS)[number];

interface Row {
  /** Milliseconds since 1970; what a file says of finer parts is cut off. */
  readonly timeMs: number;
  /** In its file, from 1. */
  readonly line: number;
}

export interface TradeRow extends Row {
  readonly kind: "trade";
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** The numbers of the trades that it stands for, where the file has them: those of one market have no gaps. */
  readonly firstId?: number | undefined;
  readonly lastId?: number | undefined;
}

/** How a candle differs from one that lasts its interval: an outage ended it, or it opens elsewhere. */
export type CandleOddity = "cut short" | "shifted";

export interface CandleRow extends Row {
  readonly kind: "candle";
  readonly closeMs: number;
  /** That of its file; undefined: none of its first candles has the length of one. */
  readonly interval: FileInterval | undefined;
  /** Open time of the interval that it belongs to. */
  readonly slotMs: number;
  readonly oddity: CandleOddity | null;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  /** Amounts of the base asset: what was traded, and what takers bought of it. */
  readonly volume: string;
  readonly takerBought: string;
  /** The same of the quote asset. */
  readonly quoteVolume: string;
  readonly takerPaid: string;
  /** How many trades there were. */
  readonly count: number;
}

/** What LOBSTER's messages tell of; see its read-me. Auctions and halts are told of, and no order. */
export const MESSAGE_TYPES = ["new", "reduced", "deleted", "executed", "executed hidden", "auction", "halt"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

export interface MessageRow extends Row {
  readonly kind: "message";
  readonly type: MessageType;
  /** 0 for hidden orders. */
  readonly orderId: number;
  /** Integers, of 10^-sizeScale and 10^-priceScale. */
  readonly size: number;
  readonly price: number;
  readonly sizeScale: number;
  readonly priceScale: number;
  /** That of the order which rests, or rested. */
  readonly side: Side;
}

export type MarketRow = TradeRow | CandleRow | MessageRow;
