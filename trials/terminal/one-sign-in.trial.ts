/**
 * One sign-in for the terminal and the account pages: a session trades, both show the same account, and the sign-in
 * leads back to the market.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import { fillIn, submitOf } from "./order-form.ts";
import { openTerminal, rowsOf, signInAs } from "./terminal.ts";
import { cancelEverything, openOrders, openVenue } from "./venue.ts";

const SOON = { withinMs: 30_000, everyMs: 50 } as const;

const { venue, browser } = await rigOf(openVenue);

test("the terminal's sign-in leads to the account pages and back to the market, and trades with the session", {
  skip,
}, async () => {
  const { alice, exchange } = venue;
  const { email = "", password = "" } = exchange.accounts.find(({ name }) => name === "alice") ?? {};
  const terminal = await openTerminal(browser, exchange.rest, { path: "/trade/BTCUSDT" });
  const { page, outside } = terminal;
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("dialog", { name: "Sign in" }).getByRole("link", { name: "Sign in with email" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/trade/BTCUSDT");
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();

  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19985.00", Quantity: "0.0123" } });
  await submitOf(terminal).click();
  await until("it is open", async () => (await openOrders(alice)).length === 1, SOON);
  await until("its row", async () => (await rowsOf(terminal)).length === 1, SOON);
  // The event of the session's stream ends the row.
  await cancelEverything(alice);
  await until("the row is gone", async () => (await rowsOf(terminal)).length === 0, SOON);
  assert.deepEqual([outside, await page.evaluate<unknown>("sessionStorage.length")], [[], 0]);
  await terminal.close();
});

test("a demo account opens the account pages with the click that trades, and a sign-out in one place shows in the other", {
  skip,
}, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page } = terminal;
  await signInAs(terminal, "bob");
  const account = await page.context().newPage();
  await account.goto(`${venue.exchange.rest}/account/`);
  await account.getByRole("heading", { name: "Overview" }).waitFor();
  await account.getByText("bob@demo.pricetime").first().waitFor();
  await account.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).waitFor();

  await signInAs(terminal, "carol");
  await account.getByText("carol@demo.pricetime").first().waitFor();
  await page.getByRole("button", { name: "Signed in as carol" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await account.getByRole("heading", { name: "Sign in" }).waitFor();
  await terminal.close();
});
