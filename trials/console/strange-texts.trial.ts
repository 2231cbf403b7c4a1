/**
 * Texts from customers, operators and a hostile node are shown as text and never executed: in pages, forms, the search,
 * and files.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseAction, dialogOf, openConsole, routeButton, signIn, visitConsole } from "./console.ts";
import { go, savedBy } from "../pages/opened.ts";
import {
  assertHarmless,
  assertNoFormula,
  FORMULA,
  IMAGE,
  SCRIPT,
  shows,
  spoilAnswers,
} from "../pages/strange-texts.ts";
import { openAs, openOperator, proposeGoodwill } from "./operators.ts";
import { askToWithdraw, openVenue } from "./venue.ts";

const LINK = "javascript:window.wasRun=1";

const { venue, browser } = await rigOf(openVenue);

test("names, labels, messages, references, reasons and addresses of customers and operators", { skip }, async () => {
  const { exchange: node, alice } = venue;
  await operate(node, "POST", "/v1/accounts", { email: "eve@example.com", name: IMAGE });
  const account = "/v1/accounts/eve@example.com";
  await operate(node, "PUT", `${account}/status`, { message: SCRIPT, objs: [IMAGE] });
  await operate(node, "POST", `${account}/keys`, { label: IMAGE });
  await operate(node, "POST", `${account}/addresses`, { network: "BANK", address: IMAGE, tag: SCRIPT, name: LINK });
  await operate(node, "POST", "/v1/deposits", {
    account: "eve@example.com",
    asset: "BTC",
    amount: "1",
    reference: SCRIPT,
  });
  await operate(node, "POST", "/v1/assets", {
    asset: "EVE",
    name: IMAGE,
    networks: [{ network: IMAGE, depositTip: SCRIPT }],
  });
  const withdrawal = await askToWithdraw(alice, { address: IMAGE, name: SCRIPT });

  const opened = await visitConsole(browser, node);
  await signIn(opened, node.adminToken, IMAGE);
  const { page } = opened;
  await page.locator(".top .who").getByText(IMAGE).waitFor();
  await go(opened, "#/accounts");
  await shows(opened, "Accounts", IMAGE);
  await go(opened, "#/accounts/eve@example.com");
  await shows(opened, "Account", SCRIPT);
  for (const [tab, title, text] of [
    ["Security", "API keys", IMAGE],
    ["Funds", "Withdrawal addresses", LINK],
    ["Activity", "Timeline", SCRIPT],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await shows(opened, title, text);
  }
  await chooseAction(opened, "PUT /v1/accounts/{account}/status");
  const form = dialogOf(opened, "Set status message");
  assert.equal(await form.getByLabel("Message").inputValue(), SCRIPT);
  await page.keyboard.press("Escape");
  await go(opened, "#/assets");
  await shows(opened, "Assets", IMAGE);
  await go(opened, "#/assets/EVE");
  await shows(opened, "Networks", IMAGE);
  await go(opened, "#/withdrawals");
  await shows(opened, "Pending withdrawals", IMAGE);
  await page
    .getByRole("button", { name: /^Reject 1/ })
    .first()
    .click();
  const reject = dialogOf(opened, "Reject withdrawal");
  await reject.getByLabel("Reason").fill(SCRIPT);
  await reject.getByText(SCRIPT).first().waitFor();
  await reject.getByText(IMAGE).first().waitFor();
  await reject.getByRole("button", { name: "Reject withdrawal" }).click();
  await reject.waitFor({ state: "hidden" });
  await go(opened, "#/audit-log");
  await shows(opened, "Audit log", IMAGE);
  await page.getByText(`Withdrawal ID: ${withdrawal}`).first().waitFor();
  await go(opened, "#/journal");
  await shows(opened, "Entries", SCRIPT);
  await assertHarmless(opened, await opened.violations(), "#console");
  await opened.close();
});

test("reasons, notes, references and email addresses of operator actions", { skip }, async () => {
  const { exchange: node } = venue;
  const dave = await openOperator(node, "dave", "admin");
  await operate(node, "PUT", "/v1/suspensions/asset:ETH", { why: IMAGE });
  await operate(node, "POST", "/v1/accounts/100/notes", { text: SCRIPT });
  await operate(node, "POST", "/v1/networks/BANK/unattributed-deposits", {
    ...{ txId: IMAGE, address: SCRIPT, tag: IMAGE, asset: SCRIPT, amount: "1" },
  });
  await operate(node, "POST", "/v1/emergency-override", { why: SCRIPT });
  const proposal = await proposeGoodwill(node, dave, { why: IMAGE, reference: `goodwill ${SCRIPT}` });
  const opened = await openAs(browser, node, await openOperator(node, "carol", "admin"));
  const { page } = opened;
  await shows(opened, "Suspensions", IMAGE);
  await page.getByRole("alert").getByText(SCRIPT).waitFor();
  await go(opened, "#/accounts/100");
  await shows(opened, "Operator notes", SCRIPT);
  await go(opened, "#/deposits");
  await shows(opened, "Unattributed deposits", IMAGE);
  await page.getByRole("button", { name: `Resolve 1 ${SCRIPT}` }).click();
  await dialogOf(opened, "Credit deposit to customer").getByText(IMAGE).first().waitFor();
  await page.keyboard.press("Escape");
  await go(opened, "#/approvals");
  await shows(opened, "Pending requests", IMAGE);
  await go(opened, `#/approvals/${proposal}`);
  await shows(opened, "Effect", SCRIPT);
  await routeButton(opened, "PUT /v1/approval-requests/{request}").click();
  await dialogOf(opened, "Change request").getByLabel("Reference").waitFor();
  await page.keyboard.press("Escape");
  await go(opened, `#/operators/${encodeURIComponent(IMAGE)}`);
  await page.getByRole("heading", { level: 1 }).getByText(IMAGE).waitFor();
  await go(opened, `#/invitation?id=${encodeURIComponent(IMAGE)}&secret=${encodeURIComponent(SCRIPT)}`);
  await page.getByRole("form", { name: "Choose a password" }).waitFor();
  await operate(node, "DELETE", "/v1/emergency-override");
  await assertHarmless(opened, await opened.violations(), "#console");
  await opened.close();
});

test("texts in the address and in the search field", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  for (const hash of [
    `#/accounts/${encodeURIComponent(IMAGE)}`,
    `#/markets/${encodeURIComponent(SCRIPT)}`,
    `#/${IMAGE}`,
  ]) {
    await go(opened, hash);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
  }
  await go(opened, `#/networks/${encodeURIComponent(IMAGE)}`);
  await page.getByRole("heading", { level: 1 }).getByText(IMAGE).waitFor();
  await go(opened, `#/audit-log?account=${encodeURIComponent(IMAGE)}`);
  await page.getByRole("alert").getByText("UNKNOWN_ACCOUNT").waitFor();
  const box = page.getByRole("searchbox", { name: "Search" });
  await box.fill(`${IMAGE}?`);
  await page.getByText(`No results for ${IMAGE}?.`).waitFor();
  await askToWithdraw(venue.bob, { address: IMAGE });
  await box.fill(IMAGE);
  await page.locator(".found a").first().getByText(IMAGE).first().waitFor();
  await assertHarmless(opened, await opened.violations(), "#console");
  await opened.close();
});

test("every text of a hostile node's answers, on every page", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  await spoilAnswers(page, /\/v1\//, ["unit"]);
  const pages = ["overview", "markets", "markets/BTCUSDT", "assets", "assets/BTC", "accounts", "accounts/100"];
  const tabs = ["funds", "activity", "security"].map((tab) => `accounts/100?tab=${tab}`);
  const more = ["deposits", "withdrawals", "networks", "networks/BTC", "treasury", "emails", "approvals", "operators"];
  for (const place of [...pages, ...tabs, ...more, "profile", "journal", "audit-log", "settings"]) {
    await go(opened, `#/${place}`);
    await opened.loaded();
    await page
      .getByText(IMAGE)
      .first()
      .waitFor({ state: "attached", timeout: 5000 })
      .catch(() => {});
  }
  await go(opened, "#/accounts/100");
  await shows(opened, "Account", IMAGE);
  await assertHarmless(opened, await opened.violations(), "#console");
  await opened.close();
});

test("a formula in a customer's text is escaped in the spreadsheet", { skip }, async () => {
  const { exchange: node } = venue;
  await operate(node, "POST", "/v1/accounts", { email: "formula@example.com", name: FORMULA });
  const opened = await openConsole(browser, node);
  const { page } = opened;
  await go(opened, "#/accounts");
  await shows(opened, "Accounts", FORMULA);
  for (const name of ["Export CSV: Accounts", "Export all as CSV: Accounts"]) {
    const { text: file } = await savedBy(page.getByRole("button", { name }));
    assert.ok(file.includes(`'${FORMULA}`), file);
    assertNoFormula(file.split(/[,\r\n]+/));
  }
  await opened.close();
});
