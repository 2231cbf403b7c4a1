/** Many open orders close together on the chart: tags at rest, labels by hover and focus. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { openTerminal, signInAs } from "./terminal.ts";
import { openOrders, openVenue, place } from "./venue.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;
const LIMIT = { type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;

const { venue, browser } = await rigOf(openVenue);

test("twenty close orders are tags that fan out by hover and focus, and neither covers a candle at rest", {
  skip,
}, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, chart } = terminal;
  await signInAs(terminal, "alice");
  const lines = chart.getByRole("list", { name: "Your open orders on the chart" });
  for (let at = 0; at < 10; at++) {
    // An order with two prices has two lines, and counts once.
    const trigger = at === 9 ? { type: "TAKE_PROFIT_LIMIT", stopPrice: "19971.50" } : {};
    await place(venue.alice, { ...LIMIT, side: "BUY", price: `${19_980 - at}.00`, ...trigger });
    await place(venue.alice, { ...LIMIT, side: "SELL", price: `${20_020 + at}.00` });
  }
  await until("all labels", async () => (await lines.getByRole("slider").count()) === 21, SOON);
  const tags = chart.locator(".chart-tag");
  await until("all are in tags", async () => (await chart.locator(".chart-line.is-folded").count()) === 21, SOON);
  const named = (await tags.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ")).join(" ");
  assert.equal(
    [...named.matchAll(/(\d+) (?:buy|sell)/g)].reduce((sum, [, count]) => sum + Number(count), 0),
    20,
    named,
  );
  // The space at the end of the chart is wider than the tags.
  const pane = await chart.locator(".chart-orders").boundingBox();
  for (const tag of await tags.all()) {
    const box = await tag.boundingBox();
    assert.ok(box !== null && pane !== null && box.x > pane.x + pane.width - 76, named);
  }

  await tags.first().hover();
  const fanned = chart.locator(".chart-line.is-fanned");
  await fanned.first().waitFor();
  const boxes = await Promise.all((await fanned.all()).map((label) => label.boundingBox()));
  assert.equal(boxes.length, Number(/\d+/.exec(await tags.last().innerText())?.[0]));
  for (const [at, box] of boxes.entries()) assert.ok(at === 0 || (box?.y ?? 0) >= (boxes[at - 1]?.y ?? 0) + 24);
  await page.mouse.move(5, 5);
  await fanned.first().waitFor({ state: "detached" });

  // The fan stays open while a key moves the order, and the label shows what the move changes.
  const label = lines.getByRole("slider", { name: /^Buy limit 0\.01, price 19975\.00/ });
  await label.focus();
  await fanned.first().waitFor();
  await page.keyboard.press("ArrowDown");
  await chart.locator(".chart-line.is-moving").waitFor();
  assert.equal(await label.getAttribute("aria-valuetext"), "19974.99, −0.13% from the market, Total 199.74 USDT");
  assert.match(await label.innerText(), /19,974\.99\s+−0\.13% from the market\s+Total 199\.74 USDT/);
  await page.keyboard.press("Escape");
  assert.equal((await openOrders(venue.alice)).length, 20);
  assert.deepEqual(besides(terminal.complaints), []);
  await terminal.close();
});
