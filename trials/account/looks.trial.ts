/**
 * Accessibility of every customer page: axe-core in dark and light, on a desktop and a phone, keyboard-only use, and
 * the way to the terminal and back.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { assertFits, findingsOf } from "../pages/axe.ts";
import { assertTurnsTheme } from "../pages/theme.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { DESKTOP, newCustomer, signIn, visit } from "./account.ts";
import { assertPagesOpen, assertSkipsPages, go, looksOf, overviewOf, PHONE } from "../pages/opened.ts";
import { grant, invite, openVenue, PASSWORD } from "./venue.ts";

const EMAIL = "looks@example.com";
const INSIDE = [
  ...["overview", "deposit?coin=BTC", "withdraw?coin=BTC", "addresses", "history", "history?kind=trades"],
  ...["history?kind=transfers", "sub-accounts", "dust", "fees", "keys", "security", "statements", "proof"],
];

const { venue, browser } = await rigOf(() => openVenue());
if (skip === false) {
  const opened = await newCustomer(browser, venue, EMAIL);
  await grant(venue, EMAIL, "BTC", "1.25");
  await operate(venue.exchange, "POST", "/v1/accounts", { email: "sub@example.com", name: "sub", master: EMAIL });
  const address = { network: "BTC", address: "somewhereelse1234", tag: "", name: "cold storage" };
  await operate(venue.exchange, "POST", `/v1/accounts/${EMAIL}/addresses`, address);
  await opened.close();
}

for (const { name: look, size, options } of looksOf(DESKTOP)) {
  test(`axe finds no serious violation, and no page is wider than the window: ${look}`, { skip }, async () => {
    const opened = await visit(browser, venue, `${venue.exchange.rest}/account/`, options);
    const { page } = opened;
    const findings: string[] = [];
    await page.getByRole("form", { name: "Sign in" }).waitFor();
    const link = (await invite(venue, `${size}.${options.scheme}@example.com`)).replace(/^.*#/, "#");
    const outside = ["", "#/sign-up", "#/lost", link, "#/recovery", "#/cancel-recovery?id=1&secret=2"];
    for (const hash of [...outside, "#/lock-account?account=100&notice=1&until=3&secret=2"]) {
      await go(opened, hash);
      await opened.loaded();
      findings.push(...(await findingsOf(page, hash)));
      await assertFits(page, hash);
    }
    await go(opened, "#/overview");
    await signIn(opened, EMAIL);
    await overviewOf(opened);
    for (const place of INSIDE) {
      await go(opened, `#/${place}`);
      await opened.loaded();
      findings.push(...(await findingsOf(page, place)));
      await assertFits(page, place);
    }
    assert.deepEqual(findings, []);
    await opened.close();
  });
}

test("with the keyboard alone: sign in and create a key", { skip }, async () => {
  const opened = await visit(browser, venue);
  const { page } = opened;
  const { keyboard } = page;
  await page.getByRole("form", { name: "Sign in" }).waitFor();
  // The first field has the focus.
  await keyboard.type(EMAIL);
  await keyboard.press("Tab");
  await keyboard.type(PASSWORD);
  await keyboard.press("Enter");
  await overviewOf(opened);
  await page.reload();
  await overviewOf(opened);
  await assertSkipsPages(opened);
  const keys = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "API keys" });
  await keys.focus();
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await page.getByLabel("Label").focus();
  await keyboard.type("by keys");
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await keyboard.press("Space");
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Your new API key" });
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("cell", { name: /Trade/ }).waitFor();
  // Arrow keys move between tabs.
  await go(opened, "#/history");
  await page.getByRole("tab", { name: "Deposits" }).focus();
  await keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Withdrawals", selected: true }).waitFor();
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("the theme button switches to the other theme, also after the system's theme has changed", {
  skip,
}, async () => {
  const opened = await visit(browser, venue);
  await signIn(opened, EMAIL);
  await overviewOf(opened);
  await assertTurnsTheme(opened.page);
  await opened.close();
});

test("on a phone, the list of pages opens, its links work and it closes; the terminal is one tap away, and links back", {
  skip,
}, async () => {
  const opened = await visit(browser, venue, `${venue.exchange.rest}/`, { viewport: PHONE, isTouched: true });
  const { page } = opened;
  await page.getByRole("link", { name: "Wallet" }).tap();
  await signIn(opened, EMAIL);
  await overviewOf(opened);
  await assertPagesOpen(opened, "Fees");
  await page.getByRole("link", { name: "Trade" }).tap();
  await page.getByRole("link", { name: "Wallet" }).waitFor();
  await opened.close();
});
