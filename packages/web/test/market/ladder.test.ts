/** One side of a book, compared with a plain map. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Ladder, MOST_LEVELS } from "../../src/market/order-book.ts";

const changes = fc.array(fc.record({ price: fc.integer({ min: 1, max: 60 }), quantity: fc.nat(3) }), {
  maxLength: 300,
});

test("after any changes, it has the same levels as the map, best first", () => {
  fc.assert(
    fc.property(changes, fc.constantFrom("bids" as const, "asks" as const), (all, side) => {
      const ladder = new Ladder(side);
      const table = new Map<number, number>();
      for (const { price, quantity } of all) {
        ladder.set(price, quantity);
        if (quantity === 0) table.delete(price);
        else table.set(price, quantity);
      }
      const expected = [...table].map(([price, quantity]) => ({ price, quantity }));
      expected.sort((one, other) => (side === "asks" ? one.price - other.price : other.price - one.price));
      assert.deepEqual(ladder.view(), expected);
      assert.equal(ladder.best, expected[0]?.price ?? null);
    }),
  );
});

test("beyond the last level of an incomplete snapshot, no level is known or shown", () => {
  const asks = new Ladder("asks");
  asks.replace(
    [
      { price: 10, quantity: 1 },
      { price: 12, quantity: 1 },
    ],
    false,
  );
  asks.set(13, 5);
  asks.set(11, 5);
  assert.deepEqual(
    asks.view().map(({ price }) => price),
    [10, 11, 12],
  );
  asks.replace([{ price: 10, quantity: 1 }], true);
  asks.set(13, 5);
  assert.deepEqual(
    asks.view().map(({ price }) => price),
    [10, 13],
  );
});

test("the number of levels is bounded", () => {
  const bids = new Ladder("bids");
  for (let price = 1; price <= MOST_LEVELS + 50; price++) bids.set(price, 1);
  assert.equal(bids.length, MOST_LEVELS);
  assert.equal(bids.best, MOST_LEVELS + 50);
  assert.ok(bids.isCut);
  bids.set(1, 1);
  assert.equal(bids.length, MOST_LEVELS);
});
