import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { madeZip } from "./made-zip.ts";
import { ReplayVenue, START_MS } from "./replay-venue.ts";

const MINUTE_MS = 60_000;
/** One market in every layout of trades: two of one taker, and one back. */
const TIMES = [START_MS, START_MS, START_MS + 250];
const LAYOUTS: Readonly<Record<string, readonly [layout: string, lines: readonly string[]]>> = {
  "spot trades": [
    "trades",
    [
      `7,100.00000000,0.50000000,50.00000000,${TIMES[0]},False,True`,
      `8,100.01000000,0.25000000,25.00250000,${TIMES[1]},False,True`,
      `9,100.00000000,0.00001000,0.00100000,${TIMES[2]},True,True`,
    ],
  ],
  "spot trades since 2025, in microseconds": [
    "trades",
    [
      `7,100.00000000,0.50000000,50.00000000,${TIMES[0]}123,False,True`,
      `8,100.01000000,0.25000000,25.00250000,${TIMES[1]}123,False,True`,
      `9,100.00000000,0.00001000,0.00100000,${TIMES[2]}999,True,True`,
    ],
  ],
  "spot trades over the new year, in both": [
    "trades",
    [
      `7,100.00000000,0.50000000,50.00000000,${TIMES[0]},False,True`,
      `8,100.01000000,0.25000000,25.00250000,${TIMES[1]}000,False,True`,
      `9,100.00000000,0.00001000,0.00100000,${TIMES[2]}999,True,True`,
    ],
  ],
  "trades of futures": [
    "trades",
    [
      "id,price,qty,quote_qty,time,is_buyer_maker",
      `7,100.0,0.5,50,${TIMES[0]},false`,
      `8,100.01,0.25,25.0025,${TIMES[1]},false`,
      `9,100,0.00001,0.001,${TIMES[2]},true`,
    ],
  ],
  "spot aggregate trades": [
    "aggTrades",
    [
      `7,100.00000000,0.50000000,7,7,${TIMES[0]},False,True`,
      `8,100.01000000,0.25000000,8,8,${TIMES[1]},False,True`,
      `9,100.00000000,0.00001000,9,9,${TIMES[2]},True,True`,
    ],
  ],
  "aggregate trades of futures": [
    "aggTrades",
    [
      "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker",
      `7,100,0.5,7,7,${TIMES[0]},false`,
      `8,100.01,0.25,8,8,${TIMES[1]},false`,
      `9,100.00,0.00001,9,9,${TIMES[2]},true`,
    ],
  ],
  "a recording of ours": [
    "recording",
    [
      '{"format":"pricetime-recording","version":1,"venue":"http://127.0.0.1:9000","symbol":"BTCUSDT"}',
      `{"ms":${TIMES[0]},"stream":"depth","data":{"lastUpdateId":1,"bids":[],"asks":[]}}`,
      `{"ms":${TIMES[0]},"stream":"btcusdt@trade","data":{"e":"trade","t":7,"p":"100.00","q":"0.5","T":${TIMES[0]},"m":false}}`,
      `{"ms":${TIMES[0]},"stream":"btcusdt@trade","data":{"e":"trade","t":8,"p":"100.01","q":"0.25","T":${TIMES[1]},"m":false}}`,
      `{"ms":${TIMES[0]},"stream":"btcusdt@bookTicker","data":{"u":1,"b":"1","B":"1","a":"2","A":"2"}}`,
      `{"ms":${TIMES[2]},"stream":"btcusdt@trade","data":{"e":"trade","t":9,"p":"100.00","q":"0.00001","T":${TIMES[2]},"m":true}}`,
    ],
  ],
};
const PRINTED = [
  [TIMES[0], 100, 0.5, "BUY"],
  [TIMES[1], 100.01, 0.25, "BUY"],
  [TIMES[2], 100, 0.00001, "SELL"],
];

const printed = (venue: ReplayVenue): unknown[] =>
  venue.trades.map(({ timeMs, price, quantity, takerSide }) => [timeMs, price, quantity, takerSide]);

test("each layout is known by its columns, and prints the same", async (t) => {
  for (const [name, [layout, lines]] of Object.entries(LAYOUTS)) {
    const venue = await ReplayVenue.open(t);
    const told = await venue.play([venue.file("market.csv", lines)]);
    assert.equal(told.layout, layout, name);
    await venue.advance(MINUTE_MS);
    assert.deepEqual(printed(venue), PRINTED, name);
    assert.equal((await venue.list()).state, "ended", name);
  }
});

test("a ZIP, one with sizes of 64 bits, Windows' ends of lines, and several files in a row", async (t) => {
  const [, lines] = LAYOUTS["spot trades"] as (typeof LAYOUTS)[string];
  const venue = await ReplayVenue.open(t);
  const path = (name: string, content: Buffer | string): string => {
    writeFileSync(join(venue.folder, name), content);
    return join(venue.folder, name);
  };
  const files = [
    path("1.zip", madeZip("1.csv", `${lines[0]}\n`)),
    path("2.zip", madeZip("2.csv", `${lines[1]}\n`, { zip64: true })),
    path("3.csv", `${lines[2]}\r\n`),
  ];
  await venue.play(files);
  await venue.advance(MINUTE_MS);
  assert.deepEqual(printed(venue), PRINTED);
});

test("candles are four trades each in the assumed order, and are marked so", async (t) => {
  const venue = await ReplayVenue.open(t);
  const [first, second, third] = [START_MS, START_MS + MINUTE_MS, START_MS + 2 * MINUTE_MS];
  const file = venue.file("klines.csv", [
    `${first},100.00,103.00,99.00,101.00,4.00000000,${first + 59_999},400,10,3,300,0`,
    `${second},101.00,101.00,101.00,101.00,0.00000000,${second + 59_999},0,0,0,0,0`,
    `${third},101.00,102.00,97.00,98.00,2.00000100,${third + 59_999},200,10,0.5,50,0`,
  ]);
  const { layout, isAssumed } = await venue.play([file]);
  assert.deepEqual([layout, isAssumed], ["klines", true]);
  await venue.advance(4 * MINUTE_MS);
  assert.deepEqual(printed(venue), [
    [first, 100, 1, "BUY"],
    [first + 19_999, 99, 1, "SELL"],
    [first + 39_999, 103, 1, "BUY"],
    [first + 59_999, 101, 1, "SELL"],
    [third, 101, 0.5, "SELL"],
    [third + 19_999, 102, 0.5, "BUY"],
    [third + 39_999, 97, 0.5, "SELL"],
    [third + 59_999, 98, 0.500001, "BUY"],
  ]);
});

test("candles that are missing are told of with the line after the first gap; quiet ones and the whole are not", async (t) => {
  const venue = await ReplayVenue.open(t);
  const candle = (minute: number, volume = 4): string => {
    const openMs = START_MS + minute * MINUTE_MS;
    return `${openMs},100.00,103.00,99.00,101.00,${volume},${openMs + 59_999},400,10,3,300,0`;
  };
  const whole = venue.file(
    "whole.csv",
    [0, 1, 2].map((minute) => candle(minute, minute % 2)),
  );
  const gaps = venue.file(
    "gaps.csv",
    [3, 4, 6, 9].map((minute) => candle(minute)),
  );
  const later = venue.file(
    "later.csv",
    [11, 12].map((minute) => candle(minute)),
  );
  const { id, doubts } = await venue.play([whole, gaps, later]);
  assert.deepEqual(doubts, [
    "gaps.csv, line 3: 3 candles are missing before it and further on",
    "later.csv, line 1: a candle is missing before it",
  ]);
  await venue.ask("DELETE", `/v1/lab/replays/${id}`);
  assert.deepEqual((await venue.play([whole])).doubts, []);
});

test("a file whose trades all have the same side is told of, from five hundred rows on", async (t) => {
  const venue = await ReplayVenue.open(t);
  const trades = (count: number, other = -1): string[] =>
    Array.from(
      { length: count },
      (_, row) => `${row + 1},100.00,0.5,50,${START_MS + row},${row === other ? "False" : "True"},True`,
    );
  const doubtsOf = async (...files: readonly string[]): Promise<readonly string[]> => {
    const { id, doubts } = await venue.play(files);
    await venue.ask("DELETE", `/v1/lab/replays/${id}`);
    return doubts;
  };
  const wrong = venue.file("wrong.csv", trades(2000));
  assert.deepEqual(await doubtsOf(wrong), [
    "wrong.csv: isBuyerMaker is true in each of 2000 rows: sides are hardly right",
  ]);
  assert.deepEqual(await doubtsOf(venue.file("short.csv", trades(499))), []);
  assert.deepEqual(await doubtsOf(venue.file("mixed.csv", trades(2000, 1999))), []);
});

const TARDIS_HEADER = "exchange,symbol,timestamp,local_timestamp,id,side,price,amount";
const tardis = (symbol: string, id: number, timeMs: number, side: string, price = "100.00", amount = "0.5"): string =>
  `binance,${symbol},${timeMs}123,${timeMs}999,${id},${side},${price},${amount}`;

test("what ids tell exactly to be missing is told of, in trades, aggregate trades, recordings and between files", async (t) => {
  const venue = await ReplayVenue.open(t);
  const doubtsOf = async (...files: readonly string[]): Promise<readonly string[]> => {
    const { id, doubts } = await venue.play(files);
    await venue.ask("DELETE", `/v1/lab/replays/${id}`);
    return doubts;
  };
  const trade = (id: number): string => `${id},100.00,0.5,50,${START_MS},False,True`;
  const one = venue.file("one.csv", [trade(1_684_951), trade(1_684_952), trade(1_687_081), trade(1_687_083)]);
  const two = venue.file("two.csv", [trade(1_687_085)]);
  assert.deepEqual(await doubtsOf(one, two), [
    "one.csv, line 3: 2129 trades are missing before it and further on, by their ids",
    "two.csv, line 1: a trade is missing before it, by their ids",
  ]);
  const aggregate = (id: number, first: number, last: number): string =>
    `${id},100.00,0.5,${first},${last},${START_MS},False,True`;
  const aggregates = [aggregate(1, 5_129_698_190, 5_129_698_198), aggregate(2, 5_129_698_299, 5_129_698_300)];
  assert.deepEqual(await doubtsOf(venue.file("agg.csv", aggregates)), [
    "agg.csv, line 2: 100 trades are missing before it and further on, by their ids",
  ]);
  assert.deepEqual(
    await doubtsOf(venue.file("no-ids.csv", [aggregate(1, 7, 9).replace("7,9", ","), aggregate(2, 20, 20)])),
    [],
  );
  const [head = "", ...lines] = LAYOUTS["a recording of ours"]?.[1] ?? [];
  const recorded = lines.map((line) => line.replace('"t":9', '"t":12'));
  assert.deepEqual(await doubtsOf(venue.file("lab.jsonl", [head, ...recorded])), [
    "lab.jsonl, line 6: 3 trades are missing before it and further on, by their ids",
  ]);
});

test("candles that an outage cut short are counted by their intervals, and one that is there twice is played once", async (t) => {
  const venue = await ReplayVenue.open(t);
  const hourMs = 60 * MINUTE_MS;
  const candle = (openMs: number, lastsMs = hourMs): string =>
    `${openMs},100.00,100.00,100.00,100.00,4,${openMs + lastsMs - 1},400,10,3,300,0`;
  const file = venue.file("1h.csv", [
    candle(START_MS),
    candle(START_MS + hourMs, 14_839),
    candle(START_MS + 3 * hourMs),
    candle(START_MS + 3 * hourMs).replaceAll("100.00", "100"),
  ]);
  const { doubts } = await venue.play([file]);
  assert.deepEqual(doubts, [
    "1h.csv, line 3: a candle is missing before it",
    "1h.csv, line 2: a candle closes before its interval ends",
    "1h.csv, line 4: a candle is there twice, and counts once",
  ]);
  await venue.advance(5 * hourMs);
  assert.equal(printed(venue).length, 3 * 4);
  assert.equal((await venue.list()).state, "ended");
});

test("tardis' trades and gzip are read, and go on from a checkpoint", async (t) => {
  const venue = await ReplayVenue.open(t);
  const lines = [
    TARDIS_HEADER,
    tardis("BTCUSDT", 7, START_MS, "buy"),
    tardis("BTCUSDT", 8, START_MS, "buy", "100.01", "0.25"),
    // Received later, and made a little before.
    tardis("BTCUSDT", 10, START_MS + 250, "sell", "100.00", "0.00001"),
    tardis("BTCUSDT", 11, START_MS + 249, "sell", "100.00", "0.00001"),
  ];
  const path = join(venue.folder, "binance_trades_2026-01-14_BTCUSDT.csv.gz");
  writeFileSync(path, gzipSync(lines.map((line) => `${line}\n`).join("")));
  const { layout, doubts, totalBytes } = await venue.play([path]);
  assert.deepEqual([layout, totalBytes], ["trades", lines.join("\n").length + 1]);
  assert.deepEqual(doubts, [
    "binance_trades_2026-01-14_BTCUSDT.csv.gz, line 4: a trade is missing before it, by their ids",
  ]);
  await venue.advance(100);
  venue.restore();
  await venue.advance(MINUTE_MS);
  assert.deepEqual(printed(venue), [...PRINTED, [TIMES[2], 100, 0.00001, "SELL"]]);
  writeFileSync(path, readFileSync(path).subarray(0, 60));
  const { id } = await venue.list();
  await venue.ask("DELETE", `/v1/lab/replays/${id}`);
  assert.match((await venue.refusal([path]))[1], /\.csv\.gz: it cannot be read: unexpected end of file$/);
});

const ROW = `7,100.00,0.5,50,${START_MS},False,True`;
const LATER = `8,100.00,0.5,50,${START_MS + 1},False,True`;
const KLINE = `${START_MS},100,103,99,101,4,${START_MS + 59_999},400,10,3,300,0`;
const BAD: Readonly<Record<string, readonly [lines: readonly string[], message: RegExp, settings?: object]>> = {
  "cut in a row": [[ROW, "8,100.00,0.5,5"], /^bad\.csv, line 2: a row has 7 columns, and here are 4$/],
  "cut in its last word": [[ROW, LATER.replace("False,True", "Fal,True")], /line 2: 'Fal' is neither true nor false$/],
  "out of order": [[LATER, ROW.replace("7,", "9,")], /line 2: it is before the row before it/],
  "ids of two times mixed": [[LATER, LATER.replace("8,", "3,")], /line 2: its id 3 does not follow 8$/],
  "off the tick": [[ROW, LATER.replace("100.00", "100.005")], /line 2: the price 100\.005 is off the tick of BTCUSDT$/],
  "off the step": [[LATER.replace("0.5", "0.0000005")], /line 1: the quantity 0\.0000005 is off the step of BTCUSDT$/],
  "a price of nothing": [[ROW.replace("100.00", "0.00")], /line 1: the price 0\.00 is off the tick/],
  "no number": [[ROW, LATER.replace("100.00", "1e2")], /line 2: '1e2' is no decimal$/],
  "time in seconds": [
    [ROW.replace(`${START_MS}`, `${START_MS / 1000}`)],
    /line 1: 1768392000 is no time in milliseconds/,
  ],
  "another layout than told": [[ROW], /line 1: it has the columns of trades, not of klines$/, { layout: "klines" }],
  "no layout at all": [
    ["1,2,3"],
    /^bad\.csv, line 1: 3 columns as here \(1,2,3\) are no layout that is known: trades \(7 columns, of futures 6\); /,
  ],
  "another kind of tardis' files": [
    [`exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount`, `binance,BTCUSDT,1,2,true,bid,3,4`],
    /line 2: 8 columns as here \(exchange,symbol,timestamp,local_timestamp,is_snapshot,.*are no layout.*tardis \(exchange,/,
  ],
  "tardis' trades of two symbols": [
    [TARDIS_HEADER, tardis("BTCUSDT", 1, START_MS, "buy"), tardis("ETHUSDT", 2, START_MS, "buy")],
    /line 3: it is of ETHUSDT, and the file begins with BTCUSDT$/,
  ],
  JSON: [['{"symbols": ['], /line 1: JSON as here \(\{"symbols": \[\) are no layout that is known/],
  "a Parquet file": [["PAR1"], /^bad\.csv: it is a Parquet file: write it as CSV first$/],
  "a candle of the same time that says something else": [
    [KLINE, KLINE.replace(",101,4,", ",102,4,")],
    /line 2: it opens when the candle before it does, and says something else$/,
  ],
  "a candle that is longer than the others": [
    [KLINE, KLINE.replaceAll(`${START_MS + 59_999}`, `${START_MS + 119_999}`)],
    /line 2: it lasts 120000 ms, and candles of this file are of 1m$/,
  ],
  "a candle that closes before it opens": [
    [KLINE.replace(`${START_MS + 59_999}`, `${START_MS - 1}`)],
    /line 1: it closes before/,
  ],
  "a candle whose high is none": [[KLINE.replace("103", "100.5")], /line 1: its high and low do not hold its prices$/],
  "a head without rows": [
    ["id,price,qty,quote_qty,time,is_buyer_maker"],
    /^bad\.csv: it has no rows after its first line: id,price,qty,/,
  ],
  empty: [[], /^bad\.csv: it has no rows$/],
  "nothing in the span": [[ROW], /^bad\.csv: no row is within the span$/, { fromMs: START_MS + 10 }],
  "a recording of a later version": [
    ['{"format":"pricetime-recording","version":2}'],
    /line 1: it is no head of a recording of version 1$/,
  ],
  "a recording that is cut": [[`${LAYOUTS["a recording of ours"]?.[1][0]}`, '{"ms":1,"str'], /line 2: it is no JSON/],
};

test("bad files are refused with file and line, and nothing has happened", async (t) => {
  const venue = await ReplayVenue.open(t);
  const { seq } = venue.market.engine;
  for (const [name, [lines, message, settings]] of Object.entries(BAD)) {
    const [code, said] = await venue.refusal([venue.file("bad.csv", lines)], settings);
    assert.equal(code, "BAD_FILE", name);
    assert.match(said, message, name);
  }
  const second = [venue.file("good.csv", [LATER]), venue.file("earlier.csv", [ROW])];
  assert.match((await venue.refusal(second))[1], /^earlier\.csv, line 1: it is before the row before it/);
  assert.match((await venue.refusal(["/nowhere/at/all.csv"]))[1], /^all\.csv: there is no such file$/);
  assert.equal(venue.market.engine.seq, seq);
  assert.deepEqual([await venue.ask("GET", "/v1/lab/replays"), venue.stoodInFor.size], [[], 0]);
});

test("a ZIP that lies about its size, is cut, is damaged or holds nothing", async (t) => {
  const venue = await ReplayVenue.open(t);
  const content = `${ROW}\n`;
  const path = join(venue.folder, "bad.zip");
  const good = madeZip("a.csv", content);
  const bad: readonly (readonly [Buffer, RegExp])[] = [
    [madeZip("a.csv", content, { claimedBytes: 10 }), /^bad\.zip: it cannot be read: .*too many bytes/],
    [madeZip("a.csv", content, { claimedBytes: 100 }), /^bad\.zip: it cannot be read: .*not enough bytes/],
    [
      madeZip("a.csv", content, { claimedBytes: 2 ** 41, zip64: true }),
      /^bad\.zip: the ZIP claims \d+ bytes, of \d+ at most$/,
    ],
    [
      madeZip("a.csv", content, { claimedBytes: 1e9 }),
      /^bad\.zip: the ZIP lies about its size: 1000000000 bytes packed/,
    ],
    [madeZip("a.csv", content, { crc: 1 }), /^bad\.zip: the ZIP is damaged: its check sum is another$/],
    [good.subarray(0, good.length - 10), /^bad\.zip: it cannot be read: /],
    [madeZip("a/", ""), /^bad\.zip: the ZIP holds no file$/],
  ];
  for (const [bytes, message] of bad) {
    writeFileSync(path, bytes);
    assert.match((await venue.refusal([path]))[1], message);
  }
});
