/**
 * The public pages of a node in Chromium: no console messages, no request to another host, no page wider than a phone,
 * and an order placed from the reference. Screenshots are written to a temporary folder, whose name is printed.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { startExchange } from "@pricetime/testkit/venue";
import { LOOKS, openPage } from "./browser.ts";
import { rigOf, skip } from "./rig.ts";

const pictures = temporaryFolder();

const { venue: exchange, browser } = await rigOf(startExchange);
after(() => void process.stdout.write(`screenshots: ${pictures}\n`));

/** Pages by name, each with an element that shows that it has loaded. */
const PAGES: readonly (readonly [name: string, path: string, ready: string])[] = [
  ["start", "/start", 'tr[data-symbol="BTCUSDT"] .change[data-way]'],
  ["docs", "/docs", ".cards .card"],
  ["document", "/docs/concepts/streams", ".code .copy"],
  ["missing", "/docs/nothing-here", "h1"],
  ["terminal", "/", "#terminal > *"],
];

for (const look of LOOKS) {
  test(`pages are complete: ${look.name}`, { skip }, async () => {
    const homes = PAGES.map((one) => [exchange.rest, one] as const);
    homes.push([exchange.rest, ["reference", "/docs/api", ".opblock"]]);
    homes.push([exchange.admin, ["admin", "/docs", ".opblock"]]);
    for (const [home, [name, path, ready]] of homes) {
      const { page, complaints, outside, close } = await openPage(browser, home, look);
      const answer = await page.goto(home + path);
      await page.waitForSelector(ready, { timeout: 30_000 });
      await page.screenshot({ path: join(pictures, `${name}-${look.name}.png`), fullPage: true });
      const isMissing = name === "missing";
      assert.equal(answer?.status(), isMissing ? 404 : 200, name);
      // The browser itself logs a message for the missing page.
      assert.deepEqual(isMissing ? [] : complaints, [], name);
      assert.deepEqual(outside, [], name);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(Number(width) <= look.width, `${name} is ${String(width)} wide`);
      await close();
    }
  });
}

test("the start page and documents are readable without JavaScript", { skip }, async () => {
  const [look] = LOOKS;
  assert.ok(look !== undefined);
  const { page, close } = await openPage(browser, exchange.rest, { ...look, javaScript: false });
  await page.goto(`${exchange.rest}/start`);
  const text = await page.innerText("body");
  for (const said of [exchange.rest, "BTCUSDT", "openssl", exchange.accounts[0]?.apiKey ?? "?", "ticker/price"]) {
    assert.ok(text.includes(said), said);
  }
  await page.goto(`${exchange.rest}/docs/api`);
  assert.ok((await page.innerText("body")).includes("The list of endpoints needs JavaScript."));
  await close();
});

test("prices on the start page follow the market", { skip, timeout: 60_000 }, async () => {
  const { page, complaints, close } = await openWide();
  await page.goto(`${exchange.rest}/start`);
  await page.waitForSelector(".change[data-way]");
  // Only updates of the stream are marked; the first value has nothing to compare with.
  await page.waitForSelector(".price[data-flash]", { state: "attached", timeout: 50_000 });
  assert.deepEqual(complaints, []);
  await close();
});

test("the order on the start page is accepted when pasted unchanged", { skip }, async () => {
  const { page, close } = await openWide();
  await page.goto(`${exchange.rest}/start`);
  await page.waitForSelector(".copy");
  const { stdout, stderr } = spawnSync("bash", ["-c", await page.innerText(".code code")], { encoding: "utf8" });
  assert.match(stdout, /"orderId":\d+.*"status":"NEW"/, stderr);
  await close();
});

test("the search of the documentation finds a heading, with the keyboard alone, and leads to it", {
  skip,
}, async () => {
  const { page, complaints, outside, close } = await openWide();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto(`${exchange.rest}/docs/guides/terminal`);
  const box = page.getByRole("searchbox", { name: "Search the documentation" });
  await box.waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("no-such-word");
  await page.getByText("No results.").waitFor();
  await box.fill("order types");
  const results = page.locator("#docs-results a");
  await results.first().waitFor();
  assert.match(await results.first().innerText(), /^Order types/);
  await page.screenshot({ path: join(pictures, "search.png") });
  await page.keyboard.press("Escape");
  await page.locator("#docs-results").waitFor({ state: "hidden" });
  await box.fill("iceberg");
  await results.first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/[a-z-]+\/[\w-]+#[\w-]*iceberg/i);
  assert.ok(
    sent.every((url) => !url.includes("iceberg") || url.includes("/docs/")),
    "the query is not sent",
  );
  assert.equal(sent.filter((url) => url.endsWith("/docs/search.json")).length, 1);
  assert.deepEqual([complaints, outside], [[], []]);
  await close();
});

test("examples in several languages are tabs, and later pages keep the chosen language", { skip }, async () => {
  const [look] = LOOKS;
  assert.ok(look !== undefined);
  const address = `${exchange.rest}/docs/concepts/rest`;
  const { page, complaints, outside, close } = await openPage(browser, exchange.rest, look);
  await page.goto(address);
  const bars = page.getByRole("tablist", { name: "Language of the example" });
  const depth = bars.nth(2);
  const panels = page.getByRole("tabpanel");
  const shown = async (): Promise<readonly (string | null)[]> => [
    ...new Set(await panels.evaluateAll((all) => all.map((one) => one.getAttribute("data-variant")))),
  ];
  await depth.getByRole("tab", { name: "curl", selected: true }).waitFor();
  assert.deepEqual(await shown(), ["curl"]);
  assert.equal(await panels.count(), await bars.count());
  await depth.scrollIntoViewIfNeeded();
  const before = await depth.boundingBox();
  await depth.getByRole("tab", { name: "JavaScript" }).click();
  assert.deepEqual(await shown(), ["JavaScript"]);
  assert.ok(Math.abs(((await depth.boundingBox())?.y ?? 0) - (before?.y ?? 0)) < 2, "the tab stays in its place");
  await page.keyboard.press("ArrowRight");
  await depth.getByRole("tab", { name: "Python", selected: true }).and(page.locator(":focus")).waitFor();
  assert.deepEqual(await shown(), ["Python"]);
  await page.screenshot({ path: join(pictures, "tabs.png") });
  await page.goto("about:blank");
  await page.goto(`${address}#candles`);
  await bars.first().getByRole("tab", { name: "Python", selected: true }).waitFor();
  const heading = await page.locator("#candles").boundingBox();
  assert.ok(heading !== null && heading.y >= 0 && heading.y < 200, "the section of the address is at the top");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("about:blank");
  await page.goto(`${address}#candles`);
  await depth.getByRole("tab", { name: "Python", selected: true }).waitFor();
  const [bar, onPhone] = [await page.locator(".top").boundingBox(), await page.locator("#candles").boundingBox()];
  assert.ok((onPhone?.y ?? 0) >= (bar?.height ?? Infinity), "the top bar does not cover the heading");
  await page.screenshot({ path: join(pictures, "tabs-phone.png") });
  assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth")) <= 360);
  assert.deepEqual([complaints, outside], [[], []]);
  await close();

  const plain = await openPage(browser, exchange.rest, { ...look, javaScript: false });
  await plain.page.goto(address);
  for (const name of ["curl", "JavaScript", "Python"]) {
    const block = plain.page.locator(`[data-variant="${name}"]`).first();
    assert.ok(await block.locator("code").last().isVisible(), name);
    assert.ok((await block.innerText()).startsWith(name), "with its label");
  }
  await plain.close();
});

test("an order is signed and placed from the reference, and the request does not contain the secret", {
  skip,
}, async () => {
  const { page, complaints, outside, close } = await openWide();
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`),
  );
  await page.goto(`${exchange.rest}/docs/api#/Orders/order.place`);
  const operation = page.locator(".opblock.is-open");
  await operation.waitFor({ timeout: 30_000 });
  const answer = await execute(page, "POST", "/api/v3/order");
  assert.equal(answer.status, 200, answer.text);
  const order = JSON.parse(answer.text) as { readonly orderId: number; readonly status: string };
  assert.equal(order.status, "NEW");
  const shown = await operation.locator(".live-responses-table").innerText();
  assert.ok(shown.includes(`"orderId": ${order.orderId}`), "the answer is shown");
  assert.match(await page.innerText("#signed-text"), /^symbol=BTCUSDT&.*&timestamp=\d{13}$/);
  const { secretKey = "?" } = exchange.accounts[0] ?? {};
  assert.ok(sent.length > 5 && sent.every((one) => !one.includes(secretKey)), "the secret stays in the page");
  assert.equal(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length"), 0);
  assert.deepEqual([complaints, outside], [[], []]);
  await page.screenshot({ path: join(pictures, "order.png"), fullPage: true });
  await close();
});

test("a wrong secret shows the exchange's error", { skip }, async () => {
  const { page, close } = await openWide();
  await page.goto(`${exchange.rest}/docs/api#/Orders/order.place`);
  await page.locator(".opblock.is-open").waitFor({ timeout: 30_000 });
  await page.selectOption("#account", { label: "Another key" });
  assert.equal(await page.inputValue("#secret-key"), "");
  await page.fill("#api-key", exchange.accounts[0]?.apiKey ?? "");
  await page.fill("#secret-key", "not the secret");
  const { text } = await execute(page, "POST", "/api/v3/order");
  assert.equal((JSON.parse(text) as { readonly code: number }).code, -1022);
  await close();
});

test("an operator sends requests from the page of the admin port, with the token and without", { skip }, async () => {
  const [look] = LOOKS;
  assert.ok(look !== undefined);
  const { page, outside, close } = await openPage(browser, exchange.admin, look);
  await page.goto(`${exchange.admin}/docs#/Assets/getV1Assets`);
  await page.locator(".opblock.is-open").waitFor({ timeout: 30_000 });
  assert.equal((await execute(page, "GET", "/v1/assets")).status, 401);
  await page.fill("#token", exchange.adminToken);
  const { status, text } = await execute(page, "GET", "/v1/assets");
  assert.equal(status, 200);
  assert.ok((JSON.parse(text) as readonly { asset: string }[]).some(({ asset }) => asset === "BTC"));
  assert.deepEqual(outside, []);
  await close();
});

function openWide(): ReturnType<typeof openPage> {
  const [look] = LOOKS;
  assert.ok(look !== undefined);
  return openPage(browser, exchange.rest, look);
}

/** Clicks Execute of the open operation, and waits until its answer is shown. */
async function execute(page: Page, method: string, path: string): Promise<{ status: number; text: string }> {
  const answered = page.waitForResponse(
    (response) => response.request().method() === method && new URL(response.url()).pathname === path,
  );
  await page.locator(".opblock.is-open .execute").click();
  const response = await answered;
  await page.waitForSelector(".opblock.is-open .live-responses-table .response-col_status");
  return { status: response.status(), text: await response.text() };
}
