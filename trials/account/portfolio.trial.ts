/**
 * What a customer owns: average cost, profit and value over time, after trades in the terminal, on the account page, in
 * its CSV file and in the terminal's tab. The expected figures are worked out by hand below.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { Client } from "@pricetime/testkit/client";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { PHONE, savedBy } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { fillIn, submitOf } from "../terminal/order-form.ts";
import { partsOf, showTab } from "../terminal/terminal.ts";
import { newCustomer, visit } from "./account.ts";
import { grant, openVenue, order } from "./venue.ts";

const { venue, browser } = await rigOf(() => openVenue());

/** Both fees are 0.1 %, taken from what is received. */
const ORDERS = [
  { side: "Buy", price: "20000.00" },
  { side: "Buy", price: "21000.00" },
  { side: "Sell", price: "22000.00" },
] as const;
const QUANTITY = "0.02";

/**
 * Bought: 2 * 0.02 less the fee = 0.03996 BTC for 400 + 420 = 820 USDT. Sold: 0.02 of it, which cost
 * 820 * 0.02 / 0.03996 = 410.41041041, for 440 less 0.44: a profit of 29.14958959. Left: 0.01996 BTC at 409.58958959,
 * on average 20,520.52052054, worth 439.12 at the last price; and 1,000 - 820 + 439.56 USDT.
 */
const TOTALS = { Value: "1,058.68", Cost: "1,029.14", "Unrealized profit": "+29.53", "Realized profit": "+29.14" };
const ROWS = [
  ["USDT", "619.56", "1.00", "1.00", "619.56", "619.56", "0.00", "0.00"],
  ["BTC", "0.01996", "20,520.52", "22,000.00", "409.58", "439.12", "+29.53", "+29.14"],
];

/** The cells of each row of a table. */
async function rowsIn(part: Locator): Promise<readonly (readonly string[])[]> {
  const rows = await part.locator("tbody tr").all();
  return Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
}

test("average cost, profit and value of trades by hand, on the page, in its file and in the terminal", {
  skip,
}, async () => {
  const ann = await newCustomer(browser, venue, "ann@example.com", { viewport: { width: 1440, height: 900 } });
  const { page } = ann;
  await grant(venue, "ann@example.com", "USDT", "1000");
  await page.goto(`${venue.exchange.rest}/trade/BTCUSDT`);
  const terminal = partsOf(page);
  await page.getByRole("button", { name: "Signed in as" }).waitFor();
  const trades =
    "fetch('/account/v1/portfolio', { headers: { 'X-Pricetime-Page': 'account' } }).then((answer) => answer.json()).then(({ trades }) => trades)";
  for (const [earlier, { side, price }] of ORDERS.entries()) {
    await order(venue, { symbol: "BTCUSDT", side: side === "Buy" ? "SELL" : "BUY", price, quantity: QUANTITY });
    await fillIn(terminal, { side, kind: "Limit", fields: { Price: price, Quantity: QUANTITY } });
    await submitOf(terminal).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `${side} BTC` })
      .click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await until("the trade is in the history", async () => (await page.evaluate(trades)) === earlier + 1);
  }
  await showTab(terminal, "Portfolio");
  const assets = terminal.tables.locator(".portfolio-tab");
  await assets.waitFor();
  assert.deepEqual(await rowsIn(assets), ROWS);

  await page.goto(`${venue.exchange.rest}/account/#/portfolio`);
  const totals = page.locator(".portfolio-total");
  await totals.first().waitFor();
  const shown = await Promise.all(
    (await totals.all()).map(async (one) => [
      await one.locator("dt").innerText(),
      (await one.locator("dd").innerText()).replace(" USDT", ""),
    ]),
  );
  assert.deepEqual(Object.fromEntries(shown), TOTALS);
  assert.deepEqual(await rowsIn(page.getByRole("region", { name: "Assets" })), ROWS);
  // The values of days are tested with the history; here, the first day has not ended yet.
  await page.getByText("The chart starts with the end of the first day (UTC).").waitFor();
  const { name, text } = await savedBy(page.getByRole("button", { name: "Export CSV: Assets" }));
  assert.match(name, /^portfolio-.*\.csv$/);
  const [head = "", , btc = ""] = text.split(/\r?\n/);
  assert.match(head, /^Asset,Quantity,Average cost \(USDT\),/);
  assert.match(
    btc,
    /^BTC,0\.01996000,20520\.52052054,22000\.00000000,409\.58958959,439\.12000000,29\.53041041,29\.14958959$/,
  );

  await page.setViewportSize(PHONE);
  assert.equal(
    await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
    true,
    "no sideways scrolling",
  );
  assert.deepEqual([ann.complaints, ann.outside, await ann.violations()], [[], [], []]);
  if (process.env["PICTURES"] !== undefined) {
    await page.screenshot({ path: `${process.env["PICTURES"]}/portfolio-phone.png`, fullPage: true });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.screenshot({ path: `${process.env["PICTURES"]}/portfolio.png`, fullPage: true });
  }
  await ann.close();
});

test("a withdrawal that is canceled in the history is shown as canceled, although older rows were loaded", {
  skip,
}, async () => {
  const { exchange } = venue;
  const alice = new Client(exchange.rest, exchange.accounts[0] ?? assert.fail());
  const limits = "/v1/accounts/alice@demo.pricetime/withdrawal-limits/BTC";
  await operate(exchange, "PUT", limits, { per24h: "0.001" });
  const asked = { coin: "BTC", address: "somewhereelse1234", amount: "0.002" };
  for (let count = 0; count <= 200; count++) {
    const { json } = await alice.signed<{ id: string }>("POST", "/sapi/v1/capital/withdraw/apply", asked);
    if (count < 200) await operate(exchange, "POST", `/v1/withdrawals/${json.id}/reject`, { why: "A trial." });
  }
  alice.close();
  const opened = await visit(browser, venue, `${exchange.rest}/account/#/history?kind=withdrawals`);
  await opened.page.getByRole("button", { name: "Sign in as alice" }).click();
  for (let page = 1; page <= 3; page++) await opened.page.getByRole("button", { name: "Show more" }).click();
  const older = opened.page.getByRole("button", { name: "Load older" });
  await older.click();
  await older.waitFor({ state: "detached" });
  const list = opened.page.getByRole("region", { name: "Withdrawals" }).first();
  await list.getByRole("button", { name: /^Cancel withdrawal/ }).click();
  await list.getByText("Canceled", { exact: true }).waitFor();
  await opened.close();
});
