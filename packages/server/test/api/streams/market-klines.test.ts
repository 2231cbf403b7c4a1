/** Candles equal those of history, from before the first subscriber to their close. Interface 10.3, 2.6. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { NEWEST_EDITION } from "@pricetime/engine";
import { KLINE_INTERVALS, type KlineInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { Dice } from "@pricetime/testkit/dice";
import { until } from "@pricetime/testkit/waiting";
import type { History } from "../../../src/history/port.ts";
import { beatsByHand, MarketVenue, untilHeard } from "./market-venue.ts";
import type { Message } from "./user-venue.ts";

/** The start of a minute. */
const OPEN_MS = 1_614_834_360_000;
const MINUTE_MS = 60_000;

async function trade(
  venue: MarketVenue,
  price: string,
  quantity: string,
  takes: "BUY" | "SELL" = "BUY",
): Promise<void> {
  await venue.limit(takes === "BUY" ? "SELL" : "BUY", price, quantity);
  await venue.limit(takes, price, quantity, venue.trader);
}

/** Counts concurrent queries for candles. */
class CountingVenue extends MarketVenue {
  static readonly asked = { now: 0, most: 0, all: 0 };

  override history(): History {
    const { asked } = CountingVenue;
    const history = super.history();
    return {
      seq: 0,
      query: async (seq, name, args) => {
        if (name !== "klines") return history.query(seq, name, args);
        asked.all++;
        asked.most = Math.max(asked.most, ++asked.now);
        return history.query(seq, name, args).finally(() => asked.now--);
      },
    };
  }
}

/** History answers queries for candles when the test allows it. */
class WaitingVenue extends MarketVenue {
  // Created before the instance, whose constructor uses it before its fields are set.
  static readonly gate = Promise.withResolvers<void>();

  override history(): History {
    const history = super.history();
    return {
      seq: 0,
      query: async (seq, name, args) => {
        if (name === "klines") await WaitingVenue.gate.promise;
        return history.query(seq, name, args);
      },
    };
  }
}

suite("a candle", () => {
  test("a few of many streams are read from history at a time, and closed ones not at all", async () => {
    const venue = new CountingVenue(OPEN_MS);
    const { asked } = CountingVenue;
    await trade(venue, "100", "1");
    const names = KLINE_INTERVALS.map((interval) => `btcusdt@kline_${interval}`);
    for (let round = 0; round < 50; round++) {
      for (const name of names) venue.record(name);
      for (const name of names) venue.hush(name);
    }
    const heard = names.map((name) => venue.record(name));
    for (const messages of heard) await untilHeard(messages, 1);
    assert.ok(asked.most <= 8, `${asked.most} at a time`);
    assert.ok(asked.all <= 2 * names.length, `${asked.all} in all`);
  });

  test("includes candles imported while it is open, before the first trade and after it", async () => {
    const dayMs = openTimeOf("1d", OPEN_MS);
    const venue = new MarketVenue(OPEN_MS);
    const importHour = (hour: number, close: string): void => {
      const prices = ["100", "130", "70", close] as const;
      const candles = [[dayMs + hour * 60 * MINUTE_MS, ...prices, "2", "200", 7, "1", "100"]] as const;
      venue.apply({ type: "importKlines", by: "test", symbol: "BTCUSDT", interval: "1h", candles });
    };
    const klines = venue.record("btcusdt@kline_1d");
    importHour(0, "90");
    importHour(1, "95");
    await untilHeard(klines, 1);
    venue.nowMs += 3000;
    await trade(venue, "110", "1");
    importHour(2, "96");
    const last = (): Message["k"] => klines.at(-1)?.["k"];
    await until("22 trades are counted", () => {
      venue.nowMs += 3000;
      return last()?.n === 22;
    });
    const { t, f, L, o, h, l, c, v, n } = last();
    assert.deepEqual(
      { t, f, L, o, h, l, c, v, n },
      {
        ...{ t: dayMs, f: 1, L: 1, o: "100.00000000", h: "130.00000000", l: "70.00000000", c: "110.00000000" },
        ...{ v: "7.00000000", n: 22 },
      },
    );
  });

  test("prints candles with more decimals than the symbol as they are, including later trades", async () => {
    const dayMs = openTimeOf("1d", OPEN_MS);
    const venue = new MarketVenue(OPEN_MS);
    const importHour = (hour: number, close: string): void => {
      const prices = ["100.00000001", "130", "70.12345678", close] as const;
      const candles = [[dayMs + hour * 60 * MINUTE_MS, ...prices, "2.00000001", "200.5", 7, "1", "100"]] as const;
      venue.apply({ type: "importKlines", by: "test", symbol: "BTCUSDT", interval: "1h", candles });
    };
    venue.apply({ type: "adoptRules", edition: NEWEST_EDITION });
    const klines = venue.record("btcusdt@kline_1d");
    const last = (): readonly unknown[] => {
      const { f, L, o, h, l, c, v, n } = klines.at(-1)?.["k"] ?? {};
      return [f, L, o, h, l, c, v, n];
    };
    const untilCounted = (count: number): Promise<void> =>
      until(`${count} trades are counted`, () => {
        venue.nowMs += 3000;
        return last()[7] === count;
      });
    importHour(0, "90.00000009");
    await untilCounted(7);
    const before = ["100.00000001", "130.00000000", "70.12345678"];
    assert.deepEqual(last(), [-1, -1, ...before, "90.00000009", "2.00000001", 7]);
    await trade(venue, "131", "1");
    await untilCounted(8);
    assert.deepEqual(last(), [1, 1, "100.00000001", "131.00000000", "70.12345678", "131.00000000", "3.00000001", 8]);
    importHour(1, "95");
    await untilCounted(15);
    await trade(venue, "60", "1");
    await untilCounted(16);
    const both = ["100.00000001", "131.00000000", "60.00000000", "60.00000000", "6.00000002"];
    assert.deepEqual(last(), [1, 2, ...both, 16]);
  });

  test("has every field, including trades before the first subscriber, and closes with its interval", async () => {
    const venue = new WaitingVenue(OPEN_MS - 10_000);
    await trade(venue, "90", "1");
    venue.nowMs = OPEN_MS + 1000;
    await trade(venue, "100", "0.5");
    await trade(venue, "120", "0.25", "SELL");
    const klines = venue.record("btcusdt@kline_1m");
    // Arrives during the history query.
    await trade(venue, "80", "0.5", "SELL");
    WaitingVenue.gate.resolve();
    await untilHeard(klines, 1);
    const k = {
      t: OPEN_MS,
      T: OPEN_MS + MINUTE_MS - 1,
      s: "BTCUSDT",
      i: "1m",
      f: 2,
      L: 4,
      o: "100.00000000",
      c: "80.00000000",
      h: "120.00000000",
      l: "80.00000000",
      v: "1.25000000",
      n: 3,
      x: false,
      q: "120.00000000",
      V: "0.50000000",
      Q: "50.00000000",
      B: "0",
    };
    assert.deepEqual(klines, [{ e: "kline", E: venue.nowMs, s: "BTCUSDT", k }]);

    // Nothing more within two seconds, then the changes, and once more at the close.
    await trade(venue, "85", "0.75");
    venue.nowMs += 2000;
    await untilHeard(klines, 2);
    const grown = {
      ...k,
      L: 5,
      c: "85.00000000",
      v: "2.00000000",
      n: 4,
      q: "183.75000000",
      V: "1.25000000",
      Q: "113.75000000",
    };
    assert.deepEqual(klines[1]?.["k"], grown);
    venue.nowMs = OPEN_MS + MINUTE_MS;
    await untilHeard(klines, 3);
    assert.deepEqual(klines[2]?.["k"], { ...grown, x: true });
  });

  test("without trades repeats the previous close, and is sent at its close", async () => {
    const venue = new MarketVenue(OPEN_MS);
    await trade(venue, "100", "1");
    const klines = venue.record("btcusdt@kline_1m");
    await untilHeard(klines, 1);
    venue.nowMs = OPEN_MS + 3 * MINUTE_MS;
    await untilHeard(klines, 4);
    const quiet = { o: "100.00000000", c: "100.00000000", h: "100.00000000", l: "100.00000000", f: -1, L: -1, n: 0 };
    const of = (message: Message = {}): object => {
      const { t, x, f, L, n, o, c, h, l, v } = message["k"] as Message;
      return { t, x, f, L, n, o, c, h, l, v };
    };
    const none = { ...quiet, v: "0.00000000" };
    assert.deepEqual(of(klines[2]), { t: OPEN_MS + MINUTE_MS, x: true, ...none });
    assert.deepEqual(of(klines[3]), { t: OPEN_MS + 2 * MINUTE_MS, x: true, ...none });
    venue.nowMs += 2000;
    await untilHeard(klines, 5);
    assert.deepEqual(of(klines[4]), { t: OPEN_MS + 3 * MINUTE_MS, x: false, ...none });
  });

  test("starts with the first trade of a symbol", async () => {
    const venue = new MarketVenue(OPEN_MS);
    const klines = venue.record("btcusdt@kline_1h");
    venue.nowMs += 10 * MINUTE_MS;
    await trade(venue, "100", "1");
    await untilHeard(klines, 1);
    assert.deepEqual([klines[0]?.["k"].f, klines[0]?.["k"].n, klines.length], [1, 1, 1]);
  });
});

test("seconds are sent each second, quiet ones too, and after a pause only those of the last minute", async (t) => {
  beatsByHand(t);
  const venue = new MarketVenue(OPEN_MS);
  const klines = venue.record("btcusdt@kline_1s");
  await trade(venue, "100", "1");
  const pass = (ms: number): void => {
    venue.nowMs += ms;
    t.mock.timers.tick(100);
  };
  await until("the candle is read", () => {
    pass(0);
    return klines.length > 0;
  });
  const seconds = (): [number, number, boolean][] =>
    klines.splice(0).map(({ k }) => [(k.t - OPEN_MS) / 1000, k.n, k.x] as [number, number, boolean]);
  assert.deepEqual(seconds(), [[0, 1, false]]);
  pass(1001);
  pass(999);
  assert.deepEqual(seconds(), [
    [0, 1, true],
    [1, 0, true],
  ]);
  pass(86_400_000);
  const missed = seconds();
  assert.equal(missed.length, 61);
  assert.deepEqual([missed[0], missed[1]?.[0], missed.at(-1)?.[0]], [[2, 0, true], 86_342, 86_401]);
});

const CANDLES = [...KLINE_INTERVALS, "1h@+08:00", "12h@+08:00", "1d@+08:00", "1w@+08:00", "1M@+08:00"] as const;

for (const [seed, candle] of CANDLES.entries()) {
  const [interval, zone] = candle.split("@") as [KlineInterval, string?];
  const zoneMs = zone === undefined ? 0 : 8 * 60 * MINUTE_MS;
  test(`closed candles of ${candle} equal those of history, whenever they are subscribed to`, async () => {
    const random = new Dice(seed + 1);
    const venue = new MarketVenue(OPEN_MS);
    const width = nextOpenTime(interval, OPEN_MS) - openTimeOf(interval, OPEN_MS);
    const name = `btcusdt@kline_${candle}`;
    const closed = new Map<number, Message>();
    let klines = venue.record(name);
    const keep = (): void => {
      for (const { k } of klines) if (k.x) closed.set(k.t, k);
    };
    for (let step = 0; step < 40; step++) {
      venue.nowMs += random.between(0, width / 2);
      await trade(
        venue,
        String(random.between(90, 110)),
        `0.${random.between(2, 9)}`,
        random.next() < 0.5 ? "BUY" : "SELL",
      );
      if (step % 8 !== 7) continue;
      keep();
      venue.hush(name);
      klines = venue.record(name);
    }
    await untilHeard(klines, 1);
    venue.nowMs = nextOpenTime(interval, venue.nowMs, zoneMs);
    await untilHeard(klines, klines.length + 1);
    keep();
    assert.ok(closed.size > 2, "candles closed");
    const rows = await history(venue, interval, zone);
    for (const [openMs, k] of closed) {
      const { t, o, h, l, c, v, T, q, n, V, Q, B } = k;
      assert.deepEqual([t, o, h, l, c, v, T, q, n, V, Q, B], rows.get(openMs));
      assert.equal(k["L"], k["n"] === 0 ? -1 : k["f"] + k["n"] - 1);
    }
  });
}

async function history(venue: MarketVenue, interval: KlineInterval, zone = "0"): Promise<Map<number, unknown[]>> {
  const { json } = await venue.send("GET", "/api/v3/klines", {
    query: `symbol=BTCUSDT&interval=${interval}&limit=1000&timeZone=${encodeURIComponent(zone)}`,
  });
  return new Map((json as unknown[][]).map((row) => [row[0] as number, row]));
}
