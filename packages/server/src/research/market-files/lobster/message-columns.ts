/**
 * A message of LOBSTER: time in seconds after midnight, type, order id, size, price, direction. Files of some years have
 * a seventh column, which is not read. Auctions (type 6) have ids from -1 to -4.
 */
import type { Side } from "@pricetime/engine";
import { BadLine, countOf } from "../public-archive/columns.ts";
import { MESSAGE_TYPES, type MessageType } from "../rows.ts";

export const MESSAGE_COLUMNS: readonly number[] = [6, 7];
const TIME = /^([0-9]{1,5})(?:\.([0-9]{1,9}))?$/;
const SECONDS_A_DAY = 86_400;

export interface LobsterMessage {
  readonly afterMidnightMs: number;
  readonly type: MessageType;
  readonly orderId: number;
  readonly size: number;
  readonly price: number;
  readonly side: Side;
}

/** Throws `BadLine`. */
export function readMessage(line: string): LobsterMessage {
  const fields = line.split(",");
  if (!MESSAGE_COLUMNS.includes(fields.length)) {
    throw new BadLine(`a message has 6 columns or 7, and here are ${fields.length}`);
  }
  const [time, typeText, orderId, size, price, direction] = fields as [string, string, string, string, string, string];
  const type = MESSAGE_TYPES[Number(typeText) - 1];
  if (type === undefined) throw new BadLine(`there is no type ${typeText} of messages`);
  const isOfOrder = type !== "auction" && type !== "halt";
  if (direction !== "1" && direction !== "-1") throw new BadLine(`'${direction}' is no direction: 1 or -1`);
  return {
    afterMidnightMs: afterMidnight(time),
    type,
    // Auctions and halts name no order, and the price of a halt is a sign: none of it is played.
    orderId: isOfOrder ? countOf(orderId) : 0,
    size: isOfOrder ? countOf(size) : 0,
    price: isOfOrder ? countOf(price) : 0,
    side: direction === "1" ? "BUY" : "SELL",
  };
}

function afterMidnight(text: string): number {
  const [, seconds, places = ""] = TIME.exec(text) ?? [];
  if (seconds === undefined || Number(seconds) >= SECONDS_A_DAY) {
    throw new BadLine(`${text} is no time in seconds after midnight`);
  }
  return Number(seconds) * 1000 + Number(places.padEnd(3, "0").slice(0, 3));
}
