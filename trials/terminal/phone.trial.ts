/** The terminal on phones: prices, orders as cards, the book beside the form, and the links to other pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseMarket, openTerminal, signInAs } from "./terminal.ts";
import { openVenue, place, SYMBOL } from "./venue.ts";

const { venue, browser } = await rigOf(async () => {
  const opened = await openVenue();
  const { bob, carol } = opened;
  for (const [symbol, price, quantity] of [
    ["BTCIDR", "959614034.00", "0.01"],
    ["SHIBUSDT", "0.00001233", "10000000"],
  ] as const) {
    const order = { symbol, price, quantity, type: "LIMIT", timeInForce: "GTC" };
    await place(carol, { ...order, side: "SELL" });
    await place(bob, { ...order, side: "BUY" });
  }
  return opened;
});

/** Prices of five digits, of twelve digits with commas, and with eight decimal places. */
const MARKETS = ["BTCUSDT", "BTCIDR", "SHIBUSDT"];

test("on the narrowest phone, the last price of every market is shown with all digits", { skip }, async () => {
  const viewport = { width: 320, height: 568 };
  const terminal = await openTerminal(browser, venue.exchange.rest, { viewport, isTouched: true });
  for (const market of MARKETS) {
    await chooseMarket(terminal, market);
    const last = terminal.page.locator(".day-strip .last dd").first();
    await last.filter({ hasText: /^[\d,.]+( [▲▼])?$/ }).waitFor();
    const text = (await last.innerText()).replace(/ .*/, "");
    const { json } = await venue.alice.public<{ price: string }>("/api/v3/ticker/price", { symbol: market });
    assert.equal(text.split(".")[0]?.length, groupedLength(json.price), `${market}: ${text} for ${json.price}`);
  }
  await terminal.close();
});

test("on a phone, an order is a card with its side, price, quantity, filled part, status and a button to cancel it", {
  skip,
}, async () => {
  const order = { symbol: SYMBOL, price: "19000.00", quantity: "0.01", type: "LIMIT", timeInForce: "GTC" };
  await place(venue.alice, { ...order, side: "BUY" });
  const terminal = await openTerminal(browser, venue.exchange.rest, { viewport: PHONE, isTouched: true });
  const { page, tables } = terminal;
  await signInAs(terminal, "alice");
  // The form has the book beside it.
  await page.getByRole("tab", { name: "Trade" }).click();
  await terminal.form.waitFor();
  const [form, book] = [await terminal.form.boundingBox(), await terminal.book.boundingBox()];
  assert.ok(form !== null && book !== null && book.x >= form.x + form.width - 1 && book.y < form.y + form.height);
  await page.getByRole("tab", { name: "Orders" }).click();
  const card = tables.getByRole("row").filter({ hasText: "0.010000" });
  const text = (await card.innerText()).replaceAll(/\s+/g, " ");
  for (const shown of ["BTCUSDT", "Buy", "19,000.00", "0.010000", "0.000000", "Open"])
    assert.ok(text.includes(shown), text);
  const box = await card.boundingBox();
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= PHONE.width && box.height > 60, "no row of a table");
  // A changed price stays in its field until it is saved or discarded: phones have no Enter or Escape.
  const save = card.getByRole("button", { name: "Save" });
  for (const end of [card.getByRole("button", { name: "Discard" }), save]) {
    await card.getByRole("button", { name: "Change price 19,000.00" }).tap();
    const field = tables.getByRole("textbox", { name: "Price" });
    assert.equal(await save.isVisible(), false);
    await field.fill("19001");
    await field.blur();
    await end.tap();
  }
  await page.getByRole("log").getByText("Order moved: Buy 0.01 BTCUSDT at 19,001").waitFor();
  await card.getByRole("button", { name: /^Cancel/ }).tap();
  await card.waitFor({ state: "detached" });
  await terminal.close();
});

/** The length of a price's integer part with its commas. */
const groupedLength = (price: string): number => {
  const { length } = price.split(".")[0] ?? "";
  return length + Math.floor((length - 1) / 3);
};

test("a demo's Wallet link opens with one click, and the terminal's sign-in leads to the page that creates keys", {
  skip,
}, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page } = terminal;
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("Use an API key instead").click();
  await dialog.getByRole("link", { name: "Create one in your account." }).click();
  await page.getByRole("button", { name: "Sign in as alice" }).click();
  await page.getByRole("form", { name: "Create API key" }).waitFor();
  await page.getByRole("link", { name: "Trade" }).click();
  await page.getByRole("link", { name: "Wallet" }).click();
  const balances = page.getByRole("region", { name: "Balances" });
  await balances.getByRole("cell", { name: "BTC", exact: true }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();
  assert.deepEqual(terminal.complaints, []);
  await terminal.close();
});
