/** The scenarios of amendments find bugs in them: with each planted bug, one of them fails. */
import { LadderBook } from "../src/state/book/book.ts";
import type { Level } from "../src/state/book/ladder.ts";
import { Order } from "../src/state/order/order.ts";
import { SAVED_ORDER } from "../src/state/order/saved-order.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("amend.txt");

SCENARIOS.find({
  "an amended order loses its place in the queue": () =>
    SCENARIOS.failingWith(LadderBook.prototype, "replace", (_book, real, args) => {
      real(...args);
      const amended = args[1] as Order;
      const level = amended.level as Level;
      level.unlink(amended);
      level.push(amended);
    }),
  "the new quantity does not include what is executed, so an order can increase": () =>
    SCENARIOS.failingWith(Order.prototype, "amended", (order, real, [lots, ...others]) =>
      real(Number(lots) + order.executedLots, ...others),
    ),
  "an amended order locks too much": () =>
    SCENARIOS.failingWith(Order.prototype, "amended", (_order, real, [lots, id, locked, nowMs]) =>
      real(lots, id, (locked as bigint) - 1n, nowMs),
    ),
  "only the first amendment of an order counts": () =>
    SCENARIOS.failingWith(Order.prototype, "amended", (_order, real, args) => {
      const amended = real(...args) as Order;
      return Object.assign(amended, { extras: { ...amended.extras, amendCount: 1 } });
    }),
  "a snapshot forgets the number of amendments": () =>
    SCENARIOS.failingWith(SAVED_ORDER, "read", (_layout, real, args) => {
      const saved = real(...args) as { later: object | null };
      return { ...saved, later: saved.later && { ...saved.later, amendCount: 0 } };
    }),
});
