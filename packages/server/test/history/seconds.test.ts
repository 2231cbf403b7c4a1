/** Klines of a second, compared with the plain sums of the trades in the table, whatever their number and size. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { formatDecimal, fromScale } from "@pricetime/engine";
import { MAX_TRADES_OF_SECONDS } from "../../src/history/reading/kline-queries.ts";
import { openQueries } from "../../src/history/reading/queries.ts";
import type { KlineRow } from "../../src/history/shapes/market-data.ts";
import { moneyToSql } from "../../src/history/table/columns.ts";
import { openHistoryFile } from "../../src/history/table/schema.ts";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";

const START_MS = 1_700_000_000_000;
const MOST_LOTS = 2 ** 53 - 1;

interface PlainTrade {
  readonly timeMs: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly quote: bigint;
  readonly isBuyerMaker: boolean;
}

const folder = temporaryFolder();
const database = openHistoryFile(`${folder}/history.sqlite`);
const query = openQueries(database);
after(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});
for (const assetId of [0, 1])
  database.exec(`INSERT INTO assets (asset_id, asset, decimals) VALUES (${assetId}, 'A${assetId}', 8)`);

const INSERT_SYMBOL = `INSERT INTO symbols
  (symbol_id, symbol, price_decimals, quantity_decimals, base_asset_id, quote_asset_id) VALUES (?, ?, 2, 3, 0, 1)`;
const INSERT_TRADE = `INSERT INTO trades VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, -1, 0, 0, 0, -1, 0, NULL, NULL)`;

let symbolIds = 0;

/** The id of a symbol with these trades. */
function symbolWith(trades: readonly PlainTrade[]): number {
  const symbolId = symbolIds++;
  database.exec("BEGIN");
  database.prepare(INSERT_SYMBOL).run(symbolId, `S${symbolId}`);
  const insert = database.prepare(INSERT_TRADE);
  for (const [at, { timeMs, priceTicks, lots, quote, isBuyerMaker }] of trades.entries()) {
    insert.run(symbolId, at + 1, timeMs, priceTicks, lots, moneyToSql(quote), isBuyerMaker ? 1 : 0);
  }
  database.exec("COMMIT");
  return symbolId;
}

/** Every second from the first trade to `nowMs`. */
function plainSeconds(trades: readonly PlainTrade[], nowMs: number): KlineRow[] {
  const rows: KlineRow[] = [];
  const bySecond = Map.groupBy(trades, ({ timeMs }) => Math.floor(timeMs / 1000));
  let close = 0;
  for (let second = Math.floor((trades[0]?.timeMs ?? nowMs + 1000) / 1000); second * 1000 <= nowMs; second++) {
    const inside = bySecond.get(second) ?? [];
    const bought = inside.filter(({ isBuyerMaker }) => !isBuyerMaker);
    const prices = inside.length > 0 ? inside.map(({ priceTicks }) => priceTicks) : [close];
    close = prices.at(-1) as number;
    const sum = (of: readonly PlainTrade[], amount: (trade: PlainTrade) => bigint): bigint =>
      of.reduce((all, trade) => all + amount(trade), 0n);
    const lots = ({ lots: each }: PlainTrade): bigint => BigInt(each);
    const quote = ({ quote: each }: PlainTrade): bigint => each;
    rows.push({
      openTimeMs: second * 1000,
      open: fromScale(prices[0] as number, 2),
      high: fromScale(Math.max(...prices), 2),
      low: fromScale(Math.min(...prices), 2),
      close: fromScale(close, 2),
      volume: formatDecimal(sum(inside, lots), 3),
      closeTimeMs: second * 1000 + 999,
      quoteVolume: formatDecimal(sum(inside, quote), 8),
      count: inside.length,
      takerBuyBase: formatDecimal(sum(bought, lots), 3),
      takerBuyQuote: formatDecimal(sum(bought, quote), 8),
      pastCount: 0,
    });
  }
  return rows;
}

function randomTrades(random: Dice, count: number, mostGapMs: number): PlainTrade[] {
  let timeMs = START_MS + random.between(0, 5000);
  return Array.from({ length: count }, () => {
    timeMs += random.next() < 0.2 ? random.between(0, mostGapMs) : 0;
    // Sums and single amounts that are longer than 64 bits, next to small ones.
    const lots = random.next() < 0.3 ? MOST_LOTS - random.between(0, 5) : random.between(1, 1000);
    const quote = random.next() < 0.3 ? 2n ** 62n + BigInt(random.between(0, 9)) * 2n ** 61n : BigInt(lots) * 7n;
    return { timeMs, priceTicks: random.between(90, 110), lots, quote, isBuyerMaker: random.next() < 0.5 };
  });
}

test("seconds of random trades in random windows, with sums and amounts of more than 64 bits", () => {
  const random = new Dice(11);
  for (let round = 0; round < 20; round++) {
    const trades = randomTrades(random, random.between(1, 300), 4000);
    const symbolId = symbolWith(trades);
    const nowMs = (trades.at(-1)?.timeMs ?? 0) + random.between(0, 5000);
    const all = plainSeconds(trades, nowMs);
    for (let at = 0; at < 20; at++) {
      const some = (): number => START_MS + random.between(-3000, nowMs - START_MS + 3000);
      const [startTimeMs, endTimeMs] = [some(), some()];
      const limit = random.between(1, 60);
      const of = { symbolId, interval: "1s", nowMs, limit } as const;
      assert.deepEqual(query("klines", of), all.slice(-limit));
      const from = all.filter(({ openTimeMs }) => openTimeMs >= startTimeMs);
      assert.deepEqual(query("klines", { ...of, startTimeMs }), from.slice(0, limit));
      const until = (row: KlineRow): boolean => row.openTimeMs <= endTimeMs;
      assert.deepEqual(query("klines", { ...of, endTimeMs }), all.filter(until).slice(-limit));
      assert.deepEqual(query("klines", { ...of, startTimeMs, endTimeMs }), from.filter(until).slice(0, limit));
    }
  }
});

test("a page of more trades than are read at a time has fewer rows: whole seconds, and at least one", () => {
  const part = MAX_TRADES_OF_SECONDS / 5;
  // 2, 2, 1, 7 and 1 parts.
  const counts = [2, 2, 1, 7, 1].map((parts) => parts * part);
  const trades = counts.flatMap((count, second) =>
    Array.from({ length: count }, (_, at) => ({
      timeMs: START_MS + second * 1000 + Math.floor((at * 1000) / count),
      priceTicks: 100 + (at % 7),
      lots: 1,
      quote: 5n,
      isBuyerMaker: false,
    })),
  );
  const symbolId = symbolWith(trades);
  const nowMs = START_MS + 4999;
  const all = plainSeconds(trades, nowMs);
  const of = { symbolId, interval: "1s", nowMs, limit: 1000 } as const;
  const oldest = (fromSecond: number): KlineRow[] =>
    query("klines", { ...of, startTimeMs: START_MS + fromSecond * 1000 });
  const newest = (toSecond: number): KlineRow[] => query("klines", { ...of, endTimeMs: START_MS + toSecond * 1000 });
  assert.deepEqual(oldest(0), all.slice(0, 3), "5 parts fit");
  assert.deepEqual(oldest(2), all.slice(2, 3));
  assert.deepEqual(oldest(3), all.slice(3, 4), "a second that does not fit is read alone");
  assert.deepEqual(oldest(4), all.slice(4, 5));
  assert.deepEqual(newest(4), all.slice(4, 5));
  assert.deepEqual(newest(3), all.slice(3, 4));
  assert.deepEqual(newest(2), all.slice(0, 3));
});
