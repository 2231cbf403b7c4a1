/**
 * Every order type from the form, changed and canceled in its row; rejections by the node, and orders that the page
 * does not send.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Locator } from "playwright-core";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { type Entry, fieldOf, fillIn, numberIn, submitOf } from "./order-form.ts";
import { changeCell, COLUMNS, type PriceColumn, unmoved, untilCell } from "./price-cells.ts";
import {
  changeMessages,
  chooseMarket,
  chooseSetting,
  openTerminal,
  rowsOf,
  showTab,
  signInAs,
  type Terminal,
} from "./terminal.ts";
import {
  BEST_ASK,
  BEST_BID,
  cancelEverything,
  openOrders,
  openVenue,
  type Order,
  place,
  placeOco,
  SYMBOL,
  untilNewest,
} from "./venue.ts";

const SOON = { withinMs: 20_000 } as const;

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  // The orders from before the page was opened: one closed, one open.
  const order = { side: "BUY", type: "LIMIT", price: "19111.00" };
  await place(venue.alice, { ...order, timeInForce: "IOC", quantity: "0.0321" });
  await place(venue.alice, { ...order, timeInForce: "GTC", quantity: "0.0322" });
  terminal = await openTerminal(browser, venue.exchange.rest);
  await signInAs(terminal, "alice");
  await until("the open one is shown", async () => (await rowsOf(terminal)).length === 1);
  await cancelEverything(venue.alice);
});
test("orders from before the page was opened are in the history", { skip }, async () => {
  await showTab(terminal, "Order history");
  for (const quantity of ["0.032100", "0.032200"]) {
    await terminal.tables.getByRole("row").filter({ hasText: quantity }).waitFor();
  }
});

test("a late last price does not change a field that the user edits", {
  skip,
}, async () => {
  const told = Promise.withResolvers<void>();
  const late = await openTerminal(browser, venue.exchange.rest, {
    before: async (page) => {
      await page.route(/\/api\/v3\/ticker\/24hr\b/, async (route) => {
        await told.promise;
        const answer = await route.fetch();
        const all = (await answer.json()) as readonly { readonly symbol: string }[];
        await route.fulfill({ json: all.filter(({ symbol }) => symbol !== "LTCUSDT") });
      });
      await changeMessages(page, (text) => (text.includes("24hrMiniTicker") ? null : text));
    },
  });
  const [price, quantity] = ["Price", "Quantity"].map((label) => fieldOf(late, label)) as [Locator, Locator];
  await quantity.fill("0.012");
  await price.focus();
  told.resolve();
  await late.page.locator(".middling dd").getByText("20,100.00").waitFor();
  await late.page.keyboard.type("19400");
  assert.deepEqual([await price.inputValue(), await quantity.inputValue()], ["19400", "0.012"]);

  // Another market without a last price shows nothing of this one, and this one starts again after it.
  await price.blur(); // Closes the dialog, so that keys go to the page again.
  await chooseMarket(late, "LTCUSDT");
  await until("the form is that of the other market", async () => (await quantity.inputValue()) === "", SOON);
  assert.equal(await price.inputValue(), "");
  await chooseMarket(late, "BTCUSDT");
  await until("its last price is there again", async () => (await price.inputValue()) === "20,000.00", SOON);
  assert.deepEqual(late.complaints, []);
  await late.close();
});

interface Case {
  readonly entry: Entry;
  /** The order as the node returns it. */
  readonly order: Partial<Order>;
  /** The row of the open orders; null if the order is closed at once. */
  readonly shown: string | null;
  /** An order of the account that it meets. */
  readonly meets?: Readonly<Record<string, string>>;
  /** The changes in its row while it is open: the new prices by column. */
  readonly changed?: Readonly<Partial<Record<PriceColumn, string>>>;
}

const CASES: readonly Case[] = [
  {
    entry: { side: "Buy", kind: "Limit", fields: { Price: "19500", Quantity: "0.011" } },
    order: { type: "LIMIT", side: "BUY", price: "19500.00000000", origQty: "0.01100000", status: "NEW" },
    shown: "Limit",
    changed: { Price: "19501.00" },
  },
  {
    entry: { side: "Sell", kind: "Limit", fields: { Price: "20500", Quantity: "0.012" }, ticks: ["Post only"] },
    order: { type: "LIMIT_MAKER", side: "SELL", price: "20500.00000000", origQty: "0.01200000", status: "NEW" },
    shown: "Post only",
    changed: { Price: "20501.00" },
  },
  {
    entry: {
      ...{ side: "Buy", kind: "Limit", ticks: ["Iceberg"] },
      fields: { Price: "19400", Quantity: "0.5", "Visible quantity": "0.1" },
    },
    order: { type: "LIMIT", icebergQty: "0.10000000", origQty: "0.50000000", status: "NEW" },
    shown: "iceberg",
    changed: { Price: "19401.00" },
  },
  {
    entry: { side: "Buy", kind: "Limit", fields: { Price: "19000", Quantity: "0.01" }, inForce: "IOC" },
    order: { type: "LIMIT", timeInForce: "IOC", status: "EXPIRED" },
    shown: null,
  },
  {
    entry: { side: "Buy", kind: "Limit", fields: { Price: BEST_ASK, Quantity: "5" }, inForce: "FOK" },
    order: { type: "LIMIT", timeInForce: "FOK", status: "EXPIRED" },
    shown: null,
  },
  {
    entry: { side: "Buy", kind: "Market", fields: { Quantity: "0.02" }, amountIn: "BTC" },
    order: { type: "MARKET", side: "BUY", executedQty: "0.02000000", status: "FILLED" },
    shown: null,
  },
  {
    entry: { side: "Sell", kind: "Market", fields: { Amount: "1999" }, amountIn: "USDT" },
    order: { type: "MARKET", side: "SELL", executedQty: "0.10000000", status: "FILLED" },
    shown: null,
  },
  {
    entry: { side: "Sell", kind: "Stop market", fields: { "Stop price": "19000", Quantity: "0.013" } },
    order: { type: "STOP_LOSS", stopPrice: "19000.00000000", status: "NEW" },
    shown: "Stop market",
    changed: { Trigger: "19001.00" },
  },
  {
    entry: { side: "Sell", kind: "Stop limit", fields: { "Stop price": "19100", Price: "19050", Quantity: "0.014" } },
    order: { type: "STOP_LOSS_LIMIT", stopPrice: "19100.00000000", price: "19050.00000000", status: "NEW" },
    shown: "Stop limit",
    changed: { Price: "19051.00", Trigger: "19101.00" },
  },
  {
    entry: { side: "Sell", kind: "Take profit", fields: { "Trigger price": "22000", Quantity: "0.015" } },
    order: { type: "TAKE_PROFIT", stopPrice: "22000.00000000", status: "NEW" },
    shown: "Take profit",
    changed: { Trigger: "22001.00" },
  },
  {
    entry: {
      ...{ side: "Buy", kind: "Take profit limit" },
      fields: { "Trigger price": "18000", Price: "18100", Quantity: "0.016" },
    },
    order: { type: "TAKE_PROFIT_LIMIT", side: "BUY", stopPrice: "18000.00000000", price: "18100.00000000" },
    shown: "Take profit limit",
    changed: { Price: "18101.00", Trigger: "18001.00" },
  },
  {
    entry: {
      ...{ side: "Sell", kind: "Trailing stop" },
      fields: { "Trailing distance": "1.5", "Activation price": "22000", "Limit price": "21500", Quantity: "0.017" },
    },
    order: {
      ...{ type: "TAKE_PROFIT_LIMIT", stopPrice: "22000.00000000", price: "21500.00000000" },
      ...{ trailingDelta: 150, trailingTime: -1 },
    },
    shown: "Trailing 1.5% limit",
    changed: { Price: "21501.00", Trigger: "22001.00" },
  },
  {
    entry: {
      ...{ side: "Sell", kind: "Stop limit", price: "Best ask" },
      fields: { "Stop price": "19100", "Levels behind the best price": "1", Quantity: "0.018" },
    },
    order: {
      ...{ type: "STOP_LOSS_LIMIT", stopPrice: "19100.00000000", price: "0.00000000" },
      ...{ pegPriceType: "PRIMARY_PEG", pegOffsetValue: 1 },
    },
    shown: "pegged: best ask, 1 level behind",
    changed: { Trigger: "19101.00" },
  },
  {
    meets: { side: "SELL", type: "LIMIT", timeInForce: "GTC", price: "20005.00", quantity: "0.02" },
    entry: { side: "Buy", kind: "Limit", prevention: "DECREMENT", fields: { Price: "20005", Quantity: "0.031" } },
    order: { type: "LIMIT", selfTradePreventionMode: "DECREMENT", preventedQuantity: "0.02000000", status: "NEW" },
    shown: "Open, 0.02 prevented",
  },
];

for (const { entry, order, shown, meets, changed = {} } of CASES) {
  const { type, timeInForce, icebergQty } = order;
  const name = [type, entry.amountIn, timeInForce, icebergQty && "iceberg", entry.prevention].filter(Boolean);
  const acts = shown === null ? "placed" : "placed, changed and cancelled";
  test(`${acts}: ${name.join(" ")}`, { skip }, async () => {
    await showTab(terminal, shown === null ? "Order history" : "Open orders");
    if (meets !== undefined) await place(venue.alice, meets);
    await fillIn(terminal, entry);
    await submitOf(terminal).click();
    const isIt = (one: Order): boolean =>
      Object.entries(order).every(([key, value]) => Reflect.get(one, key) === value);
    const placed = await untilNewest(venue.alice, `alice has ${JSON.stringify(order)}`, isIt);
    const quantity = placed.origQty.replace(/0+$/, "");
    const rows = await untilAnswer(
      `a row of ${quantity}`,
      () => rowsOf(terminal),
      (all) => all.some((row) => row.some((cell) => cell.replace(/0+$/, "") === quantity)),
      SOON,
    );
    const of = rows.filter((row) => row.some((cell) => cell.replace(/0+$/, "") === quantity));
    assert.equal(of.length, 1, "one row of one order");
    if (shown !== null)
      assert.ok(
        of[0]?.some((cell) => cell.includes(shown)),
        of[0]?.join(" | "),
      );
    const isOpen = (await openOrders(venue.alice)).some(({ orderId }) => orderId === placed.orderId);
    assert.equal(isOpen, shown !== null);
    if (isOpen) await cancelByRow(await changeByRow(placed, changed));
  });
}

/** Changes the cells of its row one after the other. Other fields stay. Returns the changed order. */
async function changeByRow(order: Order, changed: Case["changed"] = {}): Promise<Order> {
  let now = order;
  for (const [column, to] of Object.entries(changed) as [PriceColumn, string][]) {
    const of = COLUMNS[column];
    await changeCell(terminal, column, now[of], to);
    const wanted = { ...unmoved(now), [of]: `${to}000000` };
    const orders = await untilAnswer(
      `it alone, with the ${column} ${to}`,
      () => openOrders(venue.alice),
      ([one]) => one !== undefined && one.orderId !== now.orderId,
      SOON,
    );
    assert.deepEqual(orders.map(unmoved), [wanted]);
    now = orders[0] as Order;
    await untilCell(terminal, column, to);
    await until("one row of it", async () => (await rowsOf(terminal)).length === 1, SOON);
  }
  return now;
}

/** Cancels the order in its row, and verifies it at the node. */
async function cancelByRow({ orderId, side }: Order): Promise<void> {
  await terminal.tables
    .getByRole("button", { name: new RegExp(`^Cancel order: ${side === "BUY" ? "Buy" : "Sell"} ${SYMBOL}`) })
    .click();
  await untilNewest(venue.alice, "it is cancelled", (one) => one.orderId === orderId && one.status === "CANCELED");
  await terminal.tables.getByText(/^No open orders\./).waitFor();
}

test("all orders are canceled after one confirmation", { skip }, async () => {
  const { page, tables } = terminal;
  await showTab(terminal, "Open orders");
  for (const price of ["19300.00", "19310.00", "19320.00"]) {
    await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price });
  }
  await until("three rows by the stream", async () => (await rowsOf(terminal)).length === 3, SOON);
  await tables.getByRole("button", { name: "Cancel all" }).click();
  const question = page.getByRole("dialog", { name: "Cancel all open orders?" });
  await question.getByRole("button", { name: "Keep" }).click();
  assert.equal((await openOrders(venue.alice)).length, 3, "no is no");
  await tables.getByRole("button", { name: "Cancel all" }).click();
  await question.getByRole("button", { name: "Cancel all" }).click();
  await until("none is open", async () => (await openOrders(venue.alice)).length === 0, SOON);
  await tables.getByText(/^No open orders\./).waitFor();
});

test("a filter's error is shown with the nearest valid values, and nothing is sent", { skip }, async () => {
  const { page, form } = terminal;
  const sent: string[] = [];
  const note = (request: { method(): string; url(): string }): void => {
    if (request.method() === "POST" && /\/api\/v3\/order/.test(request.url())) sent.push(request.url());
  };
  page.on("request", note);
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19500.005", Quantity: "0.01" } });
  await form.getByText("Price must be in steps of 0.01. Nearest: 19,500.00 or 19,500.01").waitFor();
  assert.equal(await fieldOf(terminal, "Price").getAttribute("aria-invalid"), "true");
  await submitOf(terminal).click();
  await form.getByRole("button", { name: "Round to 19,500.01" }).click();
  assert.equal(await fieldOf(terminal, "Price").inputValue(), "19,500.01");
  await fieldOf(terminal, "Quantity").fill("0.0001");
  await form.getByText(/^Order value must be at least 10 USDT: use a quantity of at least 0\.000513/).waitFor();
  await fieldOf(terminal, "Quantity").fill("0.0100005");
  await form.getByText("Quantity must be in steps of 0.000001. Nearest: 0.010000 or 0.010001").waitFor();
  await fieldOf(terminal, "Quantity").fill("");
  await submitOf(terminal).click();
  await form.getByText("Enter a quantity").waitFor();
  assert.deepEqual(sent, []);
  page.off("request", note);
});

test("the node's rejection is shown with its code and message, in the form alone", { skip }, async () => {
  const { form, tables, page } = terminal;
  await showTab(terminal, "Open orders");
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19500", Quantity: "80000" } });
  await form.getByText(/^Insufficient balance: /).waitFor();
  await submitOf(terminal).click();
  await form
    .getByRole("alert")
    .filter({ hasText: "Account has insufficient balance for requested action. (-2010)" })
    .waitFor();
  await tables.getByText(/^No open orders\./).waitFor();
  assert.equal(await page.getByText("Account has insufficient balance").count(), 1);
});

test("an order that was accepted although its response (503) denies it is shown once, as open", { skip }, async () => {
  const { page, tables } = terminal;
  const lost = /\/api\/v3\/order(\?.*)?$/;
  await page.route(lost, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.fulfill({ status: 503, body: "" });
  });
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19600", Quantity: "0.019" } });
  await submitOf(terminal).click();
  await until(
    "it is shown as open",
    async () => {
      const rows = await rowsOf(terminal);
      return rows.length === 1 && rows[0]?.some((cell) => cell === "Open") === true;
    },
    SOON,
  );
  assert.equal((await openOrders(venue.alice)).length, 1);
  await page.unroute(lost);
  await cancelEverything(venue.alice);
  await tables.getByText(/^No open orders\./).waitFor();
});

test("a click on a level fills the form, and the average of a market order is estimated", { skip }, async () => {
  const { book, form } = terminal;
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: {} });
  await book.locator(".bids .level:visible").first().click();
  assert.equal(await numberIn(terminal, "Price"), BEST_BID);
  const { json } = await venue.alice.public<{ asks: readonly (readonly [string, string])[] }>("/api/v3/depth", {
    symbol: SYMBOL,
  });
  const [[bestPrice, bestQuantity] = ["", ""]] = json.asks;
  await fillIn(terminal, {
    side: "Buy",
    kind: "Market",
    fields: { Quantity: String(Number(bestQuantity)) },
    amountIn: "BTC",
  });
  const average = form.locator(".sum").filter({ hasText: "Estimated average price" }).locator("dd");
  await until(
    "the best level alone",
    async () => (await average.innerText()).replaceAll(",", "") === `${Number(bestPrice).toFixed(2)} USDT`,
    SOON,
  );
  await fieldOf(terminal, "Quantity").fill("");
});

test("slider and quantity are synchronized: a share fills in the quantity, and a typed quantity moves the slider", {
  skip,
}, async () => {
  const { form } = terminal;
  const { json } = await venue.alice.signed<{ balances: { asset: string; free: string }[] }>("GET", "/api/v3/account");
  const free = (asset: string): number => Number(json.balances.find((one) => one.asset === asset)?.free);
  const slider = form.getByRole("slider", { name: "Share of the available balance" });
  const quantity = fieldOf(terminal, "Quantity");
  const stands = (percent: string): Promise<void> =>
    until(`the slider at ${percent}`, async () => (await slider.inputValue()) === percent, SOON);
  for (const side of ["Buy", "Sell"] as const) {
    await fillIn(terminal, { side, kind: "Limit", fields: { Price: "20000", Quantity: "" } });
    await stands("0");
    const whole = side === "Buy" ? free("USDT") / 20_000 : free("BTC");
    await form.getByRole("button", { name: "25%" }).click();
    await stands("25");
    assert.ok(Math.abs(Number(await numberIn(terminal, "Quantity")) - whole / 4) <= 0.000001, `a quarter to ${side}`);
    await slider.press("ArrowRight");
    await stands("26");
    assert.ok(Math.abs(Number(await numberIn(terminal, "Quantity")) - whole * 0.26) <= 0.000001);
    await quantity.fill((whole * 0.79).toFixed(6));
    await stands("79");
    assert.equal(await slider.getAttribute("aria-valuetext"), "79%");
    await quantity.fill((whole * 0.25).toFixed(6));
    await stands("25");
    await quantity.fill((whole * 2).toFixed(6));
    await stands("100");
    // At a higher price, the same quantity is a larger share of the balance that pays for it, but not for a seller.
    await quantity.fill((whole * 0.25).toFixed(6));
    await fieldOf(terminal, "Price").fill("40000");
    await stands(side === "Buy" ? "50" : "25");
    await quantity.fill("");
    await stands("0");
  }
});

const askFirst = (choice: "On" | "Off"): Promise<void> =>
  chooseSetting(terminal, "Confirm before placing, moving or canceling an order", choice);

test("with confirmations on, an order is confirmed before it is sent", { skip }, async () => {
  const { page } = terminal;
  await askFirst("On");
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19700", Quantity: "0.02" } });
  await submitOf(terminal).click();
  const question = page.getByRole("dialog", { name: `Buy ${SYMBOL}: Limit` });
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal((await openOrders(venue.alice)).length, 0, "no is no");
  await submitOf(terminal).click();
  await question.getByText("19,700.00 USDT").waitFor();
  await question.getByRole("button", { name: "Buy BTC" }).click();
  await until("it is open", async () => (await openOrders(venue.alice)).length === 1, SOON);
  await cancelEverything(venue.alice);
});

test("with confirmations on, each cancellation is confirmed; otherwise only that of several orders", {
  skip,
}, async () => {
  const { page, tables } = terminal;
  const untilLeft = (count: number): Promise<void> =>
    until(`${count} are open`, async () => (await openOrders(venue.alice)).length === count, SOON);
  const limit = { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" };
  const one = tables.getByRole("button", { name: /^Cancel order: Buy/, disabled: false });
  const all = tables.getByRole("button", { name: "Cancel all" });
  const list = tables.getByRole("button", { name: "Cancel list" });
  /** Clicks it, and answers the confirmation first with no, then with yes. */
  const press = async (button: Locator, title: RegExp | null, yes = ""): Promise<void> => {
    await button.click();
    if (title === null) return;
    const question = page.getByRole("dialog", { name: title });
    const before = (await openOrders(venue.alice)).length;
    await question.getByRole("button", { name: "Keep" }).click();
    await question.waitFor({ state: "hidden" });
    assert.equal((await openOrders(venue.alice)).length, before, "no is no");
    await button.click();
    await question.getByRole("button", { name: yes, exact: true }).click();
  };
  for (const choice of ["On", "Off"] as const) {
    await askFirst(choice);
    const asked = (title: RegExp): RegExp | null => (choice === "On" ? title : null);
    await showTab(terminal, "Open orders");
    await place(venue.alice, { ...limit, price: "19300.00" });
    await press(one, asked(/^Cancel this buy order \(Limit\)\?/), "Cancel order");
    await untilLeft(0);
    await place(venue.alice, { ...limit, price: "19310.00" });
    await one.waitFor();
    await press(all, asked(/^Cancel all open orders/), "Cancel all");
    await untilLeft(0);
    await placeOco(venue.alice, { price: "21000.00", stopPrice: "19200.00", stopLimitPrice: "19150.00" });
    await showTab(terminal, "Order lists");
    await press(list, asked(/^Cancel this sell order list \(OCO\)\?/), "Cancel list");
    await untilLeft(0);
    await showTab(terminal, "Open orders");
    for (const price of ["19320.00", "19330.00"]) await place(venue.alice, { ...limit, price });
    await until("two rows", async () => (await rowsOf(terminal)).length === 2, SOON);
    await press(all, /^Cancel all open orders/, "Cancel all");
    await untilLeft(0);
    await tables.getByText(/^No open orders\./).waitFor();
  }
});

test("the browser's console has no messages except for rejections", { skip }, () => {
  assert.deepEqual(besides(terminal.complaints, [400, "/api/v3/order"], [503, "/api/v3/order"]), []);
  assert.deepEqual(terminal.outside, []);
});
