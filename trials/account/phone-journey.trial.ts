/**
 * A customer's whole path on a phone, by taps alone and without an API key: invitation, deposit, an order in the
 * terminal, withdrawal.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { PHONE } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { confirmByEmail, newCustomer } from "./account.ts";
import { openVenue, order } from "./venue.ts";

const { venue, browser } = await rigOf(() => openVenue());
const EMAIL = "ann@example.com";

const sandbox = (call: string, body: object): Promise<unknown> =>
  operate(venue.exchange, "POST", `/v1/networks/BTC/sandbox/${call}`, body);

async function chooseFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Pages" }).tap();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).tap();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Nothing lies beside the screen. */
async function assertFits(page: Page): Promise<void> {
  assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, page.url());
}

test("from the invitation to a withdrawal on a phone, without an API key", { skip }, async () => {
  await order(venue, { symbol: "BTCUSDT", side: "BUY", price: "20000.00", quantity: "1" });
  const ann = await newCustomer(browser, venue, EMAIL, { viewport: PHONE, isTouched: true });
  const { page } = ann;
  await assertFits(page);

  await chooseFromMenu(page, "Deposit");
  await page.getByLabel("Coin").selectOption("BTC");
  const address = await page.locator("[data-secret=address]").innerText();
  await assertFits(page);
  await sandbox("faucet", { address, asset: "BTC", amount: "2" });
  await sandbox("mine", { blocks: 4 });
  await page.getByRole("log").getByText("2.00 BTC credited").waitFor();
  const deposits = page.getByRole("region", { name: "Recent deposits" }).first();
  await deposits.getByText("Completed", { exact: true }).waitFor();
  await chooseFromMenu(page, "Overview");
  await page.getByRole("region", { name: "Balances" }).getByText("2.00").first().waitFor();

  await page.getByRole("link", { name: "Trade", exact: true }).tap();
  await page.waitForURL("**/trade/*");
  await page.getByRole("tab", { name: "Trade" }).tap();
  const form = page.getByRole("form", { name: "Order form" });
  await form.getByRole("group", { name: "Side" }).getByRole("button", { name: /^Sell/ }).tap();
  // The market has no trades yet, and so no price for a market order.
  await form.getByRole("tab", { name: "Market", exact: true }).tap();
  await form.getByText("This market has no trades yet").waitFor();
  await form.getByRole("textbox", { name: "Quantity", exact: true }).fill("0.5");
  await form.getByRole("button", { name: "Use a limit order at 20,000.00" }).tap();
  await form.locator("button[type=submit]").tap();
  await page.getByRole("dialog").getByRole("button", { name: "Sell BTC" }).tap();
  await page
    .getByRole("log")
    .getByText(/Order filled: /)
    .first()
    .waitFor();
  await assertFits(page);
  await page.getByRole("tab", { name: "Orders" }).tap();
  await page.getByRole("tab", { name: "Trades" }).tap();
  await page.getByRole("region", { name: "Orders and balances" }).getByText("20,000.00").first().waitFor();
  await assertFits(page);

  await page.getByRole("link", { name: "Wallet" }).tap();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await chooseFromMenu(page, "Withdraw");
  const withdraw = page.getByRole("form", { name: "Withdraw" });
  await page.getByRole("combobox", { name: "Coin" }).selectOption("BTC");
  await withdraw.getByLabel("Address").fill("somewhereelse1234");
  await withdraw.getByLabel("Amount (BTC)").fill("0.25");
  await withdraw.getByText("0.2495 BTC").waitFor();
  await assertFits(page);
  await withdraw.getByRole("button", { name: "Review withdrawal" }).tap();
  await withdraw.getByText("somewhereelse1234").waitFor();
  await assertFits(page);
  await withdraw.getByRole("button", { name: "Confirm withdrawal" }).tap();
  const list = page.getByRole("region", { name: "Withdrawals" }).first();
  await list.getByText("Confirm by email").waitFor();
  await confirmByEmail(ann, venue, EMAIL);
  await until("it is paid", async () => {
    await sandbox("mine", { blocks: 1 });
    return (await list.getByText("Completed", { exact: true }).count()) > 0;
  });
  await assertFits(page);
  assert.deepEqual([ann.complaints, ann.outside, await ann.violations()], [[], [], []]);
  await ann.close();
});
