/** Own orders on the chart: cancelled by their cross, dragged by a pointer, moved by keys; the node has what came of it. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Browser, Locator } from "playwright-core";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { CHROMIUM, isThere, openBrowser } from "../pages/browser.ts";
import { openTerminal, signInAs, type Terminal } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue, type Order, place, SYMBOL, type Venue } from "./venue.ts";

const skip = isThere ? false : `${CHROMIUM} is not there: apt-get install chromium`;
const SOON = { withinMs: 10_000, everyMs: 50 } as const;

let venue: Venue;
let browser: Browser;
let terminal: Terminal;
before(async () => {
  if (!isThere) return;
  venue = await openVenue();
  browser = await openBrowser();
  terminal = await openTerminal(browser, venue.exchange.rest);
  await signInAs(terminal, "alice");
  await terminal.chart.locator("canvas").first().waitFor();
});
after(async () => {
  if (!isThere) return;
  await browser.close();
  await venue.stop();
});

beforeEach(async () => {
  if (!isThere) return;
  await cancelEverything(venue.alice);
  await until("no line is left", async () => (await lines().getByRole("slider").count()) === 0, SOON);
});

const lines = (): Locator => terminal.chart.getByRole("list", { name: "Your open orders on the chart" });
const handle = (name: string | RegExp): Locator => lines().getByRole("slider", { name });

/** Near the last price: the chart of a market that was traded once shows little more. */
async function placeNear(price: string): Promise<Order> {
  return place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price });
}

function untilOpen(what: string, isIt: (orders: readonly Order[]) => boolean): Promise<readonly Order[]> {
  return untilAnswer(what, () => openOrders(venue.alice), isIt, SOON);
}

async function freeOf(asset: string): Promise<number> {
  interface Answer {
    readonly balances: readonly { readonly asset: string; readonly free: string }[];
  }
  const { json } = await venue.alice.signed<Answer>("GET", "/api/v3/account");
  return Number(json.balances.find((one) => one.asset === asset)?.free);
}

test("the cross cancels, once it was asked about", { skip }, async () => {
  await placeNear("19999.00");
  const cross = lines().getByRole("button", { name: "Cancel: Buy limit 0.01 at 19999.00" });
  await cross.click();
  await untilOpen("it is cancelled", ({ length }) => length === 0);
  await cross.waitFor({ state: "hidden" });
});

test("a pointer drags an order to another price", { skip }, async () => {
  const { page } = terminal;
  const before = await placeNear("19999.00");
  const label = handle(/^Buy limit 0\.01, price 19999\.00/);
  await label.waitFor();
  const box = await untilAnswer(
    "a place",
    () => label.boundingBox(),
    (found) => found !== null && found.height > 0,
    SOON,
  );
  assert.ok(box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 6; step++) await page.mouse.move(x, y + step * 10);
  const to = (await label.getAttribute("aria-valuetext")) ?? "";
  assert.notEqual(to, "19999.00", "it follows the pointer");
  await page.mouse.up();
  const [moved] = await untilOpen(
    "it has another price",
    ([one]) => one !== undefined && one.orderId !== before.orderId,
  );
  assert.ok(Number(moved?.price) < 19999, moved?.price);
  assert.equal(moved?.origQty, before.origQty);
  assert.equal(Number(moved?.price), Number(to.split(",")[0]), "where it was let go");
  await handle(new RegExp(`^Buy limit 0\\.01, price ${Number(moved?.price).toFixed(2)}`)).waitFor();
  assert.equal(await lines().getByRole("slider").count(), 1, "one line of one order");
});

test("keys move an order by ticks, Escape puts it back, Delete cancels it", { skip }, async () => {
  const { page } = terminal;
  await placeNear("19998.00");
  await handle(/^Buy limit 0\.01, price 19998\.00/).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  assert.equal((await openOrders(venue.alice))[0]?.price, "19998.00000000");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  await untilOpen("eleven ticks up", ([one]) => one?.price === "19998.11000000");
  await handle(/price 19998\.11/).waitFor();
  await until(
    "the focus goes along",
    async () => (await page.evaluate<string>("document.activeElement.ariaLabel ?? ''")).includes("19998.11"),
    SOON,
  );
  await page.keyboard.press("Delete");
  await untilOpen("it is cancelled", ({ length }) => length === 0);
});

test("a leg of an OCO is moved: the list is placed anew with both legs", { skip }, async () => {
  const { page } = terminal;
  const oco = { symbol: SYMBOL, side: "SELL", quantity: "0.02", price: "20008.00", stopPrice: "19995.00" };
  const answer = await venue.alice.signed("POST", "/api/v3/order/oco", {
    ...oco,
    stopLimitPrice: "19994.00",
    stopLimitTimeInForce: "GTC",
  });
  assert.equal(answer.status, 200, answer.text);
  await handle(/^Sell post only 0\.02 of an OCO, price 20008\.00/).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const legs = await untilOpen("the leg has moved", (orders) => orders.some(({ price }) => price === "20008.01000000"));
  assert.deepEqual(legs.map(({ type, price, stopPrice }) => [type, price, Number(stopPrice)]).toSorted(), [
    ["LIMIT_MAKER", "20008.01000000", 0],
    ["STOP_LOSS_LIMIT", "19994.00000000", 19995],
  ]);
});

test("a move that the node refuses half-way, the order gone, is told as what it is", { skip }, async () => {
  const { page } = terminal;
  const price = "19997.00";
  const quantity = (Math.floor(((await freeOf("USDT")) / Number(price)) * 1000) / 1000).toFixed(3);
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity, price });
  const label = handle(/price 19997\.00/);
  await label.focus();
  // A hundred ticks dearer, for which the rest of alice's money does not do.
  for (let step = 0; step < 10; step++) await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Enter");
  const notice = page.getByRole("log").locator(".notice.bad");
  await notice.filter({ hasText: "insufficient balance" }).first().waitFor();
  assert.equal((await openOrders(venue.alice)).length, 0);
  await until("no line of what is gone", async () => (await lines().getByRole("slider").count()) === 0, SOON);
});

test("fills and candles can be read as a table", { skip }, async () => {
  const { page, chart, complaints } = terminal;
  await place(venue.alice, { side: "BUY", type: "MARKET", quantity: "0.01" });
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  await chart
    .getByRole("table")
    .getByText(/bought 0\.01/)
    .waitFor();
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  assert.deepEqual(
    complaints.filter((one) => !one.includes("Failed to load resource")),
    [],
  );
});
