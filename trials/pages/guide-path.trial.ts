/**
 * From the guide to a paid withdrawal, through pages only: the guide's exchange, invited customers, deposits, a trade
 * in the terminal, a withdrawal, and its approval in the console. Nothing is done through the API or the command line.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { until } from "@pricetime/testkit/waiting";
import { accept } from "../account/account.ts";
import { dialogOf, openConsole, routeButton } from "../console/console.ts";
import { fillIn, submitOf } from "../terminal/order-form.ts";
import { partsOf, showTab } from "../terminal/terminal.ts";
import { openGuideVenue } from "./guide-venue.ts";
import { go, openAddress, type Opened, overviewOf } from "./opened.ts";
import { rigOf, skip } from "./rig.ts";

const { venue, browser } = await rigOf(openGuideVenue);

const DESKTOP = { width: 1440, height: 900 } as const;
/** Technical terms that no confirmation should contain. */
const A_ROUTE = /\/v1\/|\b(?:GET|POST|PUT|PATCH|DELETE)\b/;
const ANN = { email: "ann@example.com", name: "Ann" } as const;
const BEN = { email: "ben@example.com", name: "Ben" } as const;
const BANK_ADDRESS = "DE89370400440532013000";

const region = ({ page }: Pick<Opened, "page">, name: string): Locator => page.getByRole("region", { name }).first();

/** The operator invites a customer. Returns the link that the console shows. */
async function invite(operator: Opened, { email, name }: typeof ANN | typeof BEN): Promise<string> {
  await go(operator, "#/accounts");
  await routeButton(operator, "POST /v1/invitations").click();
  const form = dialogOf(operator, "Invite customer");
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Name").fill(name);
  await form.getByRole("button", { name: "Invite customer" }).click();
  await form.getByText("Shown only once.").waitFor();
  const link = await form.locator("[data-secret=link]").innerText();
  await form.getByRole("button", { name: "Done" }).click();
  await form.waitFor({ state: "hidden" });
  return link;
}

/** Returns the text of the newest email to the address whose subject contains `said`, as the console shows it. */
async function emailTo(operator: Opened, email: string, said: string): Promise<string> {
  await go(operator, "#/emails");
  const row = region(operator, "Emails").locator("tr", { hasText: email }).filter({ hasText: said }).first();
  await row.getByRole("link").first().click();
  return operator.page.locator("pre.email-text").innerText();
}

async function follow(link: string, { name }: typeof ANN | typeof BEN): Promise<Opened> {
  const home = venue.exchange.rest;
  const opened = await openAddress(browser, { home, address: link, desktop: DESKTOP }, {});
  await accept(opened, name);
  await overviewOf(opened);
  return opened;
}

/** Returns the customer's deposit address for a coin, as the page shows it. */
async function depositAddress(customer: Opened, coin: string): Promise<string> {
  await go(customer, `#/deposit?coin=${coin}`);
  return region(customer, "Deposit address").locator("[data-secret=address]").innerText();
}

/** Checks that the page shows what a bank transfer needs, and nothing of a chain. Returns the account number. */
async function bankDetails(customer: Opened): Promise<string> {
  await go(customer, "#/deposit?coin=EUR");
  const details = region(customer, "Bank transfer");
  await details.getByText("Example Exchange GmbH").waitFor();
  assert.equal(await details.locator("[data-secret=tag]").innerText(), "100");
  for (const label of ["Account holder", "BIC", "Account number or IBAN", "Payment reference"]) {
    await details.getByRole("button", { name: `Copy: ${label}` }).waitFor();
  }
  assert.equal(await details.locator("svg.qr").count(), 0);
  assert.doesNotMatch(await details.innerText(), /confirmation|network|address/i);
  return details.locator("[data-secret=address]").innerText();
}

/** Opens the terminal in the customer's browser, where the sign-in of the account pages trades. */
async function openTerminal({ page: account }: Opened, { name }: typeof ANN | typeof BEN) {
  const page = await account.context().newPage();
  await page.goto(`${venue.exchange.rest}/`);
  const terminal = partsOf(page);
  await hasNoPriceYet(page);
  await page.getByRole("button", { name: `Signed in as ${name}` }).waitFor();
  return terminal;
}

/** Creates a key in the account pages. From then on, this tab of the terminal trades with the key. */
async function useKey(customer: Opened, { page }: { readonly page: Page }): Promise<void> {
  await go(customer, "#/keys");
  const form = customer.page.getByRole("form", { name: "Create API key" });
  await form.getByLabel("Label").fill("buying");
  await form.getByLabel("trade").check();
  await form.getByRole("button", { name: "Create API key" }).click();
  const shown = customer.page.getByRole("dialog", { name: "Your new API key" });
  await shown.getByText("The secret is shown only once.").waitFor();
  const [apiKey, secretKey] = [
    await shown.locator("[data-secret=apiKey]").innerText(),
    await shown.locator("[data-secret=secretKey]").innerText(),
  ];
  await shown.getByRole("button", { name: "Done" }).click();
  await signInByKey(page, apiKey, secretKey);
}

/** A market without trades shows a dash in place of each price. */
async function hasNoPriceYet(page: Page): Promise<void> {
  const last = page.locator(".figures .last dd");
  await last.getByText("—", { exact: true }).waitFor();
  await until(
    "the title has the market, and no price",
    async () => (await page.title()) === "BTC/EUR · Example Exchange",
  );
  for (const name of ["24h high", "24h low"]) {
    assert.equal(await page.locator(".figures div", { hasText: name }).locator("dd").innerText(), "—", name);
  }
  assert.equal(await page.locator(".book .spread .last").innerText(), "—");
  await page.locator(".market-button").click();
  const line = page.getByRole("dialog", { name: "Markets" }).locator("tr", { hasText: "BTC/EUR" });
  assert.deepEqual((await line.locator("td").allInnerTexts()).slice(2, 4), ["—", "—"]);
  await page.keyboard.press("Escape");
}

async function signInByKey(page: Page, apiKey: string, secretKey: string): Promise<void> {
  const account = page.getByRole("banner").getByRole("button", { name: "Signed in as" });
  await account.click();
  const dialog = page.getByRole("dialog", { name: "Signed in as" });
  await dialog.getByText("Use an API key instead").click();
  // A user without a key is led to the page that creates keys.
  const link = dialog.getByRole("link", { name: "Create one in your account." });
  const { href } = new URL((await link.getAttribute("href")) ?? "", page.url());
  assert.equal(href, `${venue.exchange.rest}/account/#/keys`);
  await dialog.getByLabel("API key", { exact: true }).fill(apiKey);
  await dialog.getByLabel("Secret key").fill(secretKey);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await account.click();
  await dialog.getByText("This tab trades with an API key.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

async function place(terminal: Awaited<ReturnType<typeof openTerminal>>, side: "Buy" | "Sell"): Promise<void> {
  await fillIn(terminal, { side, kind: "Limit", fields: { Price: "30000", Quantity: "0.5" } });
  await submitOf(terminal).click();
  // The terminal asks for confirmation before sending, unless a setting disables it.
  const ask = terminal.page.getByRole("dialog", { name: /BTCEUR: Limit/ });
  await ask.getByRole("button", { name: side }).click();
  await ask.waitFor({ state: "hidden" });
}

test("the guide's exchange: invitation, deposit, trade, withdrawal and approval through pages", {
  skip,
  timeout: 600_000,
}, async (t) => {
  const operator = await openConsole(browser, venue.exchange);
  let ann!: Opened;
  let ben!: Opened;

  await t.test("customers are invited, and set their passwords", async () => {
    const link = await invite(operator, ANN);
    assert.ok((await emailTo(operator, ANN.email, "Choose a password")).includes(link.split("#")[1] ?? "?"));
    ann = await follow(link, ANN);
    ben = await follow(await invite(operator, BEN), BEN);
    await region(ann, "Balances").getByText("No balances yet.").waitFor();
    await region(ann, "Summary").getByText("Estimated value").waitFor();
  });

  await t.test("a transfer to the customer's bank address is recorded by the operator", async () => {
    const address = await bankDetails(ann);
    await go(operator, "#/deposits");
    await routeButton(operator, "POST /v1/networks/{network}/deposits").click();
    const form = dialogOf(operator, "Record deposit");
    // The fields appear when the networks and assets are loaded.
    await form.getByLabel("Amount").fill("25000");
    assert.deepEqual(await form.getByLabel("Network").locator("option").allInnerTexts(), ["BANK"]);
    assert.deepEqual(await form.getByLabel("Asset").locator("option").allInnerTexts(), ["EUR"]);
    // The payment reference of the account pages finds the customer.
    await form.getByLabel("Customer").fill("100");
    await form.getByRole("button", { name: /^ann@example\.com, Ann \(\d+\)$/ }).click();
    await form.getByLabel("Transaction ID").fill("2026-11-22/1");
    await form.getByLabel("Status").selectOption("Announced");
    assert.doesNotMatch(await form.innerText(), A_ROUTE);
    await form.getByRole("button", { name: "Record deposit" }).click();
    await form.waitFor({ state: "hidden" });
    await region(operator, "Pending deposits").getByRole("button", { name: "Complete 25,000.00 EUR" }).click();
    const complete = dialogOf(operator, "Complete deposit");
    for (const fact of [/Network\nBANK/, /Amount\n25,000\.00 EUR/]) assert.match(await complete.innerText(), fact);
    await complete.getByRole("button", { name: "Complete deposit" }).click();
    await complete.waitFor({ state: "hidden" });
    await region(operator, "Pending deposits").getByText("No pending deposits.").waitFor();
    await go(ann, "#/overview");
    await region(ann, "Balances")
      .getByText(/^25,000\.0+$/)
      .first()
      .waitFor();
    await go(ann, "#/history?kind=deposits");
    await region(ann, "Deposits").getByText(address).first().waitFor();
  });

  await t.test("coins arrive on the sandbox chain", async () => {
    const address = await depositAddress(ben, "BTC");
    await go(operator, "#/networks/BTC");
    await routeButton(operator, "POST /v1/networks/{network}/sandbox/faucet").click();
    const form = dialogOf(operator, "Request test funds (faucet)");
    await form.getByLabel("Asset").fill("BTC");
    await form.getByLabel("Amount").fill("2");
    await form.getByLabel("Address").fill(address);
    await form.getByRole("button", { name: "Request test funds (faucet)" }).click();
    await form.waitFor({ state: "hidden" });
    await go(ben, "#/overview");
    await region(ben, "Balances").getByText("2.00").first().waitFor();
    // No market has traded, so the value of the coins is unknown, and must not be shown as 0.00.
    await region(ben, "Summary").getByText("Estimated value, excluding BTC (no price yet)").waitFor();
    assert.match(await region(ben, "Summary").innerText(), /^— EUR/);
  });

  await t.test("both customers trade in the terminal, and the market has its first price", async () => {
    const [seller, buyer] = [await openTerminal(ben, BEN), await openTerminal(ann, ANN)];
    await useKey(ann, buyer);
    await place(seller, "Sell");
    await buyer.book.locator(".asks .level", { hasText: "30,000.00" }).waitFor();
    await place(buyer, "Buy");
    await buyer.page.getByText("Order filled: Buy 0.5 BTCEUR at 30,000").waitFor();
    for (const { page } of [seller, buyer]) await page.locator(".figures .last dd", { hasText: "30,000.00" }).waitFor();
    await until("the title has the price", async () => (await buyer.page.title()).startsWith("30,000.00 BTC/EUR"));
    await showTab(buyer, "Balances");
    // Less the taker's commission of 10 basis points.
    await buyer.tables.getByText("0.4995").first().waitFor();
    await go(ann, "#/history?kind=trades&symbol=BTCEUR");
    await region(ann, "Trades")
      .getByText(/^30,000\.0+$/)
      .first()
      .waitFor();
  });

  await t.test("a withdrawal has no maximum if the network sets none, and waits for email and approval", async () => {
    await go(ann, "#/withdraw?coin=EUR");
    const form = ann.page.getByRole("form", { name: "Withdraw" });
    await form.getByLabel("Amount (EUR)").fill("5");
    assert.equal(await form.getByLabel("Account holder").inputValue(), ANN.name);
    await form.getByLabel("Account number or IBAN").fill("DE89 3704 0044 0532 0130 00");
    assert.doesNotMatch(await form.innerText(), /network|address/i);
    await form.getByRole("button", { name: "Review withdrawal" }).click();
    await form.getByRole("alert").getByText("The minimum is 10 EUR.").waitFor();
    assert.doesNotMatch(await form.innerText(), /Maximum/);
    await form.getByLabel("Amount (EUR)").fill("2000");
    await form.getByText(/^1,999(?:\.0+)? EUR$/).waitFor();
    await form.getByRole("button", { name: "Review withdrawal" }).click();
    await form.getByText("Withdrawals cannot be reversed.").waitFor();
    await form.getByRole("button", { name: "Confirm withdrawal" }).click();
    await ann.page.getByText("The exchange sends you a link").waitFor();
    const list = region(ann, "Withdrawals");
    await list.getByText("Confirm by email").waitFor();
    const email = await emailTo(operator, ANN.email, "Confirm your withdrawal");
    assert.match(email, /^A withdrawal was requested from your account:$/m);
    assert.doesNotMatch(email, /with an API key/i);
    const [link = ""] = /http\S+\/withdraw\/confirm\S+/.exec(email) ?? [];
    const confirming = await ann.page.context().newPage();
    await confirming.goto(link);
    await confirming.getByText(/^1\.0+ EUR$/).waitFor();
    await confirming.getByRole("button", { name: "Confirm" }).click();
    await confirming.getByText("awaiting approval by the exchange").waitFor();
    await confirming.close();
    await list.getByText("Awaiting approval").waitFor();
  });

  await t.test("the operator reads the withdrawal, approves it, and pays it", async () => {
    await go(operator, "#/withdrawals");
    await operator.page.getByRole("button", { name: /^Approve 2,000/ }).click();
    const approval = dialogOf(operator, "Approve withdrawal");
    await approval.getByText(/ann@example\.com, Ann \(\d+\)/).waitFor();
    await approval.getByText(/above the threshold of/).waitFor();
    const shown = await approval.innerText();
    for (const fact of [
      /Amount\n2,000\.0+ EUR/,
      /Withdrawal fee\n1\.0+ EUR/,
      /Amount received\n1,999\.0+ EUR/,
      /Network\nBANK/,
      new RegExp(`To\n${BANK_ADDRESS}`),
      /Waiting for\nApproval by an operator: the amount is above the threshold of 1,000 EUR on BANK/,
    ]) {
      assert.match(shown, fact);
    }
    assert.doesNotMatch(shown, A_ROUTE);
    await approval.getByRole("button", { name: "Approve withdrawal" }).click();
    await approval.waitFor({ state: "hidden" });
    await region(ann, "Withdrawals").getByText("Processing").waitFor();

    await go(operator, "#/withdrawals?status=processing");
    await region(operator, "Pending withdrawals")
      .locator("tr", { hasText: BANK_ADDRESS })
      .getByRole("link")
      .first()
      .click();
    await routeButton(operator, "POST /v1/withdrawals/{withdrawal}/complete").click();
    const paid = dialogOf(operator, "Mark withdrawal as completed");
    await paid.getByLabel("Transaction ID").fill("2026-11-23/7");
    await paid.getByRole("button", { name: "Review" }).click();
    await paid.getByText(/^2,000\.0+ EUR$/).waitFor();
    assert.doesNotMatch(await paid.innerText(), A_ROUTE);
    await paid.getByRole("button", { name: "Mark withdrawal as completed" }).click();
    await paid.waitFor({ state: "hidden" });
    // A completed withdrawal has no page, so the console shows the queue.
    await operator.page.getByRole("heading", { level: 1, name: "Withdrawals", exact: true }).waitFor();
    await region(operator, "Pending withdrawals").getByText("No pending withdrawals with this status.").waitFor();
    await region(ann, "Withdrawals").getByText("Completed").waitFor();
    await region(ann, "Withdrawals").getByText("2026-11-23/7").waitFor();
  });

  for (const opened of [operator, ann, ben]) {
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(await opened.violations(), []);
    assert.deepEqual(opened.outside, []);
    await opened.close();
  }
});
