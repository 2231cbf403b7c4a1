/** Extracts compared with a node's history of the same journal, and the engine's balances. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  ADOPT_NEWEST_RULES,
  type Command,
  Engine,
  formatDecimal,
  fromScale,
  type ImportedCandle,
  OUTSIDE_ACCOUNT,
  parseDecimal,
  type PlaceOrder,
} from "@pricetime/engine";
import {
  type AccountTrade,
  type AggregateTrade,
  STORED_INTERVALS,
  type StoredInterval,
  type OrderRecord,
} from "@pricetime/protocol";
import { ACCOUNT_IDS, batchesOf, randomFlow, setup, START_MS } from "@pricetime/testkit/journal";
import { readKlines } from "../../../src/program/cli/data-folder/import-klines.ts";
import type { CandleRowOptions } from "../../../src/research/extract/candle-rows.ts";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import type { JournalReader, NewBatch } from "../../../src/journal/port.ts";
import { rebuiltHistory } from "../../history/rebuilt-history.ts";
import { type CsvRow, extractInto } from "./extracting.ts";
import { journalOf as journalOfDays, ORDER, replayed, SYMBOLS } from "./random-journal.ts";

const ALL = { limit: 1_000_000 };
const BATCHES = batchesOf(8, randomFlow(8, 2000));
const { query } = rebuiltHistory(BATCHES);

async function journalOf(batches: readonly NewBatch[] = BATCHES): Promise<JournalReader> {
  const journal = new MemoryJournal();
  for (const batch of batches) await journal.append(batch);
  return journal.reader();
}

const linesOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

test("trades are those of history, single and aggregated, with orders and fees", async (t) => {
  const journal = await journalOf();
  const full = extractInto(t, journal, { subject: "trades", withAccounts: true });
  const archive = extractInto(t, journal, { subject: "trades", layout: "archive" });
  const aggregated = extractInto(t, journal, { subject: "trades", layout: "archive-agg" });
  for (const [symbolId, symbol] of SYMBOLS.entries()) {
    const known = query("trades", { symbolId, ...ALL });
    assert.ok(known.length > 200);
    const told = full.rows(`${symbol}-trades.csv`);
    const same = ({ id, price, qty, quoteQty, time, isBuyerMaker }: CsvRow): object => {
      const [isMaker, isBestMatch] = [isBuyerMaker === "true", true];
      return { id: Number(id), price, qty, quoteQty, time: Number(time), isBuyerMaker: isMaker, isBestMatch };
    };
    assert.deepEqual(told.map(same), known);
    const public_ = known.map(({ id, price, qty, quoteQty, time, isBuyerMaker }) => {
      return [`${id}`, price, qty, quoteQty, `${time}`, isBuyerMaker ? "True" : "False", "True"];
    });
    assert.deepEqual(linesOf(archive.text(`${symbol}-trades.csv`)), public_);
    const page = JSON.parse(query("aggTradePage", { symbolId, ...ALL })) as AggregateTrade[];
    const aggregates = page.map(({ a, p, q, f, l, T, m }) => {
      return [`${a}`, p, q, `${f}`, `${l}`, `${T}`, m ? "True" : "False", "True"];
    });
    assert.deepEqual(linesOf(aggregated.text(`${symbol}-aggTrades.csv`)), aggregates);
    for (const accountId of ACCOUNT_IDS) checkFees(accountId, symbolId, told);
  }
});

function checkFees(accountId: number, symbolId: number, told: readonly CsvRow[]): void {
  const own: string[] = [];
  for (const row of told) {
    for (const role of ["taker", "maker"]) {
      if (row[`${role}Account`] !== String(accountId)) continue;
      own.push([row["id"], role, row[`${role}OrderId`], row[`${role}Commission`]].join(" "));
    }
  }
  const page = JSON.parse(query("accountTradePage", { accountId, symbolId, ...ALL })) as AccountTrade[];
  const known = page.map(({ id, isMaker, orderId, commission }) => {
    return [id, isMaker ? "maker" : "taker", orderId, commission].join(" ");
  });
  assert.deepEqual(own.sort(), known.sort());
}

test("the last event of each order leaves it as history has it", async (t) => {
  const { rows } = extractInto(t, await journalOf(), { withAccounts: true });
  const happenings = new Set<string>();
  for (const [symbolId, symbol] of SYMBOLS.entries()) {
    const last = new Map<string, CsvRow>();
    for (const row of rows(`${symbol}-orders.csv`)) {
      happenings.add(row["event"] as string);
      if (row["event"] === "rejected") assert.ok(row["reason"] !== "" && row["orderId"] === "");
      else last.set(row["orderId"] as string, row);
    }
    for (const account of ACCOUNT_IDS) {
      const page = JSON.parse(query("orderPage", { accountId: account, symbolId, ...ALL })) as OrderRecord[];
      for (const known of page) {
        const { orderId, clientOrderId, origQty, executedQty, cummulativeQuoteQty, status, side, type } = known;
        const told = last.get(String(orderId)) ?? {};
        const expected = { clientOrderId, origQty, executedQty, cummulativeQuoteQty, status, side, type };
        assert.deepEqual({ ...told, ...expected, account: String(account) }, told, `order ${orderId}`);
        last.delete(String(orderId));
      }
    }
    assert.equal(last.size, 0, "history has all of them");
  }
  const all = ["amended", "canceled", "expired", "new", "rejected", "replaced", "trade", "triggered"];
  assert.deepEqual([...happenings].sort(), all);
});

test("trailing stops have their distance, pegged orders their level and both prices, also if rejected", async (t) => {
  const pegged = { ...ORDER, priceTicks: 4_000_000, clientOrderId: "p", peg: { to: "PRIMARY_PEG", level: 0 } } as const;
  const noAsk: PlaceOrder = { ...pegged, peg: { to: "MARKET_PEG", level: 1 } };
  const stop: PlaceOrder = { ...ORDER, orderType: "STOP_LOSS", priceTicks: 0, clientOrderId: "s", trailingDelta: 200 };
  const journal = await journalOfDays([setup(), [ORDER, pegged, stop, noAsk, { ...stop, quantityLots: 0 }]]);
  const names = ["event", "price", "trailingDelta", "pegPriceType", "pegOffsetValue", "peggedPrice"];
  const { rows } = extractInto(t, journal, { symbols: ["BTCUSDT"] });
  const told = rows("BTCUSDT-orders.csv").map((row) => names.map((name) => row[name]).join());
  assert.deepEqual(told, [
    "new,39000.00000000,,,,",
    "new,40000.00000000,,PRIMARY_PEG,,39000.00000000",
    "new,,200,,,",
    "rejected,40000.00000000,,MARKET_PEG,1,",
    "rejected,,200,,,",
  ]);
});

test("nothing says whose an order is unless that is asked for", async (t) => {
  const journal = await journalOf();
  for (const asked of [{}, { subject: "trades" }, { subject: "book", by: "order" }, { subject: "book" }] as const) {
    const { text, names } = extractInto(t, journal, { ...asked, symbols: ["BTCUSDT"] });
    const [head] = text(names()[0] as string).split("\n");
    assert.doesNotMatch(head ?? "", /account|client/i);
  }
});

test("postings sum to zero, and those of an account to its balance", async (t) => {
  const journal = await journalOf();
  const { rows } = extractInto(t, journal, { subject: "ledger", symbols: [] });
  const postings = new Map<string, bigint>();
  const balances = new Map<string, bigint>();
  const add = (sums: Map<string, bigint>, key: string, units: bigint): void => {
    sums.set(key, (sums.get(key) ?? 0n) + units);
  };
  for (const { seq, posting, asset, account, bucket, amount = "" } of rows("ledger.csv")) {
    const units = BigInt(amount.replace(".", ""));
    add(postings, `${seq} ${posting} ${asset}`, units);
    add(balances, `${account} ${bucket} ${asset}`, units);
  }
  assert.ok(postings.size > 3000);
  assert.deepEqual(
    [...postings].filter(([, sum]) => sum !== 0n),
    [],
  );
  const engine = replayed(journal, () => {});
  for (const accountId of [...ACCOUNT_IDS, OUTSIDE_ACCOUNT]) {
    for (const { assetId, spec } of engine.assets()) {
      const { free, locked } = engine.balance(accountId, assetId);
      assert.equal(balances.get(`${accountId} free ${spec.asset}`) ?? 0n, free);
      assert.equal(balances.get(`${accountId} locked ${spec.asset}`) ?? 0n, locked);
    }
  }
});

test("the parts of a range are the whole", async (t) => {
  const journal = await journalOf();
  const middleMs = BATCHES[Math.floor(BATCHES.length / 2)]?.timeMs as number;
  for (const subject of ["orders", "trades", "ledger", "candles"] as const) {
    const of = { subject, symbols: subject === "ledger" ? [] : ["BTCUSDT"] };
    const cutMs = subject === "candles" ? Math.ceil(middleMs / 60_000) * 60_000 : middleMs;
    const [whole, before, after] = [{}, { toMs: cutMs }, { fromMs: cutMs }].map((range) => {
      const { names, text } = extractInto(t, journal, { ...of, ...range });
      return text(names()[0] as string).split("\n");
    }) as [string[], string[], string[]];
    assert.ok(before.length > 10 && after.length > 10);
    assert.deepEqual([...before.slice(0, -1), ...after.slice(1)], whole, subject);
  }
});

/** The candles of history that were complete at this time. */
function overBy(history: typeof query, symbolId: number, interval: StoredInterval, endMs: number): string[] {
  const window = { limit: 1_000_000, startTimeMs: 0 };
  const klines = history("klines", { symbolId, interval, ...window, nowMs: endMs }).filter(
    ({ closeTimeMs }) => closeTimeMs < endMs,
  );
  return klines.map((row) => {
    const prices = [row.open, row.high, row.low, row.close, row.volume];
    const taken = [row.quoteVolume, `${row.count}`, row.takerBuyBase, row.takerBuyQuote, "0"];
    return [`${row.openTimeMs}`, ...prices, `${row.closeTimeMs}`, ...taken].join(",");
  });
}

async function checkCandles(
  t: TestContext,
  batches: readonly NewBatch[],
  history: typeof query,
  intervals: readonly StoredInterval[] = STORED_INTERVALS,
): Promise<number> {
  const journal = await journalOf(batches);
  const endMs = batches.at(-1)?.timeMs as number;
  let seen = 0;
  for (const interval of intervals) {
    const known = overBy(history, 0, interval, endMs);
    if (known.length === 0) continue;
    seen += known.length;
    const asked: Partial<ExtractAsked> = { subject: "candles", interval, symbols: ["BTCUSDT"] };
    const { text } = extractInto(t, journal, asked);
    checkLines(text(`BTCUSDT-candles-${interval}.csv`), known, interval);
    const half = Math.floor(known.length / 2);
    const fromMs = Number(known[half]?.split(",")[0]);
    const later = extractInto(t, journal, { ...asked, fromMs });
    checkLines(later.text(`BTCUSDT-candles-${interval}.csv`), known.slice(half), `${interval}, later`);
  }
  return seen;
}

/** Shows the first line that differs: a comparison of all would take longer than the rest of the test. */
function checkLines(text: string, known: readonly string[], what: string): void {
  const told = text.trimEnd().split("\n").slice(1);
  const wrong = known.findIndex((line, at) => line !== told[at]);
  assert.equal(told[wrong], known[wrong], what);
  assert.equal(told.length, known.length, what);
}

type ExtractAsked = CandleRowOptions & { subject: "candles"; symbols: string[] };

test("candles are those of history, quiet ones too", async (t) => {
  assert.ok((await checkCandles(t, BATCHES, query)) > 1000);
});

const IMPORTED: Command<"importKlines"> = {
  ...{ type: "importKlines", by: "test", symbol: "BTCUSDT", interval: "5m" },
  candles: Array.from({ length: 300 }, (_, n) => {
    const price = fromScale(4_000_000 + 7 * n, 2);
    const volume = formatDecimal(BigInt(n), 6);
    // some are missing
    const openMs = START_MS - 30_000 - 86_400_000 + (n + Math.floor(n / 7)) * 300_000;
    return [openMs - (openMs % 300_000) - 86_400_000, price, price, price, price, volume, "5.5", n, volume, "1"];
  }),
};
/** Finer than the symbol, as rules version 4 permits. */
const FINER: Command = {
  ...IMPORTED,
  candles: IMPORTED.candles.map(([openMs, price, , , , , ...rest], n) => {
    const [close, volume] = [`${price.slice(0, -2)}${n % 10}1`, `0.${String(n).padStart(8, "0")}`];
    return [openMs, price, close, price, close, volume, ...rest.with(2, volume)] as unknown as ImportedCandle;
  }),
};
const GENERATED: Command = {
  ...{ type: "addPast", by: "test", symbol: "BTCUSDT", generator: 1, seed: 5, endMs: START_MS - (START_MS % 60_000) },
  ...{ endPrice: "40000.00", dayVolume: "5000", dayTrades: 10_000 },
  ...{ base: { dayMoveBps: 200, marketPercent: 50 }, quote: { dayMoveBps: 0, marketPercent: 50 } },
};

for (const [name, past, intervals] of [
  ["imported", [IMPORTED], ["1m", "5m", "15m", "6h", "1d", "1M"]],
  ["imported, finer than the symbol", [ADOPT_NEWEST_RULES, FINER], ["5m", "15m", "1d", "1M"]],
  ["generated", [GENERATED], ["15m", "1w"]],
] as const) {
  test(`candles go on from a past that was ${name}`, async (t) => {
    const engine = new Engine();
    const flow = randomFlow(6, 300);
    const opening = setup().length;
    const batches = batchesOf(6, [...flow.slice(0, opening), ...past, ...flow.slice(opening)], engine);
    assert.ok(engine.market(0).past !== null, "it was taken");
    const { query: history } = rebuiltHistory(batches);
    assert.ok((await checkCandles(t, batches, history, intervals)) > 300);
  });
}

test("candles as the archive has them are read again", async (t) => {
  const asked = { subject: "candles", interval: "1h", symbols: ["BTCUSDT"] } as const;
  const archive = extractInto(t, await journalOf(), { ...asked, layout: "archive" });
  const full = extractInto(t, await journalOf(), asked).rows("BTCUSDT-candles-1h.csv");
  const read: string[] = [];
  for await (const { candle, interval } of readKlines([join(archive.folder, "BTCUSDT-candles-1h.csv")])) {
    read.push([interval, ...candle].join(" "));
  }
  const told = full.map(
    ({ openTime, open, high, low, close, volume, quoteVolume, count, takerBuyBase, takerBuyQuote }) => {
      return ["1h", openTime, open, high, low, close, volume, quoteVolume, count, takerBuyBase, takerBuyQuote].join(
        " ",
      );
    },
  );
  assert.ok(read.length > 20);
  assert.deepEqual(read, told);
});

test("decimals are exact", async (t) => {
  const { rows } = extractInto(t, await journalOf(), { subject: "trades", symbols: ["WIDEUSDT"] });
  const wide = rows("WIDEUSDT-trades.csv").map(({ price = "", qty = "", quoteQty = "" }) => {
    const exact = (parseDecimal(price, 8) as bigint) * (parseDecimal(qty, 8) as bigint);
    const told = (parseDecimal(quoteQty, 8) as bigint) * 10n ** 8n;
    return { isFloor: exact - told >= 0n && exact - told < 10n ** 8n, isBig: told > 2n ** 64n };
  });
  assert.ok(wide.every(({ isFloor }) => isFloor) && wide.some(({ isBig }) => isBig));
});
