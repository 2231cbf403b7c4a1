/** A customer's whole path: invitation by email, deposit, API key and trade, withdrawal with code and email. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { generateKeyPairSync, hash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client, ed25519Key, encode } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { confirmByEmail, newCustomer, visit } from "./account.ts";
import { go, type Opened, type Saved, savedBy } from "../pages/opened.ts";
import { freshCode, grant, openVenue, PASSWORD, trade } from "./venue.ts";

const { venue, browser } = await rigOf(() => openVenue());
const EMAIL = "ann@example.com";
const ELSEWHERE = "somewhereelse1234";

const region = ({ page }: Opened, name: string) => page.getByRole("region", { name }).first();

/**
 * Downloads the files that the page offers under their names, and runs its script on them. Returns the master account's
 * part.
 */
async function checkedByScript(page: Opened["page"], subAccountId: number): Promise<string> {
  const folder = temporaryFolder();
  const keep = ({ name, text }: Saved): string => {
    writeFileSync(join(folder, name), text);
    return text;
  };
  keep(await savedBy(page.getByRole("button", { name: "Download public part", exact: true })));
  const bobs = keep(
    await savedBy(page.getByRole("button", { name: "Download the part of bob.proof@example.com", exact: true })),
  );
  keep(await savedBy(page.getByRole("button", { name: "Download the part of bob.sub@example.com", exact: true })));
  keep(await savedBy(page.getByRole("link", { name: "Download script (proof_check.py)", exact: true })));
  const commands = (await page.locator("pre", { hasText: "proof_check.py" }).innerText()).trim().split("\n");
  assert.equal(commands.length, 2);
  assert.match(commands[1] ?? "", new RegExp(`customer-${subAccountId}\\.json$`));
  for (const command of commands) {
    const [python = "", ...args] = command.split(" ");
    const { status, stdout, stderr } = spawnSync(python, args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^BTC \S+ is in the total$/m);
  }
  rmSync(folder, { recursive: true });
  return bobs;
}

/** Mines blocks on the sandbox chain. */
const mine = (blocks: number): Promise<unknown> =>
  operate(venue.exchange, "POST", "/v1/networks/BTC/sandbox/mine", { blocks });

test("from the invitation to coins at another address", { skip }, async (t) => {
  const ann = await newCustomer(browser, venue, EMAIL);
  const { page } = ann;

  await t.test("a deposit is seen, confirmed, and credited", async () => {
    await page.getByRole("link", { name: "Deposit" }).first().click();
    await page.getByLabel("Coin").selectOption("BTC");
    const pane = region(ann, "Deposit address");
    await pane.getByRole("img", { name: "QR code of your BTC deposit address on BTC" }).waitFor();
    const address = await pane.locator("[data-secret=address]").innerText();
    await operate(venue.exchange, "POST", "/v1/networks/BTC/sandbox/faucet", { address, asset: "BTC", amount: "2" });
    await mine(1);
    const coming = region(ann, "Recent deposits");
    await coming.getByText("2.00").waitFor();
    await coming.getByText("1/4 tradable after 2 confirmations").waitFor();
    await mine(1);
    await coming.getByText("2/4 tradable").waitFor();
    await mine(2);
    await coming.getByText("Completed", { exact: true }).waitFor();
    await go(ann, "#/overview");
    await region(ann, "Balances").getByRole("cell", { name: "2.00" }).first().waitFor();
  });

  await t.test("a key with trading permission is created, shown once, and trades", async () => {
    await go(ann, "#/keys");
    const form = page.getByRole("form", { name: "Create API key" });
    await form.getByLabel("Label").fill("first bot");
    await form.getByLabel("Trade").check();
    await form.getByLabel("Withdraw").check();
    await form.getByRole("button", { name: "Create API key" }).click();
    await form.getByRole("alert").getByText("needs at least one allowed IP address").waitFor();
    await form.getByLabel("Withdraw").uncheck();
    await form.getByRole("button", { name: "Create API key" }).click();
    const dialog = page.getByRole("dialog", { name: "Your new API key" });
    const secretKey = await dialog.locator("[data-secret=secretKey]").innerText();
    const apiKey = await dialog.locator("[data-secret=apiKey]").innerText();
    await dialog.getByRole("button", { name: "Done" }).click();
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
    await trades.getByText("20,000.00").first().waitFor();
    const download = await savedBy(page.getByRole("button", { name: "Export CSV: Trades" }));
    assert.match(download.text, /Sell,20000\.00000000,0\.50000000/);
    await go(ann, "#/history?kind=orders&symbol=BTCUSDT");
    await region(ann, "Orders").getByText("Filled", { exact: true }).waitFor();
  });

  let secret = "";
  await t.test("two-factor authentication is enabled", async () => {
    await go(ann, "#/security");
    const pane = region(ann, "Two-factor authentication");
    await pane.getByLabel("Current password").fill(PASSWORD);
    await pane.getByRole("button", { name: "Set up" }).click();
    secret = await pane.locator("[data-secret=secret]").innerText();
    await pane.getByRole("textbox", { name: "Two-factor code" }).fill(await freshCode(secret));
    await pane.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Two-factor authentication is on.").waitFor();
  });

  await t.test("a withdrawal to a saved address is confirmed by code and email, and another is canceled", async () => {
    await go(ann, "#/addresses");
    const add = page.getByRole("form", { name: "Add address" });
    await add.getByLabel("Network").selectOption("BTC");
    await add.getByLabel("Address").fill(ELSEWHERE);
    await add.getByLabel("Name").fill("cold storage");
    await add.getByLabel("Two-factor code").fill(await freshCode(secret));
    await add.getByRole("button", { name: "Add address" }).click();
    await region(ann, "Address book").getByText("cold storage").waitFor();

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Withdraw" }).click();
    const form = page.getByRole("form", { name: "Withdraw" });
    for (const coin of ["ETH", "BTC"]) {
      await page.getByRole("combobox", { name: "Coin" }).selectOption(coin);
      await form.getByLabel(`Amount (${coin})`).waitFor();
      await page.waitForURL(`**/#/withdraw?coin=${coin}`);
    }
    await page.getByRole("combobox", { name: "Network" }).selectOption("BTC");
    await page.waitForURL("**/#/withdraw?coin=BTC&network=BTC");
    await form.getByRole("combobox", { name: "To" }).selectOption({ label: `cold storage · ${ELSEWHERE}` });
    await form.getByLabel("Amount (BTC)").fill("9");
    await form.getByRole("button", { name: "Review withdrawal" }).click();
    await form
      .getByRole("alert")
      .getByText(/^Only .* is available\.$/)
      .waitFor();
    await form.getByLabel("Amount (BTC)").fill("0.2");
    await form.getByRole("alert").waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Review withdrawal" }).click();
    await form.getByRole("button", { name: "Change" }).click();
    await form.getByLabel("Amount (BTC)").fill("0.25");
    await form.getByText("0.2495 BTC").waitFor();
    await form.getByRole("button", { name: "Review withdrawal" }).click();
    for (const text of [ELSEWHERE, "0.25 BTC", "0.0005 BTC", "0.2495 BTC"]) {
      await form.getByText(text, { exact: true }).waitFor();
    }
    const code = await freshCode(secret);
    await form.getByLabel("Two-factor code").fill(code);
    await form.getByRole("button", { name: "Confirm withdrawal" }).click();
    await page.getByText("Confirm it with the link in the email").waitFor();
    const list = region(ann, "Withdrawals");
    await list.getByText("Confirm by email").waitFor();
    await confirmByEmail(ann, venue, EMAIL);
    await until("it is paid", async () => {
      await mine(1);
      return (await list.getByText("Completed", { exact: true }).count()) > 0;
    });

    await form.getByLabel("Amount (BTC)").fill("0.1");
    await form.getByRole("button", { name: "Review withdrawal" }).click();
    await form.getByLabel("Two-factor code").fill(code);
    await form.getByRole("button", { name: "Confirm withdrawal" }).click();
    await form
      .getByRole("alert")
      .getByText(/already used\. The next code appears in \d+ s/)
      .waitFor();
    await form.getByLabel("Two-factor code").fill(await freshCode(secret));
    await form.getByRole("button", { name: "Confirm withdrawal" }).click();
    await list.getByText("Confirm by email").waitFor();
    await list.getByRole("button", { name: /^Cancel withdrawal/ }).click();
    await list.getByText("Canceled").waitFor();
  });

  await t.test("the month's statement adds up, and its file contains every entry", async () => {
    await go(ann, "#/statements");
    const sums = region(ann, "Balances of the month");
    await sums.getByText("Yes, verified in your browser").first().waitFor();
    assert.equal(await sums.getByText("No. Contact the exchange.").count(), 0);
    await region(ann, "Movements").getByText("withdraw", { exact: false }).first().waitFor();
    const { text: file } = await savedBy(page.getByRole("button", { name: "Download month (CSV)" }));
    assert.match(file, /^id,time,asset,bucket,amount,reason,balanceAfter/);
    assert.ok(file.split("\n").length > 8, file);
  });

  assert.deepEqual(besides(ann.complaints, [400, "/sapi/v1/capital/withdraw/apply"]), []);
  assert.deepEqual(await ann.violations(), []);
  assert.deepEqual(ann.outside, []);
  await ann.close();
});

test("the exchange's proof is verified after the sign-in, by the page alone", { skip }, async () => {
  const bob = await newCustomer(browser, venue, "bob.proof@example.com");
  const { page } = bob;
  await grant(venue, "bob.proof@example.com", "BTC", "1.5");
  await go(bob, "#/proof");
  // "Checked" refers to amounts that were verified. The page states right away what no proof can show.
  const checked = page.getByText("Your browser has verified this proof.");
  await page.getByText("The exchange has not published a proof yet. Nothing has been verified.").waitFor();
  await page.getByText("Debts outside the ledger").waitFor();
  assert.equal(await checked.count(), 0);
  const sub = { email: "bob.sub@example.com", name: "sub", master: "bob.proof@example.com" };
  const { accountId } = await operate<{ accountId: number }>(venue.exchange, "POST", "/v1/accounts", sub);
  await grant(venue, sub.email, "BTC", "0.25");
  const { seq } = await operate<{ seq: number }>(venue.exchange, "POST", "/v1/proofs", {});
  await operate(venue.exchange, "POST", `/v1/proofs/${seq}/publish`);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("It includes 2 balances of your 2 accounts.").waitFor();
  await checked.waitFor();
  await page.getByText("Debts outside the ledger").waitFor();
  await page.getByText("The exchange has published no reserves with this proof").waitFor();
  const bobs = await checkedByScript(page, accountId);
  await go(bob, "#/overview");
  await page.reload();
  await page.getByText("Your balances are included in the exchange's proof of liabilities").waitFor();
  // Once reserves are published, they are shown next to the liabilities.
  await go(bob, "#/proof");
  const networks = await operate<{ networks: { network: string }[] }>(venue.exchange, "GET", "/v1/assets/BTC");
  assert.ok(networks.networks.some(({ network }) => network === "BTC"));
  const reserve = { asset: "BTC", network: "BTC", address: "bc1qcold", block: 1, amount: "1" };
  await operate(venue.exchange, "POST", `/v1/proofs/${seq}/reserves`, { reserves: [reserve] });
  await until("the reserves are shown", async () => {
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("It includes 2 balances").waitFor();
    return (await page.getByText("declared by the operator without a signature: 1.").count()) > 0;
  });
  await region(bob, "Reserves and liabilities").getByText("Not published").first().waitFor();
  // The public page requires no session, and the sign-in links to it.
  const stranger = await visit(browser, venue);
  const { text: shown } = await savedBy(stranger.page.getByRole("link", { name: "Public part of the proof" }));
  await stranger.page.getByRole("link", { name: "Latest proof of liabilities" }).click();
  const { root } = JSON.parse(await stranger.page.locator("body").innerText()) as { root: string };
  assert.equal(hash("sha256", shown.split("\n")[0] ?? "", "hex"), root);
  await stranger.close();
  assert.deepEqual(bob.complaints, []);
  // A node that gives out a part with another amount is detected on the public page, too.
  await page.route(/\/account\/v1\/proof$/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace('"150000000"', '"160000000"');
    await route.fulfill({ status: 200, contentType: "application/json", body: text });
  });
  await page.reload();
  await page.getByText("your amount is not included in the exchange's total").waitFor();
  await go(bob, "#/proof");
  await page.getByText("Nothing has been verified").waitFor();
  assert.equal(await checked.count(), 0);
  await page.unroute(/\/account\/v1\/proof$/);
  // A part that is forged for a sub-account only, or the master account's part in its place, does not pass either.
  for (const [forge, said] of [
    [(text: string) => text.replace('"25000000"', '"26000000"'), "your amount is not included in the exchange's total"],
    [() => bobs, "The part received belongs to another account."],
  ] as const) {
    await page.route(/\/account\/v1\/proof\?account=/, async (route) => {
      const text = forge(await (await route.fetch()).text());
      await route.fulfill({ status: 200, contentType: "application/json", body: text });
    });
    await page.reload();
    await page.getByText(`Sub-account ${sub.email}:`).getByText(said).waitFor();
    await page.unroute(/\/account\/v1\/proof\?account=/);
  }
  // Sub-accounts have statements, too.
  await go(bob, "#/statements");
  await page.getByLabel("Account", { exact: true }).selectOption({ label: sub.email });
  await region(bob, "Balances of the month").getByText("0.25").first().waitFor();
  const statement = await savedBy(page.getByRole("button", { name: "Download month (CSV)", exact: true }));
  assert.match(statement.name, new RegExp(`^statement-${accountId}-`));
  await bob.close();
});

test("a key from the customer's own program, transfers to a sub-account, conversion of small balances, and an address list", {
  skip,
}, async (t) => {
  const MAIN = "cleo@example.com";
  const SUB = "cleo.bot@example.com";
  const cleo = await newCustomer(browser, venue, MAIN);
  const { page } = cleo;
  const { exchange } = venue;
  await operate(exchange, "POST", "/v1/accounts", { email: SUB, name: "bot", master: MAIN });
  await grant(venue, MAIN, "BTC", "1");
  await grant(venue, MAIN, "USDT", "100");

  await t.test("an Ed25519 key is created from a pasted public key, and trades by signature", async () => {
    await go(cleo, "#/keys");
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const form = page.getByRole("form", { name: "Create API key" });
    await form.getByLabel("Label").fill("signs itself");
    await form.getByLabel("Trade").check();
    const pasted = form.getByLabel("Ed25519 or RSA public key (optional)");
    await pasted.fill("not a key");
    await form.getByRole("button", { name: "Create API key" }).click();
    await form.getByRole("alert").waitFor();
    assert.equal(await form.getByLabel("Label").inputValue(), "signs itself", "what was typed stays");
    await pasted.fill(publicKey.export({ type: "spki", format: "pem" }).toString());
    await form.getByRole("button", { name: "Create API key" }).click();
    const dialog = page.getByRole("dialog", { name: "Your new API key" });
    const apiKey = await dialog.locator("[data-secret=apiKey]").innerText();
    assert.equal(await dialog.locator("[data-secret=secretKey]").count(), 0, "the customer has the key that signs");
    assert.equal(await dialog.getByText("shown only once").count(), 0, "nothing of it is a secret");
    await dialog.getByRole("button", { name: "Done" }).click();
    await region(cleo, "API keys").getByRole("row", { name: "signs itself" }).getByText("Ed25519").waitFor();
    const key = ed25519Key(apiKey, privateKey);
    const limit = { type: "LIMIT", timeInForce: "GTC", price: "30000", quantity: "0.1" };
    const signed = encode({ symbol: "BTCUSDT", side: "SELL", ...limit, timestamp: Date.now() });
    const bot = new Client(exchange.rest);
    const { status, text } = await bot.send("POST", "/api/v3/order", {
      body: `${signed}&signature=${encodeURIComponent(key.sign(signed))}`,
      headers: { "X-MBX-APIKEY": apiKey },
    });
    bot.close();
    assert.equal(status, 200, text);
    await go(cleo, "#/history?kind=orders&symbol=BTCUSDT");
    await region(cleo, "Orders").getByText("30,000.00").first().waitFor();
  });

  await t.test("coins are transferred to the sub-account and some back", async () => {
    await go(cleo, "#/sub-accounts");
    const form = page.getByRole("form", { name: "Transfer" });
    const move = async (from: string, to: string, amount: string): Promise<void> => {
      await form.getByLabel("From").selectOption(from);
      await form.getByLabel("To").selectOption(to);
      await form.getByLabel("Asset").selectOption("BTC");
      await form.getByLabel("Amount").fill(amount);
      await form.getByRole("button", { name: "Transfer funds" }).click();
    };
    await move(MAIN, MAIN, "0.1");
    await form.getByRole("alert").getByText("Choose two different accounts.").waitFor();
    await move(MAIN, SUB, "5");
    await form.getByRole("alert").waitFor();
    await page.getByRole("button", { name: `Balances of ${SUB}` }).click();
    const balances = region(cleo, `Balances of ${SUB}`);
    await balances.getByText("This sub-account has no balances.").waitFor();
    await move(MAIN, SUB, "0.3");
    await balances.getByRole("cell", { name: "0.30" }).waitFor();
    await move(SUB, MAIN, "0.1");
    await balances.getByRole("cell", { name: "0.20" }).waitFor();
    await go(cleo, "#/history?kind=transfers");
    const list = region(cleo, "Transfers");
    for (const [from, to, amount] of [
      [MAIN, SUB, "0.30"],
      [SUB, MAIN, "0.10"],
    ] as const) {
      await list
        .getByRole("row")
        .filter({ hasText: amount })
        .filter({ hasText: new RegExp(`${from}.*${to}`) })
        .waitFor();
    }
  });

  await t.test("small balances are converted, and no other balance is offered", async () => {
    await go(cleo, "#/dust");
    const pane = region(cleo, "Convert small balances");
    await trade(venue, "BTCUSDT", "20000", "0.01");
    await trade(venue, "ETHUSDT", "1500", "0.1");
    const rules = { dustAsset: "USDT", limitAsset: "USDT", limit: "10", chargeBps: 200, pauseMs: 0 };
    await operate(exchange, "PUT", "/v1/dust-rules", rules);
    await operate(exchange, "POST", "/v1/deposits", { account: "dust", asset: "USDT", amount: "1000", reference: "d" });
    await pane.getByText("You have no balance this small.").waitFor();
    await grant(venue, MAIN, "ETH", "0.004");
    const form = page.getByRole("form", { name: "Convert small balances" });
    const small = form.getByRole("checkbox", { name: /^ETH/ });
    await small.waitFor();
    // The account also has BTC worth more than 10 USDT.
    assert.equal(await form.getByRole("checkbox").count(), 1);
    await form
      .getByText("Balances worth up to 10 USDT each can be converted to USDT at last prices, for a charge of 2%.")
      .waitFor();
    await form.getByRole("button", { name: "Convert selected balances" }).click();
    await form.getByRole("alert").getByText("Select at least one balance.").waitFor();
    await small.check();
    await form.getByRole("button", { name: "Convert selected balances" }).click();
    // 0.004 at 1500, less two percent.
    await page.getByText("Converted to 5.88").waitFor();
    const sold = region(cleo, "Conversions").getByRole("row", { name: /ETH/ });
    for (const text of ["0.004", "5.88", "0.12"]) await sold.getByText(text).first().waitFor();
    await small.waitFor({ state: "detached" });
  });

  await t.test("fees are paid in the discount asset after the customer has switched it on", async () => {
    const discount = { asset: "ETH", factorBps: 7_500, excludedSymbols: [] };
    await operate(exchange, "PUT", "/v1/commission-discount", discount);
    await go(cleo, "#/fees");
    await page.reload();
    const form = page.getByRole("form", { name: "Pay fees in ETH" });
    await form.getByText("Pay trading fees in ETH and save 25.00% of them.").waitFor();
    await form.getByRole("button", { name: "Start paying fees in ETH" }).click();
    await page.getByText("You now pay fees in ETH where possible.").waitFor();
    await form.getByText("You pay trading fees in ETH, with a discount of 25.00%.").waitFor();
    await form.getByRole("button", { name: "Stop paying fees in another asset" }).click();
    await page.getByText("You now pay fees in the asset that you receive.").waitFor();
    await form.getByRole("button", { name: "Start paying fees in ETH" }).waitFor();
    await go(cleo, "#/sub-accounts");
    const row = region(cleo, "Sub-accounts").getByRole("row", { name: SUB });
    await row.getByRole("cell", { name: "Off", exact: true }).waitFor();
    await row.getByRole("button", { name: `Pay fees of ${SUB} in ETH` }).click();
    await row.getByRole("cell", { name: "On", exact: true }).waitFor();
    await operate(exchange, "DELETE", "/v1/commission-discount");
    await page.reload();
    // The discount has ended, but the sub-account still has it on.
    await row.getByRole("button", { name: `Stop fee discount of ${SUB}` }).click();
    await page.getByText(`${SUB} now pays fees in the assets that it receives.`).waitFor();
    await row.getByRole("button", { name: `Stop fee discount of ${SUB}` }).waitFor({ state: "detached" });
  });

  await t.test(
    "withdrawals restricted to saved addresses: an old entry can be used, and one in its waiting period is not offered",
    async () => {
      await go(cleo, "#/addresses");
      const add = page.getByRole("form", { name: "Add address" });
      const addAddress = async (name: string, address: string): Promise<void> => {
        await add.getByLabel("Network").selectOption("BTC");
        await add.getByLabel("Address").fill(address);
        await add.getByLabel("Name").fill(name);
        await add.getByRole("button", { name: "Add address" }).click();
        await region(cleo, "Address book").getByText(name).waitFor();
      };
      await addAddress("cold storage", ELSEWHERE);
      const bound = page.getByRole("form", { name: "Withdrawal address allowlist" });
      await bound.getByRole("button", { name: "Turn on allowlist" }).click();
      await bound.getByText("On: you can withdraw only to the addresses in your address book.").waitFor();
      await addAddress("a new friend", "afriendofcleo1234");
      const row = region(cleo, "Address book").getByRole("row", { name: /a new friend/ });
      await row.getByText(/^From \d/).waitFor();

      await go(cleo, "#/withdraw?coin=BTC");
      const form = page.getByRole("form", { name: "Withdraw" });
      const to = form.getByRole("combobox", { name: "To" });
      await to.waitFor();
      assert.deepEqual(await to.getByRole("option").allInnerTexts(), [`cold storage · ${ELSEWHERE}`]);
      const chosen = await to.evaluate((select) => (select as unknown as { selectedIndex: number }).selectedIndex);
      assert.equal(chosen, 0, "what is paid is what is shown");
      assert.equal(await form.getByLabel("Address").count(), 0, "nothing is typed");
      await form.getByLabel("Amount (BTC)").fill("0.25");
      await form.getByRole("button", { name: "Review withdrawal" }).click();
      // The reviewed recipient stays while the address book changes, and is rejected.
      const saved = { network: "BTC", address: ELSEWHERE, tag: "" };
      const other = { ...saved, address: "anotheraddress123", name: "another" };
      const book = page.waitForResponse(
        async (answer) => answer.url().endsWith("/addresses") && /^(?!.*elsewhere).*another/.test(await answer.text()),
      );
      await operate(exchange, "POST", `/v1/accounts/${MAIN}/addresses`, other);
      await operate(exchange, "DELETE", `/v1/accounts/${MAIN}/addresses`, saved);
      await grant(venue, MAIN, "LTC", "0.1");
      await book;
      await form.getByRole("button", { name: "Confirm withdrawal" }).click();
      await form.getByRole("alert").waitFor();
      await operate(exchange, "POST", `/v1/accounts/${MAIN}/addresses`, { ...saved, name: "cold storage" });
      await form.getByRole("button", { name: "Confirm withdrawal" }).click();
      await page.getByText("Confirm it with the link in the email").waitFor();
      await region(cleo, "Withdrawals")
        .getByRole("row", { name: new RegExp(ELSEWHERE) })
        .waitFor();
    },
  );

  assert.deepEqual(
    besides(
      cleo.complaints,
      [400, "/account/v1/keys"],
      [400, "/sapi/v1/sub-account/universalTransfer"],
      [400, "/sapi/v1/capital/withdraw/apply"],
    ),
    [],
  );
  assert.deepEqual(await cleo.violations(), []);
  assert.deepEqual(cleo.outside, []);
  await cleo.close();
});
