/**
 * Trades of tardis.dev: exchange, symbol, times in microseconds, id, the taker's side. A file may hold several symbols;
 * one is read. Rows are in the order in which they were received, so their own times may go back a little.
 */
import type { Side } from "@pricetime/engine";
import { BadLine, countOrNothing, decimalOf, timeOf } from "./columns.ts";

export const TARDIS_HEADER = "exchange,symbol,timestamp,local_timestamp,id,side,price,amount";
/** What all files of tardis.dev begin with. */
const TARDIS_START = "exchange,symbol,timestamp,local_timestamp,";
const TARDIS_COLUMNS = 8;
const SIDES: Readonly<Record<string, Side>> = { buy: "BUY", sell: "SELL" };

interface TardisTrade {
  readonly timeMs: number;
  readonly price: string;
  readonly quantity: string;
  readonly takerSide: Side;
  /** Undefined where the exchange has other ids than whole numbers. */
  readonly tradeId: number | undefined;
}

export const isTardisHeader = (text: string): boolean => text.startsWith(TARDIS_START);

/** Whether the header is that of trades: other kinds of their files have other columns. */
export const isOfTardisTrades = (header: string): boolean => header.trim() === TARDIS_HEADER;

export function isTardisTrade(fields: readonly string[]): boolean {
  return fields.length === TARDIS_COLUMNS && /^(buy|sell|unknown)$/.test(fields[5] ?? "");
}

/** `symbol`: that of the file. Throws `BadLine`. */
export function readTardisTrade(line: string, symbol: string): TardisTrade {
  const fields = line.split(",");
  if (fields.length !== TARDIS_COLUMNS) {
    throw new BadLine(`a trade of tardis has ${TARDIS_COLUMNS} columns, and here are ${fields.length}`);
  }
  const [, ofSymbol, timestamp, , id, side, price, amount] = fields as [string, ...string[]] as readonly string[];
  if (ofSymbol !== symbol) throw new BadLine(`it is of ${ofSymbol}, and the file begins with ${symbol}`);
  const takerSide = SIDES[side ?? ""];
  if (takerSide === undefined) throw new BadLine(`the taker's side is '${side}', neither buy nor sell`);
  return {
    timeMs: timeOf(timestamp ?? ""),
    price: decimalOf(price ?? ""),
    quantity: decimalOf(amount ?? ""),
    takerSide,
    tradeId: countOrNothing(id ?? "", 0, id?.length ?? 0),
  };
}
