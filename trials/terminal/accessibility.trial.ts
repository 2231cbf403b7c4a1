/** Accessibility of the terminal: a phone, the keyboard alone, an enlarged page, and reduced motion. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { until } from "@pricetime/testkit/waiting";
import { PHONE } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { fieldOf } from "./order-form.ts";
import { openTerminal, rowsOf, showTab, signInAs, SMALL_PHONE, visitTerminal } from "./terminal.ts";
import { BEST_ASK, cancelEverything, openOrders, openVenue, place, untilNewest } from "./venue.ts";

/** Long, because other tests use the machine at the same time. */
const SOON = { withinMs: 30_000, everyMs: 50 } as const;
/** The most presses of Tab until the order form has the focus. */
const MOST_TABS = 80;
/** How many times slower the page's processor is while keys are typed. */
const SLOWER = 20;
/** A desktop window of 1440 by 900 whose page is enlarged to 200 %. */
const ENLARGED = { width: 720, height: 450 } as const;
/** The minimum size of a touch target (WCAG 2.5.8), and that of frequent ones. */
const LEAST_TARGET_PX = 24;
const LEAST_TOUCHED_PX = 44;

const { venue, browser } = await rigOf(openVenue);
// Removes orders that a failed test has left.
beforeEach(async () => {
  if (skip === false) await cancelEverything(venue.alice);
});

async function assertNoScroll(page: Page, where: string): Promise<void> {
  const { all, seen } = await page.evaluate<{ all: number; seen: number }>(
    "({ all: document.documentElement.scrollWidth, seen: document.documentElement.clientWidth })",
  );
  assert.ok(all <= seen, `${where} is ${all} wide on ${seen}`);
}

test("on a phone with touch: sign in, buy, see the order, cancel it", { skip }, async () => {
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
  await tables.getByRole("button", { name: /^Cancel order: Buy/ }).tap();
  await until("it is cancelled", async () => (await openOrders(venue.alice)).length === 0, SOON);
  assert.deepEqual(complaints, []);
  await close();
});

/** Its center can be touched: nothing covers it, and the page does not scroll sideways. */
async function assertReached(page: Page, what: Locator, name: string): Promise<void> {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  assert.ok(box !== null, `${name} is not there`);
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  assert.ok(box.x >= 0 && box.x + box.width <= width, `${name} goes from ${box.x} to ${box.x + box.width} of ${width}`);
  assert.ok(box.width > 0 && box.height > 0, `${name} is ${box.width} by ${box.height}`);
  if (box.height > height) return;
  const isOnTop = await what.evaluate(ON_TOP);
  assert.equal(isOnTop, true, `something lies over ${name}`);
}

/** Whether the element at the center of this one is the element itself or a part of it. */
const ON_TOP = (element: OnPage): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
  return hit !== null && (element.contains(hit) || hit.contains(element));
};

/** The properties of the browser's elements that are used here. */
interface OnPage {
  readonly ownerDocument: { elementFromPoint(x: number, y: number): OnPage | null };
  getBoundingClientRect(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  contains(other: OnPage): boolean;
}

for (const [name, viewport, isTouched] of [
  ["on the narrowest phone", SMALL_PHONE, true],
  ["on a desktop enlarged to 200 %", ENLARGED, false],
] as const) {
  test(`${name}: no page scrolls sideways, and every panel can be reached`, { skip }, async () => {
    const terminal = await visitTerminal(browser, venue.exchange.rest, { viewport, isTouched });
    const press = (what: Locator): Promise<void> => (isTouched ? what.tap() : what.click());
    const { page, book, form, chart, tables, complaints, close } = terminal;
    await signInAs(terminal, "alice");
    await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19000.00" });
    const go = (place: string): Promise<void> => press(page.getByRole("tab", { name: place, exact: true }).first());
    const reached = (what: Locator, called: string): Promise<void> => assertReached(page, what, called);
    await reached(chart, "chart");
    await press(page.getByRole("tab", { name: "Depth" }));
    await reached(page.getByRole("region", { name: "Chart or depth" }), "depth");
    await press(page.getByRole("tab", { name: "Chart", exact: true }).last());
    await assertNoScroll(page, "Chart");
    await go("Book");
    await reached(book, "book");
    await reached(page.getByRole("region", { name: "Recent trades" }), "trades");
    await assertNoScroll(page, "Book");
    await go("Trade");
    await assertNoScroll(page, "Trade");
    for (const kind of ["Market", "OCO", "Limit"]) {
      await press(form.getByRole("tab", { name: kind, exact: true }));
      for (const field of await form.getByRole("textbox").all()) await reached(field, `a field of ${kind}`);
      await reached(form.locator("button[type=submit]"), `the button of ${kind}`);
      await assertNoScroll(page, kind);
    }
    await go("Orders");
    for (const tab of ["Order history", "Trades", "Balances", "Order lists", "Open orders"]) {
      await showTab(terminal, tab);
      await assertNoScroll(page, tab);
    }
    const cancel = tables.getByRole("button", { name: /^Cancel order: Buy/ });
    await cancel.scrollIntoViewIfNeeded();
    await press(cancel);
    await until("it is cancelled", async () => (await openOrders(venue.alice)).length === 0, SOON);
    for (const [button, window] of [
      [page.getByRole("button", { name: "Settings" }), "Settings"],
      [page.getByRole("button", { name: "BTC/USDT" }), "Markets"],
      [page.getByRole("button", { name: "Signed in as alice" }), "Signed in as alice"],
    ] as const) {
      await press(button);
      const dialog = page.getByRole("dialog", { name: window });
      await reached(dialog, window);
      await reached(dialog.getByRole("button", { name: "Close" }), `the cross of ${window}`);
      await assertNoScroll(page, window);
      await press(dialog.getByRole("button", { name: "Close" }));
      await dialog.waitFor({ state: "hidden" });
    }
    assert.deepEqual(complaints, []);
    await close();
  });
}

/** Presses Tab until the element with this name has the focus. */
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

/** On a slow machine, the browser may not have drawn yet when the next key is pressed. */
async function slowDown(page: Page, act: () => Promise<void>): Promise<void> {
  const processor = await page.context().newCDPSession(page);
  await processor.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await act();
  await processor.detach();
}

test("with the keyboard alone: sign in, buy, cancel", { skip }, async () => {
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
  // While the order is being sent, its button cannot have the focus.
  await tables.getByRole("button", { name: /^Cancel order: Buy/, disabled: false }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("4");
  await tabTo(page, /^Cancel order: Buy/);
  await page.keyboard.press("Enter");
  await until("it is cancelled", async () => (await openOrders(venue.alice)).length === 0, SOON);
  await page.keyboard.press("r");
  await page
    .getByRole("log")
    .getByText(`Best bid 19,990.00, best ask ${BEST_ASK.replace("20", "20,")}`)
    .waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await slowDown(page, async () => {
    await Promise.all(["Escape", "/"].map((key) => page.keyboard.press(key)));
  });
  await page.getByRole("dialog", { name: "Markets" }).waitFor();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await close();
});

/** Types each text into the field with that name, which is reached by Tab. */
async function typeInto(page: Page, fields: readonly (readonly [name: RegExp, text: string])[]): Promise<void> {
  for (const [name, text] of fields) {
    await tabTo(page, name);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(text);
  }
}

test("with the keyboard alone: another market, a market order, a stop limit and an OCO", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, form, complaints, close } = terminal;
  const { keyboard } = page;
  await tabTo(page, /^Trade as alice$/);
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();

  // Found by name, and then selected in the list.
  const picker = page.getByRole("dialog", { name: "Markets" });
  await keyboard.press("/");
  await picker.waitFor();
  await keyboard.type("ethusdt");
  await keyboard.press("Enter");
  await page.getByRole("banner").getByRole("button", { name: "ETH/USDT" }).waitFor();
  await picker.waitFor({ state: "hidden" });
  await form.getByRole("button", { name: "Buy ETH" }).first().waitFor();
  await keyboard.press("/");
  await picker.waitFor();
  const names = await picker.locator(".market-name").allInnerTexts();
  const at = names.indexOf("BTC/USDT");
  assert.ok(at >= 0 && names.length > 1, names.join(" "));
  // Past the end and back, so that both arrow keys are needed.
  for (let press = 0; press < names.length; press++) await keyboard.press("ArrowDown");
  for (let press = names.length - 1; press > at; press--) await keyboard.press("ArrowUp");
  await keyboard.press("Enter");
  await page.getByRole("banner").getByRole("button", { name: "BTC/USDT" }).waitFor();
  await picker.waitFor({ state: "hidden" });
  await form.getByRole("button", { name: "Buy BTC" }).first().waitFor();

  await keyboard.press("s");
  await keyboard.press("Escape");
  await keyboard.press("m");
  await keyboard.type("0.013");
  await keyboard.press("Enter");
  await untilNewest(
    venue.alice,
    "0.013 are sold at the market",
    ({ type, side, status, executedQty }) =>
      `${type} ${side} ${status} ${executedQty}` === "MARKET SELL FILLED 0.01300000",
  );

  const more = form.getByRole("combobox", { name: "More" });
  await keyboard.press("Escape");
  await tabTo(page, /^More$/);
  await keyboard.type("Stop l");
  await keyboard.press("Enter");
  await until("it is chosen", async () => (await more.inputValue()) === "stop-limit", SOON);
  await typeInto(page, [
    [/^Stop price/, "19100"],
    [/^Price(?! from)/, "19050"],
    [/^Quantity/, "0.014"],
  ]);
  await keyboard.press("Enter");
  const stop = await untilNewest(venue.alice, "the stop limit rests", ({ origQty }) => origQty === "0.01400000");
  const { type, side, stopPrice, price } = stop;
  assert.deepEqual([type, side, Number(stopPrice), Number(price)], ["STOP_LOSS_LIMIT", "SELL", 19_100, 19_050]);

  // No tab is selected while another type is: `l` selects one, and an arrow key its neighbor.
  await keyboard.press("Escape");
  await keyboard.press("l");
  await keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  await tabTo(page, /^Limit$/);
  await keyboard.press("ArrowLeft");
  const oco = form.getByRole("tab", { name: "OCO" });
  await until("it is chosen", async () => (await oco.getAttribute("aria-selected")) === "true", SOON);
  await typeInto(page, [
    [/^Limit price/, "20500"],
    [/^Stop price/, "19200"],
    [/^Stop limit price/, "19150"],
    [/^Quantity/, "0.015"],
  ]);
  await keyboard.press("Enter");
  await until("three are open", async () => (await openOrders(venue.alice)).length === 3, SOON);
  const legs = (await openOrders(venue.alice)).filter(({ orderListId }) => orderListId !== -1);
  assert.deepEqual(
    legs.map((one) => [one.type, one.side, Number(one.stopPrice), Number(one.price), one.origQty]).toSorted(),
    [
      ["LIMIT_MAKER", "SELL", 0, 20_500, "0.01500000"],
      ["STOP_LOSS_LIMIT", "SELL", 19_200, 19_150, "0.01500000"],
    ],
  );
  await cancelEverything(venue.alice);
  assert.deepEqual(complaints, []);
  await close();
});

/**
 * Touch targets without space for a circle of that size, with their sizes. A checkbox has the size of its label, and a
 * small element may have a larger touch target.
 */
const SMALL = `[...document.querySelectorAll("button, select, input, a[href], [role=slider], [role=tab], [role=separator], .chart-tag")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((one) => one.closest("label") ?? one)
  .filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    if (Math.min(width, height) >= ${LEAST_TARGET_PX}) return false;
    one.scrollIntoView({ block: "center" });
    const { x, y } = one.getBoundingClientRect();
    const [middleX, middleY, reach] = [x + width / 2, y + height / 2, ${LEAST_TARGET_PX} / 2 - 1];
    const ways = [[0, -reach], [0, reach], [-reach, 0], [reach, 0]];
    return ways.some(([right, down]) => !one.contains(document.elementFromPoint(middleX + right, middleY + down)));
  })
  .map((one) => [one.ariaLabel, one.textContent, one.clientWidth, one.clientHeight].join(" "))`;

test("on a phone, every touch target is large enough, and the main ones are larger", { skip }, async () => {
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19985.00" });
  const terminal = await openTerminal(browser, venue.exchange.rest, { viewport: PHONE, isTouched: true });
  const { page, form, tables, close } = terminal;
  await signInAs(terminal, "alice");
  const small: string[] = [];
  const look = async (where: string): Promise<void> => {
    small.push(...(await page.evaluate<readonly string[]>(SMALL)).map((one) => `${where}: ${one}`));
  };
  const main = async (buttons: Locator): Promise<void> => {
    await buttons.first().waitFor();
    for (const button of await buttons.all()) {
      const { height = 0 } = (await button.boundingBox()) ?? {};
      if (height < LEAST_TOUCHED_PX) small.push(`${await button.innerText()}: ${height} high`);
    }
  };
  await main(page.locator(".places [role=tab]"));
  await main(page.locator(".foot-bar button"));
  for (const name of ["Book", "Orders", "Chart", "Trade"]) {
    await page.getByRole("tab", { name, exact: true }).first().tap();
    if (name === "Orders") await main(tables.getByRole("button", { name: /^Cancel order: Buy/ }));
    if (name === "Chart") {
      // A label has no position until its candles are loaded.
      await page.locator(".chart-legend").waitFor();
      await page.locator(".chart-line:not(.is-unplaced)").first().waitFor();
    }
    await look(name);
  }
  for (const kind of ["Market", "OCO", "Limit"]) {
    await form.getByRole("tab", { name: kind, exact: true }).tap();
    await main(form.locator("button[type=submit]"));
    await main(form.getByRole("group", { name: "Side" }).getByRole("button"));
    await look(kind);
  }
  await page.getByRole("button", { name: "BTC/USDT" }).tap();
  await main(page.getByRole("dialog").getByRole("button", { name: "Close" }));
  await look("Markets");
  assert.deepEqual([...new Set(small)], []);
  await close();
});

test("Tab moves through the form in reading order", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, form, close } = terminal;
  await signInAs(terminal, "alice");
  await form.getByRole("group", { name: "Side" }).getByRole("button", { name: "Buy" }).focus();
  interface Stop {
    readonly name: string;
    readonly isSubmit: boolean;
    readonly top: number;
    readonly bottom: number;
  }
  const met: Stop[] = [];
  while (met.length < MOST_TABS && met.at(-1)?.isSubmit !== true) {
    if (met.length > 0) await page.keyboard.press("Tab");
    const stop = await page.evaluate<Stop>(`(() => {
      const { ariaLabel, labels, textContent, type } = document.activeElement;
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      const label = labels?.[0]?.innerText.split("\\n")[0];
      return { name: (ariaLabel ?? label ?? textContent).trim(), isSubmit: type === "submit", top, bottom };
    })()`);
    met.push(stop);
  }
  const amounts = ["Price from", "Price", "Quantity", "Share of the available balance", "25%", "50%", "75%", "100%"];
  const options = ["Post only", "Iceberg", "Time in force", "Take profit / Stop loss", "Advanced"];
  assert.deepEqual(
    met.map(({ name }) => name),
    ["Buy BTC", "Sell BTC", "Limit", "More", ...amounts, ...options, "Buy BTC"],
  );
  const back = met.filter(({ bottom }, at) => bottom < (met[at - 1]?.top ?? 0));
  assert.deepEqual(back, [], "nothing goes back upwards");
  await close();
});

/** Counts how often a level of the book is marked as changed. */
const COUNT_FLASHES = `
  window.flashes = 0;
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.classList.contains("fresh")) window.flashes++;
  }).observe(document.querySelector(".book"), { subtree: true, attributeFilter: ["class"] });
`;

test("with reduced motion, nothing flashes and nothing slides", { skip }, async () => {
  const { page, book, close } = await openTerminal(browser, venue.exchange.rest);
  await page.evaluate(COUNT_FLASHES);
  const best = book.locator(".bids .level:visible").first();
  const change = async (): Promise<number> => {
    const before = await best.innerText();
    await page.evaluate("window.flashes = 0");
    await place(venue.carol, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19990.00" });
    await until("the best level has grown", async () => (await best.innerText()) !== before, SOON);
    return page.evaluate<number>("window.flashes");
  };
  assert.ok((await change()) > 0, "a change flashes");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await change(), 0);
  const moving = page.evaluate<readonly string[]>(`new Promise((tell) => {
    document.querySelector(".show-settings").click();
    requestAnimationFrame(() => requestAnimationFrame(() => tell(document.getAnimations()
      .filter((one) => one.effect.getComputedTiming().duration > 10)
      .map((one) => one.effect.target.className + " " + (one.animationName ?? one.transitionProperty)))));
  })`);
  assert.deepEqual(await moving, []);
  await close();
});
