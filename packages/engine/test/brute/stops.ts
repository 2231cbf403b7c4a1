/** Every combination of up to six orders waiting at three stop prices, with a thin book and without a last price. */
import type { Command, OrderType, PlaceOrder, Side } from "@pricetime/engine";
import { countsOf, limitOrder, MAKER, PRICES } from "./books.ts";

const MOST_ORDERS = 6;

/**
 * The kinds of waiting orders, used in rotation. A limit price is one step towards the side on which the order trades.
 */
const KINDS: readonly (readonly [side: Side, orderType: OrderType, timeInForce: PlaceOrder["timeInForce"]])[] = [
  ["SELL", "STOP_LOSS", "GTC"],
  ["BUY", "STOP_LOSS_LIMIT", "GTC"],
  ["BUY", "TAKE_PROFIT", "GTC"],
  ["SELL", "TAKE_PROFIT_LIMIT", "FOK"],
  ["BUY", "STOP_LOSS", "GTC"],
  ["SELL", "STOP_LOSS_LIMIT", "IOC"],
];

/** Resting orders on both sides of the middle. */
const BOOK: readonly Command[] = [
  limitOrder(MAKER, "bid1", "BUY", 1, 2, 0),
  limitOrder(MAKER, "bid2", "BUY", 2, 2, 1),
  limitOrder(MAKER, "ask3", "SELL", 3, 3, 1),
  limitOrder(MAKER, "ask4", "SELL", 4, 9, 0),
];

export function* waitingOrders(): Iterable<readonly Command[]> {
  for (const counts of countsOf(PRICES.length, MOST_ORDERS)) {
    const waiting: Command[] = [];
    // The prices in rotation, so that age and distance differ.
    for (let round = 0; round < MOST_ORDERS; round++) {
      for (const [at, stopTicks] of PRICES.entries()) {
        if (counts[at]! > round) waiting.push(waitingOrder(`w${waiting.length}`, stopTicks, waiting.length));
      }
    }
    yield [...BOOK, ...waiting];
  }
}

function waitingOrder(id: string, stopTicks: number, ordinal: number): PlaceOrder {
  const [side, orderType, timeInForce] = KINDS[(ordinal + stopTicks) % KINDS.length]!;
  const priceTicks = side === "BUY" ? stopTicks + 1 : Math.max(1, stopTicks - 1);
  const plain = limitOrder(MAKER, id, side, orderType.endsWith("LIMIT") ? priceTicks : 0, 1 + (ordinal % 2), 0);
  return { ...plain, orderType, timeInForce, stopTicks };
}
