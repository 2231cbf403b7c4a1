/** What customers, operators and a hostile node may write is shown as text and never runs: in pages, forms, the search, and files. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { dialogOf, openConsole, routeButton, signIn, visitConsole } from "./console.ts";
import { go, type Opened } from "../pages/opened.ts";
import { openAs, openOperator, proposeGoodwill } from "./people.ts";
import { askToWithdraw, openVenue } from "./venue.ts";

/** Without a space: names of operators and addresses have none. */
const IMAGE = "<img/src=x/onerror=window.wasRun=1>";
const SCRIPT = "<script>window.wasRun=1</script>";
const LINK = "javascript:window.wasRun=1";
const FORMULA = "=HYPERLINK(1)";

const { venue, browser } = await rigOf(openVenue);

/** Nothing of it ran, and nothing became an element. */
async function assertHarmless({ page, violations, complaints }: Opened): Promise<void> {
  assert.equal(await page.evaluate("window.wasRun"), undefined);
  assert.equal(await page.locator("img, iframe, #console script, a[href^='javascript']").count(), 0);
  assert.deepEqual(await violations(), []);
  assert.deepEqual(
    complaints.filter((one) => !one.includes("Failed to load resource")),
    [],
  );
}

/** Waits until the page shows the text, as a text. */
async function shows({ page }: Opened, where: string, text: string): Promise<void> {
  await page.getByRole("region", { name: where }).first().getByText(text).first().waitFor();
}

test("names, labels, messages, references, reasons and addresses of the venue's people", { skip }, async () => {
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
  await page.locator(".who").getByText(IMAGE).waitFor();
  await go(opened, "#/accounts");
  await shows(opened, "Accounts", IMAGE);
  await go(opened, "#/accounts/eve@example.com");
  await shows(opened, "Account", SCRIPT);
  await shows(opened, "API keys", IMAGE);
  await shows(opened, "Withdrawal addresses", LINK);
  await shows(opened, "Timeline", SCRIPT);
  await routeButton(opened, "PUT /v1/accounts/{account}/status").click();
  const form = dialogOf(opened, "Set status message");
  assert.equal(await form.getByLabel("Message").inputValue(), SCRIPT);
  await page.keyboard.press("Escape");
  await go(opened, "#/assets");
  await shows(opened, "Assets", IMAGE);
  await go(opened, "#/assets/EVE");
  await shows(opened, "Networks", IMAGE);
  await go(opened, "#/withdrawals");
  await shows(opened, "Pending withdrawals", SCRIPT);
  await page
    .getByRole("button", { name: /^Reject 1/ })
    .first()
    .click();
  const reject = dialogOf(opened, "Reject");
  await reject.getByLabel("Reason").fill(SCRIPT);
  await reject.getByRole("button", { name: "Review" }).click();
  await reject.getByText(SCRIPT).first().waitFor();
  await reject.getByText(IMAGE).first().waitFor();
  await reject.getByRole("button", { name: "Reject" }).click();
  await reject.waitFor({ state: "hidden" });
  await go(opened, "#/audit-log");
  await shows(opened, "Audit log", IMAGE);
  await page.getByText(`withdrawalId ${withdrawal}`).first().waitFor();
  await go(opened, "#/journal");
  await shows(opened, "Entries", SCRIPT);
  await assertHarmless(opened);
  await opened.close();
});

test("reasons, notes, references and mail addresses at the desk", { skip }, async () => {
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
  await dialogOf(opened, "Resolve unattributed deposit").getByText(IMAGE).waitFor();
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
  await assertHarmless(opened);
  await opened.close();
});

test("what stands in the address and in the search box", { skip }, async () => {
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
  await assertHarmless(opened);
  await opened.close();
});

/** Every text of an answer, as a hostile node might say it. */
function spoilt(value: unknown, keep: readonly string[], name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => spoilt(one, keep));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spoilt(part, keep, key)]));
  }
  // Decimals stay: they are no words of anybody.
  return typeof value === "string" && !keep.includes(name) && !/^-?[\d.]+$/.test(value) ? IMAGE : value;
}

test("every text of a hostile node's answers, on every page", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange);
  const { page } = opened;
  await page.route(/\/v1\//, async (route) => {
    const answer = await route.fetch();
    const body = JSON.stringify(spoilt(JSON.parse(await answer.text()), ["unit"]));
    await route.fulfill({ status: answer.status(), contentType: "application/json", body });
  });
  const pages = [
    "overview",
    "markets",
    "markets/BTCUSDT",
    "assets",
    "assets/BTC",
    "accounts",
    "accounts/100",
    "deposits",
  ];
  for (const place of [
    ...pages,
    "withdrawals",
    "networks",
    "networks/BTC",
    "treasury",
    "emails",
    "approvals",
    "operators",
    "profile",
    "journal",
    "audit-log",
    "settings",
  ]) {
    await go(opened, `#/${place}`);
    await page.waitForLoadState("networkidle");
    await page
      .getByText(IMAGE)
      .first()
      .waitFor({ state: "attached", timeout: 5000 })
      .catch(() => {});
  }
  await go(opened, "#/accounts/100");
  await shows(opened, "Account", IMAGE);
  await assertHarmless(opened);
  await opened.close();
});

test("a formula in what somebody wrote does not come into a spreadsheet as one", { skip }, async () => {
  const { exchange: node } = venue;
  await operate(node, "POST", "/v1/accounts", { email: "formula@example.com", name: FORMULA });
  const opened = await openConsole(browser, node);
  const { page } = opened;
  await go(opened, "#/accounts");
  await shows(opened, "Accounts", FORMULA);
  for (const name of ["Export CSV: Accounts", "Export all as CSV: Accounts"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const file = readFileSync(await download.path(), "utf8");
    assert.ok(file.includes(`'${FORMULA}`), file);
    for (const cell of file.split(/[,\r\n]+/)) assert.doesNotMatch(cell, /^"?[=+@]/, cell);
  }
  await opened.close();
});
