/** The scenarios of pegged orders find bugs in them: with each planted bug, one of them fails. */
import { opposite, type Side } from "@pricetime/engine";
import { LadderBook } from "../src/state/book/book.ts";
import { extrasOf, Order } from "../src/state/order/order.ts";
import type { Pegging } from "../src/state/order/pegging.ts";
import { SAVED_ORDER } from "../src/state/order/saved-order.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("pegged.txt");

type Level = readonly [side: Side, level: number];

function withLevels(bug: (book: LadderBook, real: (...level: Level) => number, level: Level) => number) {
  return SCENARIOS.failingWith(LadderBook.prototype, "levelTicks", (book, real, args) =>
    bug(book, (...level) => real(...level) as number, args as unknown as Level),
  );
}

SCENARIOS.find({
  "the price of the other side": () => withLevels((_book, real, [side, level]) => real(opposite(side), level)),
  "one level too deep": () => withLevels((_book, real, [side, level]) => real(side, level + 1)),
  "an offset is one level too small": () =>
    withLevels((_book, real, [side, level]) => real(side, Math.max(0, level - 1))),
  "an offset counts ticks instead of levels": () =>
    withLevels((_book, real, [side, level]) => {
      const best = real(side, 0);
      return best === 0 ? 0 : best + (side === "BUY" ? -level : level);
    }),
  "an offset counts orders instead of levels": () =>
    withLevels((book, _real, [side, level]) => [...book.orders(side)][level]?.priceTicks ?? 0),
  "the last level stands for a missing one": () =>
    withLevels((book, real, [side, level]) => {
      const levels = new Set([...book.orders(side)].map(({ priceTicks }) => priceTicks)).size;
      return real(side, Math.min(level, Math.max(0, levels - 1)));
    }),
  "the level of an iceberg does not count": () =>
    withLevels((book, _real, [side, level]) => {
      const plain = [...book.orders(side)].filter(({ hiddenLots }) => hiddenLots === 0);
      return [...new Set(plain.map(({ priceTicks }) => priceTicks))][level] ?? 0;
    }),
  "a resting order follows the best price": () =>
    SCENARIOS.failingWith(LadderBook.prototype, "add", (book, real, [added]) => {
      real(added);
      for (const order of book.orders((added as Order).side)) {
        const best = book.bestTicks(order.side);
        if (order.peg?.level !== 0 || order.priceTicks === best) continue;
        book.remove(order);
        order.takePrice(order.peg, best);
        real(order);
      }
    }),
  "a triggered order ignores the price of the client": () =>
    SCENARIOS.failingWith(Order.prototype, "takePrice", (_order, real, [pegging]) =>
      real(pegging, (pegging as Pegging).peggedTicks),
    ),
  "a triggered order ignores the price of the book": () =>
    SCENARIOS.failingWith(Order.prototype, "takePrice", (_order, real, [pegging, ticks]) =>
      real(pegging, (pegging as Pegging).sentTicks || ticks),
    ),
  "a triggered order locks too little": () =>
    SCENARIOS.failingWith(Order.prototype, "takePrice", (order, real, [pegging, ticks]) => {
      if (order.side === "BUY") extrasOf(order).locked -= 1n;
      real(pegging, ticks);
    }),
  "an amendment drops the peg": () =>
    SCENARIOS.failingWith(Order.prototype, "amended", (_order, real, args) => {
      const amended = real(...args) as Order;
      if (amended.extras !== null) amended.extras.peg = null;
      return amended;
    }),
  "events show the price in effect": () =>
    SCENARIOS.failingWith(Order.prototype, "record", (order, real) => {
      const record = real() as Order;
      if (order.peg !== null) Object.defineProperty(record, "priceTicks", { value: order.priceTicks });
      return record;
    }),
  "a snapshot drops the price of the client": () =>
    SCENARIOS.failingWith(SAVED_ORDER, "read", (_layout, real, args) => {
      const saved = real(...args) as { later?: { peg?: object } | null };
      if (!saved.later?.peg) return saved;
      return { ...saved, later: { ...saved.later, peg: { ...saved.later.peg, sentTicks: 0 } } };
    }),
});
