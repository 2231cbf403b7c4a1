/**
 * Walks of MARKET and FOK orders over the book: they give the result of a complete walk, and visit no more of a long
 * book than the funds or the quantity reach.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ADOPT_NEWEST_RULES,
  type Command,
  Engine,
  type Event,
  formatDecimal,
  LadderBook,
  type LevelVisitor,
  type PlaceOrder,
  type Side,
  type SymbolFilters,
} from "@pricetime/engine";
import type { BookStretch } from "../src/state/book/ladder.ts";
import { rangeFault } from "../src/numbers.ts";
import type { Market } from "../src/state/market/market.ts";
import { lotsForQuote, sweep } from "../src/trading/order-funds.ts";
import * as whole from "./brute/market-walk.ts";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { START_MS } from "./harness.ts";
import { Dice } from "@pricetime/testkit/dice";

const [MAKER, TAKER] = [100, 101];
const [BASE, QUOTE] = [0, 1];

/** Counts the visited orders and levels. */
class CountingBook extends LadderBook {
  seen = { stretches: 0, levels: 0, orders: 0 };

  override *stretches(side: Side): Iterable<BookStretch> {
    for (const stretch of super.stretches(side)) {
      this.seen.stretches++;
      yield {
        worstTicks: stretch.worstTicks,
        totals: (scale) => stretch.totals(scale),
        levels: () => this.#counted(stretch.levels(), "levels"),
        orders: () => this.#counted(stretch.orders(), "orders"),
      };
    }
  }

  override walk(side: Side, visit: LevelVisitor): void {
    super.walk(side, (...level) => {
      this.seen.levels++;
      return visit(...level);
    });
  }

  override orders(side: Side): ReturnType<BookStretch["orders"]> {
    return this.#counted(super.orders(side), "orders");
  }

  *#counted<T>(items: Iterable<T>, what: "levels" | "orders"): Iterable<T> {
    for (const item of items) {
      this.seen[what]++;
      yield item;
    }
  }
}

class Venue {
  readonly book = new CountingBook();
  readonly engine = new Engine({ newBook: () => this.book });

  /** The taker's balance in units of each asset; the maker has enough to trade. */
  constructor(filters: SymbolFilters, quotePrecision: number, free: readonly [base: bigint, quote: bigint]) {
    this.run(ADOPT_NEWEST_RULES);
    this.run(listAsset("AAA"));
    this.run(listAsset("BBB", quotePrecision));
    this.run(listSymbol("AAA/BBB", filters));
    for (const email of ["maker", "taker"]) this.run(openAccount(email));
    for (const [asset, precision] of [
      ["AAA", 8],
      ["BBB", quotePrecision],
    ] as const) {
      this.#give(MAKER, asset, 10n ** 20n, precision);
      const units = free[asset === "AAA" ? BASE : QUOTE]!;
      if (units > 0n) this.#give(TAKER, asset, units, precision);
    }
  }

  get market(): Market {
    return this.engine.market(0) as Market;
  }

  free(assetId: number): bigint {
    return this.engine.balance(TAKER, assetId).free;
  }

  run(command: Command): readonly Event[] {
    return this.engine.apply({ seq: this.engine.seq + 1, timeMs: START_MS, command });
  }

  rest(side: Side, priceTicks: number, quantityLots: number, icebergLots = 0): void {
    const orderId = this.engine.seq;
    const order = this.order({ side, orderType: "LIMIT", priceTicks, quantityLots, icebergLots });
    const [event] = this.run({ ...order, accountId: MAKER, clientOrderId: `m${orderId}` });
    assert.equal(event?.type, "orderOpened");
  }

  order(fields: Partial<PlaceOrder>): PlaceOrder {
    return placeOrder({ accountId: TAKER, side: "BUY", orderType: "MARKET", clientOrderId: "t", ...fields });
  }

  #give(accountId: number, asset: string, units: bigint, precision: number): void {
    const [event] = this.run(deposit(accountId, asset, formatDecimal(units, precision, precision)));
    assert.equal(event?.type, "balanceMoved");
  }
}

/** The result of a MARKET order by the rules, computed by a complete walk. */
function expected(venue: Venue, order: PlaceOrder): { reason: string } | { lots: number } {
  const { market } = venue;
  const { lotSize, marketLotSize } = market.filters;
  const byQuote = order.quoteOrderQty > 0n;
  const lots = byQuote ? whole.lotsForQuote(market, order.side, order.quoteOrderQty) : order.quantityLots;
  if (!byQuote || market.book.bestTicks(order.side === "BUY" ? "SELL" : "BUY") !== 0) {
    if (lots <= 0 || rangeFault(lotSize, lots) !== null) return { reason: "LOT_SIZE" };
    if (rangeFault(marketLotSize, lots) !== null) return { reason: "MARKET_LOT_SIZE" };
  }
  const swept = whole.sweep(market, order.side, lots);
  const [funds, free] =
    order.side === "BUY" ? [swept.quote, venue.free(QUOTE)] : [market.baseOf(swept.lots), venue.free(BASE)];
  return free < funds ? { reason: "INSUFFICIENT_BALANCE" } : { lots };
}

function randomVenue(dice: Dice): Venue {
  const quotePrecision = dice.pick([2, 4, 8]);
  const tick = dice.pick(quotePrecision === 2 ? ["0.01", "1"] : ["0.01", "0.0001", "1"]);
  const step = dice.pick(["0.001", "0.00001", "0.5"]);
  const lots = (number: number): string => (number * Number(step)).toFixed(5);
  const size = (most: number) => ({
    minQty: lots(dice.pick([1, 1, 4])),
    maxQty: dice.oneIn(3) ? "0" : lots(most),
    stepSize: dice.oneIn(3) ? "0" : lots(dice.pick([1, 2, 3])),
  });
  const filters: SymbolFilters = {
    priceFilter: { minPrice: "0", maxPrice: "0", tickSize: tick },
    lotSize: { ...size(dice.between(50, 4_000)), stepSize: lots(dice.pick([1, 1, 3])) },
    ...(dice.oneIn(2) ? { marketLotSize: size(dice.between(20, 3_000)) } : {}),
  };
  const money = (): bigint => BigInt(Math.floor(10 ** dice.between(0, 12) * (1 + dice.below(1000) / 100)));
  const venue = new Venue(filters, quotePrecision, [dice.oneIn(8) ? 0n : money(), dice.oneIn(8) ? 0n : money()]);
  const { lotSize } = venue.market.filters;
  const allowed = (): number => {
    const { min = 1, step = 1, max = 0 } = lotSize ?? {};
    const wanted = min + dice.below(12) * Math.max(1, step);
    return max === 0 || wanted <= max ? wanted : min;
  };
  for (let i = dice.below(200); i > 0; i--) {
    const quantityLots = allowed();
    const icebergLots = dice.oneIn(3) && (lotSize?.min ?? 1) < quantityLots ? (lotSize?.min ?? 1) : 0;
    const fits = icebergLots > 0 && quantityLots / icebergLots <= 10 ? icebergLots : 0;
    if (dice.oneIn(2)) venue.rest("SELL", 1_000 + dice.below(500), quantityLots, fits);
    else venue.rest("BUY", 999 - dice.below(500), quantityLots, fits);
  }
  return venue;
}

test("for any book, filters and balances, results equal those of a complete walk", () => {
  const dice = new Dice(Number(process.env["PRICETIME_SEED"] ?? 13));
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 400; round++) {
    const venue = randomVenue(dice);
    for (let i = 0; i < 30; i++) {
      const side = dice.pick(["BUY", "SELL"] as const);
      const lots = Math.floor(10 ** dice.between(0, 4) * (1 + dice.below(100) / 10));
      const quoteOrderQty = dice.oneIn(2)
        ? BigInt(Math.floor(10 ** dice.between(0, 13) * (1 + dice.below(90) / 10)))
        : 0n;
      const order = venue.order({
        ...{ side, quoteOrderQty, quantityLots: quoteOrderQty > 0n ? 0 : lots, clientOrderId: `t${i}` },
      });
      for (const asked of [lots, lots * 7]) {
        assert.deepEqual(sweep(venue.market, side, asked), whole.sweep(venue.market, side, asked));
      }
      if (quoteOrderQty > 0n) {
        const all = whole.lotsForQuote(venue.market, side, quoteOrderQty);
        assert.equal(lotsForQuote(venue.market, side, quoteOrderQty), all);
      }
      const wanted = expected(venue, order);
      const checked = venue.engine.check(order, START_MS);
      const [event] = venue.run(order);
      const what = `round ${round}, order ${i}`;
      if ("reason" in wanted) {
        assert.deepEqual(event, { type: "rejected", reason: wanted.reason }, what);
        assert.equal(checked, wanted.reason === "INSUFFICIENT_BALANCE" ? null : wanted.reason, what);
      } else {
        assert.ok(event?.type === "orderOpened", what);
        assert.equal(event.order.quantityLots, wanted.lots, what);
        assert.equal(checked, null, what);
      }
      const kind = `${"reason" in wanted ? wanted.reason : "placed"} ${quoteOrderQty > 0n ? "by quote" : "by quantity"}`;
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    venue.engine.checkInvariants();
  }
  for (const reason of ["LOT_SIZE", "MARKET_LOT_SIZE", "INSUFFICIENT_BALANCE", "placed"]) {
    for (const by of ["by quote", "by quantity"]) {
      assert.ok((outcomes.get(`${reason} ${by}`) ?? 0) > 100, `hardly ever: ${reason} ${by}`);
    }
  }
});

const PRICES = 30_000;
const FILTERS: SymbolFilters = {
  priceFilter: { minPrice: "0", maxPrice: "0", tickSize: "0.01" },
  lotSize: { minQty: "0.00001", maxQty: "50000", stepSize: "0.00001" },
};
const UNIT = 10n ** 8n;

/** 30,000 prices on each side, a BTC at each: asks from 200.00 up, bids from 199.99 down. */
function longBook(free: readonly [bigint, bigint], filters: SymbolFilters = FILTERS): Venue {
  const venue = new Venue(filters, 8, free);
  for (let i = 0; i < PRICES; i++) {
    venue.rest("SELL", 20_000 + i, 100_000);
    if (i < 19_000) venue.rest("BUY", 19_999 - i, 100_000);
  }
  return venue;
}

/** The number of orders and levels that the order's walks visit. */
function looks(venue: Venue, order: Partial<PlaceOrder>): number {
  const asked = venue.order({ ...order, clientOrderId: `t${venue.engine.seq}` });
  // The earlier order has already computed the sums.
  venue.run({ ...asked, clientOrderId: "before" });
  venue.book.seen = { stretches: 0, levels: 0, orders: 0 };
  const [event] = venue.run(asked);
  assert.deepEqual(event, { type: "rejected", reason: "INSUFFICIENT_BALANCE" });
  const { stretches, levels, orders } = venue.book.seen;
  return stretches + levels + orders;
}

test("an order visits no more of the book than its owner can pay for", () => {
  const poor = longBook([UNIT / 10n, 100n * UNIT]);
  for (const order of [
    { quoteOrderQty: 6_000_000n * UNIT },
    { quoteOrderQty: 150n * UNIT },
    { quantityLots: 900_000_000 },
    { quantityLots: 100_000 },
    { side: "SELL" as const, quantityLots: 900_000_000 },
    { side: "SELL" as const, quoteOrderQty: 1_500_000n * UNIT },
  ]) {
    assert.ok(looks(poor, order) <= 8, `${looks(poor, order)}`);
  }
});

test("own orders on the opposite side do not make an order visit more than its owner can pay for", () => {
  const poor = longBook([2n * UNIT, 100n * UNIT]);
  const own = { orderType: "LIMIT", timeInForce: "GTC" } as const;
  poor.run(poor.order({ ...own, side: "SELL", priceTicks: 49_000, quantityLots: 100, clientOrderId: "own ask" }));
  poor.run(poor.order({ ...own, side: "BUY", priceTicks: 1_500, quantityLots: 100, clientOrderId: "own bid" }));
  for (const side of ["BUY", "SELL"] as const) {
    for (const selfTradePrevention of ["EXPIRE_MAKER", "DECREMENT"] as const) {
      const seen = looks(poor, { side, quantityLots: 900_000_000, selfTradePrevention });
      assert.ok(seen <= 200, `${side} ${selfTradePrevention}: ${seen}`);
    }
  }
});

test("a large order visits stretches, not single orders", () => {
  const rich = longBook([0n, 10_400_000n * UNIT]);
  const most = 3 * (PRICES / 32) + 400;
  for (const order of [{ quoteOrderQty: 10_402_000n * UNIT }, { quantityLots: 100_000 * 29_999 }]) {
    assert.ok(looks(rich, order) <= most, `${looks(rich, order)} of ${most}`);
  }
});

test("FOK orders are decided by stretches too", () => {
  const venue = longBook([0n, 20_000_000n * UNIT]);
  venue.book.seen = { stretches: 0, levels: 0, orders: 0 };
  const fok = { orderType: "LIMIT", timeInForce: "FOK", priceTicks: 49_998, quantityLots: 900_000_000 } as const;
  const types = venue.run(venue.order({ ...fok, quantityLots: 100_000 * 29_999 + 1 })).map(({ type }) => type);
  assert.deepEqual(types, ["orderOpened", "orderEnded"]);
  const { stretches, levels, orders } = venue.book.seen;
  assert.ok(stretches <= PRICES / 31 + 1 && levels <= 64 && orders === 0, JSON.stringify(venue.book.seen));
});
