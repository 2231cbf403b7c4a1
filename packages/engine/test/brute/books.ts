/** Every starting book: up to six orders over three prices, each price on one side, bids below asks. */
import type { Command, PlaceOco, PlaceOrder, Side } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";

export const PRICES = [1, 2, 3] as const;
const MOST_ORDERS = 6;
export const MAKER = 100;
export const TAKER = 101;

/** One price of a starting book: its side, and the number of orders there. */
interface Level {
  readonly priceTicks: number;
  readonly side: Side;
  readonly count: number;
}

/** The kinds of orders in a book, used in rotation: lots, and the visible slice (0: all). */
const KINDS: readonly (readonly [lots: number, slice: number])[] = [
  [1, 0],
  [3, 1],
  [2, 0],
  [3, 2],
  [1, 0],
  [2, 1],
];

export function* startingBooks(): Iterable<readonly Command[]> {
  // The index of the first ask among the prices. All prices before it are bids.
  for (let firstAsk = 0; firstAsk <= PRICES.length; firstAsk++) {
    for (const counts of countsOf(PRICES.length, MOST_ORDERS)) {
      // Each book is generated once: there must be a bid directly below the boundary.
      if (firstAsk > 0 && counts[firstAsk - 1] === 0) continue;
      const levels = PRICES.map(
        (priceTicks, at): Level => ({
          priceTicks,
          side: at < firstAsk ? "BUY" : "SELL",
          count: counts[at]!,
        }),
      );
      yield ordersOf(levels);
    }
  }
}

/** All tuples of `places` numbers whose sum is at most `most`. */
export function* countsOf(places: number, most: number): Iterable<readonly number[]> {
  if (places === 0) {
    yield [];
    return;
  }
  for (let first = 0; first <= most; first++) {
    for (const rest of countsOf(places - 1, most - first)) yield [first, ...rest];
  }
}

function ordersOf(levels: readonly Level[]): Command[] {
  const commands: Command[] = [];
  for (const { priceTicks, side, count } of levels) {
    for (let i = 0; i < count; i++) {
      const id = `m${commands.length}`;
      const isOutermost = priceTicks === (side === "BUY" ? 1 : 3);
      // The first order at the outermost price is the limit leg of a list, whose stop leg has the opposite outermost
      // price.
      if (i === 0 && isOutermost) commands.push(oco(id, side, priceTicks));
      else {
        const [quantityLots, icebergLots] = KINDS[commands.length % KINDS.length]!;
        commands.push(limitOrder(MAKER, id, side, priceTicks, quantityLots, icebergLots));
      }
    }
  }
  return commands;
}

export function limitOrder(
  accountId: number,
  clientOrderId: string,
  side: Side,
  priceTicks: number,
  quantityLots: number,
  icebergLots: number,
): PlaceOrder {
  return placeOrder({ accountId, side, priceTicks, quantityLots, icebergLots, clientOrderId });
}

function oco(id: string, side: Side, priceTicks: number): PlaceOco {
  const common = { timeInForce: "GTC", icebergLots: 0 } as const;
  return {
    type: "placeOco",
    accountId: MAKER,
    symbolId: 0,
    side,
    quantityLots: 2,
    stopLeg: { ...common, orderType: "STOP_LOSS", priceTicks: 0, stopTicks: 4 - priceTicks, clientOrderId: `${id}s` },
    limitLeg: { ...common, orderType: "LIMIT_MAKER", priceTicks, stopTicks: 0, clientOrderId: id },
    listClientOrderId: id,
  };
}
