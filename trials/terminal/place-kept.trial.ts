/**
 * The page's state survives a restart of the node: the book's grouping, the selected table, the scrolled chart and a
 * half-filled form stay, while the data is new.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { inTheEnd, temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import { fieldOf, fillIn, numberIn } from "./order-form.ts";
import { openTerminal, rowsOf, showTab, shownBook, signInAs, type Terminal } from "./terminal.ts";
import { openVenue, peopleOf, place, startQuiet, SYMBOL, type Venue } from "./venue.ts";

const SOON = { withinMs: 30_000, everyMs: 50 } as const;
const DAY_MS = 86_400_000;
/** More than the chart's first page holds. */
const PAST_DAYS = 1_400;
const REQUEST_DAYS = 500;
const STEP = "10";

/** The current node: each test leaves another one. */
let node: Exchange | undefined;
const dataFolder = temporaryFolder();
const { venue, browser } = await rigOf(openOldVenue);

/** With candles of previous days, so that the chart can be scrolled. */
async function openOldVenue(): Promise<Venue> {
  const opened = await openVenue(dataFolder);
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const candles = Array.from({ length: PAST_DAYS }, (_, day) => {
    const [low, high] = [19_900 + (day % 7) * 10, 20_100 + (day % 5) * 10].map((price) => `${price}.00`);
    return [todayMs - (PAST_DAYS - day) * DAY_MS, low, high, low, high, "1", "20000", 2, "0.5", "10000"];
  });
  for (let from = 0; from < PAST_DAYS; from += REQUEST_DAYS) {
    const body = { interval: "1d", candles: candles.slice(from, from + REQUEST_DAYS) };
    await operate(opened.exchange, "POST", `/v1/symbols/${SYMBOL}/backfilled-candles`, body);
  }
  return { ...opened, stop: () => Promise.all([opened.stop(), node?.kill()]).then(() => undefined) };
}

const legend = ({ chart }: Terminal): Locator => chart.locator(".chart-legend-row").first();

/** The days that the chart shows, newest first. */
async function daysInView({ page, chart }: Terminal): Promise<readonly string[]> {
  const asTable = page.getByRole("button", { name: "Show the candles as a table" });
  await asTable.click();
  const days = await chart.getByRole("table").locator("tbody th").allInnerTexts();
  await asTable.click();
  return days;
}

/** Drags the chart to the right, into the past, and moves the pointer away from it. */
async function scrollBack({ page, chart }: Terminal, times: number): Promise<void> {
  const box = await chart.locator(".chart-place").boundingBox();
  assert.ok(box !== null);
  const y = box.y + box.height / 2;
  for (let time = 0; time < times; time++) {
    await page.mouse.move(box.x + 60, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 160, y, { steps: 8 });
    await page.mouse.up();
  }
  await page.mouse.move(2, 2);
}

/** The user's choices and typed texts. */
interface Choices {
  readonly step: string;
  readonly isGrouped: boolean;
  readonly tab: string;
  readonly form: readonly string[];
}

async function choicesIn(terminal: Terminal): Promise<Choices> {
  const { book, form, tables } = terminal;
  const { bids, asks } = await shownBook(terminal);
  const side = form.getByRole("group", { name: "Side" }).getByRole("button", { pressed: true });
  const texts = ["Price", "Quantity"].map((label) => numberIn({ form }, label));
  return {
    step: await book.getByRole("combobox", { name: "Group prices by" }).locator("option:checked").innerText(),
    isGrouped: bids.length > 0 && [...bids, ...asks].every(({ price }) => Number(price) % Number(STEP) === 0),
    tab: await tables.getByRole("tab", { selected: true }).innerText(),
    form: [
      (await side.textContent()) ?? "",
      await form.getByRole("tab", { selected: true }).innerText(),
      ...(await Promise.all(texts)),
    ],
  };
}

/** Changes while the page is disconnected: a trade at a higher price, and another best ask. */
async function change(elsewhere: Exchange, price: string): Promise<void> {
  const { alice, carol } = peopleOf(elsewhere);
  await place(carol, { side: "SELL", type: "LIMIT", timeInForce: "GTC", quantity: "0.3", price });
  await place(alice, { side: "BUY", type: "MARKET", quantity: "0.1" });
  for (const one of [alice, carol]) one.close();
}

for (const [where, drags, price] of [
  ["within the chart's first page", 2, "20003.00"],
  ["far before its first page", 20, "20002.00"],
] as const) {
  test(`after the node was killed and restarted ${where}, choices, typed texts and the scroll position stay`, {
    skip,
  }, async (t) => {
    node ??= venue.exchange;
    const { rest } = node;
    const terminal = await openTerminal(browser, rest);
    const { page, book, chart, form } = terminal;
    await signInAs(terminal, "alice");
    await chart.getByRole("button", { name: "1d: 1 day" }).click();
    await showTab(terminal, "Balances");
    await book.getByRole("combobox", { name: "Group prices by" }).selectOption({ label: STEP });
    await until("the days up to now", async () => (await daysInView(terminal)).length > 50, SOON);
    const atLatest = await daysInView(terminal);
    await scrollBack(terminal, drags);
    const days = await daysInView(terminal);
    assert.ok(days.length > 50 && days.every((day) => !atLatest.includes(day)), "scrolled back");
    await fillIn(terminal, { side: "Sell", kind: "Limit", fields: { Quantity: "0.012", Price: "" } });
    await fieldOf({ form }, "Price").pressSequentially("20");
    const typed = ["Sell BTC", "Limit", "20", "0.012"];
    const chosen: Choices = { step: STEP, isGrouped: true, tab: "Balances", form: typed };
    assert.deepEqual(await choicesIn(terminal), chosen);
    const old = { balances: await rowsOf(terminal), candle: await legend(terminal).innerText() };

    await node.kill();
    await page.getByRole("banner").getByText("Disconnected", { exact: true }).waitFor();
    const elsewhere = await startQuiet(dataFolder);
    inTheEnd(t, () => elsewhere.kill());
    await change(elsewhere, price);
    await elsewhere.stop();
    const candles = page.waitForResponse((answer) => answer.url().includes("/api/v3/klines") && answer.ok());
    node = await startQuiet(dataFolder, new URL(rest).port);
    await page.getByRole("banner").getByText("Live", { exact: true }).waitFor({ timeout: 40_000 });
    await candles;
    const isNew = async (): Promise<boolean> =>
      !(await shownBook(terminal)).isStale &&
      JSON.stringify(await rowsOf(terminal)) !== JSON.stringify(old.balances) &&
      (await legend(terminal).innerText()) !== old.candle;
    await until("book, balances and candle are those of the node that came back", isNew, SOON);
    assert.deepEqual(await choicesIn(terminal), chosen);
    await page.keyboard.type("111");
    assert.equal(await fieldOf({ form }, "Price").inputValue(), "20111", "and one types on where one was");
    assert.deepEqual(await daysInView(terminal), days);
    await chart.getByRole("button", { name: "Go to the latest candle" }).click();
    assert.equal((await daysInView(terminal))[0], atLatest[0]);
    await terminal.close();
  });
}
