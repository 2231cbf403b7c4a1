/**
 * The user's settings: the book's view, favorite markets, sizes, time zone, colors. They are restored after a reload.
 */
import type { Depth } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type { Locator } from "playwright-core";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import {
  chooseSetting,
  openByKey,
  openTerminal,
  shownBook,
  type ShownLevel,
  signInAs,
  type Terminal,
} from "./terminal.ts";
import { cancelEverything, openVenue, place, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;
/** A time zone far from UTC, without daylight saving time. */
const TOKYO = { timeZone: "Asia/Tokyo", aheadHours: 9 } as const;

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  terminal = await openTerminal(browser, venue.exchange.rest, { timeZone: TOKYO.timeZone });
  await signInAs(terminal, "alice");
});

beforeEach(async () => {
  if (skip === false) await cancelEverything(venue.alice);
});

/** Reloads the page; all settings must be restored. */
async function comeBack(): Promise<void> {
  await terminal.page.reload();
  await terminal.book.locator(".level:visible").first().waitFor();
}

type Side = "bids" | "asks";

/** One side of the node's book, grouped by that many price units, best first. */
async function groupedByNode(side: Side, step: number): Promise<readonly ShownLevel[]> {
  const { json } = await venue.alice.public<Depth>("/api/v3/depth", { symbol: SYMBOL, limit: 1000 });
  const rungs = new Map<number, number>();
  for (const [price, quantity] of json[side]) {
    const rung = (side === "bids" ? Math.floor : Math.ceil)(Number(price) / step) * step;
    rungs.set(rung, (rungs.get(rung) ?? 0) + Math.round(Number(quantity) * 1e6));
  }
  return [...rungs].map(([price, quantity]) => ({ price: String(price), quantity: String(quantity / 1e6) }));
}

test("the book is grouped by multiples of the tick, and equals the node's", { skip }, async () => {
  const { book } = terminal;
  const grouping = book.getByRole("combobox", { name: "Group prices by" });
  assert.deepEqual(await grouping.locator("option").allInnerTexts(), ["0.01", "0.1", "1", "10", "100"]);
  for (const step of [100, 10]) {
    await grouping.selectOption({ label: String(step) });
    for (const side of ["bids", "asks"] as const) {
      const all = await groupedByNode(side, step);
      const isIt = (shown: readonly ShownLevel[]): boolean =>
        shown.length > 2 && JSON.stringify(shown) === JSON.stringify(all.slice(0, shown.length));
      await untilAnswer(`${side} by ${step}`, async () => (await shownBook(terminal))[side], isIt, SOON);
    }
  }
  await grouping.selectOption({ label: "0.01" });
});

test("the account's orders are marked in the row of the book that contains them", { skip }, async () => {
  const { book } = terminal;
  const own = (side: Side): Locator => book.locator(`.${side} .level.own:visible .price`);
  const marked = async (): Promise<string> =>
    [...(await own("asks").allInnerTexts()), "|", ...(await own("bids").allInnerTexts())].join(" ");
  const untilMarked = (what: string): Promise<void> => until(what, async () => (await marked()) === what, SOON);
  await untilMarked("|");
  const order = { type: "LIMIT", timeInForce: "GTC", quantity: "0.01" };
  await place(venue.alice, { ...order, side: "BUY", price: "19985.00" });
  await place(venue.alice, { ...order, side: "SELL", price: "20010.00" });
  await untilMarked("20,010.00 | 19,985.00");
  await book.getByRole("combobox", { name: "Group prices by" }).selectOption({ label: "100" });
  await untilMarked("20,100.00 | 19,900.00");
  await book.getByRole("combobox", { name: "Group prices by" }).selectOption({ label: "0.01" });
  await cancelEverything(venue.alice);
  await untilMarked("|");
});

test("the book is cumulative or by level, in either asset, and stays so", { skip }, async () => {
  const { book, page } = terminal;
  const lengths = async (): Promise<readonly number[]> => {
    const all = await book
      .locator(".bids .level:visible .bar")
      .evaluateAll((bars: { style: { transform: string } }[]) => {
        return bars.map(({ style }) => style.transform);
      });
    return all.map((transform) => Number(/scaleX\(([\d.]+)\)/.exec(transform)?.[1]));
  };
  const cells = (): Promise<readonly string[]> =>
    book.locator(".bids .level:visible").first().locator("span").allInnerTexts();
  const kind = book.getByRole("button", { name: "Switch between quantity per level and cumulative quantity" });
  const sums = await lengths();
  assert.deepEqual(
    sums,
    sums.toSorted((one, other) => one - other),
    "each is longer than the one before",
  );
  assert.ok((sums[0] ?? 1) < 0.2, "the best is a small part of all");
  await kind.click();
  await until("levels of about one size", async () => (await lengths()).every((length) => length > 0.8), SOON);
  const [price = "", quantity = ""] = await cells();
  await book.getByRole("button", { name: "Quantities in BTC. Switch to USDT" }).click();
  await book.getByText("Quantity (USDT)").waitFor();
  const worth = (Number(price.replaceAll(",", "")) * Number(quantity)).toFixed(2);
  await until("its worth", async () => (await cells())[1]?.replaceAll(",", "") === worth, SOON);

  await comeBack();
  await book.getByText("Quantity (USDT)").waitFor();
  assert.equal(await kind.getAttribute("aria-pressed"), "false");
  await book.getByRole("button", { name: "Quantities in USDT. Switch to BTC" }).click();
  await kind.click();
  await until("sums again", async () => JSON.stringify(await lengths()) === JSON.stringify(sums), SOON);
  assert.equal(await page.locator(".book-heads").getByText("Quantity (BTC)").count(), 1);
});

test("markets are sorted by a column, and favorites are stored", { skip }, async () => {
  const picker = await openByKey(terminal, "/", "Markets");
  const names = (): Promise<readonly string[]> => picker.locator(".market-name").allInnerTexts();
  const head = picker.getByRole("columnheader", { name: /^Market/ });
  const sorted = async (way: "ascending" | "descending"): Promise<void> => {
    await head.getByRole("button").click();
    await until(`${way} by name`, async () => (await head.getAttribute("aria-sort")) === way, SOON);
    const all = (await names()).map((name) => name.replace("/", ""));
    const order = all.toSorted();
    assert.ok(all.length > 3);
    assert.deepEqual(all, way === "ascending" ? order : order.toReversed());
  };
  const isUp = (await head.getAttribute("aria-sort")) === "ascending";
  await sorted(isUp ? "descending" : "ascending");
  await sorted(isUp ? "ascending" : "descending");
  await picker.getByRole("button", { name: "Favorite: ETHUSDT" }).click();
  await comeBack();
  const again = await openByKey(terminal, "/", "Markets");
  assert.equal(await head.getAttribute("aria-sort"), isUp ? "ascending" : "descending", "sorted as it was left");
  await again.getByRole("button", { name: "Favorites", exact: true }).click();
  await until("one alone", async () => (await names()).join() === "ETH/USDT", SOON);
  await terminal.page.keyboard.press("Escape");
  await again.waitFor({ state: "hidden" });
});

test("panes that were resized by pointer and by keys keep their size after a reload", { skip }, async () => {
  const { page, book, form } = terminal;
  const separator = (name: string): Locator => page.getByRole("separator", { name: `Resize ${name.toLowerCase()}` });
  const widths = async (): Promise<readonly (number | undefined)[]> =>
    Promise.all([book, form].map(async (pane) => (await pane.boundingBox())?.width));
  const [bookBefore = 0, formBefore = 0] = await widths();
  await separator("Order book").focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowLeft");
  const line = await separator("Order form").boundingBox();
  assert.ok(line !== null);
  const [x, y] = [line.x + line.width / 2, line.y + 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 40, y, { steps: 4 });
  await page.mouse.up();
  const changed = await widths();
  assert.deepEqual(changed, [bookBefore + 3 * 16, formBefore + 40]);
  await comeBack();
  assert.deepEqual(await widths(), changed);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("button", { name: "Reset layout" }).click();
  await page.keyboard.press("Escape");
  await until("as at first", async () => (await widths()).join() === [bookBefore, formBefore].join(), SOON);
});

test("times are local or UTC, and stay so", { skip }, async () => {
  const { tables } = terminal;
  const order = { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19500.00" };
  await place(venue.alice, order);
  const time = tables.locator("tbody time");
  await time.waitFor();
  const atMs = Date.parse((await time.getAttribute("datetime")) ?? "");
  const clock = (aheadHours: number): string => new Date(atMs + aheadHours * 3_600_000).toISOString().slice(11, 19);
  const untilClock = (hours: number): Promise<void> =>
    until(`${hours} hours ahead`, async () => (await time.innerText()).endsWith(clock(hours)), SOON);
  await untilClock(TOKYO.aheadHours);
  await chooseSetting(terminal, "Time zone", "UTC");
  await untilClock(0);
  await comeBack();
  await time.waitFor();
  await untilClock(0);
  await chooseSetting(terminal, "Time zone", "Local");
  await untilClock(TOKYO.aheadHours);
});

test("enabled indicators are in the legend with the chosen length, and stay so", {
  skip,
}, async () => {
  const { page, chart } = terminal;
  const legend = chart.locator(".chart-legend");
  const wanted = ["BB 20 2", "SMA 7", "SMA 25", "EMA 50", "VWAP", "RSI 14"];
  await legend.getByText("SMA 25").waitFor();
  assert.equal(await legend.getByText(/RSI|VWAP|BB|EMA/).count(), 0);
  await chart.getByRole("button", { name: "Indicators" }).click();
  for (const name of ["Bollinger bands", "VWAP", "RSI", "Moving average 3"])
    await chart.getByRole("checkbox", { name }).check();
  await chart.getByRole("spinbutton", { name: "Moving average 3: length in candles" }).fill("50");
  await page.keyboard.press("Escape");
  const isThere = async (): Promise<boolean> => {
    const text = await legend.innerText();
    return wanted.every((name) => text.includes(name));
  };
  await until("all are read", isThere, SOON);
  await comeBack();
  await until("all are read again", isThere, SOON);
});

test("the depth chart can be read by keys, from the middle outwards", { skip }, async () => {
  const { page } = terminal;
  await page.getByRole("tab", { name: "Depth" }).click();
  const reading = page.locator(".depth-reading");
  // Arrow keys move along the drawn levels.
  await page.locator(".depth-chart .unseen").first().waitFor({ state: "attached" });
  await page.getByRole("application", { name: "Depth" }).focus();
  for (const [key, side, price] of [
    ["ArrowRight", "asks", "20,010.00"],
    ["ArrowRight", "asks", "20,020.00"],
    ["ArrowLeft", "asks", "20,010.00"],
    ["ArrowLeft", "bids", "19,990.00"],
    ["ArrowLeft", "bids", "19,980.00"],
  ] as const) {
    await page.keyboard.press(key);
    const levels = await groupedByNode(side, 10);
    const upTo = levels.slice(
      0,
      1 + levels.findIndex((level) => Number(level.price) === Number(price.replace(",", ""))),
    );
    const total = upTo.reduce((sum, { quantity }) => sum + Number(quantity), 0).toFixed(6);
    const words = `${side === "bids" ? "Bids down" : "Asks up"} to ${price}: ${total} BTC`;
    await until(words, async () => (await reading.innerText()).startsWith(words), SOON);
  }
  await page.getByRole("tab", { name: "Chart", exact: true }).last().click();
});

test("rising and falling prices have the chosen colors, and keep them", { skip }, async () => {
  const { page } = terminal;
  const colours = (): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>(`[".bids", ".asks"].map((side) =>
      getComputedStyle(document.querySelector(".book " + side + " .level:not([hidden]) .price")).color)`);
  const [up = "", down = ""] = await colours();
  assert.notEqual(up, down);
  await chooseSetting(terminal, "Colors for up and down", "Red / green");
  assert.deepEqual(await colours(), [down, up]);
  await chooseSetting(terminal, "Colors for up and down", "Blue / orange");
  const blind = await colours();
  assert.equal(new Set([up, down, ...blind]).size, 4, blind.join(" "));
  await comeBack();
  assert.deepEqual(await colours(), blind);
  await chooseSetting(terminal, "Colors for up and down", "Green / red");
  assert.deepEqual(await colours(), [up, down]);
});

test("the browser's console has no messages", { skip }, () => {
  assert.deepEqual([terminal.complaints, terminal.outside], [[], []]);
});
