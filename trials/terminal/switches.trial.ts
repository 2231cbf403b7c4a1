/** Markets are switched often and quickly: the last one's book moves, and the node sends no more than what is looked at. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { CHROMIUM, isThere, openBrowser } from "../pages/browser.ts";
import { chooseMarket, openTerminal, shownBook, signInAs } from "./terminal.ts";

const skip = isThere ? false : `${CHROMIUM} is not there: apt-get install chromium`;
const SWITCHES = 50;
const MARKETS = ["ETHUSDT", "BNBUSDT", "LTCUSDT", "BTCUSDT", "ETHBTC"];

let exchange: Exchange;
let browser: Browser;
before(async () => {
  if (!isThere) return;
  // With limits: a page that asks for too much is refused.
  exchange = await startExchange();
  browser = await openBrowser();
});
after(async () => {
  if (!isThere) return;
  await browser.close();
  await exchange.stop();
});

interface Control {
  readonly method?: string;
  readonly params?: readonly string[];
  readonly id?: number;
}

/** What the page has asked the node to send, from the messages of its one connection. */
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

test("50 quick switches: one subscription of each stream, and the book moves", { skip }, async () => {
  const terminal = await openTerminal(browser, exchange.rest);
  const { page, complaints, outside, close } = terminal;
  const asked = new Asked();
  let sockets = 0;
  page.on("websocket", (socket) => {
    sockets++;
    socket.on("framesent", ({ payload }) => asked.hear(String(payload)));
  });
  await page.reload();
  await terminal.book.locator(".level:visible").first().waitFor();
  await signInAs(terminal, "alice");
  const kinds = [/^btcusdt@depth/, /^btcusdt@.*trade/i, /^btcusdt@kline/, /^!/, /^[^@!]+$/];
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
  assert.equal(sockets, 1, "one connection");
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
  assert.deepEqual([complaints, outside], [[], []]);
  await close();
});
