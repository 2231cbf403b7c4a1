/** The table of open orders compared with a map: consecutive ids, colliding ids, and ids of which few remain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { composedOrderId, type Order } from "@pricetime/engine";
import { OrderTable } from "../src/state/order/order-table.ts";
import { Dice } from "@pricetime/testkit/dice";

const orderOf = (orderId: number): Order => ({ orderId }) as Order;

/** With `stride` 256 each row has one id, all at the same position; with 2^32 all ids have the same hash. */
const CASES: readonly (readonly [name: string, stride: number, keptOneIn: number, ids: number])[] = [
  ["ids in a row, most of which stay open", 1, 8, 20_000],
  ["ids in a row, few of which stay open", 1, 0, 20_000],
  ["ids that want the same place of their row", 256, 4, 5_000],
  ["ids that want two places side by side", 128, 4, 5_000],
  ["ids beyond 32 bits", 2 ** 24 + 1, 4, 5_000],
];

for (const [name, stride, removeOneIn, ids] of CASES) {
  test(`a table of orders is a map: ${name}`, () => {
    const dice = new Dice(stride);
    const table = new OrderTable();
    const map = new Map<number, Order>();
    const open: Order[] = [];
    const removeOne = () => {
      const [order] = open.splice(dice.below(open.length), 1);
      table.remove(order!);
      map.delete(order!.orderId);
      assert.equal(table.get(order!.orderId), undefined);
      assert.throws(() => table.remove(order!), /only an open order/);
    };
    for (let n = 1; n <= ids; n++) {
      const order = orderOf(n * stride);
      assert.equal(table.get(order.orderId), undefined);
      table.add(order);
      map.set(order.orderId, order);
      open.push(order);
      if (removeOneIn === 0 ? open.length > 500 : dice.oneIn(removeOneIn)) removeOne();
      if (n % 500 === 0) for (const each of open) assert.equal(table.get(each.orderId), each);
      assert.equal(table.size, map.size);
    }
    assert.ok(open.length > 450, "many orders stay open");
    for (let n = 1; n <= ids; n++) assert.equal(table.get(n * stride), map.get(n * stride));
    while (open.length > 0) removeOne();
    assert.equal(table.size, 0);
  });
}

for (const bits of [16, 24, 31, 32, 40]) {
  test(`full rows 2^${bits} ids apart do not grow the directory`, () => {
    const table = new OrderTable();
    const ids = [0, 1, 2].flatMap((n) => Array.from({ length: 255 }, (_, i) => n * 2 ** bits + i + 1));
    const orders = ids.map(orderOf);
    for (const order of orders) {
      table.add(order);
      assert.ok(table.entryCount <= Math.max(1, table.size / 4), `${table.entryCount} entries, ${table.size} orders`);
    }
    table.check();
    for (const order of orders) assert.equal(table.get(order.orderId), order);
    assert.equal(table.get(3 * 2 ** bits + 1), undefined);
    for (const [n, order] of orders.entries()) {
      table.remove(order);
      assert.equal(table.get(order.orderId), undefined);
      if (n % 50 === 0) table.check();
    }
    table.check();
    assert.equal(table.size, 0);
  });
}

/** One symbol has many open orders, the others have a few of the same numbers each. */
test("the same numbers of many symbols are spread over the table", () => {
  const table = new OrderTable();
  let seen = 0;
  const ids = Array.from({ length: 2_000 }, (_, symbolId) =>
    Array.from({ length: symbolId === 7 ? 20_000 : 10 }, (__, n) => composedOrderId(symbolId, n + 1)),
  ).flat();
  for (const orderId of ids) {
    table.add(
      Object.defineProperty(orderOf(orderId), "orderId", {
        get: () => {
          seen++;
          return orderId;
        },
      }),
    );
  }
  table.check();
  seen = 0;
  for (const orderId of ids) assert.equal(table.get(orderId) === undefined, false);
  assert.ok(seen < 3 * ids.length, `${seen / ids.length} orders for each look-up`);
});

test("a large segment is split when the directory grows", () => {
  const table = new OrderTable();
  const orders = [0, 2 ** 16, 2 ** 17].flatMap((first) =>
    Array.from({ length: 255 }, (_, i) => orderOf(first + i + 1)),
  );
  const more = Array.from({ length: 20_000 }, (_, i) => orderOf(2 ** 20 + i));
  for (const order of [...orders, ...more]) table.add(order);
  for (const order of orders.slice(0, 255)) table.add(orderOf(order.orderId + 2 ** 18));
  table.check();
  for (const order of [...orders, ...more]) assert.equal(table.get(order.orderId), order);
});

test("a lookup in a large segment visits few orders", () => {
  const table = new OrderTable();
  let seen = 0;
  const seenOrderOf = (orderId: number): Order =>
    Object.defineProperty(orderOf(orderId), "orderId", {
      get: () => {
        seen++;
        return orderId;
      },
    });
  const ids = Array.from({ length: 40 }, (_, row) => Array.from({ length: 256 }, (__, i) => row * 2 ** 19 + i)).flat();
  for (const orderId of ids) table.add(seenOrderOf(orderId));
  seen = 0;
  for (const orderId of ids) table.get(orderId);
  assert.ok(seen < 200 * ids.length, `${seen / ids.length} orders for each look-up`);
});
