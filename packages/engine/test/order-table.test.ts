/** The table of open orders against a map, with ids in a row, ids that collide, and ids of which few stay. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Order } from "@pricetime/engine";
import { OrderTable } from "../src/state/order/order-table.ts";
import { Dice } from "@pricetime/testkit/dice";

const orderOf = (orderId: number): Order => ({ orderId }) as Order;

/** `stride` 256 gives each row one id and all the same place in it; 2^32 the same hash altogether. */
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
