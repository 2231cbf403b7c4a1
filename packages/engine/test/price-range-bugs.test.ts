/** The scenarios of the price range find bugs in it: with each planted bug, one of them fails. */
import type { PriceBand, Side } from "@pricetime/engine";
import { Market } from "../src/state/market/market.ts";
import { ReferencePrice } from "../src/state/market/reference-price.ts";
import { ReachableOffers } from "../src/trading/reachable-offers.ts";
import { PlantedBugs } from "./scenario/planted.ts";

const SCENARIOS = new PlantedBugs("price-range.txt");

SCENARIOS.find({
  "the bounds are excluded": () =>
    SCENARIOS.failingWith(Market.prototype, "rangeOf", (_market, real, args) => {
      const range = real(...args) as PriceBand | null;
      return range && { lowestTicks: range.lowestTicks + 1, highestTicks: range.highestTicks - 1 };
    }),
  "the limits follow the trades of the order": () =>
    SCENARIOS.failingWith(Market.prototype, "rangeOf", (_market, real, args) => {
      if (real(...args) === null) return null;
      const now = () => real(...args) as PriceBand;
      return {
        get lowestTicks() {
          return now().lowestTicks;
        },
        get highestTicks() {
          return now().highestTicks;
        },
      };
    }),
  "each side has the limits of the other": () =>
    SCENARIOS.failingWith(Market.prototype, "rangeOf", (_market, real, [side, nowMs]) =>
      real((side as Side) === "BUY" ? "SELL" : "BUY", nowMs),
    ),
  "a bucket keeps its weight until it has left the window": () =>
    SCENARIOS.failingWith(ReferencePrice.prototype, "at", (_price, real, [nowMs]) =>
      real(Math.floor(Number(nowMs) / 10_000) * 10_000),
    ),
  "a trade counts twice in the sum": () =>
    SCENARIOS.failingWith(ReferencePrice.prototype, "add", (_price, real, [ticks, nowMs]) =>
      real(Number(ticks) + 1, nowMs),
    ),
  "a snapshot forgets the buckets": () =>
    SCENARIOS.failingWith(ReferencePrice.prototype, "save", (_price, _real, [writer]) =>
      (writer as { uint(value: number): void }).uint(0),
    ),
  "other buckets continue the old ones": () =>
    SCENARIOS.failingWith(ReferencePrice.prototype, "hasBucketsOf", () => true),
  "filters compare with the average price": () =>
    SCENARIOS.failingWith(Market.prototype, "filterPrice", (market, _real, [mins, nowMs]) =>
      market.averagePrice(Number(mins), Number(nowMs)),
    ),
  "the quantity of quoteOrderQty counts more than the range contains": () =>
    SCENARIOS.failingWith(ReachableOffers.prototype, "sized", (_offers, real) => {
      const stretches = [...(real() as Iterable<unknown>)];
      return [...stretches, ...stretches];
    }),
  "funds are for the whole book": () =>
    SCENARIOS.failingWith(ReachableOffers.prototype, "payable", (_offers, _real) => undefined),
  "FOK counts what is beyond the range": () =>
    SCENARIOS.failingWith(ReachableOffers.prototype, "fillable", (_offers, _real) => undefined),
});
