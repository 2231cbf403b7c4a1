/**
 * Accessibility of every page of the console: axe-core in dark and light, on a desktop and a phone, and keyboard-only
 * use.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { assertFits, findingsOf } from "../pages/axe.ts";
import { assertTurnsTheme } from "../pages/theme.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { createSamples, openAs, openOperator, type Person } from "./operators.ts";
import { DESKTOP, dialogOf, openActionMenu, openConsole, routeButton, visitConsole } from "./console.ts";
import { assertPagesOpen, assertSkipsPages, go, looksOf, PHONE } from "../pages/opened.ts";
import { askToWithdraw, openVenue, rest } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);
let withdrawal = "";
let proposal = "";
let carol: Person;
if (skip === false) {
  await rest(venue.alice, { side: "BUY", quantity: "0.01", price: "19000" });
  withdrawal = await askToWithdraw(venue.alice);
  const { exchange } = venue;
  await operate(exchange, "POST", "/v1/proofs", {});
  carol = await openOperator(exchange, "carol", "admin");
  const dave = await openOperator(exchange, "dave", "admin");
  proposal = await createSamples(exchange, dave);
}

const places = (): readonly string[] => [
  ...["overview", "markets", "markets/BTCUSDT", "assets", "assets/BTC", "accounts", "accounts/100", "deposits"],
  ...["funds", "activity", "security"].map((tab) => `accounts/100?tab=${tab}`),
  ...[
    "withdrawals",
    `withdrawals/${withdrawal}`,
    "networks",
    "networks/BTC",
    "treasury",
    "approvals",
    `approvals/${proposal}`,
    "operators",
    "operators/carol",
    "profile",
    "emails",
    "journal",
    "audit-log",
    "settings",
  ],
];

const FORMS = [
  ["markets/BTCUSDT", "PUT /v1/symbols/{symbol}/filters", "Set filters"],
  ["assets/BTC", "PUT /v1/assets/{asset}/networks", "Set networks"],
  ["accounts/100", "POST /v1/accounts/{account}/keys", "Create API key"],
  ["accounts/100", "POST /v1/accounts/{account}/open-orders/end", "End 1 open order"],
  ["overview", "PUT /v1/suspensions/{scope}", "Suspend an asset or a network"],
  ["profile", "POST /v1/me/password", "Change password"],
] as const;

for (const { name: look, options } of looksOf(DESKTOP)) {
  test(`axe finds no serious violation, and no page is wider than the window: ${look}`, { skip }, async () => {
    const outside = await visitConsole(browser, venue.exchange, options);
    const findings = await findingsOf(outside.page, "signing in");
    await outside.page.getByRole("button", { name: "Name and password" }).click();
    findings.push(...(await findingsOf(outside.page, "signing in by name")));
    await outside.page.goto(`${venue.exchange.admin}/#/invitation?id=0&secret=0`);
    await outside.page.getByRole("form", { name: "Choose a password" }).waitFor();
    findings.push(...(await findingsOf(outside.page, "an invitation")));
    await outside.close();
    const opened = await openAs(browser, venue.exchange, carol, options);
    const { page } = opened;
    for (const place of places()) {
      await go(opened, `#/${place}`);
      await opened.loaded();
      findings.push(...(await findingsOf(page, place)));
      await assertFits(page, place);
    }
    for (const [place, key, name] of FORMS) {
      await go(opened, `#/${place}`);
      await routeButton(opened, key).waitFor({ state: "attached" });
      if (await openActionMenu(opened)) {
        findings.push(...(await findingsOf(page, `the menu of ${place}`)));
      }
      await routeButton(opened, key).click();
      await dialogOf(opened, name).waitFor();
      findings.push(...(await findingsOf(page, name)));
      await page.keyboard.press("Escape");
      await dialogOf(opened, name).waitFor({ state: "hidden" });
    }
    assert.deepEqual(findings, []);
    await opened.close();
  });
}

test("with the keyboard alone: sign in and open an account", { skip }, async () => {
  const opened = await visitConsole(browser, venue.exchange);
  const { page } = opened;
  const { keyboard } = page;
  await page.getByLabel("Admin token").focus();
  await keyboard.type(venue.exchange.adminToken);
  await keyboard.press("Tab");
  await keyboard.type("keys");
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  // One key opens the search, another its first result.
  await keyboard.press("/");
  await keyboard.type("alice@demo.pricetime");
  await page.locator(".found a").first().waitFor();
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).getByText("alice@demo.pricetime").waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1 }).getByText("alice@demo.pricetime").waitFor();
  await assertSkipsPages(opened);
  await go(opened, "#/accounts");
  const button = routeButton(opened, "POST /v1/accounts");
  await button.waitFor();
  await button.focus();
  await keyboard.press("Enter");
  const dialog = dialogOf(opened, "Create account");
  await dialog.waitFor();
  await keyboard.type("keys@example.com");
  await keyboard.press("Tab");
  await keyboard.type("keys");
  await keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  const { name } = await operate<{ name: string }>(venue.exchange, "GET", "/v1/accounts/keys@example.com");
  assert.equal(name, "keys");
  await opened.close();
});

test("with the keyboard alone: an operator signs in by name and approves another's request", { skip }, async () => {
  const opened = await visitConsole(browser, venue.exchange);
  const { page } = opened;
  const { keyboard } = page;
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses++) {
      if ((await page.evaluate<string>("document.activeElement.innerText")) === name) return;
      await keyboard.press("Tab");
    }
    assert.fail(`no key leads to ${name}`);
  };
  await tabTo("Name and password");
  await keyboard.press("Enter");
  await keyboard.press("Tab");
  await keyboard.type(carol.name);
  await keyboard.press("Tab");
  await keyboard.type(carol.password);
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await go(opened, `#/approvals/${proposal}`);
  await routeButton(opened, "POST /v1/approval-requests/{request}/approve").waitFor();
  await tabTo("Approve request");
  await keyboard.press("Enter");
  await dialogOf(opened, "Approve request").waitFor();
  await tabTo("Review");
  await keyboard.press("Enter");
  await tabTo("Approve request");
  await keyboard.press("Enter");
  await dialogOf(opened, "Approve request").waitFor({ state: "hidden" });
  await page.getByText("No pending requests.").waitFor();
  await opened.close();
});

test("the theme button switches to the other theme, also after the system's theme has changed", {
  skip,
}, async () => {
  const opened = await openConsole(browser, venue.exchange);
  await assertTurnsTheme(opened.page);
  await opened.close();
});

test("on a phone, the list of pages opens, its links work, and it closes", { skip }, async () => {
  const opened = await openConsole(browser, venue.exchange, { viewport: PHONE, isTouched: true });
  await assertPagesOpen(opened, "Treasury");
  await opened.close();
});
