/** What the browser stores for the chart: indicators with their parameters, named layouts, and price alerts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { findingsOf } from "../pages/axe.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { BEST_ASK, openVenue, place } from "./venue.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;
/** Counts what the page asks the browser for, in place of real notifications. */
const NOTIFICATIONS = `
  window.asked = 0;
  window.notified = [];
  window.Notification = class {
    static permission = "default";
    static async requestPermission() {
      window.asked += 1;
      return (this.permission = "granted");
    }
    constructor(title, { body }) {
      window.notified.push(title + ": " + body);
    }
    addEventListener() {}
  };
`;

const { venue, browser } = await rigOf(openVenue);
/** The policy of the page forbids the code of axe-core. */
const openOne = (): Promise<Terminal> =>
  openTerminal(browser, venue.exchange.rest, {
    withoutPolicy: true,
    before: async (page) => void (await page.addInitScript(NOTIFICATIONS)),
  });

async function reload({ page, chart }: Terminal): Promise<void> {
  await page.reload();
  await chart.locator(".chart-legend").waitFor();
}

test("every indicator has its parameters, and a layout restores them with chart type and interval", {
  skip,
}, async () => {
  const terminal = await openOne();
  const { page, chart } = terminal;
  const legend = chart.locator(".chart-legend");
  const reads = (...names: readonly string[]): Promise<void> =>
    until(
      names.join(),
      async () => {
        const text = await legend.innerText();
        return names.every((name) => text.includes(name));
      },
      SOON,
    );
  const menu = (name: RegExp): Promise<void> => chart.getByRole("button", { name }).click();
  await menu(/^Indicators/);
  for (const name of ["MACD", "ATR", "Stochastic"]) await chart.getByRole("checkbox", { name }).check();
  await chart.getByRole("spinbutton", { name: "MACD: fast length in candles" }).fill("5");
  await chart.getByRole("spinbutton", { name: "Stochastic: smoothing in candles" }).fill("2");
  await chart.getByRole("spinbutton", { name: "ATR: length in candles" }).fill("10");
  await page.keyboard.press("Escape");
  await reads("MACD 5 26 9", "Stoch 14 2 3", "ATR 10");

  await menu(/^View/);
  await chart.getByRole("button", { name: "Line", exact: true }).click();
  await chart.getByRole("textbox", { name: "Name of the layout" }).fill("Swing");
  await chart.getByRole("button", { name: "Save layout" }).click();
  await chart.getByRole("button", { name: /^Swing/ }).waitFor();
  assert.deepEqual(await findingsOf(page, "the view menu", ".chart-panel"), []);
  await chart.getByRole("button", { name: "Candles", exact: true }).click();
  await page.keyboard.press("Escape");
  await menu(/^Indicators/);
  await chart.getByRole("checkbox", { name: "MACD" }).uncheck();
  await page.keyboard.press("Escape");
  await chart.getByRole("button", { name: /^1h/ }).click();
  await until("no MACD", async () => !(await legend.innerText()).includes("MACD"), SOON);

  await reload(terminal);
  await menu(/^View/);
  await chart.getByRole("button", { name: /^Swing/ }).click();
  assert.equal(await chart.getByRole("button", { name: "Line", exact: true }).getAttribute("aria-pressed"), "true");
  await reads("MACD 5 26 9");
  assert.equal(await chart.getByRole("button", { name: /^15m/ }).getAttribute("aria-pressed"), "true");
  await chart.getByRole("button", { name: "Delete layout: Swing" }).click();
  await chart.getByRole("button", { name: /^Swing/ }).waitFor({ state: "detached" });
  await terminal.close();
});

test("an alert survives a reload, is reached once, and only setting one asks for notifications", { skip }, async () => {
  const terminal = await openOne();
  const { page, chart } = terminal;
  const asked = (): Promise<number> => page.evaluate<number>("window.asked");
  const alerts = (): Promise<void> => chart.getByRole("button", { name: /^Alerts/ }).click();
  await alerts();
  await chart.getByText("Alerts work only while this page is open.").waitFor();
  assert.equal(await asked(), 0);
  const price = chart.getByRole("textbox", { name: "Alert price for BTCUSDT" });
  await price.fill("nothing");
  await page.keyboard.press("Enter");
  await chart.getByRole("alert").getByText("Enter a price above 0.").waitFor();
  for (const typed of [BEST_ASK, "19950"]) {
    await price.fill(typed);
    await page.keyboard.press("Enter");
    await until("it is set", async () => (await price.inputValue()) === "", SOON);
  }
  assert.equal(await asked(), 1);
  assert.deepEqual(await findingsOf(page, "the menu of alerts", ".chart-panel"), []);
  await page.keyboard.press("Escape");
  const marks = chart.locator(".chart-alerts");
  await until("two marks", async () => (await marks.getByRole("button").count()) === 2, SOON);

  await reload(terminal);
  await until("two marks again", async () => (await marks.getByRole("button").count()) === 2, SOON);
  await page.evaluate("Notification.permission = 'granted'");
  await place(venue.carol, { side: "BUY", type: "MARKET", quantity: "0.01" });
  const words = "Price alert: BTCUSDT has reached 20,010.00.";
  await page.getByRole("log").getByText(words).waitFor();
  assert.deepEqual(await page.evaluate("window.notified"), [`BTCUSDT: ${words}`]);
  await until("one mark", async () => (await marks.getByRole("button").count()) === 1, SOON);
  assert.equal(await asked(), 0, "a reload does not ask");

  await marks.getByRole("button", { name: "Delete price alert: BTCUSDT at 19950.00" }).click();
  await alerts();
  await chart.getByText(/^Reached /).waitFor();
  await chart.getByRole("button", { name: "Delete price alert: BTCUSDT at 20010.00" }).click();
  await until(
    "none is left",
    async () => (await chart.getByRole("button", { name: /^Delete price alert/ }).count()) === 0,
    SOON,
  );
  await page.keyboard.press("Escape");

  // The button beside the axis sets one at the crosshair.
  const box = await chart.locator(".chart-place").boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 300, box.y + 100);
  await chart.getByRole("button", { name: /^Set price alert at / }).click();
  await marks.getByRole("button").waitFor();
  await terminal.close();
});
