/** A customer's whole way: invited by letter, coins that come in, a key and a trade by it, coins that go out with a code and a letter. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { type AccountPages, go, newCustomer } from "./account.ts";
import { freshCode, grant, letterTo, openVenue, PASSWORD } from "./venue.ts";

const { venue, browser } = await rigOf(() => openVenue());
const EMAIL = "ann@example.com";
const ELSEWHERE = "somewhereelse1234";

const region = ({ page }: AccountPages, name: string) => page.getByRole("region", { name }).first();

/** Mines blocks of the sandbox. */
const mine = (blocks: number): Promise<unknown> =>
  operate(venue.exchange, "POST", "/v1/networks/BTC/sandbox/mine", { blocks });

test("from the invitation to coins that arrive elsewhere", { skip }, async (t) => {
  const ann = await newCustomer(browser, venue, EMAIL);
  const { page } = ann;

  await t.test("a deposit is seen, confirmed, and counted", async () => {
    await page.getByRole("link", { name: "Deposit" }).first().click();
    await page.getByLabel("Coin").selectOption("BTC");
    const pane = region(ann, "Your address");
    await pane.getByRole("img", { name: "Your address for BTC on BTC" }).waitFor();
    const address = await pane.locator("[data-secret=address]").innerText();
    await operate(venue.exchange, "POST", "/v1/networks/BTC/sandbox/faucet", { address, asset: "BTC", amount: "2" });
    await mine(1);
    const coming = region(ann, "Coming in");
    await coming.getByText("2.00000000").waitFor();
    await coming.getByText("1/4 traded with from 2 on").waitFor();
    await mine(1);
    await coming.getByText("2/4 can be traded with").waitFor();
    await mine(2);
    await coming.getByText("No deposit is on its way.").waitFor();
    await go(ann, "#/overview");
    await region(ann, "Balances").getByRole("cell", { name: "2.00000000" }).first().waitFor();
  });

  await t.test("a key that may trade is made, told once, and trades", async () => {
    await go(ann, "#/keys");
    const form = page.getByRole("form", { name: "Make a key" });
    await form.getByLabel("Label").fill("first bot");
    await form.getByLabel("trade").check();
    await form.getByLabel("withdraw").check();
    await form.getByRole("button", { name: "Make a key" }).click();
    await form.getByRole("alert").getByText("names the addresses").waitFor();
    await form.getByLabel("withdraw").uncheck();
    await form.getByRole("button", { name: "Make a key" }).click();
    const dialog = page.getByRole("dialog", { name: "Your new key" });
    const secretKey = await dialog.locator("[data-secret=secretKey]").innerText();
    const apiKey = await dialog.locator("[data-secret=apiKey]").innerText();
    await dialog.getByRole("button", { name: "I have it" }).click();
    assert.ok(!(await page.content()).includes(secretKey));
    await region(ann, "API keys").getByText("first bot").waitFor();
    const bot = new Client(venue.exchange.rest, { apiKey, secretKey });
    const alice = new Client(venue.exchange.rest, venue.exchange.accounts[0] ?? assert.fail());
    const order = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC", price: "20000", quantity: "0.5" };
    for (const [who, side] of [
      [alice, "BUY"],
      [bot, "SELL"],
    ] as const) {
      const { status, text } = await who.signed("POST", "/api/v3/order", { ...order, side });
      assert.equal(status, 200, text);
    }
    bot.close();
    alice.close();
    await go(ann, "#/history?kind=trades&symbol=BTCUSDT");
    const trades = region(ann, "Trades");
    await trades.getByText("20,000.00000000").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV of what is shown: Trades" }).click(),
    ]);
    assert.match(readFileSync(await download.path(), "utf8"), /Sell,20000\.00000000,0\.50000000/);
    await go(ann, "#/history?kind=orders&symbol=BTCUSDT");
    await region(ann, "Orders").getByText("FILLED").waitFor();
  });

  let secret = "";
  await t.test("two-factor codes are switched on", async () => {
    await go(ann, "#/security");
    const pane = region(ann, "Two-factor codes");
    await pane.getByLabel("Present password").fill(PASSWORD);
    await pane.getByRole("button", { name: "Begin" }).click();
    secret = await pane.locator("[data-secret=secret]").innerText();
    await pane.getByRole("textbox", { name: "Two-factor code" }).fill(await freshCode(secret));
    await pane.getByRole("button", { name: "Switch on" }).click();
    await page.getByText("Two-factor codes are on.").waitFor();
  });

  await t.test(
    "an address of the book is paid, with a code and a letter; another withdrawal is taken back",
    async () => {
      await go(ann, "#/addresses");
      const add = page.getByRole("form", { name: "Add an address" });
      await add.getByLabel("Network").selectOption("BTC");
      await add.getByLabel("Address").fill(ELSEWHERE);
      await add.getByLabel("Name").fill("cold storage");
      await add.getByLabel("Two-factor code").fill(await freshCode(secret));
      await add.getByRole("button", { name: "Add an address" }).click();
      await region(ann, "Addresses for withdrawals").getByText("cold storage").waitFor();

      await go(ann, "#/withdraw?coin=BTC");
      const form = page.getByRole("form", { name: "Withdraw" });
      await form.getByRole("combobox", { name: "To" }).selectOption({ label: `cold storage · ${ELSEWHERE}` });
      await form.getByLabel("Amount (BTC)").fill("9");
      await form.getByRole("button", { name: "Withdraw" }).click();
      await form.getByRole("alert").getByText("are free").waitFor();
      await form.getByLabel("Amount (BTC)").fill("0.25");
      await form.getByText("0.2495 BTC").waitFor();
      const code = await freshCode(secret);
      await form.getByLabel("Two-factor code").fill(code);
      await form.getByRole("button", { name: "Withdraw" }).click();
      await page.getByText("Confirm it by the link in the letter").waitFor();
      const list = region(ann, "Withdrawals");
      await list.getByText("Confirm it by the letter").waitFor();
      const letter = await letterTo(venue, EMAIL, "/withdraw/confirm");
      const [link = ""] = /http\S+\/withdraw\/confirm\S+/.exec(letter) ?? [];
      const letters = await page.context().newPage();
      await letters.goto(link);
      await letters.getByRole("button").click();
      await letters.waitForLoadState();
      await letters.close();
      await until("it is paid", async () => {
        await mine(1);
        return (await list.getByText("Paid", { exact: true }).count()) > 0;
      });

      await form.getByLabel("Amount (BTC)").fill("0.1");
      await form.getByLabel("Two-factor code").fill(code);
      await form.getByRole("button", { name: "Withdraw" }).click();
      await form
        .getByRole("alert")
        .getByText(/good once\. The next one comes in \d+ s/)
        .waitFor();
      await form.getByLabel("Two-factor code").fill(await freshCode(secret));
      await form.getByRole("button", { name: "Withdraw" }).click();
      await list.getByText("Confirm it by the letter").waitFor();
      await list.getByRole("button", { name: /^Cancel the withdrawal/ }).click();
      await list.getByText("Cancelled").waitFor();
    },
  );

  await t.test("the month's statement adds up, and has all of it as a file", async () => {
    await go(ann, "#/statements");
    const sums = region(ann, "Sums of the month");
    await sums.getByText("yes, added up here").first().waitFor();
    assert.equal(await sums.getByText("NO", { exact: true }).count(), 0);
    await region(ann, "Movements").getByText("withdraw", { exact: false }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV of the month" }).click(),
    ]);
    const file = readFileSync(await download.path(), "utf8");
    assert.match(file, /^id,time,asset,bucket,amount,reason,balanceAfter/);
    assert.ok(file.split("\n").length > 8, file);
  });

  assert.deepEqual(besides(ann.complaints, [400, "/sapi/v1/capital/withdraw/apply"]), []);
  assert.deepEqual(await ann.violations(), []);
  assert.deepEqual(ann.outside, []);
  await ann.close();
});

test("the venue's proof is checked after the sign-in, by the page alone", { skip }, async () => {
  const bob = await newCustomer(browser, venue, "bob.proof@example.com");
  const { page } = bob;
  await grant(venue, "bob.proof@example.com", "BTC", "1.5");
  await go(bob, "#/proof");
  await page.getByText("The venue has published no proof yet.").waitFor();
  const { seq } = await operate<{ seq: number }>(venue.exchange, "POST", "/v1/proofs", {});
  await operate(venue.exchange, "POST", `/v1/proofs/${seq}/publish`);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("It holds: 1 of your amounts").waitFor();
  await go(bob, "#/overview");
  await page.reload();
  await page.getByText("Your balances are in the venue's proof").waitFor();
  assert.deepEqual(bob.complaints, []);
  // A node that hands out a part with another amount is caught, on the page that everybody sees first.
  await page.route(/\/account\/v1\/proof$/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace('"150000000"', '"160000000"');
    await route.fulfill({ status: 200, contentType: "application/json", body: text });
  });
  await page.reload();
  await page.getByText("the amount is not in the venue's total").waitFor();
  await bob.close();
});
