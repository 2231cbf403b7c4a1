/** Addresses that clients use, and the stream names in them. Interface 10.1. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KLINE_INTERVALS } from "@pricetime/protocol";
import { readStreamAddress } from "../../../src/api/streams/connection.ts";
import { readStreamName } from "../../../src/api/streams/market/market-stream.ts";

suite("addresses", () => {
  const raw = (...names: string[]): object => ({ names, isCombined: false, timeUnit: null });
  const combined = (...names: string[]): object => ({ names, isCombined: true, timeUnit: null });
  const cases: [path: string, query: string, read: object | null][] = [
    ["/ws", "", raw()],
    ["/ws/", "", raw()],
    ["/ws/0", "", raw()],
    ["/ws/12", "", raw()],
    ["/ws/btcusdt@trade", "", raw("btcusdt@trade")],
    ["/ws/btcusdt@trade", "timeUnit=MICROSECOND", { ...raw("btcusdt@trade"), timeUnit: "MICROSECOND" }],
    ["/ws/btcusdt@trade/ethbtc@depth@100ms", "", raw("btcusdt@trade", "ethbtc@depth@100ms")],
    ["/ws/!miniTicker@arr", "", raw("!miniTicker@arr")],
    ["/ws/%21ticker%40arr", "", raw("!ticker@arr")],
    ["/ws/%zz", "", raw("%zz")],
    ["/stream", "", combined()],
    ["/stream/", "", combined()],
    ["/stream", "streams=", combined()],
    ["/stream", "streams=a@trade", combined("a@trade")],
    ["/stream", "streams=a@trade/b@trade/", combined("a@trade", "b@trade")],
    ["/stream", "x=1&streams=%21ticker%40arr%2Fb@trade", combined("!ticker@arr", "b@trade")],
    ["/stream", "stream=a@trade", combined("a@trade")],
    ["/stream", "streams=a@trade&streams=b@trade/c@trade", combined("a@trade", "b@trade", "c@trade")],
    ["/stream", "streams=a@kline_1d@+08:00/b@kline_1d@%2B08:00", combined("a@kline_1d@+08:00", "b@kline_1d@+08:00")],
    ["/stream", "stream=&streams=", combined()],
    ["/ws", "streams=a@trade", raw("a@trade")],
    ["/ws/", "stream=a@trade&streams=b@trade", raw("a@trade", "b@trade")],
    ["/ws/0", "streams=a@trade", raw("a@trade")],
    ["/ws/a@trade", "streams=b@trade&timeUnit=MILLISECOND", { ...raw("a@trade", "b@trade"), timeUnit: "MILLISECOND" }],
    ["/", "", null],
    ["/wss", "", null],
    ["/ws-api/v3", "", null],
    ["/streams", "streams=a", null],
    ["/api/v3/ping", "", null],
  ];
  for (const [path, query, read] of cases) {
    test(`${path}?${query}`, () => assert.deepEqual(readStreamAddress(path, query), read));
  }
});

suite("names", () => {
  const known: [name: string, stream: object][] = [
    ["btcusdt@trade", { kind: "trade" }],
    ["btcusdt@aggTrade", { kind: "aggTrade" }],
    ["btcusdt@miniTicker", { kind: "miniTicker" }],
    ["btcusdt@ticker", { kind: "ticker" }],
    ["btcusdt@bookTicker", { kind: "bookTicker" }],
    ["btcusdt@depth", { kind: "depth", periodMs: 1000 }],
    ["btcusdt@depth@100ms", { kind: "depth", periodMs: 100 }],
    ["btcusdt@depth@1000ms", { kind: "depth", periodMs: 1000 }],
    ["btcusdt@depth5@1000ms", { kind: "partialDepth", levels: 5, periodMs: 1000 }],
    ...[5, 10, 20].flatMap((levels): [string, object][] => [
      [`btcusdt@depth${levels}`, { kind: "partialDepth", levels, periodMs: 1000 }],
      [`btcusdt@depth${levels}@100ms`, { kind: "partialDepth", levels, periodMs: 100 }],
    ]),
    ...KLINE_INTERVALS.flatMap((interval): [string, object][] => [
      [`btcusdt@kline_${interval}`, { kind: "kline", interval, offsetMs: 0 }],
      [`btcusdt@kline_${interval}@+08:00`, { kind: "kline", interval, offsetMs: 8 * 3_600_000 }],
    ]),
  ];
  for (const [name, stream] of known) {
    test(name, () => assert.deepEqual(readStreamName(name), { symbol: "BTCUSDT", stream }));
  }
  test("only the letters of a symbol are lower case", () => {
    assert.deepEqual(readStreamName("a.b-c_1@trade"), { symbol: "A.B-C_1", stream: { kind: "trade" } });
  });
  for (const name of [
    "BTCUSDT@trade",
    "btcusdt@Trade",
    "btcusdt@aggtrade",
    "btcusdt@kline_1D",
    "btcusdt@kline_",
    "btcusdt@kline_1h@+07:00",
    "btcusdt@kline_@+08:00",
    "btcusdt@kline_1h@08:00",
    "btcusdt@kline_1h@+08:00@+08:00",
    "btcu\u017fdt@trade",
    "btcusdt@depth7",
    "btcusdt@depth@10ms",
    "btcusdt@depth@100ms@100ms",
    "btcusdt",
    "@trade",
    "",
    "!ticker@arr",
  ]) {
    test(`'${name}' is not a stream`, () => assert.equal(readStreamName(name), null));
  }
});
