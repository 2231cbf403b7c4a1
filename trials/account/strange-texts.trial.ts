/** What customers, operators and a hostile node may write is shown as text and never runs: on every page, in links and files. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { rigOf, skip } from "../pages/rig.ts";
import { accept, visit } from "./account.ts";
import { go, type Opened, overviewOf } from "../pages/opened.ts";
import { invite, openVenue } from "./venue.ts";

const IMAGE = "<img/src=x/onerror=window.wasRun=1>";
const SCRIPT = "<script>window.wasRun=1</script>";
const FORMULA = "=HYPERLINK(1)";
const EMAIL = "eve@example.com";

const { venue, browser } = await rigOf(() => openVenue());

/** Nothing of it ran, and nothing became an element. */
async function assertHarmless({ page, violations, complaints }: Opened): Promise<void> {
  assert.equal(await page.evaluate("window.wasRun"), undefined);
  assert.equal(await page.locator("img, iframe, #account script, a[href^='javascript']").count(), 0);
  assert.deepEqual(await violations(), []);
  assert.deepEqual(
    complaints.filter((one) => !one.includes("Failed to load resource")),
    [],
  );
}

async function shows({ page }: Opened, where: string, text: string): Promise<void> {
  await page.getByRole("region", { name: where }).first().getByText(text).first().waitFor();
}

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
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV: API keys" }).click(),
  ]);
  const file = readFileSync(await download.path(), "utf8");
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
  await assertHarmless(opened);
  await opened.close();
});

test("what stands in the address, and what a browser calls itself", { skip }, async () => {
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
  await assertHarmless(opened);
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

/** Every text of an answer, as a hostile node might say it. */
function spoilt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoilt);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, spoilt(part)]));
  }
  // Decimals stay: they are no words of anybody.
  return typeof value === "string" && !/^-?[\d.]+$/.test(value) ? IMAGE : value;
}

test("every text of a hostile node's answers, on every page", { skip }, async () => {
  const opened = await visit(browser, venue, await invite(venue, "victim@example.com", "V"));
  await accept(opened);
  await overviewOf(opened);
  const { page } = opened;
  await page.route(/\/(?:account\/v1|api|sapi)\//, async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    const body = text.startsWith("{") || text.startsWith("[") ? JSON.stringify(spoilt(JSON.parse(text))) : text;
    await route.fulfill({ status: answer.status(), contentType: "application/json", body });
  });
  const pages = ["overview", "deposit", "withdraw", "addresses", "history", "history?kind=orders", "sub-accounts"];
  for (const place of [...pages, "dust", "fees", "keys", "security", "statements", "proof"]) {
    await go(opened, `#/${place}`);
    await page.waitForLoadState("networkidle");
  }
  await go(opened, "#/security");
  await shows(opened, "Sessions", IMAGE);
  await assertHarmless(opened);
  await opened.close();
});
