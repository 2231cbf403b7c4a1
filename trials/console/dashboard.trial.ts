/**
 * The dashboard of the business: figures of three days on a clock that the trial controls, worked out by hand, as
 * charts, table and CSV.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { PHONE, savedBy } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { peopleOf, place } from "../terminal/venue.ts";
import { openConsole } from "./console.ts";

const START_MS = Date.parse("2026-03-01T12:00:00Z");
const DAY_MS = 86_400_000;
const DAYS = [
  { price: "20000.00", quantity: "0.5", volume: "10000", fees: "20" },
  { price: "22000.00", quantity: "1", volume: "22000", fees: "44" },
  { price: "21000.00", quantity: "0.1", volume: "2100", fees: "4.2" },
] as const;
const RESTING = { type: "LIMIT", timeInForce: "GTC" } as const;

const { venue, browser } = await rigOf(async () => {
  const clock = ["--lab", "--clock", "manual", "--clock-start", new Date(START_MS).toISOString()];
  const exchange = await startExchange({ args: [...clock, "--bots", "off", "--limits", "off"] });
  const people = peopleOf(exchange);
  for (const [day, { price, quantity }] of DAYS.entries()) {
    if (day > 0) await operate(exchange, "POST", "/v1/lab/clock/advance", { ms: DAY_MS });
    const timestamp = String(START_MS + day * DAY_MS);
    await place(people.bob, { ...RESTING, timestamp, side: "SELL", quantity, price });
    await place(people.alice, { ...RESTING, timestamp, side: "BUY", quantity, price });
  }
  await operate(exchange, "POST", "/v1/deposits", {
    ...{ account: "alice@demo.pricetime", asset: "USDT", amount: "500", reference: "transfer 1" },
  });
  return {
    exchange,
    stop: async () => {
      for (const one of Object.values(people)) one.close();
      await exchange.stop();
    },
  };
});

test("volume, fees and deposits of three days as charts, table and file", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  const volume = page.getByRole("region", { name: "Volume", exact: true });
  // The page requests the figures again every minute; a reload does so at once.
  const hasAll = async (): Promise<boolean> => {
    await volume.waitFor();
    if (/2,100\.00 USDT Today so far/.test((await volume.innerText()).replaceAll(/\s+/g, " "))) return true;
    await page.reload();
    return false;
  };
  await until("the history has the last trade", hasAll, { withinMs: 60_000, everyMs: 200 });
  const said = async (name: string): Promise<string> =>
    (await page.getByRole("region", { name, exact: true }).innerText()).replaceAll(/\s+/g, " ");
  assert.match(await said("Volume"), /Yesterday: 22,000\.00 ▲ 120\.0%/);
  assert.match(await said("Fees earned"), /4\.20 USDT Today so far Yesterday: 44\.00 ▲ 120\.0%/);
  assert.match(await said("Deposits"), /500\.00 USDT Today so far/);
  assert.match(await said("Customers who traded"), /2 Today so far Yesterday: 2/);

  const chart = volume.getByRole("slider");
  await chart.focus();
  assert.equal(await chart.getAttribute("aria-valuetext"), "3 Mar 2026: 2,100.00 USDT");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await chart.getAttribute("aria-valuetext"), "2 Mar 2026: 22,000.00 USDT");

  const period = page.getByRole("group", { name: "Period" });
  await period.getByRole("button", { name: "Month" }).click();
  await volume.getByText("This month so far").waitFor();
  assert.match(await said("Volume"), /34,100\.00 USDT This month so far/);
  await period.getByRole("button", { name: "Day" }).click();
  await volume.getByText("Today so far").waitFor();
  if (process.env["PICTURES"] !== undefined) {
    await page.screenshot({ path: `${process.env["PICTURES"]}/dashboard.png`, fullPage: true });
  }
  await page.getByRole("group", { name: "View" }).getByRole("button", { name: "Table" }).click();
  const table = page.getByRole("region", { name: "Figures by day" });
  await table.locator("tbody tr").first().waitFor();
  const { text } = await savedBy(table.getByRole("button", { name: "Export all as CSV: Figures by day" }));
  const rows = text.trim().split(/\r?\n/);
  const [head = "", ...days] = rows.map((row) => row.split(","));
  const column = (name: string): number => [...head].indexOf(name);
  assert.notEqual(column("volume"), -1, String(head));
  assert.deepEqual(
    days.slice(-DAYS.length).map((day) => [Number(day[column("volume")]), Number(day[column("fees")])]),
    DAYS.map((day) => [Number(day.volume), Number(day.fees)]),
  );

  const top = (await page.getByRole("region", { name: "Top markets" }).locator("tbody tr").first().innerText()).trim();
  assert.match(top, /^BTCUSDT\s+34,100\.00\s+100\.0%\s+68\.20\s+3$/);
  await page.setViewportSize(PHONE);
  assert.equal(
    await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
    true,
    "no sideways scrolling",
  );
  if (process.env["PICTURES"] !== undefined) {
    await page.screenshot({ path: `${process.env["PICTURES"]}/dashboard-phone.png`, fullPage: true });
  }
  assert.deepEqual([opened.complaints, opened.outside, await opened.violations()], [[], [], []]);
  await opened.close();
});
