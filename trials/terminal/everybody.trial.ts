/** For everybody: a phone, a keyboard alone, a page that is enlarged, and one that does not move. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { until } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import { fieldOf } from "./order-form.ts";
import { openTerminal, PHONE, rowsOf, showTab, signInAs, SMALL_PHONE, visitTerminal } from "./terminal.ts";
import { BEST_ASK, cancelEverything, openOrders, openVenue, place } from "./venue.ts";

/** Patient: others use the machine meanwhile. */
const SOON = { withinMs: 30_000, everyMs: 50 } as const;
/** Nobody needs more presses of Tab than that to come to the order form. */
const MOST_TABS = 80;
/** Times that a page's processor is slower while it is typed into. */
const SLOWER = 20;
const LEAST_TOUCHED_PX = 44;

const { venue, browser } = await rigOf(openVenue);
// Whatever a test before left behind where it failed.
beforeEach(async () => {
  if (skip === false) await cancelEverything(venue.alice);
});

async function assertNoScroll(page: Page, where: string): Promise<void> {
  const { all, seen } = await page.evaluate<{ all: number; seen: number }>(
    "({ all: document.documentElement.scrollWidth, seen: document.documentElement.clientWidth })",
  );
  assert.ok(all <= seen, `${where} is ${all} wide on ${seen}`);
}

test("on a phone, by finger: sign in, buy, see it, cancel it", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest, { viewport: PHONE, isTouched: true });
  const { page, form, tables, complaints, close } = terminal;
  await signInAs(terminal, "alice");
  for (const place of ["Book", "Trade", "Orders", "Chart"]) {
    await page.getByRole("tab", { name: place, exact: true }).first().tap();
    await assertNoScroll(page, place);
  }
  await page.getByRole("button", { name: "Buy", exact: true }).tap();
  await fieldOf(terminal, "Price").fill("19500");
  await fieldOf(terminal, "Quantity").fill("0.011");
  await form.getByRole("button", { name: "25%" }).tap();
  assert.notEqual(await fieldOf(terminal, "Quantity").inputValue(), "0.011", "a share of what is free");
  await fieldOf(terminal, "Quantity").fill("0.011");
  const submit = form.locator("button[type=submit]");
  const box = await submit.boundingBox();
  assert.ok((box?.height ?? 0) >= LEAST_TOUCHED_PX, `${box?.height} px high`);
  await submit.tap();
  await until("it is open", async () => (await openOrders(venue.alice)).length === 1, SOON);
  await page
    .getByRole("tab", { name: /^Orders/ })
    .first()
    .tap();
  await until("its row", async () => (await rowsOf(terminal)).length === 1, SOON);
  await assertNoScroll(page, "Orders with a row");
  await tables.getByRole("button", { name: /^Cancel: BUY/ }).tap();
  await until("it is cancelled", async () => (await openOrders(venue.alice)).length === 0, SOON);
  assert.deepEqual(complaints, []);
  await close();
});

/** Its middle is where a finger can come to it: nothing lies over it, and the page does not have to be scrolled sideways. */
async function assertReached(page: Page, what: Locator, name: string): Promise<void> {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  assert.ok(box !== null, `${name} is not there`);
  const width = page.viewportSize()?.width ?? 0;
  assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} goes from ${box.x} to ${box.x + box.width} of ${width}`);
  assert.ok(box.width > 0 && box.height > 0, `${name} is ${box.width} by ${box.height}`);
}

test("on the narrowest phone: no page scrolls sideways, and every panel can be reached", { skip }, async () => {
  const terminal = await visitTerminal(browser, venue.exchange.rest, { viewport: SMALL_PHONE, isTouched: true });
  const { page, book, form, chart, tables, complaints, close } = terminal;
  await signInAs(terminal, "alice");
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19000.00" });
  const go = (name: string): Promise<void> => page.getByRole("tab", { name, exact: true }).first().tap();
  const reached = (what: Locator, name: string): Promise<void> => assertReached(page, what, name);
  await reached(chart, "chart");
  await page.getByRole("tab", { name: "Depth" }).tap();
  await reached(page.getByRole("region", { name: "Chart or depth" }), "depth");
  await page.getByRole("tab", { name: "Chart", exact: true }).last().tap();
  await assertNoScroll(page, "Chart");
  await go("Book");
  await reached(book, "book");
  await reached(page.getByRole("region", { name: "Recent trades" }), "trades");
  await assertNoScroll(page, "Book");
  await go("Trade");
  await assertNoScroll(page, "Trade");
  for (const kind of ["Market", "OCO", "Limit"]) {
    await form.getByRole("tab", { name: kind, exact: true }).tap();
    for (const field of await form.getByRole("textbox").all()) await reached(field, `a field of ${kind}`);
    await reached(form.locator("button[type=submit]"), `the button of ${kind}`);
    await assertNoScroll(page, kind);
  }
  await go("Orders");
  for (const tab of ["Order history", "Trades", "Balances", "Lists", "Open orders"]) {
    await showTab(terminal, tab);
    await assertNoScroll(page, tab);
  }
  const cancel = tables.getByRole("button", { name: /^Cancel: BUY/ });
  await cancel.scrollIntoViewIfNeeded();
  await cancel.tap();
  await until("it is cancelled", async () => (await openOrders(venue.alice)).length === 0, SOON);
  for (const [button, window] of [
    [page.getByRole("button", { name: "Settings" }), "Settings"],
    [page.getByRole("button", { name: "BTC/USDT" }), "Markets"],
    [page.getByRole("button", { name: "Signed in as alice" }), "Signed in as alice"],
  ] as const) {
    await button.tap();
    const dialog = page.getByRole("dialog", { name: window });
    await reached(dialog, window);
    await reached(dialog.getByRole("button", { name: "Close" }), `the cross of ${window}`);
    await assertNoScroll(page, window);
    await dialog.getByRole("button", { name: "Close" }).tap();
    await dialog.waitFor({ state: "hidden" });
  }
  assert.deepEqual(complaints, []);
  await close();
});

/** Presses Tab until what has the focus has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const met: string[] = [];
  for (let press = 0; press < MOST_TABS; press++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(`(() => {
      const { ariaLabel, labels, textContent } = document.activeElement;
      return (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? "").trim();
    })()`);
    if (name.test(focused)) return;
    met.push(focused.slice(0, 30));
  }
  assert.fail(`Tab never comes to ${name}: ${met.join(" | ")}`);
}

/** What is done on a machine so slow that the browser has not drawn yet when the next key comes. */
async function slowDown(page: Page, act: () => Promise<void>): Promise<void> {
  const processor = await page.context().newCDPSession(page);
  await processor.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await act();
  await processor.detach();
}

test("by keyboard alone: sign in, buy, cancel", { skip }, async () => {
  const { page, tables, complaints, close } = await openTerminal(browser, venue.exchange.rest);
  await tabTo(page, /^Sign in$/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Trade as alice$/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await slowDown(page, async () => {
    await page.keyboard.press("b");
    await page.keyboard.type("19500");
    await page.keyboard.press("ArrowUp");
  });
  await tabTo(page, /^Quantity/);
  await page.keyboard.type("0.011");
  await page.keyboard.press("Enter");
  await until("it is open", async () => (await openOrders(venue.alice))[0]?.price === "19500.01000000", SOON);
  // While it is being sent its button takes no focus.
  await tables.getByRole("button", { name: /^Cancel: BUY/, disabled: false }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("4");
  await tabTo(page, /^Cancel: BUY/);
  await page.keyboard.press("Enter");
  await until("it is cancelled", async () => (await openOrders(venue.alice)).length === 0, SOON);
  await page.keyboard.press("r");
  await page
    .getByRole("log")
    .getByText(`Best bid 19,990.00, best ask ${BEST_ASK.replace("20", "20,")}`)
    .waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await close();
});
