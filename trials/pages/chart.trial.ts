/** The terminal's chart in Chromium: what it shows is what the node has, and what is done to its lines is done there. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { Client } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { CHROMIUM, isThere, type Look, openBrowser, openPage } from "./browser.ts";

const skip = isThere ? false : `${CHROMIUM} is not there: apt-get install chromium`;
const LOOK: Look = { name: "desktop", width: 1440, scheme: "dark" };
const symbol = "BTCUSDT";

interface OpenOrder {
  readonly orderId: number;
  readonly side: string;
  readonly type: string;
  readonly price: string;
  readonly stopPrice: string;
}

type Kline = readonly [openTimeMs: number, ...text: string[]];

/** Each question weighs, and the page is counted at the same address. */
const SELDOM = { everyMs: 250 };

let exchange: Exchange;
let browser: Browser;
let alice: Client;
before(async () => {
  if (!isThere) return;
  exchange = await startExchange();
  alice = new Client(exchange.rest, exchange.accounts[0]);
  browser = await openBrowser();
});
after(async () => {
  if (!isThere) return;
  alice.close();
  await browser.close();
  await exchange.stop();
});

/** A price away from the last one by that factor: nobody trades there meanwhile. */
async function priceAt(factor: number): Promise<string> {
  const { json: body } = await alice.public<{ readonly price: string }>("/api/v3/ticker/price", { symbol });
  return (Number(body.price) * factor).toFixed(2);
}

async function openOrders(): Promise<readonly OpenOrder[]> {
  const { json: body } = await alice.patient<readonly OpenOrder[]>("/api/v3/openOrders", { symbol });
  return body;
}

async function place(path: string, parameters: Record<string, string>): Promise<void> {
  const { status, json: body } = await alice.signed("POST", path, { symbol, ...parameters });
  assert.equal(status, 200, JSON.stringify(body));
}

async function cancelAll(): Promise<void> {
  if ((await openOrders()).length > 0) await alice.signed("DELETE", "/api/v3/openOrders", { symbol });
}

async function openChart(): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const { page, complaints, outside, close } = await openPage(browser, exchange.rest, LOOK);
  await page.goto(`${exchange.rest}/`);
  await page.waitForSelector(".chart-legend");
  return {
    page,
    async close() {
      assert.deepEqual(complaints, []);
      assert.deepEqual(outside, []);
      await close();
    },
  };
}

async function signedIn(): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const opened = await openChart();
  await opened.page.getByRole("button", { name: "alice" }).first().click();
  await opened.page.waitForSelector(".chart-line");
  return opened;
}

const line = (page: Page, text: string): Locator => page.locator(".chart-line-name", { hasText: text });
const answer = (page: Page, text: string): Locator => page.locator(".chart-ask").getByRole("button", { name: text });

/** Where the pointer takes hold of a label. */
async function middleOf(label: Locator): Promise<{ readonly x: number; readonly y: number }> {
  // It may still be on its way to its line.
  await until(
    "the label has a place",
    async () => (await label.locator("xpath=..").getAttribute("class"))?.includes("is-unplaced") === false,
  );
  const box = await label.boundingBox();
  assert.ok(box !== null);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The one open order, as soon as it is another one than before and the page shows it. */
async function movedFrom(orderId: number, page: Page): Promise<OpenOrder> {
  const isAlone = ([one, ...others]: readonly OpenOrder[]): boolean =>
    one !== undefined && others.length === 0 && one.orderId !== orderId;
  const [moved] = await untilAnswer("the order has moved", openOrders, isAlone, SELDOM);
  assert.ok(moved !== undefined);
  const shown = Number(moved.price).toFixed(2);
  // For a moment the old one and the new one are both on their way.
  await until(`the line stands at ${shown}, alone`, async () => {
    const texts = await line(page, "Buy Limit").evaluateAll((all) => all.map((one) => String(one.ariaValueText)));
    return texts.length === 1 && texts[0]?.startsWith(shown) === true;
  });
  return moved;
}

test("an order is dragged to another price, put back by Escape, and kept where one says no", { skip }, async () => {
  await cancelAll();
  await place("/api/v3/order", {
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    quantity: "0.01",
    price: await priceAt(0.98),
  });
  const { page, close } = await signedIn();
  const [first] = await openOrders();
  assert.ok(first !== undefined);
  const label = line(page, "Buy Limit");
  const dragBy = async (px: number): Promise<void> => {
    const { x, y } = await middleOf(label);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 10, y + px, { steps: 5 });
  };

  await dragBy(40);
  await page.waitForSelector(".chart-line.is-moving");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  assert.equal(await page.locator(".is-moving, .chart-ask").count(), 0);

  await dragBy(40);
  await page.mouse.up();
  await answer(page, "Keep").click();
  assert.deepEqual(await openOrders(), [first]);

  await dragBy(40);
  const wanted = (await label.getAttribute("aria-valuetext")) ?? "";
  await page.mouse.up();
  await answer(page, "Move").click();
  const moved = await movedFrom(first.orderId, page);
  assert.equal(wanted.split(",")[0], Number(moved.price).toFixed(2));
  assert.ok(Number(moved.price) < Number(first.price));

  await page.locator(".chart-line-cancel").click();
  await answer(page, "Cancel order").click();
  await until("the order is cancelled", async () => (await openOrders()).length === 0, SELDOM);
  await until("its line is gone", async () => (await page.locator(".chart-line").count()) === 0);
  await close();
});

test("a finger moves an order by its label", { skip }, async () => {
  await cancelAll();
  await place("/api/v3/order", {
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    quantity: "0.01",
    price: await priceAt(0.98),
  });
  const { page, close } = await signedIn();
  const [first] = await openOrders();
  assert.ok(first !== undefined);
  const { x, y } = await middleOf(line(page, "Buy Limit"));
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at: number): Promise<unknown> =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: at }] });
  await touch("touchStart", y);
  for (const by of [10, 20, 30]) await touch("touchMove", y + by);
  await touch("touchEnd", y + 30);
  await answer(page, "Move").click();
  const moved = await movedFrom(first.orderId, page);
  assert.ok(Number(moved.price) < Number(first.price));
  await close();
});

test("both legs of an OCO are lines; keys move its trigger, and cancel the list", { skip }, async () => {
  await cancelAll();
  await place("/api/v3/order/oco", {
    ...{ side: "SELL", quantity: "0.01", price: await priceAt(1.02) },
    ...{ stopPrice: await priceAt(0.98), stopLimitPrice: await priceAt(0.979), stopLimitTimeInForce: "GTC" },
  });
  const { page, close } = await signedIn();
  await until("three lines", async () => (await page.locator(".chart-line").count()) === 3);
  const before = await openOrders();
  const stopOf = (orders: readonly OpenOrder[]): number =>
    Number(orders.find(({ type }) => type === "STOP_LOSS_LIMIT")?.stopPrice);
  await line(page, "trigger").focus();
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".chart-ask");
  await page.keyboard.press("Enter");
  const isAnew = (orders: readonly OpenOrder[]): boolean =>
    orders.length === 2 && orders.every(({ orderId }) => before.every((one) => one.orderId !== orderId));
  const after = await untilAnswer("the list is placed anew", openOrders, isAnew, SELDOM);
  assert.equal(Math.round((stopOf(after) - stopOf(before)) * 100), 9);
  const settled = `[aria-valuetext="${stopOf(after).toFixed(2)}"][aria-disabled="false"]`;
  await until("the focus followed the order", async () => {
    return (await page.evaluate(`document.activeElement.matches('${settled}')`)) === true;
  });
  await page.keyboard.press("Delete");
  await page.waitForSelector(".chart-ask");
  await page.keyboard.press("Enter");
  await until("the list is cancelled", async () => (await openOrders()).length === 0, SELDOM);
  await close();
});

/** The table's rows: time, open, high, low, close, change, volume. */
async function tableRows(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = await page.evaluate(
    `[...document.querySelectorAll(".chart-table tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
  return rows as readonly (readonly string[])[];
}

test("the candles in view are the node's, older ones too, and can be read without seeing them", { skip }, async () => {
  const { page, close } = await openChart();
  let pages = 0;
  page.on("response", (response) => (pages += response.url().includes("/klines") ? 1 : 0));
  const chart = await page.locator(".chart-place").boundingBox();
  assert.ok(chart !== null);
  await until("an older page came", async () => {
    await page.mouse.move(chart.x + 150, chart.y + 150);
    await page.mouse.down();
    await page.mouse.move(chart.x + chart.width - 150, chart.y + 150, { steps: 6 });
    await page.mouse.up();
    return pages > 0;
  });
  await page.locator(".chart-place").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  const spoken = await page.locator(".chart-stage [role=status]").first().innerText();
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  const rows = await untilAnswer(
    "rows of the table",
    () => tableRows(page),
    (all) => all.length > 20,
  );
  const row = rows[10];
  assert.ok(row !== undefined);
  // The browser's clock is this machine's.
  const openTimeMs = new Date(String(row[0]).replace(" ", "T")).getTime();
  const { json: body } = await alice.public<readonly Kline[]>("/api/v3/klines", {
    symbol,
    interval: "15m",
    startTime: openTimeMs,
    limit: 1,
  });
  const [kline] = body;
  assert.equal(kline?.[0], openTimeMs);
  assert.deepEqual(
    row.slice(1, 5),
    kline?.slice(1, 5).map((price) => Number(price).toFixed(2)),
  );
  assert.equal(row[6], Number(kline?.[5]).toFixed(4));
  assert.match(
    spoken,
    /^\d{4}-\d\d-\d\d \d\d:\d\d: open [\d.]+, high [\d.]+, low [\d.]+, close [\d.]+, \S+ %, volume [\d.]+\.$/,
  );
  await close();
});

test("many changes of the interval leave one stream of candles and nothing of the charts before", {
  skip,
}, async () => {
  const { page, complaints, close } = await openPage(browser, exchange.rest, LOOK);
  const streams = new Map<string, number>();
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const { method, params = [] } = JSON.parse(String(payload)) as { method: string; params?: readonly string[] };
      for (const name of params) {
        if (name.includes("@kline_")) streams.set(name, (streams.get(name) ?? 0) + (method === "SUBSCRIBE" ? 1 : -1));
      }
    }),
  );
  await page.goto(`${exchange.rest}/`);
  await page.waitForSelector(".chart-legend");
  const browserSide = await page.context().newCDPSession(page);
  const nodes = async (): Promise<number> => {
    await browserSide.send("HeapProfiler.collectGarbage");
    return (await browserSide.send("Memory.getDOMCounters")).nodes;
  };
  const change = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      await page
        .getByRole("button", { name: ["1m: 1 minute", "1h: 1 hour", "1d: 1 day", "5m: 5 minutes"][at % 4] as string })
        .click();
    }
    await page.waitForSelector(".chart-legend");
  };
  await change(4);
  const few = await nodes();
  await change(40);
  await until("one stream is left", () => [...streams.values()].filter((count) => count !== 0).length === 1);
  await until(`no more than the ${few} nodes of before`, async () => (await nodes()) < few * 1.2, { everyMs: 500 });
  assert.deepEqual(complaints, []);
  await close();
});
