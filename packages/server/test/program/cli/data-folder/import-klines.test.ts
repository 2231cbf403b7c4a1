/** `pricetime history import-klines` with files as Binance publishes them. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { folderOf, jsonIn, runIn, type Said } from "../command-line.ts";
import { type RunningAdmin, startAdmin } from "../../../people/admin/running.ts";
import { madeZip } from "../../../lab/replay/made-zip.ts";

const HEADER =
  "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
const START_MS = Date.UTC(2024, 11, 31, 23, 50);
const SYMBOL = {
  symbol: "BTCUSDT",
  baseAsset: "BTC",
  quoteAsset: "USDT",
  filters: {
    priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
    lotSize: { minQty: "0.00001", maxQty: "9000", stepSize: "0.00001" },
  },
};

let admin: RunningAdmin;
let folder = "";
beforeEach(async () => {
  admin = await startAdmin();
  folder = folderOf(admin.url);
  for (const [asset, name] of [
    ["BTC", "Bitcoin"],
    ["USDT", "Tether"],
  ]) {
    await admin.call("POST", "/v1/assets", { asset, name });
  }
  assert.equal((await admin.call("POST", "/v1/symbols", SYMBOL)).status, 201);
});
afterEach(async () => {
  await admin.close();
  rmSync(folder, { recursive: true });
});

const run = (...argv: readonly string[]): Promise<Said> => runIn(folder, argv);

const imported = (...files: readonly string[]): Promise<Record<string, unknown>> =>
  jsonIn(folder, ["history", "import-klines", "BTCUSDT", ...files]);

async function refused(why: RegExp, ...files: readonly string[]): Promise<void> {
  const { code, err } = await run("history", "import-klines", "BTCUSDT", ...files);
  assert.equal(code, 1);
  assert.match(err, why);
  assert.equal(err.split("\n").length, 1);
}

/** Times are milliseconds before 2025 and microseconds from then on. */
function line(openMs: number, widthMs = 60_000, price = "42000.01000000"): string {
  const closeMs = openMs + widthMs - 1;
  const times = openMs < Date.UTC(2025, 0) ? [openMs, closeMs] : [`${openMs}000`, `${closeMs}999`];
  return [
    times[0],
    price,
    "42010.5",
    "41990",
    "42000",
    "12.34567000",
    times[1],
    "518514.81234567",
    310,
    "6.1",
    "256200",
    0,
  ].join(",");
}

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\r\n")}\r\n`);
  return path;
}

const minutes = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => line(START_MS + (from + at) * 60_000));

test("files in milliseconds and microseconds, with and without a header, and a repeated import", async () => {
  const december = file("BTCUSDT-1m-2024-12.csv", ...minutes(0, 10));
  const january = file("BTCUSDT-1m-2025-01.csv", HEADER, ...minutes(10, 1200));
  const until = new Date(START_MS + 1210 * 60_000).toISOString();
  const told = { symbol: "BTCUSDT", interval: "1m", from: "2024-12-31T23:50:00.000Z", until };
  assert.deepEqual(await imported(december), {
    ...told,
    imported: 10,
    alreadyImported: 0,
    until: "2025-01-01T00:00:00.000Z",
  });
  assert.deepEqual(await imported(december, january), { ...told, imported: 1200, alreadyImported: 10 });
  assert.deepEqual(await imported(january), { ...told, imported: 0, alreadyImported: 1200 });
  const market = admin.engine.marketBySymbol("BTCUSDT");
  const scale = { priceDecimals: 8, quantityDecimals: 8, quoteDecimals: 8 };
  assert.deepEqual(market?.past, { interval: "1m", firstMs: START_MS, endMs: START_MS + 1210 * 60_000, scale });
  assert.equal(market?.lastTradeTicks, 4_200_000);
  const { status, body } = await admin.call("GET", "/v1/symbols/BTCUSDT/backfilled-candles");
  assert.deepEqual([status, body["interval"], body["firstTradeMs"]], [200, "1m", null]);
  await refused(
    /b\.csv, line 1: the candle is older than those of BTCUSDT\. Import the oldest candles first\.$/,
    file("b.csv", ...minutes(-5, 5)),
  );
  await refused(
    /line 1: the candle's interval is 1h, and that of BTCUSDT is 1m$/,
    file("h.csv", line(START_MS + 600_000 + 86_400_000, 3_600_000)),
  );
});

test("a byte order mark does not hide the first candle", async () => {
  const { imported: count, from } = await imported(file("marked.csv", `\uFEFF${line(START_MS)}`, ...minutes(1, 2)));
  assert.deepEqual([count, from], [3, new Date(START_MS).toISOString()]);
});

test("candles are read from Binance's ZIP files", async () => {
  const path = join(folder, "BTCUSDT-1m.zip");
  writeFileSync(path, madeZip("BTCUSDT-1m.csv", minutes(0, 4).join("\n")));
  assert.equal((await imported(path))["imported"], 4);
});

test("an archive with an outage, shifted and duplicate candles is imported with a report", async () => {
  const hours = [1_515_031_200_000, 1_515_034_800_000, 1_515_042_000_000] as const;
  const [before, cut, after] = hours;
  const outage = file(
    "BTCUSDT-1h-2018-01.csv",
    line(before, 3_600_000),
    line(cut, 14_839),
    line(after, 3_600_000),
    line(after, 3_600_000).replace("12.34567000", "12.34567"),
  );
  const shifted = file(
    "BTCUSDT-1h-2018-02.csv",
    line(1_518_048_000_000, 1_694_789),
    ...[0, 1, 2].map((n) => line(1_518_168_494_789 + n * 3_600_000, 3_600_000)),
    line(1_518_168_494_789 + 3 * 3_600_000, 1_906_211),
    line(1_518_181_200_000, 1000),
    line(1_518_181_300_000, 3_500_000),
    line(1_518_184_800_000, 3_600_000),
  );
  const { doubts, ...told } = await imported(outage, shifted);
  const until = "2018-02-09T15:00:00.000Z";
  const counts = { imported: 10, alreadyImported: 0 };
  assert.deepEqual(told, { symbol: "BTCUSDT", interval: "1h", ...counts, from: "2018-01-04T02:00:00.000Z", until });
  assert.deepEqual(doubts, [
    "BTCUSDT-1h-2018-01.csv, line 3: a candle is missing before it",
    "BTCUSDT-1h-2018-01.csv, line 2: a candle closes before its interval ends",
    "BTCUSDT-1h-2018-01.csv, line 4: a candle is there twice, and counts once",
    "BTCUSDT-1h-2018-02.csv, line 1: 866 candles are missing before it and further on",
    "BTCUSDT-1h-2018-02.csv, line 1: 2 candles, this one and further on, close before their intervals end",
    "BTCUSDT-1h-2018-02.csv, line 2: 5 candles, this one and further on, open within their intervals",
  ]);
  const { symbolId } = admin.engine.marketBySymbol("BTCUSDT") ?? assert.fail();
  assert.ok(admin.engine.market(symbolId).past !== null);
  const { code, out } = await run("history", "import-klines", "BTCUSDT", outage);
  assert.equal(code, 0);
  assert.match(
    out,
    /^1 file: 3 candles, 0 to import, 3 already imported\nBTCUSDT-1h-2018-01\.csv, line 3: a candle is /,
  );
});

test("an invalid line in the last file leaves nothing written", async () => {
  const first = file("1.csv", ...minutes(0, 1000));
  const last = file("2.csv", ...minutes(1000, 5), line(START_MS + 1005 * 60_000, 60_000, "43000"));
  await refused(/2\.csv, line 6: open 43000 and close 42000 are not between low 41990 and high 42010\.5$/, first, last);
  assert.equal(admin.engine.marketBySymbol("BTCUSDT")?.past, null);
});

test("an invalid row is reported by its line", async () => {
  const good = minutes(0, 2);
  const cases: readonly (readonly [RegExp, readonly string[]])[] = [
    [
      /a\.csv, line 3: 1000000001 trades exceed the maximum of 1000000000 per candle$/,
      [...good, line(START_MS + 120_000).replace(",310,", ",1000000001,")],
    ],
    [
      /a\.csv, line 3: 1234567890123456\.5 has more than 15 digits before the point$/,
      [...good, line(START_MS + 120_000).replace("518514.81234567", "1234567890123456.5")],
    ],
    [
      /a\.csv, line 3: price 42000\.000000001 has more decimals than the 8 that a candle can have$/,
      [...good, line(START_MS + 120_000, 60_000, "42000.000000001")],
    ],
    [
      /a\.csv, line 3: .*open 42011 and close 42000 are not between low 41990 and high 42010\.5$/,
      [...good, line(START_MS + 120_000, 60_000, "42011")],
    ],
    [/a\.csv, line 3: it is before the row before it: [0-9]+ after [0-9]+$/, [...good, line(START_MS)]],
    [
      /a\.csv, line 3: it lasts 180000 ms, and candles of this file are of 1m$/,
      [...good, line(START_MS + 120_000, 180_000)],
    ],
    [
      /a\.csv, line 1: candles of 3m cannot be imported\. Import one of 1m, 5m, .*, 1d; longer intervals are computed\.$/,
      [line(START_MS + 60_000, 180_000)],
    ],
    [/a\.csv, line 1: the length of no candle is one of the intervals 1s, 1m, .*, 1M$/, [line(START_MS, 61_000)]],
    [
      /a\.csv, line 3: it opens when the candle before it does, and says something else$/,
      [...good, line(START_MS + 60_000, 60_000, "42000.02")],
    ],
    [/a\.csv, line 2: 'x' is no decimal$/, [line(START_MS), line(START_MS + 60_000, 60_000, "x")]],
    [/a\.csv, line 1: 2 columns as here \(1573776000000,1\) are no layout that is known: trades/, ["1573776000000,1"]],
    [/a\.csv, line 1: 157377600 is no time in milliseconds/, [line(START_MS).replace(/^[0-9]+/, "157377600")]],
    [/a\.csv: it cannot be read: /, ["PK\u0003\u0004"]],
    [
      /a\.csv, line 1 and later candles: Only closed candles can be imported\.$/,
      [line(Math.floor(Date.now() / 60_000) * 60_000 + 600_000)],
    ],
  ];
  for (const [why, lines] of cases) await refused(why, file("a.csv", ...lines));
  await refused(/none\.csv: there is no such file$/, join(folder, "none.csv"));
  assert.equal(admin.engine.marketBySymbol("BTCUSDT")?.past, null);
  const { code, err } = await run("history", "import-klines", "BTCUSD", file("a.csv", ...good));
  assert.equal(code, 1);
  assert.match(err, /BTCUSDT/);
});
