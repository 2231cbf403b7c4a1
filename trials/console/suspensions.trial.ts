/**
 * Each suspension of the exchange, of an asset and of a network: set and lifted in the console, with its effect on REST
 * clients.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@pricetime/testkit/client";
import { operate } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseAction, dialogOf, openConsole } from "./console.ts";
import { go, type Opened } from "../pages/opened.ts";
import { openVenue } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);

const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price: "15000" };

interface Answer {
  readonly status: number;
  readonly json: { readonly code?: number; readonly msg?: string; readonly orderId?: number; readonly id?: string };
}

const place = (who: Client): Promise<Answer> => who.signed("POST", "/api/v3/order", ORDER);
const cancel = (who: Client, orderId: number): Promise<Answer> =>
  who.signed("DELETE", "/api/v3/order", { symbol: ORDER.symbol, orderId: String(orderId) });
const withdraw = (who: Client): Promise<Answer> =>
  who.signed("POST", "/sapi/v1/capital/withdraw/apply", {
    ...{ coin: "IDR", network: "BANK", amount: "30000", address: "somewhereelse1234", name: "home" },
  });

async function suspend(opened: Opened, button: string, why: string): Promise<void> {
  await go(opened, "#/overview");
  await opened.page.locator(".action-menu summary").click();
  await opened.page.getByRole("button", { name: button, exact: true }).click();
  await confirm(opened, button, why);
}

async function confirm(opened: Opened, button: string, why: string): Promise<void> {
  const dialog = dialogOf(opened, button);
  await dialog.getByLabel("Reason").fill(why);
  await dialog.getByRole("button", { name: button }).click();
  await dialog.waitFor({ state: "hidden" });
}

async function lift(opened: Opened, what: string): Promise<void> {
  await opened.page.getByRole("button", { name: `Resume ${what}` }).click();
  const dialog = dialogOf(opened, `Resume ${what}`);
  await dialog.getByText("dora").waitFor();
  await dialog.getByRole("button", { name: `Resume ${what}` }).click();
  await dialog.waitFor({ state: "hidden" });
  await opened.page.getByText("Nothing is suspended.").waitFor();
}

async function orderIdOf(who: Client): Promise<number> {
  const { status, json } = await place(who);
  assert.equal(status, 200);
  return json.orderId ?? assert.fail();
}

test("a trading suspension rejects orders and cancels until it is lifted", { skip }, async () => {
  const orderId = await orderIdOf(venue.alice);
  const opened = await openConsole(browser, venue.exchange);
  await suspend(opened, "Suspend trading", "The matching is looked at.");
  await opened.page.getByRole("status").filter({ hasText: "Suspended: trading." }).waitFor();
  const row = opened.page.getByRole("region", { name: "Suspensions" }).first();
  await row.getByText("The matching is looked at.").waitFor();
  await row.getByText("dora").first().waitFor();
  await row.getByText("when lifted").waitFor();
  assert.equal((await place(venue.alice)).status, 400);
  assert.equal((await cancel(venue.alice, orderId)).status, 400);
  await lift(opened, "trading");
  assert.equal((await place(venue.alice)).status, 200);
  assert.equal((await cancel(venue.alice, orderId)).status, 200);
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("a suspension of new orders accepts cancels", { skip }, async () => {
  const orderId = await orderIdOf(venue.alice);
  const opened = await openConsole(browser, venue.exchange);
  await suspend(opened, "Suspend new orders", "Prices run away.");
  assert.equal((await place(venue.alice)).status, 400);
  assert.equal((await cancel(venue.alice, orderId)).status, 200);
  await lift(opened, "new orders");
  assert.equal((await place(venue.alice)).status, 200);
  await opened.close();
});

test("suspensions of all withdrawals, of one asset and of one network", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  await suspend(opened, "Suspend all withdrawals", "A key may have leaked.");
  assert.equal((await withdraw(venue.alice)).status, 400);
  await lift(opened, "withdrawals");
  assert.equal((await withdraw(venue.alice)).status, 200);
  for (const [scope, label] of [
    ["asset:IDR", "deposits and withdrawals of IDR"],
    ["network:BANK", "deposits and withdrawals on BANK"],
  ] as const) {
    await chooseAction(opened, "PUT /v1/suspensions/{scope}");
    await dialogOf(opened, "Suspend an asset or a network").getByLabel("Scope").selectOption(scope);
    await confirm(opened, "Suspend an asset or a network", "The bank is closed.");
    assert.equal((await withdraw(venue.alice)).status, 400, scope);
    const other = await venue.alice.signed<{ id?: string }>("POST", "/sapi/v1/capital/withdraw/apply", {
      ...{ coin: "BTC", network: "BTC", amount: "0.01", address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7k" },
    });
    assert.equal(other.status, 200, other.text);
    await lift(opened, label);
  }
  assert.equal((await withdraw(venue.alice)).status, 200);
  assert.deepEqual(opened.complaints, []);
  await page.locator(".banner").waitFor({ state: "detached" });
  await opened.close();
});

test("a suspension with an end shows the time and can be lifted earlier", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  await page.locator(".action-menu summary").click();
  await page.getByRole("button", { name: "Suspend new orders", exact: true }).click();
  const dialog = dialogOf(opened, "Suspend new orders");
  await dialog.getByLabel("Ends", { exact: true }).selectOption("at a date and time");
  await dialog.getByRole("button", { name: "Suspend new orders" }).click();
  await dialog.getByText("Enter a reason.").waitFor();
  await dialog.getByLabel("Reason").fill("Over night.");
  await dialog.getByLabel("End", { exact: true }).fill("2020-12-31T23:30");
  await dialog.getByRole("button", { name: "Suspend new orders" }).click();
  await dialog.getByText("Enter a date and time in the future.").waitFor();
  await dialog.getByLabel("End", { exact: true }).fill("2099-12-31T23:30");
  await dialog.getByText("UTC").waitFor();
  await dialog.getByRole("button", { name: "Suspend new orders" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("region", { name: "Suspensions" }).first().getByText("Over night.").waitFor();
  const [suspension] = await operate<readonly { untilMs: number }[]>(venue.exchange, "GET", "/v1/suspensions");
  assert.equal(suspension?.untilMs, Date.parse("2099-12-31T23:30Z"));
  await lift(opened, "new orders");
  await opened.close();
});
