/** Untrusted texts are shown as text and never run: in the page and in the files that it saves. */
import type { Account, ExchangeInfo } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { until } from "@pricetime/testkit/waiting";
import { savedBy } from "../pages/opened.ts";
import { assertHarmless, assertNoFormula, IMAGE, SCRIPT, spoil } from "../pages/strange-texts.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { changeMessages, chooseMarket, openByKey, openTerminal, shownBook, showTab, signInAs } from "./terminal.ts";
import { cancelEverything, openVenue, place } from "./venue.ts";

const { venue, browser } = await rigOf(openVenue);
beforeEach(async () => {
  if (skip === false) await cancelEverything(venue.alice);
});

/** The same for a response that is an object or an array. */
function spoilJson<Answer>(change: (answer: Answer) => unknown): (route: Route) => Promise<void> {
  return (route) => spoil(route, (text) => JSON.stringify(change(JSON.parse(text) as Answer)));
}

/** Messages of the streams, each modified as a hostile node might do. */
function spoilStreams(page: Page, change: (event: Record<string, unknown>) => unknown): Promise<void> {
  return changeMessages(page, (text) => {
    const message = JSON.parse(text) as Record<string, unknown>;
    // The account's stream sends bare events, without the name of a stream.
    if ("e" in message) return JSON.stringify(change(message));
    const { data } = message;
    const isEvent = typeof data === "object" && data !== null && !Array.isArray(data);
    return isEvent ? JSON.stringify({ ...message, data: change(data as Record<string, unknown>) }) : text;
  });
}

test("markup in texts of a node, an account and an order stays text", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, tables, form, close } = terminal;
  const quoted = JSON.stringify(IMAGE).slice(1, -1);
  await page.route("**/terminal.json", (route) =>
    spoil(route, (text) => text.replace('"name":"bob"', `"name":"${quoted}"`)),
  );
  // A client order ID that the node itself would not accept.
  await page.route(/\/api\/v3\/(openOrders|allOrders)\b/, (route) =>
    spoil(route, (text) => text.replace(/"clientOrderId":"[^"]*"/g, `"clientOrderId":"${quoted}"`)),
  );
  await page.route(/\/api\/v3\/exchangeInfo\b/, (route) =>
    spoil(route, (text) => text.replace('"status":"TRADING"', `"status":"${quoted}"`)),
  );
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19500.00" });
  await page.reload();
  await page.getByText(`This market is closed (${IMAGE})`).waitFor();
  await page
    .getByRole("button", { name: `Trade as ${IMAGE}` })
    .first()
    .waitFor();
  await signInAs(terminal, "alice");
  await showTab(terminal, "Open orders");
  await tables.getByText("19,500.00").waitFor();

  const refusal = { code: -2010, msg: `${IMAGE} ${SCRIPT}` };
  await page.route(/\/api\/v3\/order(\?.*)?$/, (route) => route.fulfill({ status: 400, json: refusal }));
  await page.unroute(/\/api\/v3\/exchangeInfo\b/);
  await page.reload();
  await page.getByRole("button", { name: "Signed in as alice" }).waitFor();
  await form.getByRole("textbox", { name: "Price" }).fill("19400");
  await form.getByRole("textbox", { name: "Quantity" }).fill("0.01");
  await form.locator("button[type=submit]").click();
  await form.getByRole("alert").filter({ hasText: refusal.msg }).waitFor();

  await assertHarmless(terminal, (await terminal.seen()).violations, "#terminal");
  await close();
});

test("markup in names of assets and markets stays text, and the user can leave a market with such a name", {
  skip,
}, async () => {
  const names = new Map([["ETHUSDT", SCRIPT]]);
  const named = <Row extends { readonly symbol: string }>(row: Row): Row => ({
    ...row,
    symbol: names.get(row.symbol) ?? row.symbol,
  });
  const terminal = await openTerminal(browser, venue.exchange.rest, {
    before: async (page) => {
      // An asset of the selected market, and all names of another market.
      const info = spoilJson<ExchangeInfo>(({ symbols, ...rest }) => ({
        ...rest,
        symbols: symbols.map((one) => ({ ...named(one), baseAsset: one.symbol === "LTCUSDT" ? "LTC" : IMAGE })),
      }));
      await page.route(/\/api\/v3\/exchangeInfo\b/, info);
      await page.route(
        /\/api\/v3\/ticker\/24hr\b/,
        spoilJson<ExchangeInfo["symbols"]>((rows) => rows.map(named)),
      );
      const account = spoilJson<Account>(({ balances, ...rest }) => ({
        ...rest,
        balances: balances.map((one) => ({ ...one, asset: one.asset === "BTC" ? IMAGE : one.asset })),
      }));
      await page.route(/\/api\/v3\/account(\?|$)/, account);
    },
  });
  const { page, tables, form, book, chart, close } = terminal;
  await signInAs(terminal, "alice");
  await page.getByRole("button", { name: `${IMAGE}/USDT`, exact: true }).waitFor();
  await form
    .getByRole("button", { name: `Buy ${IMAGE}` })
    .last()
    .waitFor();
  await book.getByText(`Quantity (${IMAGE})`).waitFor();
  assert.ok((await page.title()).includes(`${IMAGE}/USDT`));
  await showTab(terminal, "Balances");
  await tables.getByText(IMAGE, { exact: true }).waitFor();
  await showTab(terminal, "Open orders");
  const picker = await openByKey(terminal, "/", "Markets");
  const star = page.getByRole("button", { name: `Favorite: ${SCRIPT}` });
  await star.click();
  // The node does not have this market: the page requests it, and shows the error.
  await picker.getByRole("row").filter({ has: star }).getByRole("link").click();
  await picker.waitFor({ state: "hidden" });
  await chart.getByText("The candles could not be loaded").waitFor();
  const asked = page.waitForRequest((request) => request.url().includes(encodeURIComponent(SCRIPT)));
  await page.reload();
  await asked;
  await chart.getByText("The candles could not be loaded").waitFor();
  await chooseMarket(terminal, "BTCUSDT");
  await until("its book", async () => (await shownBook(terminal)).bids.length > 5, { withinMs: 20_000 });
  await assertHarmless(terminal, (await terminal.seen()).violations, "#terminal");
  await close();
});

test("markup in the account's stream stays text", { skip }, async () => {
  const texts = { executionReport: ["c", "C", "o", "f", "N", "r"], outboundAccountPosition: [], balanceUpdate: ["a"] };
  const terminal = await openTerminal(browser, venue.exchange.rest, {
    before: (page) =>
      spoilStreams(page, (event) => {
        const { e, B } = event as { readonly e: string; readonly B?: readonly { readonly a: string }[] };
        if (!Object.hasOwn(texts, e)) return event;
        const spoilt = Object.fromEntries(texts[e as keyof typeof texts].map((name) => [name, `${IMAGE}${name}`]));
        return { ...event, ...spoilt, ...(B !== undefined && { B: B.map((one) => ({ ...one, a: IMAGE })) }) };
      }),
  });
  const { tables, close } = terminal;
  await signInAs(terminal, "alice");
  await tables.getByText(/^No open orders\./).waitFor();
  const order = { type: "LIMIT", timeInForce: "GTC" };
  await place(venue.alice, { ...order, side: "BUY", quantity: "0.01", price: "19500.00" });
  await tables.getByText(`${IMAGE}o`).waitFor();
  await tables.getByText(`${IMAGE}f`).waitFor();
  // Fetched data is not modified, and would replace the stream's data.
  await showTab(terminal, "Trades");
  await tables.getByText(/^No trades in this market yet\./).waitFor();
  await place(venue.alice, { ...order, side: "BUY", quantity: "0.001", price: "20010.00" });
  await tables.getByText(`${IMAGE}N`).first().waitFor();
  await showTab(terminal, "Balances");
  await tables.getByText(IMAGE, { exact: true }).first().waitFor();
  await assertHarmless(terminal, (await terminal.seen()).violations, "#terminal");
  await close();
});

test("markup in a pasted key, and in the key that the tab stores, stays text", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, close } = terminal;
  // A node that accepts such a key.
  const answers = { account: { makerCommission: 10, takerCommission: 10, updateTime: 1, balances: [] } };
  await page.route(/\/api\/v3\/(account|openOrders|openOrderList|allOrders|myTrades)\b/, (route) => {
    const path = new URL(route.request().url()).pathname.replace("/api/v3/", "");
    return route.fulfill({ json: Reflect.get(answers, path) ?? [] });
  });
  await page.routeWebSocket(/\/ws-api\/v3/, (socket) => {
    socket.onMessage((text) => {
      const { id } = JSON.parse(String(text)) as { id: unknown };
      socket.send(JSON.stringify({ id, status: 200, result: { subscriptionId: 0 } }));
    });
  });
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("Use an API key instead").click();
  await dialog.getByRole("textbox", { name: "API key" }).fill(IMAGE);
  await dialog.getByLabel("Secret key").fill(SCRIPT);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: `Signed in as ${IMAGE.slice(0, 8)}` }).waitFor();
  await page.evaluate(`(() => {
    const kept = sessionStorage.getItem("pricetime.session");
    sessionStorage.setItem("pricetime.session", kept.replace(/"label":"[^"]*"/, '"label":' + ${JSON.stringify(JSON.stringify(IMAGE))}));
  })()`);
  await page.reload();
  await page.getByRole("button", { name: `Signed in as ${IMAGE}` }).click();
  await page
    .getByRole("dialog", { name: `Signed in as ${IMAGE}` })
    .getByText(IMAGE)
    .waitFor();
  await assertHarmless(terminal, (await terminal.seen()).violations, "#terminal");
  await close();
});

test("a formula in a text of the node is escaped in the spreadsheet", { skip }, async () => {
  const terminal = await openTerminal(browser, venue.exchange.rest);
  const { page, tables, close } = terminal;
  await page.route(/\/api\/v3\/openOrders\b/, (route) =>
    spoil(route, (text) => text.replaceAll('"type":"LIMIT"', '"type":"=HYPERLINK(1)"')),
  );
  await place(venue.alice, { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "19510.00" });
  await signInAs(terminal, "alice");
  await showTab(terminal, "Open orders");
  await tables.getByText("=HYPERLINK").first().waitFor();
  const { text: file } = await savedBy(tables.getByRole("button", { name: "Export CSV" }));
  const [head = "", ...lines] = file.split("\r\n").filter((line) => line !== "");
  assert.ok(head.split(",").length > 5, head);
  assert.ok(lines.length > 0 && file.includes("19510"), file);
  assert.ok(file.includes("'=HYPERLINK"), file);
  assertNoFormula(lines.join(",").split(","));
  await close();
});
