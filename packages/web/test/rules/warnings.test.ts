/** Warnings about orders, costs and estimates, compared with a plain computation on a small book. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { OrderDraft } from "../../src/account/port.ts";
import { compare, type Decimal, decimal, formatDecimal, formatShort, isZero } from "../../src/exact/decimal.ts";
import type { Book, Level, Market } from "../../src/market/port.ts";
import { costsOf } from "../../src/panels/order-amounts.ts";
import { estimateTaking, portionOf } from "../../src/rules/estimate.ts";
import { firstValueLimit, limitOf, type WarningLimits, warningsOf } from "../../src/rules/warnings.ts";

const FILTERS = [
  { filterType: "LOT_SIZE", minQty: "0.001", maxQty: "9000.000", stepSize: "0.001" },
  { filterType: "MIN_NOTIONAL", minNotional: "10.00000000", applyToMarket: true, avgPriceMins: 5 },
];
const MARKET = {
  ...{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT", filters: FILTERS },
  ...{ priceDigits: 2, quantityDigits: 3, quoteDigits: 8 },
} as unknown as Market;
const RATES = { maker: "0.0010", taker: "0.0020" };

function bookOf(bids: readonly Level[], asks: readonly Level[]): Book {
  return { symbol: "BTCUSDT", lastUpdateId: 1, bids, asks, freshness: "live", atMs: 0 };
}
const level = (price: number, quantity: number): Level => ({ price, quantity });
/** Bids of 5 at 99.00 and 5 at 98.00; asks of 1 at 101.00 and 9 at 110.00. */
const BOOK = bookOf([level(9900, 5000), level(9800, 5000)], [level(10_100, 1000), level(11_000, 9000)]);

const percent = (units: bigint): Decimal => ({ units, digits: 0 });
const LIMITS: WarningLimits = {
  pricePercent: percent(5n),
  value: percent(500n),
  valueAsset: "USDT",
  bookPercent: percent(20n),
};

type Changes = { readonly [Name in keyof OrderDraft]?: OrderDraft[Name] | undefined };

const order = (draft: Changes): OrderDraft =>
  ({
    ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1" },
    ...draft,
  }) as OrderDraft;

function warned(
  draft: OrderDraft,
  limits = LIMITS,
  book: Book | null = BOOK,
  lastPrice: string | null = "100",
): readonly string[] {
  const { total, estimate } = costsOf(draft, MARKET, book, RATES);
  return warningsOf(draft, { market: MARKET, book, lastPrice }, { total, estimate, value: total }, limits);
}

test("a limit price is warned about from its distance to the best bid and ask, or else to the last price", () => {
  const far = (price: string, rest: Partial<OrderDraft> = {}): string | undefined =>
    warned(order({ price, quantity: "0.001", ...rest })).find((text) => text.startsWith("The price"));
  assert.equal(far("106.05"), undefined, "exactly five percent above the best ask");
  assert.equal(far("106.07"), "The price is 5.01% above the market (101.00).");
  assert.equal(far("94.05"), undefined);
  assert.equal(far("90", { side: "SELL" }), "The price is 9.09% below the market (99.00).");
  const stop = { type: "STOP_LOSS_LIMIT", stopPrice: "200" };
  assert.equal(far("205", stop), undefined, "a triggered order is compared with its stop price");
  assert.equal(far("20", stop), "The price is 90.00% below the stop price (200.00).");
  const without = (lastPrice: string | null): readonly string[] =>
    warned(order({ price: "200", quantity: "0.001" }), LIMITS, null, lastPrice);
  assert.deepEqual(without("100"), ["The price is 100.00% above the market (100.00)."]);
  assert.deepEqual([without("0.00000000"), without(null)], [[], []]);
});

test("a large order, one that takes much of the book, and a market order with high slippage are warned about", () => {
  assert.deepEqual(warned(order({ price: "100", quantity: "5" })), []);
  assert.deepEqual(warned(order({ price: "100", quantity: "5.001" })), ["This is a large order: more than 500 USDT."]);
  assert.deepEqual(warned(order({ side: "SELL", price: "98", quantity: "2.5" })), [
    "This order takes 25.00% of the bids in the visible order book.",
  ]);
  assert.deepEqual(warned(order({ side: "SELL", price: "99", quantity: "2" })), []);
  assert.deepEqual(warned(order({ type: "MARKET", quantity: "2" })), [
    "High slippage: the average price would be at least 4.45% worse than the best price.",
  ]);
  assert.deepEqual(warned(order({ type: "MARKET", side: "SELL", quantity: "11" }), { ...LIMITS, value: null }), [
    "This order takes 100.00% of the bids in the visible order book.",
    "The visible order book is too thin to fill this order. The unfilled quantity would expire.",
  ]);
});

test("zero switches a warning off, and an empty or unreadable limit is the default", () => {
  const first = firstValueLimit(MARKET);
  assert.equal(first && formatShort(first), "10000");
  assert.equal(firstValueLimit({ ...MARKET, filters: [] }), null);
  assert.deepEqual(
    ["", "?1,234", "0", "7.5"].map((text) => limitOf(text, first)),
    [first, first, null, decimal("7.5")],
  );
  const off = { ...LIMITS, pricePercent: null, value: null, bookPercent: null };
  assert.deepEqual(warned(order({ price: "500", quantity: "9" }), off), []);
});

test("the fee is the taker's for what executes immediately and the maker's for the rest", () => {
  const fee = (draft: Changes): string => {
    const { fee: found } = costsOf(order(draft), MARKET, BOOK, RATES);
    return found === null ? "" : `${formatShort(found.amount)} ${found.asset} ${found.role}`;
  };
  assert.equal(fee({ price: "100", quantity: "2" }), "0.002 BTC maker");
  assert.equal(fee({ price: "101", quantity: "1" }), "0.002 BTC taker");
  assert.equal(fee({ price: "101", quantity: "2" }), "0.003 BTC both");
  assert.equal(fee({ price: "101", quantity: "2", timeInForce: "IOC" }), "0.002 BTC taker");
  assert.equal(fee({ price: "101", quantity: "2", timeInForce: "FOK" }), "0.002 BTC maker");
  assert.equal(fee({ side: "SELL", price: "98", quantity: "6" }), "1.186 USDT taker");
  assert.equal(fee({ type: "STOP_LOSS", price: undefined, stopPrice: "120", quantity: "1" }), "0.002 BTC taker");
  assert.equal(fee({ type: "LIMIT_MAKER", price: "100", quantity: "2" }), "0.002 BTC maker");
  assert.equal(fee({ quantity: "2" }), "", "incomplete");
});

const aSide = fc.array(
  fc.record({ offset: fc.integer({ min: 1, max: 300 }), quantity: fc.integer({ min: 1, max: 5000 }) }),
  {
    maxLength: 6,
  },
);
const aBook = fc.tuple(aSide, aSide).map(([bids, asks]) => {
  const sorted = (levels: typeof bids, way: 1 | -1): Level[] =>
    [...new Map(levels.map(({ offset, quantity }) => [offset, level(10_000 + way * offset, quantity)])).values()].sort(
      (one, other) => way * (one.price - other.price),
    );
  return bookOf(sorted(bids, -1), sorted(asks, 1));
});

test("an estimate equals a walk through the book lot by lot, up to the limit price", () => {
  fc.assert(
    fc.property(
      aBook,
      fc.constantFrom("BUY", "SELL"),
      fc.integer({ min: 1, max: 9000 }),
      fc.option(fc.integer({ min: 9700, max: 10_300 })),
      (book, side, lots, limit) => {
        // One entry for each lot on offer, best first.
        const offered = (side === "BUY" ? book.asks : book.bids)
          .filter(({ price }) => limit === null || (side === "BUY" ? price <= limit : price >= limit))
          .flatMap(({ price, quantity }) => Array.from({ length: quantity }, () => price));
        const taken = offered.slice(0, lots);
        const quantity = { units: BigInt(lots), digits: 3 };
        const bound = limit === null ? undefined : { units: BigInt(limit), digits: 2 };
        const estimate = estimateTaking(book, MARKET, side, { quantity }, bound);
        if (taken.length === 0) return assert.equal(estimate, null);
        const sum = taken.reduce((all, price) => all + price, 0);
        assert.equal(formatDecimal(estimate?.quantity ?? quantity, 3), (taken.length / 1000).toFixed(3));
        assert.equal(formatDecimal(estimate?.notional ?? quantity, 5), (sum / 100_000).toFixed(5));
        assert.equal(formatDecimal(estimate?.worst ?? quantity, 2), ((taken.at(-1) ?? 0) / 100).toFixed(2));
        assert.equal(estimate?.isWhole, taken.length === lots);
      },
    ),
  );
});

test("a share of the balance is the greatest number of lots that it pays", () => {
  const amount = fc.bigInt(0n, 10n ** 14n).map((units) => ({ units, digits: 8 }));
  fc.assert(
    fc.property(
      amount,
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      (free, ticks, part) => {
        const price = { units: BigInt(ticks), digits: 2 };
        const quantity = portionOf(MARKET, "BUY", part, { base: free, quote: free }, price);
        const cost = (lots: bigint): bigint => lots * price.units * 100n * 1000n;
        const budget = free.units * BigInt(part);
        const lots = quantity.units;
        if (lots < 9_000_000n) assert.ok(isZero(quantity) || cost(lots) <= budget);
        if (lots < 9_000_000n) assert.ok(cost(lots + 1n) > budget);
        assert.ok(compare(quantity, decimal("9000")) <= 0);
      },
    ),
  );
});
