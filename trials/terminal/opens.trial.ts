/**
 * The terminal of a busy demo opens under its content security policy, does not shift, and requests nothing from other
 * hosts.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { WebSocketServer } from "ws";
import { startExchange } from "@pricetime/testkit/venue";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { besides, openPage } from "../pages/browser.ts";
import { PHONE } from "../pages/opened.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { openTerminal, shownBook, signInAs, type Terminal, visitTerminal } from "./terminal.ts";

/** How long a busy book is watched. */
const WATCHED_MS = 5000;
/** The time until all elements have their place. */
const SETTLED_MS = 2000;
/** The most layout shift until then; Chromium rates a tenth as good. */
const LOADING_SHIFT = 0.01;
/** The most layout shift afterwards, which is invisible. */
const WATCHED_SHIFT = 0.001;

const sumOf = (shifts: readonly string[]): number =>
  shifts.reduce((sum, shift) => sum + Number(shift.slice(0, shift.indexOf(":"))), 0);

const { venue: exchange, browser } = await rigOf(() => startExchange({ args: ["--limits", "off"] }));

async function untilChartIsThere({ page, chart }: Terminal): Promise<void> {
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await chart.locator("canvas").first().waitFor();
  await chart.getByText("Loading candles").waitFor({ state: "hidden" });
}

async function untilPrintsAreThere({ page }: Terminal): Promise<void> {
  await page.getByRole("region", { name: "Recent trades" }).locator(".print:visible").first().waitFor();
}

test("markets, book, chart and trades are shown, and the browser's console has no messages", { skip }, async () => {
  const terminal = await openTerminal(browser, exchange.rest);
  const { page, book, complaints, outside, seen, close } = terminal;
  await page.getByRole("button", { name: "BTC/USDT" }).waitFor();
  await untilChartIsThere(terminal);
  await untilPrintsAreThere(terminal);
  assert.equal(await book.locator("[aria-live=off]").count(), 1 + 1, "the book is not spoken aloud");
  assert.match(await page.title(), /^[\d,]+\.\d+ BTC\/USDT · Pricetime$/);

  await page.getByRole("button", { name: "BTC/USDT" }).click();
  const picker = page.getByRole("dialog", { name: "Markets" });
  await picker.getByRole("row", { name: /ETH\/USDT/ }).waitFor();
  const listed = await picker.locator("tbody tr").count();
  const answer = await fetch(`${exchange.rest}/api/v3/ticker/price`);
  assert.equal(listed, ((await answer.json()) as readonly unknown[]).length);
  await page.keyboard.press("Escape");

  assert.deepEqual([complaints, outside, (await seen()).violations], [[], [], []]);
  await close();
});

for (const [name, viewport] of [
  ["desktop", undefined],
  ["phone", PHONE],
] as const) {
  test(`a busy book changes without shifting the layout: ${name}`, { skip }, async () => {
    const terminal = await openTerminal(browser, exchange.rest, viewport === undefined ? {} : { viewport });
    const { page, book, complaints, seen, close } = terminal;
    await untilChartIsThere(terminal);
    if (viewport !== undefined) await page.getByRole("tab", { name: "Book" }).click();
    await book.locator(".level:visible").first().waitFor();
    await untilPrintsAreThere(terminal);
    await sleep(SETTLED_MS);
    const { shifts } = await seen();
    assert.ok(sumOf(shifts) < LOADING_SHIFT, shifts.join("\n"));
    const spread = book.locator(".spread");
    const before = await spread.boundingBox();
    const books = new Set<string>();
    const endMs = performance.now() + WATCHED_MS;
    while (performance.now() < endMs) {
      const { bids, asks } = await shownBook(terminal);
      books.add(JSON.stringify([bids, asks]));
      const prices = [...asks.toReversed(), ...bids].map(({ price }) => price);
      assert.equal(new Set(prices).size, prices.length, `a row stands there twice: ${prices.join(" ")}`);
      assert.deepEqual(
        prices,
        prices.toSorted((one, other) => Number(other) - Number(one)),
        "rows in order, best bid below best ask",
      );
      await sleep(50);
    }
    assert.ok(books.size > 5, `${books.size} books in ${WATCHED_MS} ms`);
    assert.deepEqual(await spread.boundingBox(), before, "the spread stays where it is");
    const after = await seen();
    const since = after.shifts.slice(shifts.length);
    assert.ok(sumOf(since) < WATCHED_SHIFT, `moved since it was there: ${since.join("\n")}`);
    assert.deepEqual(after.violations, []);
    assert.deepEqual(complaints, []);
    await close();
  });
}

/** The rows of the table: time, open, high, low, close, change, volume. */
async function tableRows(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = await page.evaluate(
    `[...document.querySelectorAll(".chart-table tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
  return rows as readonly (readonly string[])[];
}

test("the visible candles equal the node's, including older ones, and can be read as a table", { skip }, async () => {
  const { page, complaints, outside, close } = await openTerminal(browser, exchange.rest);
  await page.locator(".chart-legend").waitFor();
  let pages = 0;
  page.on("response", (response) => (pages += response.url().includes("/klines") ? 1 : 0));
  const chart = await page.locator(".chart-place").boundingBox();
  assert.ok(chart !== null);
  await until("an older page came", async () => {
    await page.mouse.move(chart.x + 150, chart.y + 150);
    await page.mouse.down();
    await page.mouse.move(chart.x + chart.width - 150, chart.y + 150, { steps: 6 });
    await page.mouse.up();
    return pages > 0;
  });
  await page.locator(".chart-place").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  const spoken = await page.locator(".chart-stage [role=status]").first().innerText();
  await page.getByRole("button", { name: "Show the candles as a table" }).click();
  const rows = await untilAnswer(
    "rows of the table",
    () => tableRows(page),
    (all) => all.length > 20,
  );
  const row = rows[10];
  assert.ok(row !== undefined);
  const openTimeMs = Date.parse(`${String(row[0]).replace(" ", "T")}Z`);
  const query = new URLSearchParams({ symbol: "BTCUSDT", interval: "15m", startTime: `${openTimeMs}`, limit: "1" });
  const answer = await fetch(`${exchange.rest}/api/v3/klines?${query}`);
  const [kline] = (await answer.json()) as readonly (readonly [openTimeMs: number, ...text: string[]])[];
  assert.equal(kline?.[0], openTimeMs);
  assert.deepEqual(
    row.slice(1, 5).map((price) => price.replaceAll(",", "")),
    kline?.slice(1, 5).map((price) => Number(price).toFixed(2)),
  );
  assert.equal(row[6]?.replaceAll(",", ""), Number(kline?.[5]).toFixed(6));
  assert.match(
    spoken,
    /^\d{4}-\d\d-\d\d \d\d:\d\d: open [\d.]+, high [\d.]+, low [\d.]+, close [\d.]+, \S+ %, volume [\d.]+\.$/,
  );
  assert.deepEqual([complaints, outside], [[], []]);
  await close();
});

test("an API key is stored in the tab only, and its secret is never sent", { skip }, async () => {
  const terminal = await openTerminal(browser, exchange.rest);
  const { page, complaints, close } = terminal;
  const { apiKey = "?", secretKey = "?" } = exchange.accounts.find(({ name }) => name === "bob") ?? {};
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`),
  );
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("Use an API key instead").click();
  await dialog.getByRole("textbox", { name: "API key" }).fill(apiKey);
  await dialog.getByLabel("Secret key").fill("wrong");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByRole("alert").filter({ hasText: "-1022" }).waitFor();
  // The browser's own message about a response with an error status.
  assert.deepEqual(besides(complaints, [400, "/api/v3/account"]), []);
  await dialog.getByLabel("Secret key").fill(secretKey);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /^Signed in as / }).waitFor();

  const kept = await page.evaluate<string>("JSON.stringify(localStorage) + document.cookie");
  for (const text of [apiKey, secretKey]) assert.ok(!kept.includes(text), "nothing of it outlives the tab");
  await page.reload();
  await page.getByRole("button", { name: /^Signed in as / }).waitFor();
  const [address, other] = [`${exchange.rest}/`, await page.context().newPage()];
  await other.goto(address);
  await other.getByRole("button", { name: "Trade as alice" }).first().waitFor();
  assert.equal(await other.getByRole("button", { name: /^Signed in as / }).count(), 0, "another tab knows nothing");
  assert.ok(sent.length > 5 && sent.every((one) => !one.includes(secretKey)), "the secret stays in the page");

  await page.getByRole("button", { name: /^Signed in as / }).click();
  await page.getByRole("button", { name: "Remove the API key" }).click();
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).waitFor();
  assert.ok(
    !(await page.evaluate<string>("JSON.stringify(sessionStorage)")).includes(secretKey),
    "gone when signed out",
  );
  await close();
});

test("failed requests are reported as errors, not shown as empty", { skip }, async () => {
  const terminal = await visitTerminal(browser, exchange.rest);
  const { page, tables, book, close } = terminal;
  const broken = /\/api\/v3\/(depth|openOrders|allOrders|myTrades|klines|trades)\b/;
  await page.route(broken, (route) => route.fulfill({ status: 500, body: "broken" }));
  await page.reload();
  await signInAs(terminal, "alice");
  await page.getByRole("banner").waitFor();
  await page.getByText("The candles could not be loaded").waitFor();
  for (const [tab, none] of [
    ["Open orders", /^No open orders\./],
    ["Order history", /^No orders in this market yet\./],
    ["Trades", /^No trades in this market yet\./],
  ] as const) {
    await tables.getByRole("tab", { name: tab }).click();
    if (tab !== "Open orders") await tables.getByRole("alert").filter({ hasText: "Loading failed" }).waitFor();
    await sleep(300);
    assert.equal(await tables.getByText(none).count(), 0, tab);
  }
  assert.equal(
    await book.getByText("The order book is empty").isVisible(),
    false,
    "the book is not empty, but unknown",
  );
  await page.unroute(broken);
  await tables.getByRole("button", { name: "Try again" }).click();
  await until("the page recovers", async () => (await tables.getByRole("alert").count()) === 0, { withinMs: 30_000 });
  await book.locator(".level:visible").first().waitFor({ timeout: 30_000 });
  await close();
});

test("if the script of the chart cannot be loaded, the page reports it and everything else works", {
  skip,
}, async () => {
  const { page, chart, book, close } = await visitTerminal(browser, exchange.rest);
  await page.route(/\/stage-/, (route) => route.abort());
  await page.reload();
  await chart.getByRole("alert").filter({ hasText: "The chart could not be loaded." }).waitFor();
  await book.locator(".level:visible").first().waitFor();
  await page.unroute(/\/stage-/);
  await chart.getByRole("button", { name: "Reload page" }).click();
  await chart.locator("canvas").first().waitFor();
  await close();
});

test("no text becomes markup, code or style in the terminal's page", { skip }, async () => {
  const { page, close } = await visitTerminal(browser, exchange.rest);
  const forbidden = [
    "document.body.innerHTML = '<b>a</b>'",
    "document.body.insertAdjacentHTML('beforeend', '<b>a</b>')",
    "document.createElement('script').text = 'a'",
    "trustedTypes.createPolicy('a', {})",
    "setTimeout('a', 0)",
  ];
  for (const code of forbidden) {
    // The policy does not apply to the test driver's code, but it would to a script of the page.
    const outcome = await page.evaluate(
      `(() => { try { ${code}; return "done"; } catch (error) { return error.name; } })()`,
    );
    assert.notEqual(outcome, "done", code);
  }
  const coloured = await page.evaluate(`(() => {
    const style = document.createElement("style");
    style.append("body { outline: 7px solid }");
    document.head.append(style);
    return getComputedStyle(document.body).outlineWidth;
  })()`);
  assert.notEqual(coloured, "7px", "a style element");
  await close();
});

test("the policy blocks a key that is sent by a socket or request to another host", {
  skip,
}, async (t) => {
  const foreign = createServer((_, response) => response.end());
  new WebSocketServer({ server: foreign });
  t.after(() => {
    foreign.closeAllConnections();
    foreign.close();
  });
  let connections = 0;
  foreign.on("connection", () => connections++);
  await once(foreign.listen(0, "127.0.0.1"), "listening");
  const { port } = foreign.address() as AddressInfo;
  const own = `${exchange.rest.replace("http", "ws")}/ws/btcusdt@trade`;
  const provoked = [`ws://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/`];
  const [elsewhere, asked] = provoked;
  const triedBy = (page: Page): Promise<readonly string[]> =>
    page.evaluate<readonly string[]>(`Promise.all([
      ...${JSON.stringify([own, elsewhere])}.map((address) => new Promise((resolve) => {
        const socket = new WebSocket(address);
        socket.onopen = () => resolve("sent");
        socket.onerror = () => resolve("refused");
      })),
      fetch("${asked}", { mode: "no-cors" }).then(() => "sent", () => "refused"),
    ])`);

  const { page, complaints, seen, close } = await openTerminal(browser, exchange.rest, { provoked });
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  assert.deepEqual(await triedBy(page), ["sent", "refused", "refused"]);
  assert.equal(connections, 0);
  const { violations } = await seen();
  assert.deepEqual(
    violations.map((text) => text.split(" ").slice(0, 2).join(" ")),
    provoked.map((address) => `connect-src ${address}`),
  );
  assert.ok(complaints.length > 0 && complaints.every((one) => one.includes("Content Security Policy")));
  await close();

  const unheld = await openTerminal(browser, exchange.rest, { withoutPolicy: true, provoked });
  assert.deepEqual(await triedBy(unheld.page), ["sent", "sent", "sent"], "it is the policy that refused them");
  await unheld.close();
});

test("without JavaScript the terminal links to the documents", { skip }, async () => {
  const look = { name: "plain", width: 1280, scheme: "light", javaScript: false } as const;
  const { page, close } = await openPage(browser, exchange.rest, look);
  await page.goto(`${exchange.rest}/`);
  await page.click("noscript a");
  assert.equal(new URL(page.url()).pathname, "/start");
  await close();
});
