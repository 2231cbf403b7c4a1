/**
 * A demo's first start: every symbol has a past of every interval, all of one piece, which the journal makes again.
 * PAST_SYMBOLS=some looks at the three that must agree with each other.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { STORED_INTERVALS, type StoredInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoFile, operate, pricetime, startExchange } from "@pricetime/testkit/venue";

type Line = [number, string, string, string, string, string, number, string, number, string, string, string];
type Past = ReadonlyMap<StoredInterval, readonly Line[]>;

const DAY_MS = 86_400_000;
/** The three that must agree with each other. */
const SOME = ["BTCUSDT", "ETHUSDT", "ETHBTC"];
const isEvery = process.env["PAST_SYMBOLS"] !== "some";
/** Candles at the end of a page that the bots may have traded in, however long the start takes. */
const UNDER_WAY = 5;
/** Candles that one page must have at least. */
const PROMISED: Readonly<Partial<Record<StoredInterval, number>>> = { "3d": 600, "1w": 260, "1M": 60 };

async function pastOf(client: Client, symbol: string): Promise<Past> {
  const pages = STORED_INTERVALS.map(async (interval) => {
    const { json } = await client.public<Line[]>("/api/v3/klines", { symbol, interval, limit: 1000 });
    return [interval, json] as const;
  });
  return new Map(await Promise.all(pages));
}

const units = (decimal: string): bigint => BigInt(decimal.replace(".", ""));

/** Index of the first candle that opens at `timeMs` or later. */
function placeOf(lines: readonly Line[], timeMs: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.[0] ?? 0) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the candles that open in `[fromMs, toMs)` add up to, or undefined when they do not begin with it. */
function sum(lines: readonly Line[], fromMs: number, toMs: number): unknown[] | undefined {
  const from = placeOf(lines, fromMs);
  const inside = lines.slice(from, placeOf(lines, toMs));
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || first[0] !== fromMs) return undefined;
  const most = (of: bigint[]): bigint => of.reduce((a, b) => (a > b ? a : b));
  const least = (of: bigint[]): bigint => of.reduce((a, b) => (a < b ? a : b));
  const total = (column: 5 | 7 | 9 | 10): bigint => inside.reduce((all, line) => all + units(line[column]), 0n);
  const prices = [units(first[1]), most(inside.map((l) => units(l[2]))), least(inside.map((l) => units(l[3])))];
  const count = inside.reduce((all, line) => all + line[8], 0);
  return [...prices, units(last[4]), total(5), total(7), count, total(9), total(10)];
}

/** Every candle of every interval is what each of the `next` shorter ones adds up to, where a page has all of those. */
function checkSums(symbol: string, past: Past, next: number): number {
  let checked = 0;
  for (const [at, interval] of STORED_INTERVALS.entries()) {
    for (const finer of STORED_INTERVALS.slice(Math.max(0, at - next), at)) {
      const lines = past.get(finer) ?? [];
      for (const line of past.get(interval) ?? []) {
        const endMs = nextOpenTime(interval, line[0]);
        // Weeks and months of three days, and 5 minutes of 3, are not whole ones of them.
        const isWhole = openTimeOf(finer, line[0]) === line[0] && openTimeOf(finer, endMs) === endMs;
        const of = isWhole ? sum(lines, line[0], endMs) : undefined;
        if (of === undefined) continue;
        assert.deepEqual(of, sum([line], line[0], endMs), `${symbol} ${interval} of ${finer} at ${line[0]}`);
        checked++;
      }
    }
  }
  return checked;
}

/** What is under way, and has trades or none of those that the bots made since the start, is left out. */
function checkPage(symbol: string, interval: StoredInterval, page: readonly Line[]): void {
  assert.ok(page.length >= (PROMISED[interval] ?? 1000), `${symbol} has ${page.length} candles of ${interval}`);
  const lines = page.slice(0, -UNDER_WAY);
  for (const [at, [openMs, open, high, low, close, volume, closeMs]] of lines.entries()) {
    assert.equal(closeMs, nextOpenTime(interval, openMs) - 1);
    if (at > 0) assert.equal(openMs, nextOpenTime(interval, lines[at - 1]?.[0] ?? 0), `${symbol} ${interval}: a gap`);
    if (at > 0) assert.equal(open, lines[at - 1]?.[4], `${symbol} ${interval}: it opens where the other closed`);
    assert.ok(units(volume) > 0n && units(low) > 0n);
    for (const price of [open, close]) assert.ok(units(price) >= units(low) && units(price) <= units(high));
  }
}

interface Ticker {
  readonly symbol: string;
  readonly openTime: number;
  readonly priceChange: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly lastPrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly weightedAvgPrice: string;
  readonly count: number;
  readonly firstId: number;
  readonly lastId: number;
}

/** Two pages of minutes hold the day. */
async function checkTicker(client: Client, symbol: string): Promise<Ticker> {
  const { json: ticker } = await client.public<Ticker>("/api/v3/ticker/24hr", { symbol });
  const fromMs = (Math.floor(ticker.openTime / 60_000) + 1) * 60_000;
  const minutes = async (startTime: number): Promise<Line[]> =>
    (await client.public<Line[]>("/api/v3/klines", { symbol, interval: "1m", startTime, limit: 1000 })).json;
  const lines = [...(await minutes(fromMs)), ...(await minutes(fromMs + 60_000_000))].filter((line) => line[8] > 0);
  const { openPrice, highPrice, lowPrice, lastPrice, volume, quoteVolume, count } = ticker;
  const told = [openPrice, highPrice, lowPrice, lastPrice, volume, quoteVolume].map(units);
  assert.deepEqual(
    [...told, BigInt(count)],
    sum(lines, lines[0]?.[0] ?? 0, fromMs + 2 * DAY_MS)
      ?.slice(0, 7)
      .map((value) => BigInt(value as bigint)),
    symbol,
  );
  assert.ok(count > 1000 && units(volume) > 0n, symbol);
  assert.equal(Number(ticker.priceChange).toFixed(8), (Number(lastPrice) - Number(openPrice)).toFixed(8), symbol);
  assert.equal(ticker.firstId, 1, "a past has no trades");
  assert.ok(ticker.lastId < 10_000);
  return ticker;
}

function verify(dataFolder: string, what: "journal" | "history"): void {
  const { code, stdout, stderr } = pricetime(what, "verify", "--data", dataFolder);
  assert.equal(code, 0, `${what} verify: ${stdout}${stderr}`);
}

const closes = (past: Past | undefined, interval: StoredInterval): ReadonlyMap<number, number> =>
  new Map((past?.get(interval) ?? []).map((line) => [line[0], Number(line[4])]));

/** The day's candle as its stream tells it: of the past and of trades, with the ids of trades alone. */
async function checkStream(exchange: DemoFile, symbol: string, past: Past, { lastId }: Ticker): Promise<void> {
  const socket = new WebSocket(`${exchange.ws}/ws/${symbol.toLowerCase()}@kline_1d`);
  const message = await new Promise<string>((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => resolve(String(data)), { once: true });
    socket.addEventListener("error", () => reject(new Error("the stream ended")), { once: true });
  });
  socket.close();
  const { k } = JSON.parse(message) as { k: Readonly<Record<string, unknown>> };
  const [openMs, open, high, low, close, volume, , quoteVolume, count] = past.get("1d")?.at(-1) ?? [];
  assert.deepEqual([k["t"], k["o"], k["h"], k["l"], k["c"], k["v"]], [openMs, open, high, low, close, volume]);
  assert.deepEqual([k["q"], k["n"], k["f"], k["L"]], [quoteVolume, count, 1, lastId]);
}

/** Nothing trades while it is looked at. */
async function halt(node: DemoFile, symbols: readonly { readonly symbol: string }[]): Promise<void> {
  for (const { symbol } of symbols) await operate(node, "PUT", `/v1/symbols/${symbol}/status`, { status: "HALT" });
}

test("klines of every interval and tickers of every symbol, all of one piece, and made again from the journal", async () => {
  const dataFolder = temporaryFolder();
  const startedMs = Date.now();
  const exchange = await startExchange({ dataFolder, args: ["--limits", "off"] });
  const client = new Client(exchange.rest, exchange.accounts[0]);
  const { json: info } = await client.public<{ symbols: { symbol: string }[] }>("/api/v3/exchangeInfo");
  const pasts = new Map<string, Past>();
  try {
    await halt(exchange, info.symbols);
    let checked = 0;
    const symbols = info.symbols.filter(({ symbol }) => isEvery || SOME.includes(symbol));
    for (const { symbol } of symbols) {
      const past = await pastOf(client, symbol);
      pasts.set(symbol, past);
      for (const [interval, lines] of past) checkPage(symbol, interval, lines);
      // All intervals of one symbol are checked; the others are made in the same way.
      checked += checkSums(symbol, past, symbol === "BTCUSDT" ? STORED_INTERVALS.length : 2);
      const ticker = await checkTicker(client, symbol);
      if (symbol === "BTCUSDT") await checkStream(exchange, symbol, past, ticker);
      for (const lines of past.values())
        assert.equal(lines.at(-1)?.[4], ticker.lastPrice, `${symbol} ends at one price`);
      const { json: trades } = await client.public<{ id: number; time: number }[]>("/api/v3/trades", { symbol });
      assert.ok(
        trades.every(({ time }) => time >= startedMs),
        "no trade is older than the start",
      );
    }
    assert.ok(
      pasts.size >= (isEvery ? 11 : SOME.length) && checked > 2000 * pasts.size,
      `${checked} candles of ${pasts.size} symbols were added up`,
    );
    for (const interval of ["1m", "1h", "1d"] as const) {
      const [eth, btc] = [closes(pasts.get("ETHUSDT"), interval), closes(pasts.get("BTCUSDT"), interval)];
      for (const [openMs, close] of [...closes(pasts.get("ETHBTC"), interval)].slice(0, -UNDER_WAY)) {
        const cross = (eth.get(openMs) ?? Number.NaN) / (btc.get(openMs) ?? Number.NaN);
        assert.ok(Math.abs(close / cross - 1) < 0.001, `ETHBTC ${close} at ${openMs} of ${interval} is not ${cross}`);
      }
    }
  } finally {
    client.close();
    await exchange.kill();
  }
  try {
    verify(dataFolder, "journal");
    verify(dataFolder, "history");
    const again = await startExchange({ dataFolder, args: ["--limits", "off"] });
    const other = new Client(again.rest, again.accounts[0]);
    try {
      const startTime = pasts.get("BTCUSDT")?.get("1m")?.[0]?.[0] ?? 0;
      const query = { symbol: "BTCUSDT", interval: "1m", startTime, limit: 990 };
      assert.deepEqual(
        (await other.public<Line[]>("/api/v3/klines", query)).json,
        pasts.get("BTCUSDT")?.get("1m")?.slice(0, 990),
      );
      // The bots began at the last close, which the month's candle holds with what they have traded.
      const ended = Number(pasts.get("BTCUSDT")?.get("1m")?.at(-UNDER_WAY)?.[4]);
      const { json: month } = await other.public<Line[]>("/api/v3/klines", { symbol: "BTCUSDT", interval: "1M" });
      assert.ok(Math.abs(Number(month.at(-1)?.[4]) / ended - 1) < 0.02);
      const { json: trades } = await other.public<{ id: number }[]>("/api/v3/historicalTrades", {
        symbol: "BTCUSDT",
        fromId: 0,
      });
      assert.equal(trades[0]?.id, 1);
    } finally {
      other.close();
      assert.equal(await again.stop(), 0);
    }
    verify(dataFolder, "history");
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
