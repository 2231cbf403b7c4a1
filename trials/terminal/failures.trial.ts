/**
 * Failures around a terminal: no storage, a wrong clock, lost responses, a reached limit. The page reports each and
 * continues.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chromium, type Page } from "playwright-core";
import { Client } from "@pricetime/testkit/client";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { watch, WHOLE_CHROMIUM } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { type Entry, fillIn, submitOf } from "./order-form.ts";
import {
  changeMessages,
  chooseMarket,
  openTerminal,
  partsOf,
  rowsOf,
  showTab,
  shownBook,
  signInAs,
  type Terminal,
  visitTerminal,
} from "./terminal.ts";
import { BEST_ASK, cancelEverything, openOrders, openVenue, place, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 20_000, everyMs: 50 } as const;
const MINUTE_MS = 60_000;

const { venue, browser } = await rigOf(openVenue);

/** Drops the node's messages that contain this text, and no others. */
function withoutMessages(lost: string): (page: Page) => Promise<void> {
  return (page) => changeMessages(page, (text) => (text.includes(lost) ? null : text));
}

/** The page's own errors: browsers log a response with an error status as well. */
const complaintsOf = ({ complaints }: Pick<Terminal, "complaints">): readonly string[] =>
  complaints.filter((one) => !one.includes("Failed to load resource"));

test("in a browser without storage, the page opens, trades, and keeps its settings until it is left", {
  skip,
}, async (t) => {
  const folder = scratchFolder(t);
  // As with the browser's setting that forbids sites to store data.
  mkdirSync(join(folder, "Default"));
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
  writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify(settings));
  const context = await chromium.launchPersistentContext(folder, {
    ...{ executablePath: WHOLE_CHROMIUM, args: ["--no-sandbox"], viewport: { width: 1440, height: 900 } },
  });
  // A browser of its own, which would keep a failed trial running.
  inTheEnd(t, () => context.close());
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const { rest } = venue.exchange;
  const terminal = { ...partsOf(page), ...watch(page, rest) };
  await page.goto(`${rest}/`);
  const kept = await page.evaluate<string>(
    "(() => { try { localStorage; return 'kept'; } catch (e) { return e.name; } })()",
  );
  assert.equal(kept, "SecurityError", "the browser forbids it");
  await terminal.book.locator(".level:visible").first().waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  const theme = page.getByRole("dialog", { name: "Settings" }).getByRole("group", { name: "Theme" });
  await theme.getByRole("button", { name: "Light" }).click();
  assert.equal(await page.evaluate("document.documentElement.dataset.theme"), "light");
  await page.keyboard.press("Escape");
  await signInAs(terminal, "alice");
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: "19500", Quantity: "0.011" } });
  await submitOf(terminal).click();
  await page.getByRole("dialog").getByRole("button", { name: "Buy BTC" }).click();
  await until("it is open", async () => (await openOrders(venue.alice)).length === 1, SOON);
  await cancelEverything(venue.alice);
  assert.deepEqual(terminal.complaints, []);
});

test("the price of the newest trade is in header, book and title at once", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest, {
    before: withoutMessages('"stream":"!miniTicker@arr"'),
  });
  const { page, book } = terminal;
  const shown = async (): Promise<readonly string[]> => [
    (await page.locator(".figures .last dd").innerText()).replace(/[^\d.]/g, ""),
    (await book.locator(".spread .last").innerText()).replace(/[^\d.]/g, ""),
    (await page.title()).split(" ")[0]?.replaceAll(",", "") ?? "",
  ];
  const price = "19993.21";
  await place(venue.carol, { side: "SELL", type: "LIMIT", timeInForce: "GTC", quantity: "0.1", price });
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.1", price });
  let last: readonly string[] = [];
  await until(
    () => `all three say ${price}: ${last.join(" ")}`,
    async () => {
      last = await shown();
      return last.every((one) => one === price);
    },
    SOON,
  );
  assert.deepEqual(terminal.complaints, []);
  await terminal.close();
});

const BOUGHT: Entry = { side: "Buy", kind: "Limit", fields: { Price: "19600", Quantity: "0.019" } };
const ORDER = /\/api\/v3\/order(\?.*)?$/;

/** Alice's stream does not report her orders, so only a query can find them. */
const withoutReports = withoutMessages('"e":"executionReport"');

for (const [what, isTaken] of [
  ["answer", true],
  ["request", false],
] as const) {
  test(`an order whose ${what} is lost is unknown until a query resolves it`, { skip }, async () => {
    const terminal = await openTerminal(browser, venue.exchange.rest, { before: withoutReports });
    const { page, tables } = terminal;
    await signInAs(terminal, "alice");
    await tables.getByText(/^No open orders\./).waitFor();
    let isAnswered = false;
    let posts = 0;
    await page.route(ORDER, async (route) => {
      const isPost = route.request().method() === "POST";
      if (!isPost && isAnswered) return route.continue();
      if (isPost) posts++;
      if (isPost && isTaken) await route.fetch();
      return route.abort("connectionreset");
    });
    await fillIn(terminal, BOUGHT);
    await submitOf(terminal).click();
    await tables.getByText("Unknown: checking with the exchange").waitFor();
    await page
      .getByRole("log")
      .getByText(/Order status unknown: Buy 0\.019/)
      .first()
      .waitFor();
    assert.equal((await openOrders(venue.alice)).length, isTaken ? 1 : 0);
    isAnswered = true;
    const settled = isTaken
      ? page.getByRole("log").getByText(/The order was placed after all: /)
      : terminal.form.getByRole("alert").getByText("The exchange did not receive this order.");
    await settled.first().waitFor({ timeout: 30_000 });
    await until(
      "the table says so",
      async () => {
        const rows = (await rowsOf(terminal)).map((cells) => cells.join(" "));
        return isTaken ? rows.length === 1 && /\bOpen\b/.test(rows[0] ?? "") : rows.length === 0;
      },
      SOON,
    );
    assert.equal(posts, 1, "it is not sent a second time");
    assert.equal((await openOrders(venue.alice)).length, isTaken ? 1 : 0);
    await page.unroute(ORDER);
    await cancelEverything(venue.alice);
    assert.deepEqual(complaintsOf(terminal), []);
    await terminal.close();
  });
}

const COUNT_TONES = `
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
`;
/** The machine's clock is changed by this before the page opens. */
const wrongBy = (errorMs: number): string => `
  const Right = Date;
  window.Date = class extends Right {
    constructor(...parts) { if (parts.length === 0) super(Right.now() + ${errorMs}); else super(...parts); }
    static now() { return Right.now() + ${errorMs}; }
  };
`;

async function switchSounds({ page }: Terminal, to: "On" | "Off"): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  const sounds = page
    .getByRole("dialog", { name: "Settings" })
    .getByRole("group", { name: "Play a sound when an order is filled" });
  await sounds.getByRole("button", { name: to, exact: true }).click();
  await page.keyboard.press("Escape");
}

async function buyAtMarket(terminal: Terminal): Promise<void> {
  const fills = await filledCount();
  await fillIn(terminal, { side: "Buy", kind: "Limit", fields: { Price: BEST_ASK, Quantity: "0.001" } });
  await submitOf(terminal).click();
  await until("it is filled", async () => (await filledCount()) > fills, SOON);
}

async function filledCount(): Promise<number> {
  const { json } = await venue.alice.signed<readonly unknown[]>("GET", "/api/v3/myTrades", { symbol: SYMBOL });
  return json.length;
}

for (const [what, errorMs, says] of [
  ["six minutes ahead", 6 * MINUTE_MS + 30_000, "This device's clock is 6 min ahead of the exchange."],
  ["three hours behind", -3 * 60 * MINUTE_MS - 30_000, "This device's clock is 3 h behind the exchange."],
] as const) {
  test(`a machine whose clock is ${what}: the page reports it, and orders and sounds work`, { skip }, async () => {
    const terminal = await openTerminal(browser, venue.exchange.rest, {
      before: async (page) => {
        await page.addInitScript(wrongBy(errorMs));
        await page.addInitScript(COUNT_TONES);
      },
    });
    const { page, book } = terminal;
    await page.getByRole("status").getByText(says).waitFor();
    await signInAs(terminal, "alice");
    // Before the account's stream is open, only responses report changes.
    await page.locator(".holdings:not(.stale)").waitFor();
    const tones = (): Promise<number> => page.evaluate<number>("window.tones");
    await buyAtMarket(terminal);
    await page
      .getByRole("log")
      .getByText(/Order filled: /)
      .first()
      .waitFor();
    assert.equal(await tones(), 0, "silent until it is wanted");
    await switchSounds(terminal, "On");
    await buyAtMarket(terminal);
    await until("a tone was played", async () => (await tones()) === 1, SOON);
    await switchSounds(terminal, "Off");
    await showTab(terminal, "Trades");
    const rows = (await rowsOf(terminal)).length;
    await buyAtMarket(terminal);
    await until("the page knows of it", async () => (await rowsOf(terminal)).length > rows, SOON);
    assert.equal(await tones(), 1);
    assert.equal((await shownBook(terminal)).isStale, false);
    assert.equal(await book.getByText(/^Out of date/).isVisible(), false);
    assert.deepEqual(terminal.complaints, []);
    await terminal.close();
  });
}

test("above the limit, the page shows for how long, sends no requests meanwhile, and continues afterwards", {
  skip,
}, async (t) => {
  const limited = await startExchange({ args: ["--bots", "off", "--limits", "on"] });
  inTheEnd(t, () => limited.stop());
  const client = new Client(limited.rest, limited.accounts[0]);
  inTheEnd(t, () => client.close());
  const terminal = await visitTerminal(browser, limited.rest);
  inTheEnd(t, () => terminal.close());
  const { page } = terminal;
  await page.getByRole("button", { name: "BTC/USDT" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await until(
    "the address has used up its minute",
    async () => (await client.public("/api/v3/ticker/24hr")).status === 429,
    { ...SOON, everyMs: 0 },
  );
  await chooseMarket(terminal, "ETHUSDT");
  const banner = page.getByText(
    /^Too many requests from this IP address\. The exchange accepts requests again in \d+ (?:s|min)/,
  );
  await banner.waitFor();
  const asked: string[] = [];
  // The browser itself requests the icon, when the address changes.
  page.on("request", (request) => request.url() !== `${limited.rest}/favicon.svg` && asked.push(request.url()));
  await chooseMarket(terminal, "BTCUSDT");
  await page.waitForTimeout(500);
  const isShown = await banner.isVisible();
  if (isShown) assert.deepEqual(asked, [], "nothing is asked meanwhile");
  await banner.waitFor({ state: "hidden", timeout: 70_000 });
  await until("it asks again", () => asked.some((address) => address.includes("/api/v3/depth")), {
    withinMs: 40_000,
    everyMs: 100,
  });
  await until("trouble is over", async () => (await page.locator("p.banner").count()) === 0, {
    withinMs: 40_000,
    everyMs: 100,
  });
  assert.deepEqual(complaintsOf(terminal), []);
});
