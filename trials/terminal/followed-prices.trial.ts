/** Orders whose price follows the market: trailing stops and pegged orders, confirmed, shown and moved. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Locator } from "playwright-core";
import { rigOf, skip } from "../pages/rig.ts";
import { fieldOf, fillIn, submitOf } from "./order-form.ts";
import { changeCell, untilCell } from "./price-cells.ts";
import { openTerminal, showTab, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, place, SYMBOL, untilNewest } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  terminal = await openTerminal(browser, venue.exchange.rest, { confirms: true });
  await signInAs(terminal, "alice");
});

test("a trailing stop is checked and confirmed, begins to follow the price, and is triggered by its fall", {
  skip,
}, async () => {
  const { page, form, tables } = terminal;
  await showTab(terminal, "Open orders");
  const row = (text: string): Locator => tables.getByRole("row").filter({ hasText: text });
  const fields = { "Trailing distance": "100", "Activation price": "20015", "Limit price": "", Quantity: "0.023" };
  await fillIn(terminal, { side: "Sell", kind: "Trailing stop", fields });
  await form.getByText("Trailing distance must be from 0.1% to 20%").waitFor();
  await form.getByRole("button", { name: "Round to 20" }).click();
  await fieldOf(terminal, "Activation price").fill("19000");
  await form.getByText(/^The activation price must be above the last price of /).waitFor();
  await fieldOf(terminal, "Activation price").fill("20015");
  await fieldOf(terminal, "Trailing distance").fill("0.1");
  await submitOf(terminal).click();
  const question = page.getByRole("dialog", { name: `Sell ${SYMBOL}: Trailing stop` });
  for (const text of ["0.1%", "20,015.00 USDT", "Market"]) await question.getByText(text, { exact: true }).waitFor();
  await question.getByRole("button", { name: "Sell BTC" }).click();
  await row("Trailing 0.1%").getByText("not activated", { exact: true }).waitFor();

  // A trade above the activation price: the order follows, its prices are fixed, and the chart has no line for it.
  await place(venue.carol, { side: "BUY", type: "LIMIT", timeInForce: "IOC", quantity: "0.7", price: "20020.00" });
  await row("Trailing 0.1%").getByText("active", { exact: true }).waitFor();
  assert.equal(await tables.getByRole("button", { name: /^Change trigger/ }).count(), 0);
  assert.equal(await page.locator(".chart-line-name").count(), 0);
  const [order] = await openOrders(venue.alice);
  assert.ok((order?.trailingTime ?? -1) > 0);

  // 20020 less 0.1 % is 19999.98.
  await place(venue.carol, { side: "SELL", type: "LIMIT", timeInForce: "IOC", quantity: "0.7", price: "19980.00" });
  await tables.getByText(/^No open orders\./).waitFor();
  await untilNewest(
    venue.alice,
    "it is filled",
    ({ orderId, status }) => orderId === order?.orderId && status === "FILLED",
  );
  await showTab(terminal, "Order history");
  const closed = row("0.023000");
  await closed.getByText("Trailing 0.1%").waitFor();
  await closed.getByText("Filled", { exact: true }).waitFor();
  assert.equal(await closed.getByText("active").count(), 0);
});

test("a pegged order shows the price that it takes, also on the chart, and moves as a limit order", {
  skip,
}, async () => {
  const { page, form, tables } = terminal;
  const { json: book } = await venue.alice.public<{ bidPrice: string }>("/api/v3/ticker/bookTicker", {
    symbol: SYMBOL,
  });
  const bid = Number(book.bidPrice).toLocaleString("en-US", { minimumFractionDigits: 2 });
  await showTab(terminal, "Open orders");
  const level = "Levels behind the best price";
  await fillIn(terminal, { side: "Buy", kind: "Limit", inForce: "IOC", fields: {} });
  await form.getByRole("combobox", { name: "Price from" }).press("ArrowDown");
  await fieldOf(terminal, level).waitFor();
  assert.equal(await page.evaluate("document.activeElement.name"), "pegPriceType", "the next key chooses again");
  await fillIn(terminal, { side: "Buy", kind: "Limit", price: "Best bid", fields: { [level]: "", Quantity: "0.024" } });
  await form.getByText(`≈ ${bid} USDT`).waitFor();
  await fieldOf(terminal, level).fill("101");
  await form.getByText("Enter 1 to 100 levels behind the best price, or 0 for the best price").waitFor();
  await fieldOf(terminal, level).fill("");
  assert.equal(await form.getByRole("combobox", { name: "Time in force" }).isEnabled(), false);
  await form.getByTitle("Time in force: Good till canceled", { exact: true }).waitFor();
  await submitOf(terminal).click();
  const question = page.getByRole("dialog", { name: `Buy ${SYMBOL}: Limit` });
  for (const text of ["Best bid", `≈ ${bid} USDT`]) await question.getByText(text, { exact: true }).waitFor();
  await question.getByRole("button", { name: "Buy BTC" }).click();
  const row = tables.getByRole("row").filter({ hasText: "pegged: best bid" });
  await row.getByRole("button", { name: `Change price ${bid}` }).waitFor();
  await page.locator(".chart-line-name", { hasText: "Buy Limit pegged 0.024" }).waitFor();
  const [order] = await openOrders(venue.alice);
  assert.deepEqual(
    [order?.pegPriceType, order?.price, order?.peggedPrice],
    ["PRIMARY_PEG", "0.00000000", book.bidPrice],
  );

  await changeCell(terminal, "Price", book.bidPrice, "19400");
  await page.getByRole("button", { name: "Move order" }).click();
  await untilCell(terminal, "Price", "19400.00");
  const [moved] = await openOrders(venue.alice);
  assert.deepEqual([moved?.pegPriceType, moved?.price], [undefined, "19400.00000000"]);
  assert.equal(await tables.getByText("pegged").count(), 0);
  await fillIn(terminal, { side: "Sell", kind: "Limit", price: "Best bid", fields: { Quantity: "0.021" } });
  assert.equal(await form.getByRole("checkbox", { name: "Post only" }).count(), 0);
  await submitOf(terminal).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sell BTC" }).click();
  await untilNewest(
    venue.alice,
    "it is filled",
    ({ origQty, status }) => Number(origQty) === 0.021 && status === "FILLED",
  );
  await cancelEverything(venue.alice);
});
