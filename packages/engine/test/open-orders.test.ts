/** The index of open orders removes accounts and symbols without open orders, except the last one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Order } from "@pricetime/engine";
import { MOST_EMPTIED, OpenOrders } from "../src/state/order/open-orders.ts";
import { OrderLists, pairList } from "../src/state/order/order-lists.ts";

const SYMBOLS = 10;

function orderOf(orderId: number, accountId: number, symbolId: number): Order {
  const terms = {
    symbolId,
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    selfTradePrevention: "NONE",
    expiryReason: "NONE",
  } as const;
  return new Order(orderId, terms, null, { accountId, clientOrderId: `c${orderId}`, priceTicks: 5 }, 7, 1_000);
}

test("a limited number of empty indices is retained", () => {
  const orders = new OpenOrders(1);
  const kept = orderOf(1, 1, 1);
  orders.add(kept);
  const again = orderOf(2, 1, 2);
  orders.add(again);
  orders.remove(again);
  // Emptied, and filled again before its slot is reused.
  orders.add(again);
  const pairs = MOST_EMPTIED + 5_000;
  for (let n = 0; n < pairs; n++) {
    const order = orderOf(3 + n, 2 + Math.floor(n / SYMBOLS), n % SYMBOLS);
    orders.add(order);
    orders.remove(order);
  }
  assert.equal(orders.bookCount, MOST_EMPTIED + 2);
  orders.check();
  assert.equal(orders.accountBook(2, 0), undefined, "the first that was emptied is gone");
  assert.deepEqual(orders.of(1, undefined), [kept, again]);
  const refilled = orderOf(3 + pairs, 2, 0);
  orders.add(refilled);
  assert.deepEqual(orders.of(2, 0), [refilled]);
  for (const order of [kept, again, refilled]) orders.remove(order);
  orders.check();
  assert.equal(orders.bookCount, MOST_EMPTIED);
});

test("repeated placing and cancelling on one symbol uses one slot of the emptied indices", () => {
  const orders = new OpenOrders(1);
  const other = orderOf(1, 1, 1);
  orders.add(other);
  orders.remove(other);
  for (let n = 2; n < MOST_EMPTIED + 5_000; n++) {
    const order = orderOf(n, 2, 1);
    orders.add(order);
    orders.remove(order);
  }
  assert.equal(orders.bookCount, 2);
  orders.check();
});

test("an account has no order lists once all are over", () => {
  const lists = new OrderLists();
  for (let n = 1; n <= 50; n++) {
    const [stop, limit] = [orderOf(2 * n, n, 1), orderOf(2 * n + 1, n, 1)];
    const placed = { orderListId: n, accountId: n, symbolId: 1, listClientOrderId: "list", timeMs: 1_000 };
    const list = pairList(placed, stop, limit);
    lists.add(list);
    assert.equal(lists.countOf(n), 1);
    lists.remove(list);
    assert.equal(lists.countOf(n), 0);
    lists.check(() => true);
  }
});
