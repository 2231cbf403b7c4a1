/**
 * Markets and intervals are switched often and quickly: the last one is live, the node sends only its data, and nothing
 * of the others is left.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Locator } from "playwright-core";
import { heapPartsOfPage } from "@pricetime/testkit/heap-parts";
import { startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { PHONE } from "../pages/opened.ts";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { chooseMarket, openTerminal, shownBook, signInAs } from "./terminal.ts";

const SWITCHES = 50;
const MARKETS = ["ETHUSDT", "BNBUSDT", "LTCUSDT", "BTCUSDT", "ETHBTC"];

// With limits, so that a page with too many requests would be rejected.
const { venue: exchange, browser } = await rigOf(startExchange);

interface Control {
  readonly method?: string;
  readonly params?: readonly string[];
  readonly id?: number;
}

/** The streams that the page has subscribed, from its messages. */
class Asked {
  readonly streams = new Map<string, number>();

  hear(text: string): void {
    const { method, params = [] } = JSON.parse(text) as Control;
    const by = method === "SUBSCRIBE" ? 1 : method === "UNSUBSCRIBE" ? -1 : 0;
    for (const name of params) this.streams.set(name, (this.streams.get(name) ?? 0) + by);
  }

  get now(): readonly string[] {
    return [...this.streams].filter(([, count]) => count > 0).map(([name]) => name);
  }
}

test("after 50 quick switches, each stream has one subscription, and the book is live", { skip }, async () => {
  const terminal = await openTerminal(browser, exchange.rest);
  const { page, complaints, outside, close } = terminal;
  const asked = new Asked();
  const sockets: string[] = [];
  page.on("websocket", (socket) => {
    sockets.push(new URL(socket.url()).pathname);
    socket.on("framesent", ({ payload }) => asked.hear(String(payload)));
  });
  await page.reload();
  await terminal.book.locator(".level:visible").first().waitFor();
  await signInAs(terminal, "alice");
  const kinds = [/^btcusdt@depth/, /^btcusdt@.*trade/i, /^btcusdt@kline/, /^!/];
  await until(
    () => `all kinds of streams: ${asked.now.join(" ")}`,
    () => kinds.every((kind) => asked.now.some((name) => kind.test(name))),
    { withinMs: 20_000 },
  );
  const before = asked.now.length;
  for (let turn = 0; turn < SWITCHES; turn++) {
    await chooseMarket(terminal, MARKETS[turn % MARKETS.length] ?? "");
  }
  await page.getByRole("button", { name: "ETH/BTC" }).waitFor();
  await until("its book is there", async () => (await shownBook(terminal)).bids.length > 5, { withinMs: 20_000 });
  await until(
    () => `all others are left: ${asked.now.join(" ")}; there were ${before}`,
    () => asked.now.length === before,
    { withinMs: 20_000 },
  );
  await sleep(1000);
  assert.deepEqual(sockets, ["/stream", "/account/stream"], "one connection for the markets, one for the account");
  assert.equal(asked.now.length, before, asked.now.join(" "));
  const ofMarkets = asked.now.filter((name) => name.includes("@"));
  assert.ok(
    ofMarkets.every((name) => name.startsWith("ethbtc@") || name.startsWith("!")),
    ofMarkets.join(" "),
  );
  assert.equal(new Set(asked.now).size, asked.now.length);
  assert.ok(
    [...asked.streams.values()].every((count) => count === 0 || count === 1),
    "none is asked for twice",
  );

  await chooseMarket(terminal, "BTCUSDT");
  await until("its book", async () => (await shownBook(terminal)).bids.length > 5, { withinMs: 20_000 });
  const first = JSON.stringify(await shownBook(terminal));
  await until("it moves", async () => JSON.stringify(await shownBook(terminal)) !== first, { withinMs: 10_000 });
  const [bid, ask] = await shownBook(terminal).then(({ bids, asks }) => [bids[0]?.price, asks[0]?.price]);
  assert.ok(Number(bid) < Number(ask), `${bid} < ${ask}`);
  assert.ok(Number(bid) > 10_000, `${bid} is no price of another market`);
  // On a busy machine, requests of a market that was left may be sent after their window.
  const late = ["/api/v3/myTrades", "/api/v3/account/commission"].map((path) => [400, path] as const);
  assert.deepEqual([besides(complaints, ...late), outside], [[], []]);
  await close();
});

/** The most growth of the page's heap, as a factor. */
const MOST_GROWTH = 1.05;
const INTERVALS = ["1m: 1 minute", "1h: 1 hour", "1d: 1 day", "5m: 5 minutes"];

test("after 40 changes of the interval, one stream of candles is left, and nothing of the earlier charts", {
  skip,
}, async () => {
  const asked = new Asked();
  const { page, chart, complaints, close } = await openTerminal(browser, exchange.rest, {
    before: async (opened) => {
      opened.on("websocket", (socket) => socket.on("framesent", ({ payload }) => asked.hear(String(payload))));
    },
  });
  await chart.locator(".chart-legend").waitFor();
  const browserSide = await page.context().newCDPSession(page);
  const nodes = async (): Promise<number> => {
    await browserSide.send("HeapProfiler.collectGarbage");
    return (await browserSide.send("Memory.getDOMCounters")).nodes;
  };
  const change = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at++) {
      await page.getByRole("button", { name: INTERVALS[at % INTERVALS.length] ?? "" }).click();
    }
    await chart.locator(".chart-legend").waitFor();
  };
  await change(INTERVALS.length);
  const few = await nodes();
  const before = await heapPartsOfPage(browserSide);
  await change(40);
  const candles = (): readonly string[] => asked.now.filter((name) => name.includes("@kline_"));
  await until(
    () => `one stream is left: ${candles().join(" ")}`,
    () => candles().length === 1,
    { withinMs: 40_000 },
  );
  await until(`no more than the ${few} nodes of before`, async () => (await nodes()) < few * 1.2, { everyMs: 500 });
  const { dataBytes } = await heapPartsOfPage(browserSide);
  process.stdout.write(`# ${before.dataBytes} ${dataBytes}\n`);
  assert.ok(dataBytes < before.dataBytes * MOST_GROWTH, `${dataBytes} bytes, ${before.dataBytes} before`);
  assert.deepEqual(complaints, []);
  await close();
});

/** Only one market of the demo has prices of five digits. */
const PRICE_OF_BTC = 10_000;
const FRAMES = 20;

test("a phone's book and form that are opened after a switch show nothing of the other market", { skip }, async () => {
  const terminal = await openTerminal(browser, exchange.rest, { viewport: PHONE });
  const { page, book, complaints, close } = terminal;
  const tab = (name: string): Locator => page.getByRole("tab", { name, exact: true }).first();
  await tab("Book").click();
  await until("its ladder", async () => Number((await shownBook(terminal)).bids[0]?.price) > PRICE_OF_BTC);
  await tab("Trade").click();
  const quantity = terminal.form.getByRole("textbox", { name: "Quantity" });
  await quantity.fill("0.02");
  await tab("Chart").click();
  // Until the data arrives, the page could only show that of the other market.
  const { promise: isWanted, resolve: want } = Promise.withResolvers<void>();
  await page.route(/\/api\/v3\/depth\b/, async (route) => {
    await isWanted;
    await route.continue();
  });
  await page.getByRole("button", { name: "BTC/USDT" }).click();
  const picker = page.getByRole("dialog", { name: "Markets" });
  await picker.getByRole("searchbox", { name: "Search markets" }).fill("ETHUSDT");
  await page.keyboard.press("Enter");
  await picker.waitFor({ state: "hidden" });
  const seen = await page.evaluate<readonly string[]>(`(async () => {
    const seen = new Set();
    [...document.querySelectorAll(".places [role=tab]")].find((one) => one.textContent === "Book").click();
    for (let frame = 0; frame < ${FRAMES}; frame++) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      for (const { textContent } of document.querySelectorAll(".book .level:not([hidden]) .price")) seen.add(textContent);
    }
    return [...seen];
  })()`);
  assert.deepEqual(seen, []);
  want();
  await until("the other ladder", async () => (await shownBook(terminal)).bids.length > 5, { withinMs: 20_000 });
  assert.ok(await book.isVisible());
  assert.ok(Number((await shownBook(terminal)).bids[0]?.price) < PRICE_OF_BTC);
  await tab("Trade").click();
  assert.equal(await quantity.inputValue(), "");
  assert.deepEqual(complaints, []);
  await close();
});
