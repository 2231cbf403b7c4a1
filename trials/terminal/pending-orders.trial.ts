/**
 * Orders with a take profit and a stop loss: placed from the form, shown as waiting, placed when the order is filled,
 * changed and canceled, on desktops and phones.
 */
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type { Locator } from "playwright-core";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { PHONE } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { type Entry, fieldOf, fillIn, submitOf } from "./order-form.ts";
import { changeCell, untilCell } from "./price-cells.ts";
import { openTerminal, rowsOf, showTab, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, type Order, place, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 20_000 } as const;
/** Better than all other bids and asks, so that the account's orders are filled by orders of the trial alone. */
const BID = "19995.00";
const ASK = "20005.00";
const EXITS = "Take profit / Stop loss";

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  terminal = await openTerminal(browser, venue.exchange.rest);
  await signInAs(terminal, "alice");
});
beforeEach(async () => {
  if (skip === false) await cancelEverything(venue.alice);
});

interface ListCase {
  readonly name: string;
  readonly side: "Buy" | "Sell";
  readonly exits: Readonly<Record<string, string>>;
  /** The orders as the node returns them, the working order first. */
  readonly orders: readonly Partial<Order>[];
  /** The types of the pending orders in the table. */
  readonly shown: readonly string[];
  /** The path of the request. */
  readonly kind: "oto" | "otoco" | "opo" | "opoco";
}

const [OF_BUY, OF_SELL] = [
  { type: "LIMIT", side: "BUY", price: "19995.00000000", origQty: "0.02000000", status: "NEW" },
  { type: "LIMIT", side: "SELL", price: "20005.00000000", origQty: "0.02000000", status: "NEW" },
] as const satisfies readonly Partial<Order>[];
const SELLS = { side: "SELL", status: "PENDING_NEW", origQty: "0.00000000", isWorking: false } as const;
const BUYS = { side: "BUY", status: "PENDING_NEW", origQty: "0.02000000", isWorking: false } as const;

const LISTS: readonly ListCase[] = [
  {
    ...{ name: "a BUY with a take profit (OPO)", side: "Buy", kind: "opo" },
    exits: { "Take profit price": "20150" },
    orders: [OF_BUY, { ...SELLS, type: "LIMIT", price: "20150.00000000" }],
    shown: ["↳ Limit"],
  },
  {
    ...{ name: "a BUY with both (OPOCO)", side: "Buy", kind: "opoco" },
    exits: { "Take profit price": "20150", "Stop loss price": "19850" },
    orders: [
      OF_BUY,
      { ...SELLS, type: "STOP_LOSS", stopPrice: "19850.00000000" },
      { ...SELLS, type: "LIMIT_MAKER", price: "20150.00000000" },
    ],
    shown: ["↳ Stop market", "↳ Post only"],
  },
  {
    ...{ name: "a SELL with a stop loss (OTO)", side: "Sell", kind: "oto" },
    exits: { "Stop loss price": "20150" },
    orders: [OF_SELL, { ...BUYS, type: "STOP_LOSS", stopPrice: "20150.00000000" }],
    shown: ["↳ Stop market"],
  },
  {
    ...{ name: "a SELL with both (OTOCO)", side: "Sell", kind: "otoco" },
    exits: { "Take profit price": "19850", "Stop loss price": "20150" },
    orders: [
      OF_SELL,
      { ...BUYS, type: "STOP_LOSS", stopPrice: "20150.00000000" },
      { ...BUYS, type: "LIMIT_MAKER", price: "19850.00000000" },
    ],
    shown: ["↳ Stop market", "↳ Post only"],
  },
  {
    ...{ name: "a SELL whose stop loss follows the price (OTO)", side: "Sell", kind: "oto" },
    exits: { "Trailing distance": "1.5" },
    orders: [OF_SELL, { ...BUYS, type: "STOP_LOSS", trailingDelta: 150 }],
    shown: ["↳ Trailing 1.5%"],
  },
];

const entryOf = ({ side, exits }: Pick<ListCase, "side" | "exits">): Entry => ({
  ...{ side, kind: "Limit", ticks: [EXITS] },
  fields: { Price: side === "Buy" ? BID : ASK, Quantity: "0.02", ...exits },
});

/** Places the list from the form. Returns its orders. */
async function placeList(list: ListCase): Promise<readonly Order[]> {
  await fillIn(terminal, entryOf(list));
  const [request] = await Promise.all([
    terminal.page.waitForRequest((one) => one.method() === "POST" && one.url().includes("/api/v3/order")),
    submitOf(terminal).click(),
  ]);
  assert.ok(new URL(request.url()).pathname.endsWith(`/orderList/${list.kind}`), request.url());
  return untilOrders(list.name, list.orders);
}

/** Waits until exactly these orders are open. */
function untilOrders(what: string, wanted: readonly Partial<Order>[]): Promise<readonly Order[]> {
  const isIt = (order: Order, of: Partial<Order> | undefined): boolean =>
    Object.entries(of ?? {}).every(([key, value]) => Reflect.get(order, key) === value);
  return untilAnswer(
    what,
    () => openOrders(venue.alice),
    (orders) => orders.length === wanted.length && orders.every((order, i) => isIt(order, wanted[i])),
    SOON,
  );
}

const texts = async (): Promise<readonly string[]> =>
  (await rowsOf(terminal)).map((row) => row.join(" | ").replaceAll(/\s+/g, " "));

/** Fills the working order with an order of the other side. */
const fill = ({ side }: ListCase): Promise<Order> =>
  place(venue.bob, {
    ...{ type: "LIMIT", timeInForce: "IOC", quantity: "0.02" },
    ...(side === "Buy" ? { side: "SELL", price: BID } : { side: "BUY", price: ASK }),
  });

const notice = (text: RegExp): Locator => terminal.page.locator(".notices").getByText(text).first();

for (const list of LISTS) {
  test(`placed, shown as waiting, and placed in the market after the fill: ${list.name}`, { skip }, async () => {
    await showTab(terminal, "Open orders");
    const [, ...pending] = await placeList(list);
    const waiting = `Waiting for ${list.side === "Buy" ? "buy at 19,995.00" : "sell at 20,005.00"} to fill`;
    await until("all orders are shown", async () => (await rowsOf(terminal)).length === list.orders.length, SOON);
    const [first = "", ...rest] = await texts();
    assert.match(first, /Limit/);
    for (const [i, row] of rest.entries()) {
      assert.ok(
        list.shown.some((type) => row.includes(type)),
        row,
      );
      assert.ok(row.includes(waiting), `${i}: ${row}`);
      assert.equal(row.includes("As bought"), list.side === "Buy", row);
    }
    for (const { orderId, price, stopPrice } of pending) {
      if (!/[1-9]/.test(`${price}${stopPrice}`)) continue;
      await terminal.chart.locator(`[data-line^="${orderId} "]`, { hasText: waiting }).waitFor();
    }
    await showTab(terminal, "Order lists");
    await until("one list is shown", async () => (await texts()).join().includes("OTO"), SOON);
    await fill(list);
    const placed = list.orders.slice(1).map(({ type, side }) => ({ type, side, status: "NEW", origQty: "0.02000000" }));
    await untilOrders("they are placed", placed as readonly Partial<Order>[]);
    await showTab(terminal, "Open orders");
    await until("they are shown", async () => (await texts()).every((row) => row.includes("Open")), SOON);
    assert.equal((await texts()).length, placed.length);
    await notice(/Order placed, because the order that it waited for was filled: /).waitFor();
    await cancelEverything(venue.alice);
    await terminal.tables.getByText(/^No open orders\./).waitFor();
  });
}

const BOTH = LISTS[1] as ListCase;

test("prices of every order of a list are changed in its row, and its quantity is reduced", { skip }, async () => {
  await showTab(terminal, "Open orders");
  await placeList(BOTH);
  const [working, stop, limit] = BOTH.orders;
  const changes = [
    ["Trigger", "19850.00", "19851.00"],
    ["Price", "20150.00", "20151.00"],
    ["Price", BID, "19996.00"],
  ] as const;
  const wanted = [{ ...working }, { ...stop }, { ...limit }] as [Partial<Order>, Partial<Order>, Partial<Order>];
  for (const [column, from, to] of changes) {
    await untilCell(terminal, column, from);
    await changeCell(terminal, column, from, to);
    const [at, of] = from === BID ? [0, "price"] : column === "Trigger" ? [1, "stopPrice"] : [2, "price"];
    wanted[at as 0] = { ...wanted[at as 0], [of as "price"]: `${to}000000` };
    await untilOrders(`${column} ${to}`, wanted);
  }
  await untilCell(terminal, "Price", "19996.00");
  await terminal.tables.getByRole("button", { name: "Change quantity 0.020000" }).click();
  await terminal.tables.getByRole("textbox", { name: "Quantity" }).fill("0.015");
  await terminal.page.keyboard.press("Enter");
  await untilOrders("it is reduced", [{ ...wanted[0], origQty: "0.01500000" }, ...wanted.slice(1)]);
  // What a part has bought would have no take profit and no stop loss in a new list.
  await place(venue.bob, { side: "SELL", type: "LIMIT", timeInForce: "IOC", price: "19996.00", quantity: "0.005" });
  await until("a part is filled", async () => (await texts()).join().includes("Partially filled"), SOON);
  assert.equal(await terminal.tables.getByRole("button", { name: /^Change (price|trigger)/ }).count(), 0);
});

test("a canceled order takes its list with it, and the notice names all orders", { skip }, async () => {
  await showTab(terminal, "Open orders");
  await placeList(BOTH);
  await until("all orders are shown", async () => (await rowsOf(terminal)).length === 3, SOON);
  await terminal.tables
    .getByRole("button", { name: /^Cancel order: Sell BTCUSDT/ })
    .first()
    .click();
  await untilOrders("none is open", []);
  await notice(/Order canceled: Sell BTCUSDT .*\. Canceled with it: Buy 0\.02 BTCUSDT at 19,995 \| Sell/).waitFor();
});

test("pending orders that expire have their reason in the history", { skip }, async () => {
  await showTab(terminal, "Order history");
  await fillIn(terminal, { ...entryOf(BOTH), inForce: "IOC" });
  await submitOf(terminal).click();
  await notice(/Pending order expired, because the order that it waited for expired: Sell/).waitFor();
  const rows = async (): Promise<readonly string[]> => (await texts()).slice(0, 3);
  await until("the reasons", async () => (await rows()).join().includes("not filled immediately"), SOON);
  for (const row of (await rows()).slice(0, 2)) assert.match(row, /Expired: working order expired/);
});

test("a pending order that is rejected when its time comes says so", { skip }, async () => {
  await showTab(terminal, "Order history");
  // More than the account can sell.
  const { status, text } = await venue.alice.signed("POST", "/api/v3/orderList/oto", {
    ...{ symbol: SYMBOL, workingType: "LIMIT", workingTimeInForce: "GTC", workingSide: "BUY", workingPrice: BID },
    ...{ workingQuantity: "0.02", pendingType: "LIMIT_MAKER", pendingSide: "SELL", pendingPrice: "20150.00" },
    pendingQuantity: "8000",
  });
  assert.equal(status, 200, text);
  await fill(BOTH);
  await notice(/Order rejected when it was to be placed: Sell 8,000 BTCUSDT at 20,150\. Check your balance/).waitFor();
  await until("the reason", async () => /Expired: rejected when placed/.test((await texts())[0] ?? ""), SOON);
});

test("prices on the wrong side are not sent; the outcome is shown, and the confirmation names all orders", {
  skip,
}, async () => {
  const asking = await openTerminal(browser, venue.exchange.rest, { confirms: true });
  await signInAs(asking, "alice");
  const { form, page } = asking;
  await fillIn(asking, entryOf(BOTH));
  await form.getByText("≈ +3.10 USDT (+0.77%)").waitFor();
  await form.getByText("≈ −2.90 USDT (−0.73%)").waitFor();
  await fieldOf(asking, "Take profit price").fill("19990");
  await form.getByText("Take profit price must be above the price of the order (19,995.00)").waitFor();
  await submitOf(asking).click();
  assert.equal(await page.evaluate("document.activeElement.name"), "takeProfitPrice", "nothing is sent");
  await fieldOf(asking, "Take profit price").fill("20150");
  await form.getByText("≈ +3.10 USDT (+0.77%)").waitFor();
  await submitOf(asking).click();
  const question = page.getByRole("dialog", { name: `Buy ${SYMBOL}: Limit with take profit / stop loss` });
  for (const name of ["Order", "Take profit", "Stop loss"]) await question.getByRole("region", { name }).waitFor();
  const facts = await question.getByRole("region", { name: "Stop loss" }).innerText();
  assert.match(
    facts,
    /When the order is filled completely[\s\S]*Side\s+Sell[\s\S]*19,850\.00 USDT[\s\S]*What the order buys, less its fee/,
  );
  await question.getByRole("button", { name: "Buy BTC" }).click();
  await untilOrders("they are open", BOTH.orders);
  await asking.tables.getByRole("button", { name: /^Cancel order: Buy/ }).click();
  const cancel = page.getByRole("dialog", { name: "Cancel this buy order (Limit)?" });
  await cancel.getByText("The order and the 2 pending orders will be canceled.").waitFor();
  await cancel.getByRole("button", { name: "Cancel order" }).click();
  await untilOrders("none is open", []);
  assert.deepEqual(asking.complaints, []);
  await asking.close();
});

test("on a phone, a list is placed, and all of its orders are cards", { skip }, async () => {
  const phone = await openTerminal(browser, venue.exchange.rest, { viewport: PHONE, isTouched: true });
  await signInAs(phone, "alice");
  const { page } = phone;
  await page.getByRole("tab", { name: "Trade" }).click();
  await fillIn(phone, entryOf(BOTH));
  await submitOf(phone).click();
  await untilOrders("they are open", BOTH.orders);
  await page.getByRole("tab", { name: "Orders" }).click();
  await page.getByText("Waiting for buy at 19,995.00 to fill").nth(1).waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assert.equal(width, PHONE.width);
  await phone.close();
});

test("a market that does not accept such lists does not offer them", { skip }, async () => {
  const other = await openTerminal(browser, venue.exchange.rest, {
    before: async (page) => {
      await page.route(/\/api\/v3\/exchangeInfo\b/, async (route) => {
        const info = (await (await route.fetch()).json()) as { readonly symbols: readonly object[] };
        await route.fulfill({ json: { ...info, symbols: info.symbols.map((one) => ({ ...one, otoAllowed: false })) } });
      });
    },
  });
  await other.form.getByRole("checkbox", { name: "Post only" }).waitFor();
  assert.equal(await other.form.getByRole("checkbox", { name: EXITS }).count(), 0);
  await other.close();
});

test("the browser's console has no messages", { skip }, () => {
  assert.deepEqual(terminal.complaints, []);
});
