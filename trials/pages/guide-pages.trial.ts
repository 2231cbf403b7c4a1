/**
 * Every page of the guide's exchange, which sets few limits and has no trades yet. No page sends a request that fails,
 * has a fault of its layout, or shows zero for a limit or price that does not exist.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { PAGES } from "@pricetime/web/console-routes";
import { until } from "@pricetime/testkit/waiting";
import { accept } from "../account/account.ts";
import { openConsole } from "../console/console.ts";
import { openGuideVenue } from "./guide-venue.ts";
import { layoutFaults } from "./layout-faults.ts";
import { go, openAddress, type Opened, overviewOf } from "./opened.ts";
import { rigOf, skip } from "./rig.ts";

const { venue, browser } = await rigOf(openGuideVenue);

const SIZES = [
  { width: 1280, height: 900 },
  { width: 320, height: 700 },
] as const;
const ONE = ["markets/BTCEUR", "assets/EUR", "assets/BTC", "networks/BANK", "networks/BTC", "accounts/100"];
const CUSTOMERS = [
  ...["overview", "deposit?coin=EUR", "withdraw?coin=EUR", "withdraw?coin=BTC", "addresses", "history", "sub-accounts"],
  ...["dust", "fees", "keys", "security", "statements", "proof"],
];
/** Texts by which programs show an unknown value. */
const NO_VALUE = /\b(?:undefined|NaN|null|\[object Object\])\b/;

async function looksRight(opened: Opened, place: string): Promise<void> {
  const { page } = opened;
  await go(opened, `#/${place}`);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  // The journal's details show raw commands.
  const text = await page.evaluate<string>(
    `[...document.querySelectorAll("body *:not(.details)")].filter((one) => one.children.length === 0 && one.checkVisibility()).map((one) => one.textContent).join("\\n")`,
  );
  assert.doesNotMatch(text, NO_VALUE, place);
  assert.deepEqual(await layoutFaults(page), [], place);
}

/** An invited customer has the empty account number 100. */
async function customer(viewport: (typeof SIZES)[number]): Promise<Opened> {
  const { exchange } = venue;
  const email = `wide${viewport.width}@example.com`;
  const { link } = await operate<{ link: string }>(exchange, "POST", "/v1/invitations", { email, name: "Ann" });
  const opened = await openAddress(browser, { home: exchange.rest, address: link, desktop: viewport }, {});
  await accept(opened, "Ann");
  await overviewOf(opened);
  return opened;
}

for (const viewport of SIZES) {
  test(`account pages, ${viewport.width} px`, { skip }, async () => {
    const ann = await customer(viewport);
    for (const place of CUSTOMERS) await looksRight(ann, place);
    await go(ann, "#/withdraw?coin=EUR");
    const form = ann.page.getByRole("form", { name: "Withdraw" });
    await form.getByText("Minimum").waitFor();
    assert.match(await form.innerText(), /Minimum\s+10[.0]* EUR\s+Available\s+0[.0]* EUR/);
    await go(ann, "#/dust");
    await ann.page.getByText("This exchange does not convert small balances.").waitFor();
    assert.deepEqual([ann.complaints, await ann.violations()], [[], []]);
    await ann.close();
  });

  test(`the console, ${viewport.width} px`, { skip }, async () => {
    const operator = await openConsole(browser, venue.exchange, { viewport });
    for (const place of [...PAGES, ...ONE]) await looksRight(operator, place);
    await go(operator, "#/assets/EUR");
    const networks = operator.page.getByRole("region", { name: "Networks" }).first();
    await networks.getByText("none").first().waitFor();
    // A manual network has none of a chain's values.
    await go(operator, "#/networks/BANK");
    await operator.page.getByText("manual").first().waitFor();
    assert.equal(await operator.page.locator("[data-route*=sandbox]").count(), 0);
    assert.deepEqual([operator.complaints, await operator.violations()], [[], []]);
    await operator.close();
  });

  test(`the terminal and the start page, ${viewport.width} px`, { skip }, async () => {
    const { rest } = venue.exchange;
    const opened = await openAddress(browser, { home: rest, address: `${rest}/`, desktop: viewport }, {});
    const { page } = opened;
    await until(
      "the title has the market, and no price",
      async () => (await page.title()) === "BTC/EUR · Example Exchange",
    );
    assert.deepEqual(await layoutFaults(page), []);
    assert.doesNotMatch(await page.locator(".top, .day-strip").allInnerTexts().then(String), /0\.00(?!\d)/);
    await page.goto(`${rest}/start`);
    await page.locator("tr[data-symbol=BTCEUR]").waitFor();
    await page.waitForLoadState("networkidle");
    assert.deepEqual(await page.locator("tr[data-symbol=BTCEUR] td").allInnerTexts(), ["—", "—"]);
    // Nobody is signed in: no link of the sign-in leads to an error.
    await page.goto(`${rest}/account/`);
    await page.getByRole("form", { name: "Sign in" }).waitFor();
    await page.waitForLoadState("networkidle");
    // The page greets customers with the venue's name, color and support address.
    assert.equal(await page.title(), "Sign in · Example Exchange");
    await page.getByText("Welcome to Example Exchange.").waitFor();
    await page.getByText("Accounts are opened by invitation.").waitFor();
    await page.getByRole("link", { name: "Contact support" }).waitFor();
    const colors = await page.evaluate<string[]>(
      `["dark", "light"].map((theme) => { document.documentElement.dataset.theme = theme; return getComputedStyle(document.documentElement).getPropertyValue("--accent"); })`,
    );
    assert.deepEqual(colors, ["#7aa2ff", "#1d4ed8"]);
    for (const link of await page.locator("main a").all()) {
      const url = new URL((await link.getAttribute("href")) ?? "", `${rest}/account/`);
      if (url.protocol === "mailto:") continue;
      const { status } = await fetch(url);
      assert.equal(status, 200, url.href);
    }
    assert.deepEqual(opened.outside, []);
    await opened.close();
  });
}
