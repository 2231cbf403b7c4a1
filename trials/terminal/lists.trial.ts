/**
 * Order lists from the form: both sides, every type of leg; each leg is changed in its row, and the list is canceled.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import { type Entry, fillIn, submitOf } from "./order-form.ts";
import { changeCell, COLUMNS, type PriceColumn, unmoved, untilCell } from "./price-cells.ts";
import { openTerminal, rowsOf, showTab, signInAs, type Terminal } from "./terminal.ts";
import { openOrders, openVenue, type Order } from "./venue.ts";

const SOON = { withinMs: 20_000 } as const;

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  terminal = await openTerminal(browser, venue.exchange.rest);
  await signInAs(terminal, "alice");
});

interface ListCase {
  readonly name: string;
  readonly entry: Omit<Entry, "kind">;
  /** The legs as the node returns them, the stop leg first. */
  readonly legs: readonly [Partial<Order>, Partial<Order>];
  /** Their names in the table of open orders. */
  readonly shown: readonly string[];
  /** The changes in the rows of the legs. */
  readonly changed: readonly { readonly leg: 0 | 1; readonly column: PriceColumn; readonly to: string }[];
}

const STOP_OF_BUY = {
  type: "STOP_LOSS_LIMIT",
  side: "BUY",
  stopPrice: "20800.00000000",
  price: "20850.00000000",
} as const;

const LISTS: readonly ListCase[] = [
  {
    name: "a SELL whose stop leg is a limit order",
    entry: {
      side: "Sell",
      fields: { "Limit price": "21000", "Stop price": "19200", "Stop limit price": "19150", Quantity: "0.017" },
    },
    legs: [
      { type: "STOP_LOSS_LIMIT", side: "SELL", stopPrice: "19200.00000000", price: "19150.00000000" },
      { type: "LIMIT_MAKER", side: "SELL", price: "21000.00000000", origQty: "0.01700000" },
    ],
    shown: ["Stop limit", "Post only"],
    changed: [
      { leg: 0, column: "Trigger", to: "19201.00" },
      { leg: 0, column: "Price", to: "19151.00" },
    ],
  },
  {
    name: "a BUY whose stop leg is IOC",
    entry: {
      ...{ side: "Buy", inForce: "IOC" },
      fields: { "Limit price": "19000", "Stop price": "20800", "Stop limit price": "20850", Quantity: "0.018" },
    },
    legs: [
      { ...STOP_OF_BUY, timeInForce: "IOC" },
      { type: "LIMIT_MAKER", side: "BUY", price: "19000.00000000", origQty: "0.01800000" },
    ],
    shown: ["Stop limit", "Post only"],
    changed: [{ leg: 1, column: "Price", to: "19001.00" }],
  },
  {
    name: "a BUY whose limit leg is an iceberg, after one that was IOC",
    entry: {
      ...{ side: "Buy", ticks: ["Iceberg"] },
      fields: {
        ...{ "Limit price": "19000", "Stop price": "20800", "Stop limit price": "20850" },
        ...{ Quantity: "0.4", "Visible quantity": "0.1" },
      },
    },
    legs: [
      { ...STOP_OF_BUY, timeInForce: "GTC", icebergQty: "0.00000000" },
      { type: "LIMIT_MAKER", side: "BUY", icebergQty: "0.10000000", origQty: "0.40000000" },
    ],
    shown: ["Stop limit", "iceberg"],
    changed: [{ leg: 1, column: "Price", to: "19002.00" }],
  },
  {
    name: "a SELL whose stop leg is a market order",
    entry: {
      side: "Sell",
      fields: { "Limit price": "21000", "Stop price": "19200", "Stop limit price": "", Quantity: "0.019" },
    },
    legs: [
      { type: "STOP_LOSS", side: "SELL", stopPrice: "19200.00000000", origQty: "0.01900000" },
      { type: "LIMIT_MAKER", side: "SELL", price: "21000.00000000" },
    ],
    shown: ["Stop market", "Post only"],
    changed: [
      { leg: 0, column: "Trigger", to: "19202.00" },
      { leg: 1, column: "Price", to: "21001.00" },
    ],
  },
  {
    name: "a SELL whose stop leg follows the price",
    entry: {
      ...{ side: "Sell", prevention: "EXPIRE_BOTH" },
      fields: { "Limit price": "21000", "Trailing distance": "2", "Stop limit price": "", Quantity: "0.023" },
    },
    legs: [
      { type: "STOP_LOSS", side: "SELL", trailingDelta: 200, selfTradePreventionMode: "EXPIRE_BOTH" },
      { type: "LIMIT_MAKER", side: "SELL", price: "21000.00000000", selfTradePreventionMode: "EXPIRE_BOTH" },
    ],
    shown: ["Trailing 2%", "Post only"],
    changed: [],
  },
  {
    name: "a SELL that takes its profit at the market",
    entry: {
      ...{ side: "Sell", limitLeg: "Take profit" },
      fields: { "Trigger price": "21000", "Stop price": "19200", "Stop limit price": "", Quantity: "0.021" },
    },
    legs: [
      { type: "STOP_LOSS", side: "SELL", stopPrice: "19200.00000000", origQty: "0.02100000" },
      { type: "TAKE_PROFIT", side: "SELL", stopPrice: "21000.00000000", origQty: "0.02100000" },
    ],
    shown: ["Stop market", "Take profit"],
    changed: [
      { leg: 0, column: "Trigger", to: "19203.00" },
      { leg: 1, column: "Trigger", to: "21002.00" },
    ],
  },
  {
    name: "a BUY that takes its profit at a limit, as an iceberg",
    entry: {
      ...{ side: "Buy", limitLeg: "Take profit limit", ticks: ["Iceberg"] },
      fields: {
        ...{ "Trigger price": "19000", "Limit price": "19010", "Stop price": "20800", "Stop limit price": "20850" },
        ...{ Quantity: "0.3", "Visible quantity": "0.1" },
      },
    },
    legs: [
      { ...STOP_OF_BUY, timeInForce: "GTC" },
      {
        ...{ type: "TAKE_PROFIT_LIMIT", side: "BUY", stopPrice: "19000.00000000", price: "19010.00000000" },
        ...{ timeInForce: "GTC", icebergQty: "0.10000000" },
      },
    ],
    shown: ["Stop limit", "Take profit limit"],
    changed: [
      { leg: 1, column: "Trigger", to: "19003.00" },
      { leg: 1, column: "Price", to: "19013.00" },
      { leg: 0, column: "Price", to: "20853.00" },
    ],
  },
];

for (const { name, entry, legs, shown, changed } of LISTS) {
  test(`placed as a list, changed in the rows of its legs, canceled as one: ${name}`, { skip }, async () => {
    await showTab(terminal, "Open orders");
    await fillIn(terminal, { ...entry, kind: "OCO" });
    await submitOf(terminal).click();
    let now = await untilLegs("two legs", legs);
    await until("both legs are shown", async () => (await rowsOf(terminal)).length === 2, SOON);
    const cells = (await rowsOf(terminal)).map((row) => row.join(" | "));
    for (const words of shown) assert.equal(cells.filter((row) => row.includes(words)).length, 1, cells.join("\n"));
    for (const { leg, column, to } of changed) {
      const of = COLUMNS[column];
      const before = now;
      await changeCell(terminal, column, now[leg]?.[of] as string, to);
      const wanted = before.map((one, i) => ({ ...unmoved(one), ...(i === leg ? { [of]: `${to}000000` } : {}) }));
      now = await untilLegs(`the ${column} ${to}, and the other leg as it was`, wanted, before);
      await untilCell(terminal, column, to);
      await until("two rows of it", async () => (await rowsOf(terminal)).length === 2, SOON);
    }
    await showTab(terminal, "Order lists");
    await until("one list is shown", async () => (await rowsOf(terminal)).length === 1, SOON);
    await terminal.tables.getByRole("button", { name: "Cancel list" }).click();
    await until("none is open", async () => (await openOrders(venue.alice)).length === 0, SOON);
    await terminal.tables.getByText(/^No open order lists\./).waitFor();
  });
}

/** Waits until exactly these two legs of one list are open, the stop leg first, and none of them is one of `before`. */
function untilLegs(
  what: string,
  wanted: readonly Partial<Order>[],
  before: readonly Order[] = [],
): Promise<readonly Order[]> {
  return untilAnswer(
    what,
    () => openOrders(venue.alice),
    (orders) =>
      orders.length === 2 &&
      new Set(orders.map(({ orderListId }) => orderListId)).size === 1 &&
      orders.every((one, i) =>
        Object.entries(wanted[i] ?? {}).every(([key, value]) => Reflect.get(one, key) === value),
      ) &&
      orders.every(({ orderId }) => before.every((one) => one.orderId !== orderId)),
    SOON,
  );
}

test("the browser's console has no messages", { skip }, () => {
  assert.deepEqual(terminal.complaints, []);
});
