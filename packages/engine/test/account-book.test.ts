/** The index of an account's client ids, compared with a map: colliding ids, growth, shrinking, keyed hashes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Order } from "@pricetime/engine";
import { AccountBook } from "../src/state/order/open-orders.ts";
import { TextHash } from "../src/state/order/text-hash.ts";
import { Dice } from "@pricetime/testkit/dice";

const TERMS = {
  symbolId: 2,
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  selfTradePrevention: "NONE",
  expiryReason: "NONE",
} as const;

function orderOf(orderId: number, clientOrderId: string): Order {
  return new Order(orderId, TERMS, null, { accountId: 1, clientOrderId, priceTicks: 5 }, 7, 1_000);
}

type Hash = (clientOrderId: string) => number;

const GOOD = new TextHash(1);
const HASHES: readonly (readonly [name: string, hash: Hash])[] = [
  ["hashes as they are", (id) => GOOD.of(id)],
  ["few different hashes", (id) => GOOD.of(id) % 5],
  ["one hash for all", () => 3],
  ["hashes that differ in their highest bits alone", (id) => GOOD.of(id) & 0x3fc0000],
  ["hashes in a row", (id) => Number(id)],
];

/** An index and a map that receive the same calls. */
class Pair {
  readonly book = new AccountBook(1, 2);
  readonly open = new Map<string, Order>();
  readonly #hash: Hash;
  #orderId = 0;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  add(id: string): void {
    const order = orderOf(++this.#orderId, id);
    this.book.add(order, this.#hash(id));
    this.open.set(id, order);
  }

  remove(id: string): void {
    const order = this.open.get(id);
    assert.ok(order);
    this.book.remove(order);
    this.open.delete(id);
    assert.equal(order.nextOfAccount, null, "an order that has ended keeps no other alive");
  }

  compare(ids: Iterable<string>): void {
    for (const id of ids) assert.equal(this.book.get(this.#hash(id), id), this.open.get(id), id);
    assert.equal(this.book.size, this.open.size);
    const listed: Order[] = [];
    this.book.visit((order) => listed.push(order));
    listed.sort((a, b) => a.orderId - b.orderId);
    assert.deepEqual(listed, [...this.open.values()]);
  }

  get chains(): number {
    return this.book.chainCount;
  }
}

for (const [name, hash] of HASHES) {
  test(`an account's book is a map: ${name}`, () => {
    // A few ids: each is added if it is not open, and removed if it is.
    const ids = Array.from({ length: 48 }, (_, i) => `${i * 37}`);
    fc.assert(
      fc.property(fc.array(fc.nat(ids.length - 1), { maxLength: 200, size: "max" }), (picks) => {
        const pair = new Pair(hash);
        for (const pick of picks) {
          const id = ids[pick] as string;
          if (pair.open.has(id)) pair.remove(id);
          else pair.add(id);
          pair.compare(ids);
        }
      }),
      { numRuns: 60 },
    );
  });

  test(`the index grows and shrinks one chain at a time: ${name}`, () => {
    const pair = new Pair(hash);
    const dice = new Dice(7);
    const open: string[] = [];
    const expectChains = (before: number) => {
      const { size } = pair.book;
      assert.ok(Math.abs(pair.chains - before) <= 2, "no order waits until a table is made anew");
      assert.ok(pair.chains >= size / 2, `${pair.chains} chains for ${size} orders`);
      assert.ok(pair.chains <= Math.max(1, size * 2), `${pair.chains} chains for ${size} orders`);
    };
    for (let n = 0; n < 700; n++) {
      const before = pair.chains;
      pair.add(`${n}`);
      open.push(`${n}`);
      expectChains(before);
      if (n % 100 === 0) pair.compare(open);
    }
    while (open.length > 0) {
      const before = pair.chains;
      const [id] = open.splice(dice.below(open.length), 1);
      pair.remove(id as string);
      expectChains(before);
      if (open.length % 50 === 0) pair.compare(Array.from({ length: 700 }, (_, n) => `${n}`));
    }
    assert.equal(pair.chains, 1);
  });
}

test("an open id cannot be added, and an order that is not open cannot be removed", () => {
  const book = new AccountBook(1, 2);
  const [one, other] = [orderOf(1, "one"), orderOf(2, "other")];
  book.add(one, 9);
  assert.throws(() => book.add(orderOf(3, "one"), 9), /unique/);
  assert.throws(() => book.remove(other), /only an open order/);
  book.remove(one);
  assert.throws(() => book.remove(one), /only an open order/);
  assert.equal(book.size, 0);
});

test("waiting orders and icebergs are counted while they are open", () => {
  const book = new AccountBook(1, 2);
  const extras = {
    stopTicks: 0,
    icebergLots: 0,
    quoteOrderQty: 0n,
    orderListId: -1,
    isWorking: true,
    sliceLots: 0,
    locked: 0n,
    strategyId: -1,
    strategyType: 0,
    amendCount: 0,
    trailing: null,
    peg: null,
    workedMs: 0,
    waitOffset: 0,
  };
  const placed = { accountId: 1, clientOrderId: "", priceTicks: 5 };
  const stop = new Order(1, { ...TERMS, type: "STOP_LOSS" }, extras, { ...placed, clientOrderId: "stop" }, 7, 1);
  const iceberg = new Order(2, TERMS, { ...extras, icebergLots: 2 }, { ...placed, clientOrderId: "ice" }, 7, 1);
  const counts = () => [book.size, book.algo, book.iceberg];
  book.add(stop, 0);
  assert.deepEqual(counts(), [1, 1, 0]);
  book.add(iceberg, 0);
  book.add(orderOf(3, "plain"), 0);
  assert.deepEqual(counts(), [3, 1, 1]);
  book.remove(stop);
  assert.deepEqual(counts(), [2, 0, 1]);
  book.remove(iceberg);
  assert.deepEqual(counts(), [1, 0, 0]);
});

const CHAINS = 1 << 10;

/** The largest number of ids in one of the chains. */
function fullest(hash: TextHash, ids: readonly string[]): number {
  const counts = new Map<number, number>();
  for (const id of ids) {
    const chain = hash.of(id) & (CHAINS - 1);
    counts.set(chain, (counts.get(chain) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

/** Every text of this length over the characters. */
function texts(characters: string, length: number): string[] {
  if (length === 0) return [""];
  return texts(characters, length - 1).flatMap((text) => [...characters].map((character) => text + character));
}

// 2,048 to 4,096 ids in 1,024 chains: two to four each; 20 in one chain is practically impossible.
const CHOSEN: readonly (readonly [what: string, ids: readonly string[]])[] = [
  ["ids in a row", Array.from({ length: 4_096 }, (_, n) => `order${n}`)],
  ["characters whose lowest bits are all alike", texts("08HPXhpx", 4)],
  ["the same characters in other places", texts("ab", 12)],
  ["ids that are each other's beginnings", texts("01", 10).concat(texts("01", 9), texts("01", 8), texts("01", 7))],
  [
    "long ids that differ at both ends",
    texts("ABCDEFGH", 2).flatMap((start) => texts("ABCDEFGH", 2).map((end) => `${start}${"x".repeat(30)}${end}`)),
  ],
  ["long ids that differ at their ends", texts("ABCDEFGHIJ", 3).map((end) => `${"x".repeat(33)}${end}`)],
];

for (const [what, ids] of CHOSEN) {
  test(`hashes spread ${what}`, () => {
    for (let seed = 0; seed < 20; seed++) {
      const most = fullest(new TextHash(seed * 0x9e3779b1), ids);
      assert.ok(most < 20, `seed ${seed}: ${most} in one chain`);
    }
  });
}

test("ids that share a chain with one seed do not with others", () => {
  const known = new TextHash(0);
  const chosen = Array.from({ length: 400_000 }, (_, n) => `x${n}`).filter((id) => (known.of(id) & (CHAINS - 1)) === 7);
  assert.ok(chosen.length > 300, "an attack");
  assert.equal(fullest(known, chosen), chosen.length);
  for (let seed = 1; seed <= 20; seed++) assert.ok(fullest(new TextHash(seed), chosen) < 10, `seed ${seed}`);
});

test("a hash covers the complete text, independent of earlier calls", () => {
  const hash = new TextHash(5);
  const ids = ["", "a", "ab", "b", "ab", "a".repeat(200), `${"a".repeat(199)}b`, "\u00e9\u4e2d", "ab", ""];
  const first = ids.map((id) => hash.of(id));
  assert.deepEqual(
    ids.map((id) => new TextHash(5).of(id)),
    first,
  );
  assert.equal(new Set(first).size, new Set(ids).size);
  for (const value of first) assert.ok(Number.isInteger(value) && value >= 0 && value < 2 ** 26);
});
