/**
 * The account's orders on the chart: canceled by their cross, dragged by pointer or finger, moved by keys; each change
 * is verified at the node.
 */
import { unmoved } from "./price-cells.ts";
import type { Account } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type { Locator } from "playwright-core";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { type TerminalOptions, openTerminal, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, type Order, place, placeOco, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;

const { venue, browser } = await rigOf(openVenue);
/** Here orders are moved and canceled at once; in the other terminal with a confirmation. */
let terminal: Terminal;
let asking: Terminal;
before(async () => {
  if (skip !== false) return;
  [terminal, asking] = (await Promise.all([{}, { confirms: true }].map(opened))) as [Terminal, Terminal];
});

async function opened(options: TerminalOptions): Promise<Terminal> {
  const one = await openTerminal(browser, venue.exchange.rest, options);
  await signInAs(one, "alice");
  await one.chart.locator("canvas").first().waitFor();
  return one;
}

beforeEach(async () => {
  if (skip !== false) return;
  await cancelEverything(venue.alice);
  for (const one of [terminal, asking])
    await until("no line is left", async () => (await lines(one).getByRole("slider").count()) === 0, SOON);
});

const lines = ({ chart } = terminal): Locator => chart.getByRole("list", { name: "Your open orders on the chart" });
const handle = (name: string | RegExp, where = terminal): Locator => lines(where).getByRole("slider", { name });
const bad = (hasText: string | RegExp): Locator =>
  terminal.page.getByRole("log").locator(".notice.bad").filter({ hasText }).first();
/** The title of the confirmation, and the answer to give. */
const answer = (text: string): Locator => asking.chart.locator(".chart-ask").getByRole("button", { name: text });

const LIMIT = { type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;

/** Near the last price, because the chart of a market with one trade has a small price range. */
async function placeNear(price: string): Promise<Order> {
  return place(venue.alice, { ...LIMIT, side: "BUY", price });
}

function untilOpen(what: string, isIt: (orders: readonly Order[]) => boolean): Promise<readonly Order[]> {
  return untilAnswer(what, () => openOrders(venue.alice), isIt, SOON);
}

/** Focuses a label or its cross, because labels of close lines are folded until then. */
async function shown(part: Locator): Promise<Locator> {
  await part.focus();
  await until(
    "the label has a place",
    async () => !/is-unplaced|is-folded/.test((await part.locator("xpath=..").getAttribute("class")) ?? "is-unplaced"),
    SOON,
  );
  return part;
}

/** The new price of a line that is being moved. */
async function priceOf(label: Locator): Promise<string> {
  return ((await label.getAttribute("aria-valuetext")) ?? "").split(", ")[0] ?? "";
}

/** The point at which a pointer or a finger grabs it. */
async function middleOf(label: Locator): Promise<{ readonly x: number; readonly y: number }> {
  await shown(label);
  const box = await label.boundingBox();
  assert.ok(box !== null);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The only open order, once it differs from the earlier one and the chart shows exactly one line at its price. */
async function movedFrom({ orderId }: Order, where: Terminal): Promise<Order> {
  const orders = await untilOpen("the order has moved", ([one, ...more]) => {
    return one !== undefined && more.length === 0 && one.orderId !== orderId;
  });
  const [moved] = orders;
  assert.ok(moved !== undefined);
  const price = Number(moved.price).toFixed(2);
  await handle(new RegExp(`^Buy limit 0\\.01, price ${price}`), where).waitFor();
  await until("one line of one order", async () => (await lines(where).getByRole("slider").count()) === 1, SOON);
  return moved;
}

async function freeOf(asset: string): Promise<number> {
  const { json } = await venue.alice.signed<Account>("GET", "/api/v3/account");
  return Number(json.balances.find((one) => one.asset === asset)?.free);
}

test("the cross cancels after a confirmation", { skip }, async () => {
  await placeNear("19999.00");
  const cross = lines().getByRole("button", { name: "Cancel order: Buy limit 0.01 at 19999.00" });
  await (await shown(cross)).click();
  await untilOpen("it is cancelled", ({ length }) => length === 0);
  await cross.waitFor({ state: "hidden" });
});

test("a pointer drags an order to another price", { skip }, async () => {
  const { page } = terminal;
  const before = await placeNear("19999.00");
  const label = handle(/^Buy limit 0\.01, price 19999\.00/);
  const { x, y } = await middleOf(label);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 6; step++) await page.mouse.move(x, y + step * 10);
  const to = await priceOf(label);
  assert.notEqual(to, "19999.00", "it follows the pointer");
  await page.mouse.up();
  const moved = await movedFrom(before, terminal);
  assert.ok(Number(moved.price) < 19999, moved.price);
  assert.equal(moved.origQty, before.origQty);
  assert.equal(Number(moved.price), Number(to), "where it was let go");
});

/** Drags a label by that many pixels and returns the price that it showed last. */
async function dragBy(label: Locator, byPx: number): Promise<string> {
  const { page } = terminal;
  const { x, y } = await middleOf(label);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + byPx, { steps: 5 });
  const to = await priceOf(label);
  await page.mouse.up();
  return to;
}

const AWAY_PX = 15;

/**
 * Each order type that can stay open, near the last price, with the names of its lines. Moved away from that price,
 * none is triggered.
 */
const RESTING: readonly (readonly [named: string, order: Readonly<Record<string, string>>])[] = [
  ["Buy post only", { side: "BUY", type: "LIMIT_MAKER", price: "19960.00" }],
  ["Buy limit", { side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "19950.00", icebergQty: "0.002" }],
  ["Sell stop market", { side: "SELL", type: "STOP_LOSS", stopPrice: "19970.00" }],
  ["Sell take profit", { side: "SELL", type: "TAKE_PROFIT", stopPrice: "20050.00" }],
  [
    "Sell stop limit",
    { side: "SELL", type: "STOP_LOSS_LIMIT", timeInForce: "GTC", stopPrice: "19980.00", price: "19960.00" },
  ],
  [
    "Sell take profit limit",
    { side: "SELL", type: "TAKE_PROFIT_LIMIT", timeInForce: "GTC", stopPrice: "20040.00", price: "20060.00" },
  ],
];

for (const [named, order] of RESTING) {
  const { type = "", icebergQty } = order;
  test(`dragged by each of its prices, canceled by its cross: ${icebergQty ? "iceberg" : type}`, {
    skip,
  }, async () => {
    await place(venue.alice, { ...order, quantity: "0.01" });
    let [now] = (await openOrders(venue.alice)) as [Order];
    for (const part of ["price", "stopPrice"] as const) {
      if (order[part] === undefined) continue;
      const from = Number(now[part]).toFixed(2);
      const spoken = `${named} 0.01, ${part === "price" ? "price" : "trigger price"} `;
      const to = await dragBy(handle(spoken + from), Number(from) < 20_000 ? AWAY_PX : -AWAY_PX);
      assert.notEqual(to, from, "it follows the pointer");
      const { orderId, ...before } = now;
      const orders = await untilOpen("the order has moved", ([one]) => one !== undefined && one.orderId !== orderId);
      [now] = orders as [Order];
      assert.deepEqual(orders.map(unmoved), [unmoved({ ...before, orderId, [part]: `${to}000000` })]);
      await handle(spoken + to).waitFor();
    }
    const cross = lines().getByRole("button", {
      name: new RegExp(`^Cancel order: ${named} 0\\.01 at`),
      disabled: false,
    });
    await (await shown(cross.first())).click();
    await untilOpen("it is cancelled", ({ length }) => length === 0);
  });
}

test("with confirmations on, Escape reverts a move, no keeps the order, yes moves it, and so does canceling", {
  skip,
}, async () => {
  const { page, chart } = asking;
  const first = await placeNear("19999.00");
  const label = handle(/^Buy limit 0\.01, price 19999\.00/, asking);
  const drag = async (): Promise<void> => {
    const { x, y } = await middleOf(label);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 10, y + 40, { steps: 5 });
    await chart.locator(".chart-line.is-moving").waitFor();
  };
  await drag();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await chart.locator(".is-moving, .chart-ask").count(), 0);

  await drag();
  await page.mouse.up();
  await answer("Keep").click();
  assert.deepEqual(
    (await openOrders(venue.alice)).map(({ orderId, price }) => [orderId, price]),
    [[first.orderId, first.price]],
  );

  await drag();
  const wanted = await priceOf(label);
  await page.mouse.up();
  await answer("Move order").click();
  const moved = await movedFrom(first, asking);
  assert.equal(wanted, Number(moved.price).toFixed(2));

  await (await shown(lines(asking).getByRole("button", { name: /^Cancel order: / }))).click();
  await answer("Cancel order").click();
  await untilOpen("it is cancelled", ({ length }) => length === 0);
});

test("a finger moves an order by its label", { skip }, async () => {
  const { page } = asking;
  const first = await placeNear("19999.00");
  const { x, y } = await middleOf(handle(/^Buy limit 0\.01, price 19999\.00/, asking));
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at: number): Promise<unknown> =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: at }] });
  await touch("touchStart", y);
  for (const by of [10, 20, 30]) await touch("touchMove", y + by);
  await touch("touchEnd", y + 30);
  await answer("Move order").click();
  const moved = await movedFrom(first, asking);
  assert.ok(Number(moved.price) < Number(first.price));
});

test("arrow keys move an order by ticks, Escape reverts the move, Delete cancels the order", { skip }, async () => {
  const { page } = terminal;
  await placeNear("19998.00");
  await handle(/^Buy limit 0\.01, price 19998\.00/).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  assert.equal((await openOrders(venue.alice))[0]?.price, "19998.00000000");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await untilOpen("eleven ticks up", ([one]) => one?.price === "19998.11000000");
  await handle(/price 19998\.11/).waitFor();
  await until(
    "the focus goes along",
    async () => (await page.evaluate<string>("document.activeElement.ariaLabel ?? ''")).includes("19998.11"),
    SOON,
  );
  await page.keyboard.press("Delete");
  await untilOpen("it is cancelled", ({ length }) => length === 0);
});

const pricesOf = (orders: readonly Order[]): unknown =>
  orders.map(({ type, price, stopPrice }) => [type, price, Number(stopPrice)]).toSorted();

test("moving a leg of an OCO places the list again with both legs", { skip }, async () => {
  const { page } = terminal;
  await placeOco(venue.alice);
  await handle(/^Sell post only 0\.02 of an OCO, price 20008\.00/).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const legs = await untilOpen("the leg has moved", (orders) => orders.some(({ price }) => price === "20008.01000000"));
  assert.deepEqual(pricesOf(legs), [
    ["LIMIT_MAKER", "20008.01000000", 0],
    ["STOP_LOSS_LIMIT", "19994.00000000", 19995],
  ]);
});

test("dragging a leg of an OCO places both legs again, and its cross cancels both", { skip }, async () => {
  await placeOco(venue.alice);
  const before = await openOrders(venue.alice);
  const to = await dragBy(handle(/^Sell post only 0\.02 of an OCO, price 20008\.00/), -40);
  assert.ok(Number(to) > 20_008, to);
  const legs = await untilReplaced(before);
  assert.deepEqual(pricesOf(legs), [
    ["LIMIT_MAKER", `${to}000000`, 0],
    ["STOP_LOSS_LIMIT", "19994.00000000", 19995],
  ]);
  const cross = { name: `Cancel order: Sell post only 0.02 of an OCO at ${to}`, disabled: false };
  await (await shown(lines().getByRole("button", cross))).click();
  await untilOpen("both are cancelled", ({ length }) => length === 0);
});

/** Waits until the list is open again with both legs, neither of which is one of `before`. */
function untilReplaced(before: readonly Order[]): Promise<readonly Order[]> {
  return untilOpen("the list is placed again", (orders) => {
    return orders.length === 2 && orders.every(({ orderId }) => before.every((one) => one.orderId !== orderId));
  });
}

interface DraggedList {
  readonly name: string;
  readonly side: "BUY" | "SELL";
  /** The parameters of the interface, without market, side and quantity. */
  readonly asked: Readonly<Record<string, string>>;
  /** Each price of each leg, as the name of its line has it. */
  readonly lines: readonly (readonly [type: string, named: string, part: "price" | "stopPrice"])[];
}

const STOP_MARKET_BELOW = { belowType: "STOP_LOSS", belowStopPrice: "19950.00" } as const;

/** Moved away from the last price, no leg is triggered. */
const LISTS: readonly DraggedList[] = [
  {
    name: "a stop leg that is a market order",
    side: "SELL",
    asked: { aboveType: "LIMIT_MAKER", abovePrice: "20050.00", ...STOP_MARKET_BELOW },
    lines: [
      ["LIMIT_MAKER", "post only", "price"],
      ["STOP_LOSS", "stop market", "stopPrice"],
    ],
  },
  {
    name: "a take-profit leg and a stop leg, both market orders",
    side: "SELL",
    asked: { aboveType: "TAKE_PROFIT", aboveStopPrice: "20050.00", ...STOP_MARKET_BELOW },
    lines: [
      ["TAKE_PROFIT", "take profit", "stopPrice"],
      ["STOP_LOSS", "stop market", "stopPrice"],
    ],
  },
  {
    name: "a take-profit leg that is a limit order and an iceberg",
    side: "BUY",
    asked: {
      ...{ aboveType: "STOP_LOSS_LIMIT", aboveStopPrice: "20040.00", abovePrice: "20060.00", aboveTimeInForce: "GTC" },
      ...{ belowType: "TAKE_PROFIT_LIMIT", belowStopPrice: "19960.00", belowPrice: "19970.00" },
      ...{ belowTimeInForce: "GTC", belowIcebergQty: "0.005" },
    },
    lines: [
      ["STOP_LOSS_LIMIT", "stop limit", "price"],
      ["STOP_LOSS_LIMIT", "stop limit", "stopPrice"],
      ["TAKE_PROFIT_LIMIT", "take profit limit", "stopPrice"],
      ["TAKE_PROFIT_LIMIT", "take profit limit", "price"],
    ],
  },
  {
    name: "a post-only leg that is an iceberg",
    side: "BUY",
    asked: {
      ...{ aboveType: "STOP_LOSS", aboveStopPrice: "20050.00" },
      ...{ belowType: "LIMIT_MAKER", belowPrice: "19950.00", belowIcebergQty: "0.005" },
    },
    lines: [
      ["LIMIT_MAKER", "post only", "price"],
      ["STOP_LOSS", "stop market", "stopPrice"],
    ],
  },
];

const byType = (orders: readonly Order[]): readonly Partial<Order>[] =>
  orders.toSorted((one, other) => one.type.localeCompare(other.type)).map(unmoved);

for (const { name, side, asked, lines: named } of LISTS) {
  test(`dragged by each of its prices, as one list with its other leg, canceled by a cross: ${name}`, {
    skip,
  }, async () => {
    const { status, text } = await venue.alice.signed("POST", "/api/v3/orderList/oco", {
      ...{ symbol: SYMBOL, side, quantity: "0.02", ...asked },
    });
    assert.equal(status, 200, text);
    let now = await openOrders(venue.alice);
    assert.equal(now.length, 2);
    let spoken = "";
    for (const [type, words, part] of named) {
      const leg = now.find((one) => one.type === type) as Order;
      const from = Number(leg[part]).toFixed(2);
      spoken = `${side === "BUY" ? "Buy" : "Sell"} ${words} 0.02 of an OCO`;
      const ofPart = `${spoken}, ${part === "price" ? "price" : "trigger price"} `;
      const label = lines().getByRole("slider", { name: ofPart + from, disabled: false });
      const to = await dragBy(label, Number(from) < 20_000 ? AWAY_PX : -AWAY_PX);
      assert.notEqual(to, from, "it follows the pointer");
      const before = now;
      now = await untilReplaced(before);
      assert.deepEqual(
        byType(now),
        byType(before.map((one) => (one === leg ? { ...leg, [part]: `${to}000000` } : one))),
      );
      assert.equal(new Set(now.map(({ orderListId }) => orderListId)).size, 1, "one list");
      assert.notEqual(now[0]?.orderListId, -1);
      await handle(ofPart + to).waitFor();
    }
    const cross = lines().getByRole("button", { name: `Cancel order: ${spoken} at`, disabled: false });
    await (await shown(cross.first())).click();
    await untilOpen("both legs are cancelled", ({ length }) => length === 0);
  });
}

test("if the node rejects the new list, the page reports that the old one is canceled", { skip }, async () => {
  const { page } = terminal;
  const quantity = (Math.floor(((await freeOf("USDT")) / 20_020) * 1000) / 1000).toFixed(3);
  const above = { aboveType: "STOP_LOSS_LIMIT", aboveStopPrice: "20015.00", abovePrice: "20020.00" };
  const oco = { ...above, aboveTimeInForce: "GTC", belowType: "LIMIT_MAKER", belowPrice: "19985.00" };
  const { status, text } = await venue.alice.signed("POST", "/api/v3/orderList/oco", {
    ...{ symbol: SYMBOL, side: "BUY", quantity, ...oco },
  });
  assert.equal(status, 200, text);
  await handle(/of an OCO, price 20020\.00/).focus();
  // A hundred ticks higher, which exceeds alice's balance.
  for (let step = 0; step < 10; step++) await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await bad("The order list was canceled, but the new one was not placed").waitFor();
  assert.deepEqual(await openOrders(venue.alice), []);
  await until("no line of what is gone", async () => (await lines().getByRole("slider").count()) === 0, SOON);
});

test("a move of a list that the node would reject is not sent, and the page says why", { skip }, async () => {
  const { page } = terminal;
  const working = { workingType: "LIMIT", workingSide: "BUY", workingPrice: "19995.00", workingTimeInForce: "GTC" };
  const profit = { pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: "19995.10", workingQuantity: "0.01" };
  const loss = { pendingBelowType: "STOP_LOSS", pendingBelowStopPrice: "19994.90", pendingQuantity: "0.01" };
  const list = { symbol: SYMBOL, ...working, ...profit, ...loss, pendingSide: "SELL" };
  const { status, text } = await venue.alice.signed("POST", "/api/v3/orderList/otoco", list);
  assert.equal(status, 200, text);
  const before = await openOrders(venue.alice);
  await handle(/of an OTO, price 19995\.10/).focus();
  // Below the stop loss.
  for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Enter");
  await bad(/Order not moved: .* must be on different sides of the price/).waitFor();
  assert.deepEqual(await openOrders(venue.alice), before);
});

test("its trigger price has a line as well: keys move it after a confirmation, and cancel the list", {
  skip,
}, async () => {
  const { page, chart } = asking;
  await placeOco(venue.alice);
  const before = await openOrders(venue.alice);
  await until("three lines", async () => (await chart.locator(".chart-line").count()) === 3, SOON);
  await chart.locator(".chart-line-name", { hasText: "trigger" }).focus();
  for (const key of ["Shift+ArrowUp", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await chart.locator(".chart-ask").waitFor();
  await page.keyboard.press("Enter");
  const legs = await untilReplaced(before);
  assert.deepEqual(pricesOf(legs), [
    ["LIMIT_MAKER", "20008.00000000", 0],
    ["STOP_LOSS_LIMIT", "19994.00000000", 19995.09],
  ]);
  const settled = '[aria-valuetext^="19995.09"][aria-disabled="false"]';
  await until(
    "the focus followed the order",
    async () => (await page.evaluate(`document.activeElement.matches('${settled}')`)) === true,
    SOON,
  );
  // The stream may report the new list before the response arrives, and no other command is possible until then.
  await until(
    "it is asked about",
    async () => {
      await page.keyboard.press("Delete");
      return (await chart.locator(".chart-ask").count()) === 1;
    },
    SOON,
  );
  await page.keyboard.press("Enter");
  await untilOpen("the list is cancelled", ({ length }) => length === 0);
});

test("if the node cancels an order but rejects its replacement, the page reports both", { skip }, async () => {
  const { page } = terminal;
  const price = "19997.00";
  const quantity = (Math.floor(((await freeOf("USDT")) / Number(price)) * 1000) / 1000).toFixed(3);
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity, price });
  const label = handle(/price 19997\.00/);
  await label.focus();
  // A hundred ticks higher, which exceeds alice's balance.
  for (let step = 0; step < 10; step++) await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await bad(/The order was canceled, but the new order was not placed.*insufficient balance/).waitFor();
  assert.deepEqual(await openOrders(venue.alice), []);
  await until("no line of what is gone", async () => (await lines().getByRole("slider").count()) === 0, SOON);
});

test("fills and candles are available as a table", { skip }, async () => {
  const { page, chart } = terminal;
  await place(venue.alice, { side: "BUY", type: "MARKET", quantity: "0.01" });
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  await chart
    .getByRole("table")
    .getByText(/bought 0\.01/)
    .waitFor();
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  for (const { complaints, outside } of [terminal, asking]) {
    assert.deepEqual(besides(complaints, [400, "/api/v3/orderList/oco"], [409, "/api/v3/order/cancelReplace"]), []);
    assert.deepEqual(outside, []);
  }
});
