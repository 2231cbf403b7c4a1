/** Bugs of trailing stops, order lists that place orders, price ranges and self-trade prevention. */
import type { Entry, Event } from "@pricetime/engine";
import { Followers } from "../../packages/engine/src/state/book/followers.ts";
import { Market } from "../../packages/engine/src/state/market/market.ts";
import { OrderLists } from "../../packages/engine/src/state/order/order-lists.ts";
import { PlacedCounts } from "../../packages/engine/src/state/order/placed-counts.ts";
import { Order } from "../../packages/engine/src/state/order/order.ts";
import { MarketStreams } from "../../packages/server/src/api/streams/market/market-streams.ts";
import { inClass, type Mutation } from "./mutation.ts";

/** TypeScript hides the method because it is private. */
const FOLLOWERS = Followers.prototype as unknown as { isFarther(ticks: number, otherTicks: number): boolean };

export const TRADING_BUGS: readonly Mutation[] = [
  inClass("a trailing stop follows the price in the wrong direction", FOLLOWERS, "isFarther", function (real, args) {
    const [ticks, otherTicks] = args as unknown as [number, number];
    return otherTicks === 0 || ticks === 0 ? real.apply(this, args) : real.apply(this, [otherTicks, ticks] as never[]);
  }),
  inClass(
    "a pending order is not placed when its working order is filled",
    OrderLists.prototype,
    "startedBy",
    function (real, args) {
      const [order] = args as unknown as [Order];
      return order.status === "FILLED" ? undefined : real.apply(this, args);
    },
  ),
  inClass("a fill takes no order off the counts", PlacedCounts.prototype, "takeOff", () => undefined),
  inClass("an order trades outside the price range", Market.prototype, "rangeOf", () => null),
  inClass("self-trade prevention takes one lot too many", Order.prototype, "prevent", function (real, args) {
    const [lots, ...others] = args as unknown as [number, number, number];
    real.apply(this, [lots < this.leftLots ? lots + 1 : lots, ...others] as never[]);
  }),
  inClass(
    "a depth update leaves out an order that a list places",
    MarketStreams.prototype,
    "applied",
    function (real, args) {
      const [entry, events] = args as unknown as [Entry, readonly Event[]];
      const others = events.filter(({ type }) => type !== "orderReleased");
      real.apply(this, [entry, others] as unknown as typeof args);
    },
  ),
];
