/**
 * Trades and aggregate trades of the parent's public archive, spot, um and cm futures. `isBuyerMaker`: the buyer rested,
 * so the taker sold.
 */
import type { Side } from "@pricetime/engine";
import { BadLine, booleanOf, countIn, countOrNothing, decimalOf, timeIn } from "./columns.ts";

export interface ArchiveTrade {
  readonly id: number;
  readonly timeMs: number;
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** The trades that it stands for; undefined where a file has other than whole numbers there. */
  readonly firstId: number | undefined;
  readonly lastId: number | undefined;
}

/** Where the columns stand that differ. */
export interface TradeColumns {
  readonly count: number;
  readonly time: number;
  readonly isBuyerMaker: number;
  readonly firstId: number;
  readonly lastId: number;
}

export const SPOT_TRADES: TradeColumns = { count: 7, time: 4, isBuyerMaker: 5, firstId: 0, lastId: 0 };
export const FUTURES_TRADES: TradeColumns = { count: 6, time: 4, isBuyerMaker: 5, firstId: 0, lastId: 0 };
export const SPOT_AGG_TRADES: TradeColumns = { count: 8, time: 5, isBuyerMaker: 6, firstId: 3, lastId: 4 };
export const FUTURES_AGG_TRADES: TradeColumns = { count: 7, time: 5, isBuyerMaker: 6, firstId: 3, lastId: 4 };

/** Where the columns of a line end; those of the line that was read last. */
const ends: number[] = [];

/** Throws `BadLine`. Only those columns are cut out that are told as texts: a million rows have seven million. */
export function readArchiveTrade(line: string, columns: TradeColumns): ArchiveTrade {
  let count = 0;
  for (let end = line.indexOf(","); end !== -1; end = line.indexOf(",", end + 1)) ends[count++] = end;
  ends[count++] = line.length;
  if (count !== columns.count) throw new BadLine(`a row has ${columns.count} columns, and here are ${count}`);
  const startOf = (column: number): number => (ends[column - 1] as number) + 1;
  const textOf = (column: number): string => line.slice(startOf(column), ends[column]);
  const id = countIn(line, 0, ends[0] as number);
  const idAt = (column: number): number | undefined =>
    column === 0 ? id : countOrNothing(line, startOf(column), ends[column] as number);
  return {
    id,
    firstId: idAt(columns.firstId),
    lastId: idAt(columns.lastId),
    timeMs: timeIn(line, startOf(columns.time), ends[columns.time] as number),
    price: decimalOf(textOf(1)),
    quantity: decimalOf(textOf(2)),
    takerSide: booleanOf(textOf(columns.isBuyerMaker)) ? "SELL" : "BUY",
  };
}
