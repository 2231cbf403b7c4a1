import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { openLists, type OpenList } from "../../src/account/order-lists.ts";
import type { OrderRow } from "../../src/account/port.ts";
import type { Question } from "../../src/panels/controls.tsx";
import { cancelAll, cancelList, cancelOrder } from "../../src/panels/change-orders.ts";

const LIMIT = {
  ...{ orderId: 1, orderListId: -1, symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "19500.00000000" },
  ...{ stopPrice: "0.00000000", origQty: "1.50000000", executedQty: "0.50000000" },
} as OrderRow;
const KNOWN = { state: "known", status: "NEW", executedQty: "0.00000000" } as const;
const LEG: OrderRow = { ...LIMIT, ...KNOWN, orderId: 2, orderListId: 7 };
const STOP: OrderRow = { ...LEG, orderId: 3, type: "STOP_LOSS_LIMIT", price: "18900", stopPrice: "19000.00000000" };

/** An order to buy, with a take profit and a stop loss. */
const WORKING: OrderRow = { ...LIMIT, orderId: 4, orderListId: 8, state: "known", status: "PARTIALLY_FILLED" };
const LOSS: OrderRow = { ...STOP, orderId: 5, orderListId: 8, side: "SELL", type: "STOP_LOSS", status: "PENDING_NEW" };
const PROFIT: OrderRow = { ...LOSS, orderId: 6, type: "LIMIT_MAKER", price: LIMIT.price, stopPrice: LIMIT.stopPrice };
const OPEN = [LIMIT, LEG, STOP, WORKING, LOSS, PROFIT];
const [OCO, OTO] = openLists(OPEN) as [OpenList, OpenList];

/** A user who always gives the same answer; records the questions and the requests. */
function deskOf(confirms: boolean, answer = true) {
  const asked: Question[] = [];
  const done: unknown[] = [];
  const deed =
    (what: (...given: never[]) => unknown) =>
    (...given: never[]) => (done.push(what(...given)), done);
  const terminal = {
    account: {
      orders: signal(OPEN),
      cancel: deed(({ orderId }: OrderRow) => orderId),
      cancelList: deed((symbol: string, orderListId: number) => [symbol, orderListId]),
      cancelAll: deed((symbol: string | null) => symbol ?? "all"),
    },
    ask: { confirm: (question: Question) => (asked.push(question), Promise.resolve(answer)) },
    preferences: { confirms: signal(confirms) },
    feed: { markets: signal(new Map([["BTCUSDT", { priceDigits: 2, quantityDigits: 3 }]])) },
  } as unknown as Parameters<typeof cancelOrder>[0];
  return { terminal, asked, done };
}

const DEEDS: readonly [string, (terminal: Parameters<typeof cancelOrder>[0]) => Promise<void>, unknown][] = [
  ["an order", (terminal) => cancelOrder(terminal, LIMIT), 1],
  ["a list", (terminal) => cancelList(terminal, OCO), ["BTCUSDT", 7]],
  ["all of one", (terminal) => cancelAll(terminal, "BTCUSDT", 1), "BTCUSDT"],
  ["all of many", (terminal) => cancelAll(terminal, null, 2), "all"],
];

test("with confirmations on, every cancellation is confirmed; otherwise only that of several orders", async () => {
  for (const [name, deed, what] of DEEDS) {
    for (const confirms of [true, false]) {
      const { terminal, asked, done } = deskOf(confirms);
      await deed(terminal);
      assert.equal(asked.length, confirms || name === "all of many" ? 1 : 0, `${name}, ${confirms}`);
      assert.deepEqual(done, [what], name);
    }
    const no = deskOf(true, false);
    await deed(no.terminal);
    assert.deepEqual([no.asked.length, no.done], [1, []], `${name}: no is no`);
  }
});

test("the confirmation shows the order, and that an OCO is canceled as a whole", async () => {
  const { terminal, asked } = deskOf(true);
  await cancelOrder(terminal, LIMIT);
  await cancelOrder(terminal, STOP);
  await cancelList(terminal, OCO);
  const both = "Trigger: 19,000.00, Quantity: 1.500, List: Both orders of the OCO will be canceled.";
  const shown = asked.map(({ title, facts }) => `${title} ${facts.map((fact) => fact.join(": ")).join(", ")}`);
  assert.deepEqual(shown, [
    "Cancel this buy order (Limit)? Market: BTCUSDT, Price: 19,500.00, Quantity: 1.500, Filled: 0.500",
    `Cancel this buy order (Stop limit)? Market: BTCUSDT, Price: 18,900.00, ${both}`,
    `Cancel this buy order list (OCO)? Market: BTCUSDT, Price: 19,500.00, ${both}`,
  ]);
  for (const { no } of asked) assert.equal(no, "Keep");
});

test("the confirmation names a trailing stop by its distance, and whether it is active", async () => {
  const { terminal, asked } = deskOf(true);
  const trailing = { ...STOP, type: "STOP_LOSS", orderListId: -1, price: "0", trailingDelta: 150, isWorking: false };
  await cancelOrder(terminal, { ...trailing, trailingTime: -1 });
  await cancelOrder(terminal, { ...trailing, trailingTime: 5 });
  assert.deepEqual(
    asked.map(({ title, facts }) => [title, facts.find(([label]) => label === "Status")?.[1]]),
    ["not activated", "active"].map((state) => ["Cancel this buy order (Trailing 1.5%)?", state]),
  );
});

test("the confirmation names the pending orders that are canceled with a working order, and the other way around", async () => {
  const { terminal, asked, done } = deskOf(true);
  await cancelOrder(terminal, WORKING);
  await cancelOrder(terminal, LOSS);
  await cancelList(terminal, OTO);
  const all = ["List", "The order and the 2 pending orders will be canceled."];
  assert.deepEqual(
    asked.map(({ title, facts }) => [title, facts.at(-1)]),
    [
      ["Cancel this buy order (Limit)?", all],
      ["Cancel this sell order (Stop market)?", all],
      ["Cancel this buy order list (OTO)?", all],
    ],
  );
  assert.deepEqual(done, [4, 5, ["BTCUSDT", 8]]);
});
