/** Klines of symbols with an imported or generated past that continue trading, compared with plain lists. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import {
  type Command,
  Engine,
  type Entry,
  type Event,
  FIRST_EDITION,
  formatDecimal,
  fromScale,
  generatePast,
  type ImportedCandle,
  levelsOf,
  NEWEST_EDITION,
  parseDecimal,
  PAST_WIDTHS_MS,
  type PastInterval,
} from "@pricetime/engine";
import { KLINE_INTERVALS, type KlineInterval, nextOpenTime, openTimeOf, type WindowTicker } from "@pricetime/protocol";
import { HistoryWriter } from "../../src/history/writing/history-writer.ts";
import { type KlineRow, type WindowBounds, windowUntil } from "../../src/history/shapes/market-data.ts";
import type { Window } from "../../src/history/port.ts";
import { openQueries, type Query } from "../../src/history/reading/queries.ts";
import { openHistoryFile } from "../../src/history/table/schema.ts";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";

const MINUTE_MS = 60_000;
const BY = "test";
const DAY_MS = 1440 * MINUTE_MS;

/** In units of 10^-8, whatever the units of its symbol; the amounts of a candle or a trade. */
interface Bit {
  readonly timeMs: number;
  readonly widthMs: number;
  readonly isPast: boolean;
  readonly prices: readonly [open: number, high: number, low: number, close: number];
  readonly amounts: readonly [lots: bigint, quote: bigint, takerLots: bigint, takerQuote: bigint];
  readonly count: number;
}

/** The symbol's tick and lot in those units. */
const TICK = 10 ** 6;
const LOT = 10n ** 5n;

class Venue {
  readonly engine = new Engine();
  readonly folder = temporaryFolder();
  readonly query: Query;
  readonly bits: Bit[] = [];
  readonly isFine: boolean;
  nowMs: number;
  readonly #writer: HistoryWriter;
  readonly #database;

  /** `edition`: of the rules; since the fourth, imported candles may be finer than ticks of 0.01 and lots of 0.001. */
  constructor(nowMs: number, edition = FIRST_EDITION) {
    this.nowMs = nowMs;
    this.isFine = edition >= 4;
    this.#database = openHistoryFile(`${this.folder}/history.sqlite`);
    this.#writer = new HistoryWriter(this.#database);
    this.query = openQueries(this.#database);
    if (edition > FIRST_EDITION) this.run({ type: "adoptRules", edition });
    for (const asset of ["BTC", "USDT"]) this.run(listAsset(asset));
    const filters = {
      priceFilter: { minPrice: "0.01", maxPrice: "0", tickSize: "0.01" },
      lotSize: { minQty: "0.001", maxQty: "0", stepSize: "0.001" },
    };
    this.run(listSymbol("BTC/USDT", filters, { orderTypes: ["LIMIT"] }));
    this.run(openAccount("a@example.org"));
    for (const asset of ["BTC", "USDT"]) this.run(deposit(100, asset, "1000000000"));
  }

  run(command: Command): readonly Event[] {
    const events = this.attempt({ seq: this.engine.seq + 1, timeMs: this.nowMs, command });
    assert.ok(events[0]?.type !== "rejected", `${command.type} was refused`);
    return events;
  }

  attempt(entry: Entry): readonly Event[] {
    const events = this.engine.apply(entry);
    this.#writer.record(this.engine, entry, events, []);
    return events;
  }

  commit(): void {
    this.#writer.commit(this.engine, "");
  }

  trade(priceTicks: number, lots: number): void {
    for (const side of ["SELL", "BUY"] as const) {
      const clientOrderId = `${this.engine.seq}`;
      this.run(placeOrder({ accountId: 100, side, priceTicks, quantityLots: lots, clientOrderId }));
    }
    const amounts = [BigInt(lots) * LOT, BigInt(priceTicks) * BigInt(lots) * 1000n] as const;
    const price = priceTicks * TICK;
    const prices = [price, price, price, price] as const;
    this.bits.push({
      timeMs: this.nowMs,
      widthMs: 1,
      isPast: false,
      prices,
      amounts: [...amounts, ...amounts],
      count: 1,
    });
  }

  close(): void {
    this.#database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Every candle of an interval from the first one, from shorter ones that open at `fromMs` or later. */
function plainKlines({ bits, nowMs }: Venue, interval: KlineInterval, fromMs: number, zone: number): KlineRow[] {
  const openOf = (timeMs: number): number => openTimeOf(interval, timeMs, zone);
  const nextOf = (timeMs: number): number => nextOpenTime(interval, timeMs, zone);
  const rows: KlineRow[] = [];
  const fitting = bits.filter(
    ({ timeMs, widthMs }) => timeMs >= fromMs && openOf(timeMs) === openOf(timeMs + widthMs - 1),
  );
  const first = fitting[0];
  if (first === undefined) return [];
  let [at, close] = [0, 0];
  for (let open = openOf(first.timeMs); open <= nowMs; open = nextOf(open)) {
    const inside: Bit[] = [];
    for (let bit = fitting[at]; bit !== undefined && bit.timeMs < nextOf(open); bit = fitting[++at]) inside.push(bit);
    const openPrice = inside[0]?.prices[0] ?? close;
    close = inside.at(-1)?.prices[3] ?? close;
    const sum = (n: 0 | 1 | 2 | 3): bigint => inside.reduce((all, { amounts }) => all + amounts[n], 0n);
    const count = (of: readonly Bit[]): number => of.reduce((all, bit) => all + bit.count, 0);
    rows.push({
      openTimeMs: open,
      open: fromScale(openPrice, 8),
      high: fromScale(Math.max(...inside.map(({ prices }) => prices[1]), openPrice), 8),
      low: fromScale(Math.min(...inside.map(({ prices }) => prices[2]), openPrice), 8),
      close: fromScale(close, 8),
      volume: formatDecimal(sum(0), 8),
      closeTimeMs: nextOf(open) - 1,
      quoteVolume: formatDecimal(sum(1), 8),
      count: count(inside),
      takerBuyBase: formatDecimal(sum(2), 8),
      takerBuyQuote: formatDecimal(sum(3), 8),
      pastCount: count(inside.filter(({ isPast }) => isPast)),
    });
  }
  return rows;
}

/** The requested part of all of them. */
function inWindow(all: readonly KlineRow[], { startTimeMs, endTimeMs, limit }: Window): KlineRow[] {
  const until = all.filter(({ openTimeMs }) => openTimeMs <= (endTimeMs ?? Number.POSITIVE_INFINITY));
  if (startTimeMs === undefined) return until.slice(-limit);
  return until.filter(({ openTimeMs }) => openTimeMs >= startTimeMs).slice(0, limit);
}

const ZONES_MS = [0, 8, -3.5, 5.75, 14, -12, 1 / 60].map((hours) => hours * 60 * MINUTE_MS);

/** When candles from before the first trade begin, by interval and time zone. */
type PastFrom = (interval: KlineInterval, zone: number) => number;

function checkAll(venue: Venue, random: Dice, fromMsOf: PastFrom): void {
  venue.commit();
  const zone = random.pick(ZONES_MS.slice(1));
  for (const [interval, offsetMs] of KLINE_INTERVALS.flatMap((each) => [[each, 0] as const, [each, zone] as const])) {
    const all = plainKlines(venue, interval, fromMsOf(interval, offsetMs), offsetMs);
    const [firstMs, lastMs] = [all[0]?.openTimeMs ?? venue.nowMs, venue.nowMs];
    const windows: Window[] = [{ limit: 1000 }];
    for (let i = 0; i < 4; i++) {
      const some = (): number =>
        random.between(Math.floor(firstMs / MINUTE_MS) - 5, Math.ceil(lastMs / MINUTE_MS)) * MINUTE_MS;
      windows.push({ startTimeMs: some(), limit: random.between(1, 300) });
      windows.push({ startTimeMs: some(), endTimeMs: some(), limit: 500 }, { endTimeMs: some(), limit: 20 });
    }
    for (const window of windows) {
      const got = venue.query("klines", { symbolId: 0, interval, offsetMs, ...window, nowMs: venue.nowMs });
      assert.deepEqual(got, inWindow(all, window), `${interval} ${offsetMs} ${JSON.stringify(window)}`);
    }
  }
}

/** The statistics of everything that opens in a window, from the plain list; `closeTimeMs` as requested. */
function plainWindow({ bits }: Venue, { fromMs, toMs, closeTimeMs }: WindowBounds): WindowTicker {
  const inside = bits.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
  const before = bits.findLast(({ timeMs }) => timeMs < fromMs)?.prices[3] ?? 0;
  const open = inside[0]?.prices[0] ?? before;
  const last = inside.at(-1)?.prices[3] ?? before;
  const sum = (n: 0 | 1): bigint => inside.reduce((all, { amounts }) => all + amounts[n], 0n);
  const trades = bits.filter(({ isPast }) => !isPast);
  const own = inside.filter(({ isPast }) => !isPast);
  const percent = open === 0 ? 0n : (BigInt(Math.abs(last - open)) * 200_000n + BigInt(open)) / BigInt(2 * open);
  const lastMs = own.length > 0 ? (own.at(-1) as Bit).timeMs : 0;
  return {
    symbol: "BTCUSDT",
    priceChange: formatDecimal(BigInt(last) - BigInt(open), 8),
    priceChangePercent: formatDecimal(last < open ? -percent : percent, 3, 3),
    weightedAvgPrice: sum(0) === 0n ? formatDecimal(0n, 8) : formatDecimal((sum(1) * 10n ** 8n) / sum(0), 8),
    openPrice: fromScale(open, 8),
    highPrice: fromScale(Math.max(...inside.map(({ prices }) => prices[1]), open), 8),
    lowPrice: fromScale(Math.min(...inside.map(({ prices }) => prices[2]), open), 8),
    lastPrice: fromScale(last, 8),
    volume: formatDecimal(sum(0), 8),
    quoteVolume: formatDecimal(sum(1), 8),
    openTime: fromMs,
    closeTime: Math.max(closeTimeMs, lastMs),
    firstId: own.length === 0 ? -1 : trades.indexOf(own[0] as Bit) + 1,
    lastId: own.length === 0 ? -1 : trades.indexOf(own.at(-1) as Bit) + 1,
    count: inside.reduce((all, { count }) => all + count, 0),
  };
}

function checkWindows(venue: Venue, random: Dice): void {
  venue.commit();
  const sizesMs = [1, 59, 60, 23 * 60, 1440, 7 * 1440, random.between(1, 7 * 1440)].map(
    (minutes) => minutes * MINUTE_MS,
  );
  const days = ZONES_MS.map((zone): WindowBounds => {
    const fromMs = openTimeOf("1d", venue.nowMs, zone);
    return { fromMs, toMs: fromMs + DAY_MS, closeTimeMs: fromMs + DAY_MS - 1 };
  });
  for (const bounds of [...sizesMs.map((sizeMs) => windowUntil(venue.nowMs, sizeMs)), ...days]) {
    const got = venue.query("windows", { symbolIds: [0], ...bounds });
    assert.deepEqual(got, [plainWindow(venue, bounds)], JSON.stringify(bounds));
    const { priceChange: _, priceChangePercent: __, weightedAvgPrice: ___, ...mini } = got[0] as WindowTicker;
    const page = { symbolIds: [0], ...bounds, isOne: true, isMini: true };
    assert.deepEqual(JSON.parse(venue.query("windowPage", page)), mini);
  }
}

function importSome(venue: Venue, random: Dice, interval: PastInterval, fromMs: number, count: number): void {
  const { isFine } = venue;
  const widthMs = PAST_WIDTHS_MS[interval];
  const candles: ImportedCandle[] = [];
  for (let at = 0; at < count; at++) {
    // Files of minutes lack some.
    if (random.between(0, 9) === 0) continue;
    const [tick, lot] = isFine ? [1, 1n] : [TICK, LOT];
    const price = (): number => random.between((9000 * TICK) / tick, (11_000 * TICK) / tick) * tick;
    const [open, close] = [price(), price()];
    const prices = [open, Math.max(open, close) + 3 * tick, Math.min(open, close) - 5 * tick, close] as const;
    const lots = BigInt(random.between(0, 90_000 * Number(LOT / lot)));
    const quote = BigInt(random.between(0, 10 ** 12));
    const amounts = [lots * lot, quote, (lots / 3n) * lot, quote / 2n] as const;
    const timeMs = fromMs + at * widthMs;
    const [volume, quoteVolume, takerVolume, takerQuote] = amounts.map((amount) => formatDecimal(amount, 8)) as [
      string,
      string,
      string,
      string,
    ];
    const texts = prices.map((each) => fromScale(each, 8)) as [string, string, string, string];
    candles.push([timeMs, ...texts, volume, quoteVolume, at, takerVolume, takerQuote]);
    venue.bits.push({ timeMs, widthMs, isPast: true, prices, amounts, count: at });
  }
  venue.run({ type: "importKlines", by: BY, symbol: "BTCUSDT", interval, candles });
}

function liveDays(venue: Venue, random: Dice, trades: number): void {
  for (let i = 0; i < trades; i++) {
    if (random.between(0, 15) === 0) checkWindows(venue, random);
    venue.trade(random.between(9000, 11_000), random.between(1, 500));
    venue.nowMs += random.between(0, 20 * MINUTE_MS);
    if (random.between(0, 5) === 0) venue.commit();
  }
}

for (const [interval, count, batches, edition] of [
  ["1m", 450, 9, FIRST_EDITION],
  ["1m", 450, 5, NEWEST_EDITION],
  ["5m", 300, 6, FIRST_EDITION],
  ["4h", 500, 2, NEWEST_EDITION],
  ["1d", 400, 2, FIRST_EDITION],
] as const) {
  test(`imported candles of ${interval} and what was traded after them, by rules ${edition}`, () => {
    const random = new Dice(count);
    const venue = new Venue(Date.UTC(2024, 1, 29, 23, 58, 30), edition);
    const widthMs = PAST_WIDTHS_MS[interval];
    const endMs = openTimeOf(interval, venue.nowMs) - 7 * widthMs;
    try {
      for (let batch = batches; batch > 0; batch--) {
        importSome(venue, random, interval, endMs - batch * count * widthMs, count);
        if (batch % 2 === 0) venue.commit();
      }
      const fromMs: PastFrom = (longer, zone) => {
        const isWhole = (nextOpenTime(longer, 0) - openTimeOf(longer, 0)) % widthMs === 0 || longer === "1M";
        return isWhole && zone % widthMs === 0 ? 0 : endMs;
      };
      checkAll(venue, random, fromMs);
      checkWindows(venue, random);
      liveDays(venue, random, 150);
      checkAll(venue, random, fromMs);
    } finally {
      venue.close();
    }
  });
}

test("a generated past and what was traded after it", () => {
  const random = new Dice(7);
  const venue = new Venue(Date.UTC(2024, 1, 29, 13, 7, 30));
  try {
    const moves = { dayMoveBps: 200, marketPercent: 50 };
    const endMs = openTimeOf("1m", venue.nowMs);
    const what: Pick<Command<"addPast">, "type" | "by" | "symbol" | "generator"> = {
      type: "addPast",
      by: BY,
      symbol: "BTCUSDT",
      generator: 1,
    };
    const traded = { endPrice: "100.00", dayVolume: "5000", dayTrades: 10_000 };
    const [added] = venue.run({ ...what, ...traded, seed: 5, endMs, base: moves, quote: { ...moves, dayMoveBps: 0 } });
    assert.ok(added?.type === "pastAdded");
    const levels = levelsOf(endMs);
    for (const candle of generatePast(added.past)) {
      const { openTimeMs: timeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote, count } = candle;
      const widthMs = levels.find((level) => timeMs >= level.fromMs)?.widthMs ?? 0;
      const amounts = [lots * LOT, quote, candle.takerBuyLots * LOT, candle.takerBuyQuote] as const;
      venue.bits.push({
        timeMs,
        widthMs,
        isPast: true,
        prices: [openTicks * TICK, highTicks * TICK, lowTicks * TICK, closeTicks * TICK],
        amounts,
        count,
      });
    }
    const widthOf = (interval: KlineInterval): number =>
      interval === "1M" ? 30 * DAY_MS : nextOpenTime(interval, 0) - openTimeOf(interval, 0);
    const quarterMs = 15 * MINUTE_MS;
    const fromMs: PastFrom = (interval, zone) => {
      if (zone % quarterMs !== 0 && widthOf(interval) >= quarterMs) return endMs;
      const fitting = levels.filter(({ widthMs }) => widthMs <= widthOf(interval) && zone % widthMs === 0);
      return Math.min(...fitting.map((level) => level.fromMs), endMs);
    };
    liveDays(venue, random, 150);
    checkAll(venue, random, fromMs);
  } finally {
    venue.close();
  }
});

test("whatever a candle says of itself is either refused or can be recorded, added up and read", () => {
  const venue = new Venue(Date.UTC(2024, 1, 29, 13, 7, 30), NEWEST_EDITION);
  const hourMs = 60 * MINUTE_MS;
  const startMs = openTimeOf("1d", venue.nowMs);
  const most = [2 ** 53 - 2, 2 ** 52, 10 ** 12, 10 ** 9];
  const amounts = ["9".repeat(20), "9".repeat(17), "9".repeat(15)];
  try {
    let taken = 0;
    const pairs = most.flatMap((count) => amounts.map((amount) => [count, amount] as const));
    for (const [count, amount] of pairs.flatMap((pair) => [pair, pair])) {
      const timeMs = startMs - 30 * DAY_MS + taken * hourMs;
      const candle: ImportedCandle = [timeMs, "1", "1", "1", "1", amount, amount, count, amount, amount];
      const what = { type: "importKlines", by: BY, symbol: "BTCUSDT", interval: "1h" } as const;
      const command: Command = { ...what, candles: [candle] };
      const [event] = venue.attempt({ seq: venue.engine.seq + 1, timeMs: venue.nowMs, command });
      if (event?.type !== "rejected") taken++;
    }
    assert.ok(taken > 0);
    venue.trade(100, 1);
    venue.commit();
    for (const interval of KLINE_INTERVALS) {
      for (const row of venue.query("klines", { symbolId: 0, interval, limit: 1000, nowMs: venue.nowMs })) {
        assert.ok(Number.isSafeInteger(row.count));
        for (const text of [row.volume, row.quoteVolume, row.takerBuyBase]) assert.ok(parseDecimal(text, 8) !== null);
      }
    }
  } finally {
    venue.close();
  }
});
