/** The scenarios of self-trade prevention find bugs in it: with each planted bug, one of them fails. */
import { Ledger, type Payment } from "../src/state/ledger.ts";
import { Market } from "../src/state/market/market.ts";
import { Order } from "../src/state/order/order.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("prevention.txt");

SCENARIOS.find({
  "a decrement takes one lot too many": () =>
    SCENARIOS.failingWith(Order.prototype, "prevent", (order, real, [lots, ...rest]) =>
      real(Math.min(order.leftLots, (lots as number) + 1), ...rest),
    ),
  "a decrement takes one lot too few": () =>
    SCENARIOS.failingWith(Order.prototype, "prevent", (_order, real, [lots, ...rest]) =>
      real(Math.max(1, (lots as number) - 1), ...rest),
    ),
  "an expired maker keeps what it has locked": () => {
    const { release } = Ledger.prototype;
    let expired: Order | null = null;
    Ledger.prototype.release = function (accountId, assetId, amount) {
      if (expired?.accountId !== accountId) release.call(this, accountId, assetId, amount);
      expired = null;
    };
    try {
      return SCENARIOS.failingWith(Order.prototype, "prevent", (order, real, args) => {
        real(...args);
        if (order.status === "EXPIRED_IN_MATCH" && order.level === null) expired = order;
      });
    } finally {
      Ledger.prototype.release = release;
    }
  },
  "the other leg of a list keeps its quantity": () =>
    SCENARIOS.failingWith(Order.prototype, "prevent", (order, real, args) => {
      if (order.isWorking) real(...args);
    }),
  "a transfer moves twice the price": () =>
    SCENARIOS.failingWith(Ledger.prototype, "payLocked", (_ledger, real, [payment]) => {
      const { reason, amount, assetId } = payment as Payment;
      const isPrice = reason === "preventionTransfer" && assetId === 1;
      real({ ...(payment as Payment), amount: isPrice ? 2n * amount : amount });
    }),
  "an order that lost a part ends": () =>
    SCENARIOS.failingWith(Order.prototype, "prevent", (order, real, args) => {
      real(...args);
      order.change("EXPIRED_IN_MATCH", order.updateTimeMs);
    }),
  "a snapshot starts the numbers of prevented matches again": () =>
    SCENARIOS.failingWith(Market.prototype, "load", (market, real, args) => {
      real(...args);
      market.preventedMatches = 0;
    }),
});
