/** The cost of the terminal for a trader's browser: loading, and running with a full book that changes. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { Client } from "@pricetime/testkit/client";
import { type HeapParts, heapPartsOfPage } from "@pricetime/testkit/heap-parts";
import { median, quantile } from "@pricetime/testkit/quantile";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { KINDS, openChromium, type Shares, sharesOf, spentBy } from "./chromium.ts";
import { FullBook, SYMBOL } from "./full-book.ts";
import { longestTasks } from "./tasks.ts";
import { CONTENTS, type Noted, WatchedPage } from "./watched-page.ts";
import { type BenchOptions, table } from "../measure.ts";

const ROUNDS = 5;
const MINUTES = 3;
const MINUTE_MS = 60_000;
/** A loaded page is left idle for so long before it is measured. */
const SETTLE_MS = 5000;
/** With fewer updates per second, the load is not as intended. */
const LEAST_UPDATES = 8;
const TRACED_MS = 10_000;
const KEYS = "0.12345678901234567890".slice(0, 20);
const KEYS_EVERY_MS = 150;
/** Orders of the signed-in trader on each side. */
const OWN_ORDERS = 5;
/** Markets that are visited each minute. */
const AWAY = ["ETHUSDT", "SHIBUSDT"];
/** Later samples are compared with this minute's. */
const COMPARED_MINUTE = 5;
/** One in so many of an hour's samples is printed. */
const SHOWN_EVERY = 10;
const KB = 1000;
const MB = 1000 * KB;

export async function run({ rounds = ROUNDS, minutes = MINUTES }: BenchOptions): Promise<string[]> {
  const exchange = await startExchange({ args: ["--limits", "off"] });
  const book = await FullBook.open(exchange);
  const browser = await openChromium();
  try {
    await placeOwn(exchange);
    return [...(await loads(browser, exchange, rounds)), "", ...(await watch({ browser, exchange, book, minutes }))];
  } finally {
    await browser.close();
    book.close();
    await exchange.stop();
  }
}

/** Places the trader's own orders, which book, chart and tables show. */
async function placeOwn(exchange: Exchange): Promise<void> {
  const client = new Client(exchange.rest, exchange.accounts[0]);
  const { json } = await client.public<{ price: string }>("/api/v3/ticker/price", { symbol: SYMBOL });
  for (let n = 1; n <= OWN_ORDERS; n++) {
    for (const side of ["BUY", "SELL"] as const) {
      const price = `${Math.round(Number(json.price) * (1 + (side === "BUY" ? -0.004 : 0.004) * n))}.00`;
      const order = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", quantity: "0.5", price };
      const { status, text } = await client.signed("POST", "/api/v3/order", order);
      assert.equal(status, 200, text);
    }
  }
  client.close();
}

/** Loads the terminal and the start page, which is almost empty, alternately, each without a cache. */
async function loads(browser: Browser, { rest }: Exchange, rounds: number): Promise<string[]> {
  const seen: Record<"terminal" | "start", Noted[]> = { terminal: [], start: [] };
  const bytes: WatchedPage["bytes"][] = [];
  // The browser's first page is slow.
  await (await WatchedPage.open(browser, `${rest}/`)).close();
  for (let round = 0; round < rounds; round++) {
    const bare = await WatchedPage.open(browser, `${rest}/start`);
    await bare.untilQuiet();
    seen.start.push(await bare.noted());
    await bare.close();
    const page = await WatchedPage.open(browser, `${rest}/`);
    await page.untilUsable();
    await page.untilQuiet();
    seen.terminal.push(await page.noted());
    bytes.push(page.bytes);
    await page.close();
  }
  const ms = (of: readonly Noted[], what: "firstPaintMs" | "firstContentfulPaintMs" | "usableMs"): string =>
    median(of.map((noted) => noted[what] ?? Number.NaN)).toFixed(0);
  const kb = (of: (one: WatchedPage["bytes"]) => number): string => (median(bytes.map(of)) / KB).toFixed(1);
  return [
    `visits with an empty cache, medians of ${rounds}`,
    "",
    ...table(
      ["ms after the start of the visit", "terminal", "start page"],
      [
        ["first paint", ms(seen.terminal, "firstPaintMs"), ms(seen.start, "firstPaintMs")],
        [
          "first contentful paint",
          ms(seen.terminal, "firstContentfulPaintMs"),
          ms(seen.start, "firstContentfulPaintMs"),
        ],
        ["book shown, form usable", ms(seen.terminal, "usableMs"), ""],
      ],
    ),
    "",
    ...table(
      ["transferred", "kB"],
      [
        ...CONTENTS.map((content) => [content, kb((one) => one[content])]),
        ["total without data", kb((one) => sumOf(Object.values(one)) - one.data)],
        ["total", kb((one) => sumOf(Object.values(one)))],
      ],
    ),
  ];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

interface Watching {
  readonly browser: Browser;
  readonly exchange: Exchange;
  readonly book: FullBook;
  readonly minutes: number;
}

/** One visit of so many minutes, and for comparison one minute of the start page. */
async function watch({ browser, exchange, book, minutes }: Watching): Promise<string[]> {
  const windowMs = Math.min(1, minutes / 3) * MINUTE_MS;
  const bare = await WatchedPage.open(browser, `${exchange.rest}/start`);
  await sleep(SETTLE_MS);
  const idle = await sharesIn(browser, windowMs);
  await bare.close();

  const opened = performance.now();
  const watched = await WatchedPage.open(browser, `${exchange.rest}/`);
  const { page } = watched;
  await watched.untilUsable();
  await page.getByRole("button", { name: "Trade as alice" }).first().click();
  await page
    .getByRole("region", { name: "Orders and balances" })
    .locator("tbody tr")
    .nth(2 * OWN_ORDERS - 1)
    .waitFor();
  await sleep(SETTLE_MS);
  const first = await sampleOf(watched, opened);
  const plain = await sharesOfBusy(browser, watched, book, windowMs);
  await page.keyboard.press("/");
  const picker = page.getByRole("dialog", { name: "Markets" });
  await picker.waitFor();
  const markets = await picker.locator("tbody tr").count();
  await sleep(SETTLE_MS);
  const full = await sharesOfBusy(browser, watched, book, windowMs);
  const tasks = await longestTasks(browser, page, TRACED_MS);
  assert.ok(tasks.byThreadMs > 0, "no task was seen");
  await page.keyboard.press("Escape");
  await page.locator("form input[name=quantity]").focus();
  const keys = await watched.keyDelays(KEYS, KEYS_EVERY_MS);
  const levels = await book.checkFull();
  const memory = memoryRows([first, ...(await memoryOver(watched, opened, minutes))]);
  const { shifts } = await watched.noted();
  return [
    `a full book (at least ${levels} levels on each side), ${full.updates.toFixed(1)} updates per second with ` +
      `${full.levels.toFixed(0)} levels each, drawn ${plain.draws.toFixed(1)} times per second; ${windowMs / 1000} s each`,
    "",
    ...table(
      ["share of one core", ...KINDS, "all", "long tasks", "longest ms"],
      [
        shareRow("start page", idle, []),
        shareRow("terminal", plain.shares, plain.longTasks),
        shareRow(`the same, with the list of ${markets} markets open`, full.shares, full.longTasks),
      ],
    ),
    "",
    ...table(
      ["what", "ms"],
      [
        ["longest task in ten seconds, elapsed", tasks.byClockMs.toFixed(0)],
        ["the same, without waiting for a core", tasks.byThreadMs.toFixed(0)],
        [`key press to next paint, p50 of ${keys.length}`, least(quantile(keys, 0.5))],
        ["p98", least(quantile(keys, 0.98))],
      ],
    ),
    "",
    ...memory,
    "",
    `layout shift over the whole visit: ${shifts.toFixed(4)}`,
  ];
}

const least = (ms: number): string => (ms === 0 ? "< 16" : ms.toFixed(0));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function shareRow(name: string, shares: Shares, longTasks: readonly number[]): (string | number)[] {
  const longest = longTasks.length === 0 ? "" : Math.max(...longTasks).toFixed(0);
  return [name, ...KINDS.map((kind) => percent(shares[kind])), percent(shares.all), longTasks.length, longest];
}

async function sharesIn(browser: Browser, windowMs: number): Promise<Shares> {
  const startMs = performance.now();
  const before = await spentBy(browser);
  await sleep(windowMs);
  return sharesOf(before, await spentBy(browser), performance.now() - startMs);
}

interface Busy {
  readonly shares: Shares;
  readonly longTasks: readonly number[];
  /** Per second. */
  readonly updates: number;
  /** Per update. */
  readonly levels: number;
  /** Per second. */
  readonly draws: number;
}

async function sharesOfBusy(browser: Browser, watched: WatchedPage, book: FullBook, windowMs: number): Promise<Busy> {
  const since = await watched.nowMs();
  const before = book.told;
  const shares = await sharesIn(browser, windowMs);
  const after = book.told;
  const { longTasks } = await watched.noted(since);
  const events = after.events - before.events;
  const updates = (events * 1000) / windowMs;
  assert.ok(updates >= LEAST_UPDATES, `the book was updated ${updates.toFixed(1)} times a second`);
  const draws = await watched.drawsASecond();
  return { shares, longTasks, updates, levels: (after.levels - before.levels) / events, draws };
}

interface Sample extends HeapParts {
  readonly minute: number;
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

async function sampleOf(watched: WatchedPage, openedMs: number): Promise<Sample> {
  const minute = (performance.now() - openedMs) / MINUTE_MS;
  return { minute, ...(await watched.memory()), ...(await heapPartsOfPage(watched.session)) };
}

/** Samples until the visit has lasted so long; each minute other markets are visited. */
async function memoryOver(watched: WatchedPage, openedMs: number, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (;;) {
    const sample = await sampleOf(watched, openedMs);
    const { minute } = sample;
    samples.push(sample);
    if (minute >= minutes) return samples;
    for (const symbol of [...AWAY, SYMBOL]) await choose(watched, symbol);
    const endMs = openedMs + Math.min(minutes, Math.floor(minute) + 1) * MINUTE_MS;
    await sleep(Math.max(SETTLE_MS, endMs - performance.now()));
  }
}

async function choose({ page }: WatchedPage, symbol: string): Promise<void> {
  await page.locator(".market-button").click();
  const picker = page.getByRole("dialog", { name: "Markets" });
  await picker.getByRole("searchbox").fill(symbol);
  await page.keyboard.press("Enter");
  await picker.waitFor({ state: "hidden" });
  await page.locator(".book .bids .level:not([hidden])").first().waitFor();
}

/** Some of the samples, compared with the fifth minute's if there is one, otherwise with the first. */
function memoryRows(samples: readonly Sample[]): string[] {
  const fifth = samples.find(({ minute }) => minute >= COMPARED_MINUTE);
  const chosen = [samples[0], fifth, samples.at(-1)];
  const shown = samples.filter((sample, at) => chosen.includes(sample) || at % SHOWN_EVERY === 0);
  const base = fifth ?? samples[0];
  return table(
    ["minutes", "heap MB", "ratio to reference", "code", "data", "data ratio to reference", "DOM nodes", "listeners"],
    shown.map(({ minute, heapBytes, codeBytes, dataBytes, nodes, listeners }) => [
      minute.toFixed(1),
      (heapBytes / MB).toFixed(2),
      (heapBytes / (base?.heapBytes ?? Number.NaN)).toFixed(3),
      ...[codeBytes, dataBytes].map((bytes) => (bytes / MB).toFixed(2)),
      (dataBytes / (base?.dataBytes ?? Number.NaN)).toFixed(3),
      nodes,
      listeners,
    ]),
  );
}
