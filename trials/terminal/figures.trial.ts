/** Numbers and marks that the page computes, each compared with the node's data. */
import type { AccountTrade, Depth, PublicTrade, Ticker24hr } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { until, untilAnswer } from "@pricetime/testkit/waiting";
import { rigOf, skip } from "../pages/rig.ts";
import { fieldOf, fillIn, numberIn } from "./order-form.ts";
import { openTerminal, showTab, signInAs, type Terminal } from "./terminal.ts";
import { openVenue, place, SYMBOL } from "./venue.ts";

const SOON = { withinMs: 30_000, everyMs: 50 } as const;
/** The decimal places of the market's prices and quantities: sums are computed with integers of them. */
const PRICE_DIGITS = 2;
const QUANTITY_DIGITS = 6;
/** With fewer trades, none is marked as large. */
const TRADES_TO_COMPARE = 40;

const { venue, browser } = await rigOf(openVenue);
let terminal: Terminal;
before(async () => {
  if (skip !== false) return;
  terminal = await openTerminal(browser, venue.exchange.rest);
  await signInAs(terminal, "alice");
});

/** A level of the node's book, in integer units. */
interface Level {
  readonly price: bigint;
  readonly quantity: bigint;
}

const units = (text: string, digits: number): bigint => {
  const [whole = "", part = ""] = text.replaceAll(",", "").split(".");
  assert.match(part.slice(digits), /^0*$/, `${text} has at most ${digits} digits`);
  return BigInt(whole + part.slice(0, digits).padEnd(digits, "0"));
};
const total = (levels: readonly Level[]): bigint => levels.reduce((sum, { quantity }) => sum + quantity, 0n);

/** Best first. */
async function nodesBook(): Promise<{ readonly bids: readonly Level[]; readonly asks: readonly Level[] }> {
  const { json } = await venue.alice.public<Depth>("/api/v3/depth", {
    ...{ symbol: SYMBOL, limit: 1000 },
  });
  const levels = (side: Depth["bids"]): Level[] =>
    side.map(([price, quantity]) => ({
      price: units(price, PRICE_DIGITS),
      quantity: units(quantity, QUANTITY_DIGITS),
    }));
  return { bids: levels(json.bids), asks: levels(json.asks) };
}

/** Waits until the page's value equals this one. */
async function untilShown(what: string, ask: () => Promise<unknown>, wanted: () => Promise<unknown>): Promise<void> {
  const look = async (): Promise<readonly [unknown, unknown]> => [await ask(), await wanted()];
  const isSame = ([shown, there]: readonly [unknown, unknown]): boolean =>
    JSON.stringify(shown) === JSON.stringify(there);
  const [shown, there] = await untilAnswer(what, look, isSame, SOON);
  assert.deepEqual(shown, there);
}

const RESTING = { type: "LIMIT", timeInForce: "GTC" } as const;

const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+\.)/g, ",");
/** Truncated, not rounded. */
const cents = (value: bigint): string => grouped(`${value / 100n}.${String(value % 100n).padStart(2, "0")}`);

/** The number of pixels of the chart in the colors of purchases and of sales. */
const COUNT_COLOURS = `(() => {
  const probe = document.body.appendChild(document.createElement("span"));
  const test = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const [bought, sold] = ["--up", "--down"].map((name) => {
    probe.style.color = "var(" + name + ")";
    test.fillStyle = getComputedStyle(probe).color;
    test.fillRect(0, 0, 1, 1);
    return [...test.getImageData(0, 0, 1, 1).data].join();
  });
  probe.remove();
  const counts = { bought: 0, sold: 0 };
  for (const canvas of document.querySelectorAll(".chart-canvas canvas")) {
    if (canvas.width === 0 || canvas.height === 0) continue;
    // A copy: the browser complains of one of the page's own canvases that is read often.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      const colour = data.slice(at, at + 4).join();
      if (colour === bought) counts.bought++;
      else if (colour === sold) counts.sold++;
    }
  }
  return counts;
})()`;

/** The minimum size of a mark, where its color differs from that of the candle. */
const MARK_PIXELS = 12;

test("the account's fills are drawn at their candle, and arrow keys read them", { skip }, async () => {
  const other = await openTerminal(browser, venue.exchange.rest);
  const { page, chart, tables } = other;
  const count = (): Promise<{ bought: number; sold: number }> => page.evaluate(COUNT_COLOURS);
  // One candle contains all of them, whatever the time is.
  await chart.getByRole("button", { name: "1d: 1 day" }).click();
  await chart.locator(".chart-legend").waitFor();
  // Waits until the chart is drawn completely.
  let bare = await count();
  await until(
    "the chart stands still",
    async () => {
      const before = bare;
      await page.waitForTimeout(500);
      bare = await count();
      return bare.sold + bare.bought > 0 && JSON.stringify(before) === JSON.stringify(bare);
    },
    SOON,
  );
  // Carol has no open order, because she has only sold.
  await signInAs(other, "carol");
  await showTab(other, "Trades");
  await tables.locator("tbody tr").first().waitFor();
  const marked = await untilAnswer(
    "what was sold is marked",
    count,
    ({ sold }) => sold >= bare.sold + MARK_PIXELS,
    SOON,
  );
  assert.ok(marked.bought <= bare.bought, `nothing was bought: ${marked.bought} after ${bare.bought}`);

  const { json } = await venue.carol.signed<readonly AccountTrade[]>(
    ...(["GET", "/api/v3/myTrades", { symbol: SYMBOL, limit: 1000 }] as const),
  );
  assert.ok(json.length > 0);
  await chart.getByRole("application").focus();
  await page.keyboard.press("End");
  const status = chart.getByRole("status").filter({ hasText: "Your trades: " });
  await status.waitFor();
  const heard = await status.innerText();
  for (const { price, qty, isBuyer } of json) {
    const words = `${isBuyer ? "bought" : "sold"} ${Number(qty)} at ${cents(units(price, PRICE_DIGITS))}`;
    assert.ok(heard.includes(words), `${words}: ${heard}`);
  }
  assert.deepEqual(other.complaints, []);
  await other.close();
});

test("the spread equals that of the node's book", { skip }, async () => {
  const shown = (): Promise<string> => terminal.book.locator(".apart").innerText();
  const there = async (): Promise<string> => {
    const { bids, asks } = await nodesBook();
    const [bid, ask] = [Number(bids[0]?.price), Number(asks[0]?.price)];
    const percent = (((ask - bid) / ((ask + bid) / 2)) * 100).toFixed(4);
    return `Spread ${((ask - bid) / 100).toFixed(2)} · ${percent}%`;
  };
  await untilShown("the spread", shown, there);
  assert.equal(await shown(), "Spread 20.00 · 0.1000%");
  await place(venue.carol, { ...RESTING, side: "BUY", quantity: "4", price: "19993.50" });
  await untilShown("a smaller spread", shown, there);
  assert.notEqual(await shown(), "Spread 20.00 · 0.1000%");
});

test("a click on a level fills in its price, with Shift also the quantity up to it", { skip }, async () => {
  const { book } = terminal;
  for (const [side, of] of [
    ["asks", "Buy"],
    ["bids", "Sell"],
  ] as const) {
    await fillIn(terminal, { side: of, kind: "Limit", fields: { Price: "1", Quantity: "0.007" } });
    const levels = (await nodesBook())[side].slice(0, 4);
    const price = (Number(levels.at(-1)?.price) / 100).toFixed(2);
    const level = book.locator(`.${side} .level:visible`).filter({
      hasText: price.replace(/(\d)(\d{3}\.)/, "$1,$2"),
    });
    const filled = async (): Promise<readonly string[]> =>
      Promise.all(["Price", "Quantity"].map((name) => numberIn(terminal, name)));
    await level.click();
    assert.deepEqual((await filled()).map(Number), [Number(price), 0.007], "the quantity stays");
    await fieldOf(terminal, "Price").fill("1");
    await level.click({ modifiers: ["Shift"] });
    assert.deepEqual((await filled()).map(Number), [Number(price), Number(total(levels)) / 10 ** QUANTITY_DIGITS]);
  }
});

const upwards = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

/** The estimate of an order of that size from the node's book: the lines of the form. */
async function sumsOf(side: "bids" | "asks", wanted: bigint): Promise<Readonly<Record<string, string>>> {
  const levels = (await nodesBook())[side];
  let [left, product, worst] = [wanted, 0n, 0n];
  for (const { price, quantity } of levels) {
    if (left === 0n) break;
    const taken = left < quantity ? left : quantity;
    [left, product, worst] = [left - taken, product + taken * price, price];
  }
  assert.equal(left, 0n, "the book has that much");
  const atBest = wanted * (levels[0]?.price ?? 0n);
  const away = side === "asks" ? product - atBest : atBest - product;
  return {
    "Estimated average price": `${cents(product / wanted)} USDT`,
    "Estimated worst price": `${cents(worst)} USDT`,
    // Hundredths of a percent.
    "Estimated slippage": `${cents(upwards(away * 10_000n, atBest))}%`,
  };
}

test("a market order through several levels shows average, worst price and slippage, and a warning from 1 % on", {
  skip,
}, async () => {
  const { form } = terminal;
  const lines = async (): Promise<Readonly<Record<string, string>>> => {
    const all = await form.locator(".sum").all();
    const pairs = await Promise.all(
      all.map((one) => Promise.all([one.locator("dt").innerText(), one.locator("dd").innerText()])),
    );
    return Object.fromEntries(pairs.filter(([name]) => name.startsWith("Estimated")));
  };
  const warning = form.getByText(/^High slippage: /);
  // Far from the other levels, so that an order that reaches it pays more.
  await place(venue.carol, { ...RESTING, side: "SELL", quantity: "3", price: "23000.00" });
  for (const [side, quantity, levels, isWarned] of [
    ["Buy", "0.3", "asks", false],
    ["Buy", "2.25", "asks", false],
    ["Sell", "6.75", "bids", false],
    ["Buy", "15.6", "asks", false],
    ["Buy", "15.9", "asks", true],
  ] as const) {
    await fillIn(terminal, { side, kind: "Market", fields: { Quantity: quantity }, amountIn: "BTC" });
    const there = await sumsOf(levels, units(quantity, QUANTITY_DIGITS));
    await untilShown(`the sums of ${side} ${quantity}`, lines, async () => there);
    assert.equal(await warning.count(), isWarned ? 1 : 0, `${side} ${quantity}`);
    const percent = Number.parseFloat(there["Estimated slippage"] ?? "");
    assert.equal(percent >= 1, isWarned, `${percent} %`);
    if (!isWarned) continue;
    const said = Number(/at least ([\d.]+)% worse/.exec(await warning.innerText())?.[1]);
    assert.ok(said <= percent && percent - said < 0.11, `${said} % is said of ${percent} %`);
  }
});

/** Newest first, as the page formats them. */
async function nodesTape(count: number): Promise<readonly string[]> {
  const { json } = await venue.alice.public<readonly PublicTrade[]>("/api/v3/trades", { symbol: SYMBOL, limit: 1000 });
  const newest = json.toSorted((one, other) => other.id - one.id).slice(0, count);
  return newest.map(({ price, qty, time, isBuyerMaker }) => {
    const at = new Date(time).toISOString().slice(11, 19);
    const shown = [cents(units(price, PRICE_DIGITS)), isBuyerMaker ? "▼" : "▲"].join(" ");
    return [shown, Number(qty).toFixed(QUANTITY_DIGITS), at].join(" ");
  });
}

test("the trades equal the node's, with an arrow for the taker's side, and a large trade among many is marked", {
  skip,
}, async () => {
  const { page, book } = terminal;
  const tape = page.getByRole("region", { name: "Recent trades" });
  const rows = tape.locator(".print:visible");
  const shown = async (): Promise<readonly string[]> =>
    (await rows.all()).length === 0
      ? []
      : Promise.all((await rows.all()).map(async (row) => (await row.locator("span").allInnerTexts()).join(" ")));
  const there = async (): Promise<readonly string[]> => nodesTape(await rows.count());
  const last = page.locator(".figures .last dd");
  for (const [side, arrow] of [
    ["BUY", "▲"],
    ["SELL", "▼"],
    ["BUY", "▲"],
  ] as const) {
    await place(venue.alice, { side, type: "MARKET", quantity: "0.01" });
    await untilShown(`the trade of a ${side}`, shown, there);
    assert.match((await shown())[0] ?? "", new RegExp(`${arrow} 0\\.010000`));
    await untilShown(
      "the last price, with where it went",
      async () => [await last.innerText(), await book.locator(".spread .last").innerText()],
      async () => {
        const [price = ""] = (await nodesTape(1))[0]?.split(" ") ?? [];
        return [`${price} ${arrow}`, `${price} ${arrow}`];
      },
    );
  }
  assert.equal(await tape.locator(".large").count(), 0, "of a few trades none is large");
  for (let trade = 0; trade < TRADES_TO_COMPARE; trade++) {
    await place(venue.alice, { side: trade % 2 === 0 ? "BUY" : "SELL", type: "MARKET", quantity: "0.001" });
  }
  await place(venue.alice, { side: "SELL", type: "MARKET", quantity: "0.321" });
  await untilShown("the tape after many", shown, there);
  const large = tape.locator(".print.large:visible");
  assert.deepEqual(await large.locator("span:nth-child(2)").allInnerTexts(), ["0.321000"]);
});

test("the 24-hour figures equal those of the node's ticker, for a rising and a falling price", { skip }, async () => {
  const { page } = terminal;
  const figures = page.locator(".figures");
  const shown = async (): Promise<readonly string[]> => {
    const all = await figures.locator(".change dd, .middling dd").allInnerTexts();
    return all.map((text) => text.replaceAll(",", "").replace("−", "-"));
  };
  const signs: number[] = [];
  const there = async (): Promise<readonly string[]> => {
    const { json } = await venue.alice.public<Ticker24hr>("/api/v3/ticker/24hr", { symbol: SYMBOL });
    const [last, open] = [json.lastPrice, json.openPrice].map((text) => units(text, PRICE_DIGITS)) as [bigint, bigint];
    const change = Number(((last - open) * 10_000n) / open) / 100;
    assert.ok(Math.abs(change - Number(json.priceChangePercent)) <= 0.01, `${change} and ${json.priceChangePercent}`);
    signs.push(Math.sign(change));
    const prices = [json.highPrice, json.lowPrice].map((text) => Number(text).toFixed(PRICE_DIGITS));
    return [`${change > 0 ? "+" : ""}${change.toFixed(2)}%`, ...prices];
  };
  await untilShown("the change and the range", shown, there);
  assert.equal(signs.at(-1), 1);
  const trade = { ...RESTING, quantity: "0.05", price: "19800.00" };
  // Below all bids; first, the bids are canceled.
  await venue.bob.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL });
  await venue.carol.signed("DELETE", "/api/v3/openOrders", { symbol: SYMBOL });
  await place(venue.bob, { ...trade, side: "BUY" });
  await place(venue.carol, { ...trade, side: "SELL" });
  await untilShown("a price below that of yesterday", shown, there);
  assert.equal(signs.at(-1), -1);
  assert.match(await figures.locator(".change dd").innerText(), /^−/);
  assert.deepEqual(terminal.complaints, []);
});
