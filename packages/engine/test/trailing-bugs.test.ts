/** The scenarios of trailing stops find bugs in them: with each planted bug, one of them fails. */
import { Followers } from "../src/state/book/followers.ts";
import { Triggers } from "../src/state/book/triggers.ts";
import { Order } from "../src/state/order/order.ts";
import { SAVED_ORDER } from "../src/state/order/saved-order.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("trailing.txt");

SCENARIOS.find({
  "a trailing stop moves the wrong way": () =>
    SCENARIOS.failingWith(Followers.prototype, "isFarther", (_followers, real, [ticks, otherTicks]) =>
      real(otherTicks, ticks),
    ),
  "a trailing stop forgets its extreme at each trade": () =>
    SCENARIOS.failingWith(Followers.prototype, "follow", (followers, real, [priceTicks]) => {
      real(priceTicks);
      for (const extreme of followers["extremes"].values()) extreme.ticks = priceTicks as number;
    }),
  "the trade that reaches the stop price of a trailing stop triggers it": () =>
    SCENARIOS.failingWith(Triggers.prototype, "takeStops", (_triggers, real, [priceTicks, nowMs, taken]) => {
      const before = Order.prototype as { trailing: unknown };
      const trailing = Object.getOwnPropertyDescriptor(before, "trailing") as PropertyDescriptor;
      Object.defineProperty(before, "trailing", { ...trailing, get: () => null });
      try {
        real(priceTicks, nowMs, taken);
      } finally {
        Object.defineProperty(before, "trailing", trailing);
      }
    }),
  "the oldest trailing stop of each distance is triggered first, wherever its price is": () =>
    SCENARIOS.failingWith(Triggers.prototype, "take", (_triggers, real, [priceTicks, nowMs, taken]) => {
      const all = taken as Order[];
      const first = all.length;
      real(priceTicks, nowMs, all);
      all.push(...all.splice(first).sort((a, b) => a.trailingDelta - b.trailingDelta));
    }),
  "a stop order that a list releases waits at the place of its id": () =>
    SCENARIOS.failingWith(Order.prototype, "waitAt", () => {}),
  "at the same price, the order with the lower id is triggered first": () =>
    SCENARIOS.failingWith(Triggers.prototype, "take", (_triggers, real, [priceTicks, nowMs, taken]) => {
      const all = taken as Order[];
      const first = all.length;
      real(priceTicks, nowMs, all);
      all.push(...all.splice(first).sort((a, b) => b.stopTicks - a.stopTicks || a.orderId - b.orderId));
    }),
  "a snapshot starts the extremes of trailing stops again": () =>
    SCENARIOS.failingWith(SAVED_ORDER, "read", (_layout, real, args) => {
      const saved = real(...args) as { later?: { trailing?: object } | null };
      if (!saved.later?.trailing) return saved;
      return { ...saved, later: { ...saved.later, trailing: { ...saved.later.trailing, extremeTicks: 0 } } };
    }),
});
