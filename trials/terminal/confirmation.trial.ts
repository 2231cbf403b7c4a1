/** Confirmations, warnings and notices of orders, and numbers of another locale, as a trader meets them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { until } from "@pricetime/testkit/waiting";
import { findingsOf } from "../pages/axe.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { fieldOf, fillIn, submitOf } from "./order-form.ts";
import { openTerminal, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 20_000 } as const;

const { venue, browser } = await rigOf(openVenue);

const questionOf = ({ page }: Terminal, title: string): Locator => page.getByRole("dialog", { name: title });

/** The labels and values of a dialog or a part of it, once they are shown: reading all texts does not wait by itself. */
async function factsOf(part: Locator): Promise<Readonly<Record<string, string>>> {
  await part.locator("dd").first().waitFor();
  const [names, values] = await Promise.all([part.locator("dt").allInnerTexts(), part.locator("dd").allInnerTexts()]);
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
}

const decline = async (question: Locator): Promise<void> => {
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
};

test("the confirmation shows all that is sent, and both form and dialog warn about unusual orders", {
  skip,
}, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest, { confirms: true, withoutPolicy: true });
  const { page, form } = terminal;
  await signInAs(terminal, "alice");

  const far = "The price is 25.03% above the market (20,010.00).";
  await fillIn(terminal, {
    ...{ side: "Buy", kind: "Limit", ticks: ["Iceberg"], prevention: "EXPIRE_TAKER" },
    fields: { Price: "25020.5", Quantity: "0.4", "Visible quantity": "0.1" },
  });
  await form.getByText(far).waitFor();
  await submitOf(terminal).click();
  const limit = questionOf(terminal, `Buy ${SYMBOL}: Limit`);
  const { "Fee (taker)": fee, ...facts } = await factsOf(limit);
  assert.deepEqual(facts, {
    "Order type": "Limit",
    Price: "25,020.50 USDT",
    Quantity: "0.4 BTC",
    Iceberg: "0.1 BTC visible",
    "Post only": "No",
    "Time in force": "Good till canceled",
    "Self-trade prevention": "Expire taker",
    Total: "10,008.20 USDT",
  });
  assert.match(fee ?? "", /^≈ 0\.0004 BTC$/);
  for (const text of [far, "This is a large order: more than 10,000 USDT."]) await limit.getByText(text).waitFor();
  assert.deepEqual(await findingsOf(page, "the confirmation", "dialog[open]"), []);
  await decline(limit);

  await fillIn(terminal, { side: "Sell", kind: "Market", fields: { Quantity: "2" }, amountIn: "BTC" });
  await form.getByText(/^This order takes 1\d\.\d+% of the bids in the visible order book\.$/).waitFor();
  await submitOf(terminal).click();
  const market = questionOf(terminal, `Sell ${SYMBOL}: Market`);
  const estimates = await factsOf(market);
  assert.equal(estimates["Quantity"], "2 BTC");
  for (const name of ["Estimated average price", "Estimated worst price"])
    assert.match(estimates[name] ?? "", /^19,9\d\d\.\d\d USDT$/, name);
  assert.match(estimates["Estimated slippage"] ?? "", /^0\.\d+%$/);
  await decline(market);

  await fillIn(terminal, {
    ...{ side: "Sell", kind: "OCO" },
    fields: { "Limit price": "21000", "Stop price": "19000", "Stop limit price": "18000", Quantity: "0.02" },
  });
  await submitOf(terminal).click();
  const list = questionOf(terminal, `Sell ${SYMBOL}: OCO`);
  const legs = await Promise.all(["Limit leg", "Stop leg"].map((name) => factsOf(list.getByRole("region", { name }))));
  assert.deepEqual(
    legs.map(({ Price, "Stop price": stop, "Post only": postOnly }) => [Price, stop, postOnly]),
    [
      ["21,000.00 USDT", undefined, "Yes"],
      ["18,000.00 USDT", "19,000.00 USDT", undefined],
    ],
  );
  await list.getByText("The price is 5.26% below the stop price (19,000.00).").waitFor();
  await decline(list);
  assert.equal((await openOrders(venue.alice)).length, 0, "no is no");

  // The limits are settings: 30 percent is not far anymore, and zero switches a warning off.
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  const value = settings.getByLabel("Order value above (USDT)");
  assert.equal(await value.getAttribute("placeholder"), "10,000");
  await settings.getByLabel("Price away from the market by more than (%)").fill("30");
  await value.fill("0");
  await page.keyboard.press("Escape");
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "25020.5", Quantity: "0.4" } });
  await form.locator(".sums").getByText("10,008.20 USDT").waitFor();
  assert.equal(await form.locator(".problem").count(), 0);
  assert.deepEqual(terminal.complaints, []);
  await terminal.close();
});

for (const [width, height] of [
  [1440, 900],
  [800, 900],
  [360, 740],
] as const) {
  test(`a fill is told once with price and fee, beside book and form, at ${width} pixels`, { skip }, async () => {
    const terminal = await openTerminal(browser, venue.exchange.rest, { viewport: { width, height } });
    const { page, form } = terminal;
    await signInAs(terminal, "alice");
    if (width < 768) await page.getByRole("tab", { name: "Trade" }).click();
    await fillIn(terminal, { side: "Buy", kind: "Market", fields: { Quantity: "0.01" }, amountIn: "BTC" });
    await submitOf(terminal).click();
    const notice = page.locator(".notice");
    await notice.getByText(`Order filled: Buy 0.01 ${SYMBOL} at 20,010.00, fee 0.00001 BTC`).waitFor();
    assert.equal(await notice.count(), 1);
    const [told, formBox] = [await notice.boundingBox(), await form.boundingBox()];
    const bookBox = (await terminal.book.isVisible()) ? await terminal.book.boundingBox() : null;
    const tabsBox = width < 768 ? await page.locator(".places").boundingBox() : null;
    assert.ok(told !== null && formBox !== null);
    for (const box of [formBox, bookBox, tabsBox]) {
      if (box === null) continue;
      const isBeside = told.x + told.width <= box.x || box.x + box.width <= told.x;
      const isAbove = told.y + told.height <= box.y || box.y + box.height <= told.y;
      assert.ok(isBeside || isAbove, `${JSON.stringify(told)} covers ${JSON.stringify(box)}`);
    }
    assert.deepEqual(terminal.complaints, []);
    await terminal.close();
  });
}

test("a German reads and types decimal commas, and is asked about a number that can mean two", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest, { locale: "de-DE", confirms: true });
  const { page, form, book } = terminal;
  await signInAs(terminal, "alice");
  await book.getByText("20.010,00", { exact: true }).first().waitFor();
  const price = fieldOf(terminal, "Price");
  await until("the last price is filled in", async () => /^20\.0\d0,00$/.test(await price.inputValue()), SOON);
  await price.focus();
  assert.match(await price.inputValue(), /^200\d0,00$/, "a separator of thousands would become wrong by typing");

  await price.fill("19.500");
  await form.getByText("Which number do you mean?").waitFor();
  await fieldOf(terminal, "Quantity").fill("0,0125");
  await submitOf(terminal).click();
  assert.equal(await price.getAttribute("aria-invalid"), "true", "it is not sent before that is clear");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await form.getByRole("button", { name: "19500", exact: true }).click();

  await price.fill("19.500,5");
  await submitOf(terminal).click();
  const question = questionOf(terminal, `Buy ${SYMBOL}: Limit`);
  const facts = await factsOf(question);
  assert.deepEqual([facts["Price"], facts["Quantity"]], ["19.500,50 USDT", "0,0125 BTC"]);
  await question.getByRole("button", { name: "Buy BTC" }).click();
  await until("it is open", async () => (await openOrders(venue.alice)).length === 1, SOON);
  const [{ price: sent, origQty } = { price: "", origQty: "" }] = await openOrders(venue.alice);
  assert.deepEqual([sent, origQty], ["19500.50000000", "0.01250000"]);
  await cancelEverything(venue.alice);
  assert.deepEqual(terminal.complaints, []);
  await terminal.close();
});
