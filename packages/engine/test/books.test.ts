/**
 * Compares the fast book with the naive one after each call, icebergs included. BOOK_STEPS sets the number of calls;
 * books.campaign.ts runs more.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Book, LadderBook, NO_ORDER_LIST, NO_STRATEGY, Order, type Side } from "@pricetime/engine";
import { NaiveBook } from "@pricetime/engine/naive-book";
import type { Stretch } from "../src/state/book/ladder.ts";
import type { QuoteScale } from "../src/numbers.ts";
import { Dice } from "@pricetime/testkit/dice";

const STEPS = Number(process.env["BOOK_STEPS"] ?? 1_500);

function makeOrder(orderId: number, side: Side, priceTicks: number, quantityLots: number, icebergLots: number): Order {
  const terms = {
    symbolId: 0,
    side,
    type: "LIMIT",
    timeInForce: "GTC",
    selfTradePrevention: "NONE",
    expiryReason: "NONE",
  } as const;
  const plain = { stopTicks: 0, quoteOrderQty: 0n, orderListId: NO_ORDER_LIST, isWorking: true, locked: 0n };
  const later = {
    strategyId: NO_STRATEGY,
    strategyType: 0,
    amendCount: 0,
    trailing: null,
    peg: null,
    workedMs: 0,
    waitOffset: 0,
  };
  const extras = icebergLots === 0 ? null : { ...plain, ...later, icebergLots, sliceLots: icebergLots };
  return new Order(
    orderId,
    terms,
    extras,
    { accountId: 100, clientOrderId: `${orderId}`, priceTicks },
    quantityLots,
    0,
  );
}

/** Rounds at each fill. All queries of a book use the same scale. */
const SCALE: QuoteScale = { multiplier: 1n, divisor: 7n };

function addedUp(stretches: readonly Stretch[]): readonly [number, bigint, bigint] {
  const totals = stretches.map((stretch) => stretch.totals(SCALE));
  return [
    totals.reduce((sum, { lots }) => sum + lots, 0),
    totals.reduce((sum, { quoteByPrice }) => sum + quoteByPrice, 0n),
    totals.reduce((sum, { quoteByFill }) => sum + quoteByFill, 0n),
  ];
}

/** Everything that can be queried from a book. */
function portrait(book: Book): unknown {
  const side = (name: Side) => {
    const levels: number[][] = [];
    book.walk(name, (...level) => levels.push(level) > 0);
    const firstTwo: number[] = [];
    book.walk(name, (priceTicks) => firstTwo.push(priceTicks) < 2);
    const orders = [...book.orders(name)].map((order) => [order.orderId, order.visibleLots, order.executedLots]);
    const lots = levels.map(([priceTicks]) => [book.lotsAt(name, priceTicks!), book.visibleLotsAt(name, priceTicks!)]);
    const stretches = [...book.stretches(name)];
    const inStretches = {
      levels: stretches.flatMap((one) => [...one.levels()].map(({ priceTicks }) => priceTicks)),
      orders: stretches.flatMap((one) => [...one.orders()].map(({ orderId }) => orderId)),
      totals: addedUp(stretches),
    };
    for (const stretch of stretches) assert.equal([...stretch.levels()].at(-1)?.priceTicks, stretch.worstTicks);
    assert.equal(book.lotsOn(name, SCALE), inStretches.totals[0]);
    const prices = [...levels.map(([priceTicks]) => priceTicks), 0, 0];
    assert.deepEqual(
      prices.map((_, level) => book.levelTicks(name, level)),
      prices,
    );
    return {
      inStretches,
      levels,
      firstTwo,
      orders,
      lots,
      best: book.best(name)?.orderId,
      bestTicks: book.bestTicks(name),
    };
  };
  const lotsNowhere = [book.lotsAt("BUY", 999_999), book.visibleLotsAt("BUY", 999_999)];
  return { size: book.size, bids: side("BUY"), asks: side("SELL"), nowhere: lotsNowhere };
}

/** The same order twice, one copy for each book. */
type Pair = readonly [Order, Order];

for (const [name, spread] of [
  ["prices close together", 6],
  ["prices far apart", 5000],
] as const) {
  test(`the two books agree: ${name}`, () => {
    const books: readonly [Book, Book] = [new LadderBook(), new NaiveBook()];
    const dice = new Dice(spread);
    const open: Pair[] = [];
    const counts = { added: 0, removed: 0, filled: 0, nextSlice: 0, emptied: 0 };
    const add = (orderId: number) => {
      const side = dice.pick(["BUY", "SELL"] as const);
      const priceTicks = (side === "BUY" ? 10_000 : 10_000 + spread) + dice.between(1, spread);
      const quantityLots = dice.between(1, 40);
      const icebergLots = dice.oneIn(3) && quantityLots > 1 ? dice.between(1, quantityLots - 1) : 0;
      const copy = () => makeOrder(orderId, side, priceTicks, quantityLots, icebergLots);
      const pair: Pair = [copy(), copy()];
      open.push(pair);
      for (const i of [0, 1] as const) books[i].add(pair[i]);
      counts.added++;
    };
    const remove = () => {
      const [pair] = open.splice(dice.below(open.length), 1);
      for (const i of [0, 1] as const) books[i].remove(pair![i]);
      counts.removed++;
    };
    const fill = () => {
      const side = dice.pick(["BUY", "SELL"] as const);
      const best = books[1].best(side);
      const pair = open.find(([, order]) => order === best);
      if (pair === undefined) return;
      const lots = dice.oneIn(2) ? best!.visibleLots : dice.between(1, best!.visibleLots);
      for (const i of [0, 1] as const) {
        books[i].fill(pair[i], lots);
        pair[i].execute({ lots, prevented: null, quote: 0n, commission: 0n }, 0);
      }
      counts.filled++;
      if (best!.executedLots === best!.quantityLots) {
        open.splice(open.indexOf(pair), 1);
        counts.emptied++;
      } else if (books[1].best(side) !== best) counts.nextSlice++;
    };
    for (let step = 1; step <= STEPS; step++) {
      const crowd = open.length > 120 ? 1 : 4;
      dice.weighted([
        [crowd, () => add(step)],
        [open.length === 0 ? 0 : 1, remove],
        [2, fill],
      ])();
      assert.deepEqual(portrait(books[0]), portrait(books[1]), `after step ${step}`);
    }
    // With prices far apart, no order is queued behind the slice of an iceberg.
    const inThousandSteps = { nextSlice: spread < 100 ? 16 : 0, added: 160, removed: 80, filled: 160, emptied: 32 };
    for (const what of Object.keys(counts) as (keyof typeof counts)[]) {
      assert.ok(counts[what] >= (inThousandSteps[what] * STEPS) / 1_000, `${what}: ${counts[what]}`);
    }
  });
}

test("a level is found by its number in a long book, and in a sparse one", () => {
  // All prices once, out of order.
  const prices = Array.from({ length: 400 }, (_, at) => 1_000 + ((at * 7) % 400));
  for (const side of ["BUY", "SELL"] as const) {
    const book = new LadderBook();
    const orders = prices.map((priceTicks, at) => makeOrder(at, side, priceTicks, 1, 0));
    const found = () => prices.map((_, level) => book.levelTicks(side, level)).filter((ticks) => ticks > 0);
    const sorted = (some: readonly number[]) => [...some].sort((a, b) => (side === "BUY" ? b - a : a - b));
    for (const order of orders) book.add(order);
    assert.deepEqual(found(), sorted(prices));
    for (const order of orders.slice(20)) book.remove(order);
    assert.deepEqual(found(), sorted(prices.slice(0, 20)));
  }
});

test("an iceberg shows slice after slice, each behind the orders at its price", () => {
  for (const book of [new LadderBook(), new NaiveBook()]) {
    const iceberg = makeOrder(1, "SELL", 100, 10, 4);
    const plain = makeOrder(2, "SELL", 100, 5, 0);
    const take = (order: Order, lots: number) => {
      book.fill(order, lots);
      order.execute({ lots, prevented: null, quote: 0n, commission: 0n }, 0);
    };
    book.add(iceberg);
    book.add(plain);
    const level = () => {
      const seen: number[] = [];
      book.walk("SELL", (priceTicks, visible, hidden) => seen.push(priceTicks, visible, hidden) < 0);
      return seen;
    };
    assert.deepEqual(level(), [100, 9, 6]);
    take(iceberg, 3);
    assert.equal(book.best("SELL"), iceberg, "a slice keeps its place while it lasts");
    take(iceberg, 1);
    assert.equal(book.best("SELL"), plain);
    assert.deepEqual(level(), [100, 9, 2]);
    take(plain, 5);
    take(iceberg, 4);
    assert.deepEqual(level(), [100, 2, 0], "the last slice is what is left");
    take(iceberg, 2);
    assert.equal(book.size, 0);
    assert.equal(book.bestTicks("SELL"), 0);
  }
});

test("only orders in the book can be removed or filled", () => {
  for (const book of [new LadderBook(), new NaiveBook()]) {
    const order = makeOrder(1, "BUY", 100, 5, 0);
    assert.throws(() => book.remove(order));
    book.add(order);
    assert.throws(() => book.fill(order, 6));
  }
});
