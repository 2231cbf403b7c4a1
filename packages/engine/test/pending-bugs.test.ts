/** The scenarios of pending orders find bugs in them: with each planted bug, one of them fails. */
import { Engine } from "@pricetime/engine";
import { Ledger } from "../src/state/ledger.ts";
import { OrderLists } from "../src/state/order/order-lists.ts";
import { Order } from "../src/state/order/order.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("oto.txt", "opo.txt");

SCENARIOS.find({
  "a pending order is never released": () =>
    SCENARIOS.failingWith(OrderLists.prototype, "startedBy", (_lists, real, [order]) =>
      (order as Order).status === "FILLED" ? undefined : real(order),
    ),
  "a pending order is released by a partial fill": () =>
    SCENARIOS.failingWith(OrderLists.prototype, "startedBy", (_lists, real, [order]) => {
      const working = order as Order;
      if (working.status === "PARTIALLY_FILLED") working.status = "FILLED";
      return real(order);
    }),
  "a pending order is released twice": () =>
    SCENARIOS.failingWith(Engine.prototype, "apply", (engine, real, args) => {
      const { triggered } = engine["state"];
      triggered.push = (...orders) => {
        const twice = orders.flatMap((order) => (order.status === "PENDING_NEW" ? [order, order] : [order]));
        return Array.prototype.push.apply(triggered, twice);
      };
      return real(...args);
    }),
  "a pending order works from its placement": () =>
    SCENARIOS.failingWith(Order.prototype, "waitForList", (order) => {
      order.status = "PENDING_NEW";
    }),
  "what a list holds is never freed": () =>
    SCENARIOS.failingWith(Ledger.prototype, "release", (_ledger, real, [accountId, assetId, amount]) =>
      real(accountId, assetId, assetId === 0 ? 0n : amount),
    ),
  "a list goes on after its working order has expired": () =>
    SCENARIOS.failingWith(OrderLists.prototype, "startedBy", (_lists, real, [order]) =>
      ["EXPIRED", "EXPIRED_IN_MATCH"].includes((order as Order).status) ? undefined : real(order),
    ),
});
