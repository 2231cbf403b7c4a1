/**
 * Trades and aggregate trades of the parent's public archive, spot, um and cm futures. `isBuyerMaker`: the buyer rested,
 * so the taker sold.
 */
import type { Side } from "@pricetime/engine";
import { BadLine, booleanOf, countOf, decimalOf, timeOf } from "./columns.ts";

export interface ArchiveTrade {
  readonly id: number;
  readonly timeMs: number;
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
}

/** Where the columns stand that differ. */
export interface TradeColumns {
  readonly count: number;
  readonly time: number;
  readonly isBuyerMaker: number;
}

export const SPOT_TRADES: TradeColumns = { count: 7, time: 4, isBuyerMaker: 5 };
export const FUTURES_TRADES: TradeColumns = { count: 6, time: 4, isBuyerMaker: 5 };
export const SPOT_AGG_TRADES: TradeColumns = { count: 8, time: 5, isBuyerMaker: 6 };
export const FUTURES_AGG_TRADES: TradeColumns = { count: 7, time: 5, isBuyerMaker: 6 };

/** Throws `BadLine`. */
export function readArchiveTrade(line: string, columns: TradeColumns): ArchiveTrade {
  const fields = line.split(",");
  if (fields.length !== columns.count) {
    throw new BadLine(`a row has ${columns.count} columns, and here are ${fields.length}`);
  }
  return {
    id: countOf(fields[0] as string),
    timeMs: timeOf(fields[columns.time] as string),
    price: decimalOf(fields[1] as string),
    quantity: decimalOf(fields[2] as string),
    takerSide: booleanOf(fields[columns.isBuyerMaker] as string) ? "SELL" : "BUY",
  };
}
