/**
 * Texts from customers, operators and a hostile node are shown as text and never executed: on every page, in links and
 * files.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { accept, visit } from "./account.ts";
import { go, type Opened, overviewOf, savedBy } from "../pages/opened.ts";
import { assertHarmless, FORMULA, IMAGE, SCRIPT, shows, spoilAnswers } from "../pages/strange-texts.ts";
import { invite, openVenue } from "./venue.ts";

const EMAIL = "eve@example.com";

const { venue, browser } = await rigOf(() => openVenue());

async function eve(): Promise<Opened> {
  const opened = await visit(browser, venue, await invite(venue, EMAIL, IMAGE), {
    viewport: { width: 1280, height: 900 },
  });
  await accept(opened, IMAGE);
  await overviewOf(opened);
  return opened;
}

test("names, labels, addresses and coins, on the pages and in a file", { skip }, async () => {
  const { exchange: node } = venue;
  await operate(node, "POST", "/v1/assets", {
    asset: "EVE",
    name: IMAGE,
    networks: [{ network: IMAGE, isDefault: true, depositEnabled: false, depositTip: SCRIPT }],
  });
  const opened = await eve();
  const { page } = opened;
  const account = `/v1/accounts/${EMAIL}`;
  await operate(node, "POST", `${account}/keys`, { label: IMAGE });
  await operate(node, "POST", `${account}/keys`, { label: FORMULA });
  await operate(node, "POST", `${account}/addresses`, { network: "BTC", address: IMAGE, tag: SCRIPT, name: FORMULA });
  await operate(node, "POST", "/v1/accounts", { email: `"<b>"@example.com`, name: SCRIPT, master: EMAIL }).catch(() =>
    operate(node, "POST", "/v1/accounts", { email: "sub@example.com", name: SCRIPT, master: EMAIL }),
  );
  await operate(node, "POST", "/v1/deposits", { account: EMAIL, asset: "EVE", amount: "1", reference: SCRIPT });
  await page.reload();
  await overviewOf(opened);
  await go(opened, "#/keys");
  await shows(opened, "API keys", IMAGE);
  const { text: file } = await savedBy(page.getByRole("button", { name: "Export CSV: API keys" }));
  assert.ok(file.includes(`'${FORMULA}`), file);
  await go(opened, "#/addresses");
  await shows(opened, "Address book", IMAGE);
  await shows(opened, "Address book", SCRIPT);
  await go(opened, "#/sub-accounts");
  await shows(opened, "Sub-accounts", SCRIPT);
  await go(opened, "#/deposit?coin=EVE");
  await page.getByLabel("Network").getByText(IMAGE).waitFor({ state: "attached" });
  await page.getByText(SCRIPT).first().waitFor();
  await go(opened, "#/withdraw?coin=BTC");
  await page.getByRole("combobox", { name: "To" }).getByText(IMAGE).waitFor({ state: "attached" });
  await assertHarmless(opened, await opened.violations(), "#account");
  await opened.close();
});

test("texts in the address, and a browser's name for itself", { skip }, async () => {
  const opened = await visit(
    browser,
    venue,
    `${venue.exchange.rest}/account/#/invitation?id=${IMAGE}&secret=${SCRIPT}`,
  );
  const { page } = opened;
  await page.getByRole("alert").waitFor();
  for (const hash of [
    `#/${IMAGE}`,
    `#/lock-account?account=${SCRIPT}&notice=1&until=3&secret=${IMAGE}`,
    `#/recovery?id=${IMAGE}`,
  ]) {
    await go(opened, hash);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await assertHarmless(opened, await opened.violations(), "#account");
  await opened.close();
  const context = await browser.newContext({ userAgent: IMAGE });
  const other = await context.newPage();
  await other.goto(await invite(venue, "mallory@example.com", "M"));
  await accept({ page: other });
  await overviewOf({ page: other });
  await go({ page: other }, "#/security");
  await other.getByRole("cell", { name: IMAGE }).waitFor();
  assert.equal(await other.evaluate("window.wasRun"), undefined);
  await context.close();
});

test("every text of a hostile node's answers, on every page", { skip }, async () => {
  const opened = await visit(browser, venue, await invite(venue, "victim@example.com", "V"));
  await accept(opened);
  await overviewOf(opened);
  const { page } = opened;
  await spoilAnswers(page, /\/(?:account\/v1|api|sapi)\//);
  const pages = ["overview", "deposit", "withdraw", "addresses", "history", "history?kind=orders", "sub-accounts"];
  for (const place of [...pages, "dust", "fees", "keys", "security", "statements", "proof"]) {
    await go(opened, `#/${place}`);
    await opened.loaded();
  }
  await go(opened, "#/security");
  await shows(opened, "Sessions", IMAGE);
  await assertHarmless(opened, await opened.violations(), "#account");
  await opened.close();
});
