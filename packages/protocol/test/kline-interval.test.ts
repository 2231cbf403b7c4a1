/** The opening times of klines, compared with JavaScript's calendar. Interface 2.6. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  KLINE_INTERVALS,
  nextOpenTime,
  openTimeOf,
  STORED_INTERVALS,
  type StoredInterval,
  timeZoneOffset,
} from "@pricetime/protocol";
import fc from "fast-check";

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(`${text}Z`);

test("each interval at one time", () => {
  const now = at("2019-10-21T13:47:59.999");
  const opens: Readonly<Record<StoredInterval, string>> = {
    "1m": "2019-10-21T13:47",
    "3m": "2019-10-21T13:45",
    "5m": "2019-10-21T13:45",
    "15m": "2019-10-21T13:45",
    "30m": "2019-10-21T13:30",
    "1h": "2019-10-21T13:00",
    "2h": "2019-10-21T12:00",
    "4h": "2019-10-21T12:00",
    "6h": "2019-10-21T12:00",
    "8h": "2019-10-21T08:00",
    "12h": "2019-10-21T12:00",
    "1d": "2019-10-21T00:00",
    "3d": "2019-10-20T00:00",
    "1w": "2019-10-21T00:00",
    "1M": "2019-10-01T00:00",
  };
  for (const interval of STORED_INTERVALS) {
    assert.equal(new Date(openTimeOf(interval, now)).toISOString(), `${opens[interval]}:00.000Z`, interval);
  }
  assert.equal(openTimeOf("1s", now), at("2019-10-21T13:47:59.000"));
  assert.equal(nextOpenTime("1s", now), at("2019-10-21T13:48"));
});

test("three days count from the epoch, weeks from Monday, months from the first", () => {
  assert.equal(openTimeOf("3d", at("2017-08-16T00:00")), at("2017-08-16T00:00"));
  assert.equal(nextOpenTime("3d", at("2017-08-16T00:00")), at("2017-08-19T00:00"));
  assert.equal(openTimeOf("1w", at("2019-10-20T23:59:59.999")), at("2019-10-14T00:00"));
  assert.equal(openTimeOf("1w", 0), at("1969-12-29T00:00"));
  assert.equal(nextOpenTime("1w", 0), at("1970-01-05T00:00"));
  assert.equal(nextOpenTime("1M", at("2019-12-31T23:59:59.999")), at("2020-01-01T00:00"));
  assert.equal(nextOpenTime("1M", at("2020-02-29T12:00")), at("2020-03-01T00:00"));
  assert.equal(nextOpenTime("1M", at("2100-02-28T12:00")), at("2100-03-01T00:00"));
});

test("every first of a month for 430 years", () => {
  let previousMs = 0;
  for (let month = 1; month <= 430 * 12; month++) {
    const firstMs = Date.UTC(1970, month, 1);
    assert.equal(openTimeOf("1M", firstMs), firstMs);
    assert.equal(openTimeOf("1M", firstMs - 1), previousMs);
    assert.equal(nextOpenTime("1M", firstMs - 1), firstMs);
    previousMs = firstMs;
  }
});

test("every time is within its kline, and klines are consecutive", () => {
  const time = fc.integer({ min: 0, max: at("2400-03-02T00:00") });
  fc.assert(
    fc.property(fc.constantFrom(...KLINE_INTERVALS), time, (interval, timeMs) => {
      const openMs = openTimeOf(interval, timeMs);
      const nextMs = nextOpenTime(interval, timeMs);
      assert.ok(openMs <= timeMs && timeMs < nextMs);
      assert.equal(openTimeOf(interval, openMs), openMs);
      assert.equal(openTimeOf(interval, nextMs - 1), openMs);
      assert.equal(openTimeOf(interval, nextMs), nextMs);
      const open = new Date(openMs);
      if (interval === "1w") assert.equal(open.getUTCDay(), 1);
      if (interval === "1M") {
        const date = new Date(timeMs);
        assert.equal(openMs, Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
        assert.equal(nextMs, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
      }
      if (/[dwM]/.test(interval)) assert.ok(Number.isInteger(openMs / DAY_MS));
    }),
    { numRuns: 20_000 },
  );
});

test("klines of a time zone open by its local time", () => {
  const hourMs = 3_600_000;
  const opens = (interval: StoredInterval, text: string, hours: number): string =>
    new Date(openTimeOf(interval, at(text), hours * hourMs)).toISOString().slice(0, 16);
  assert.equal(opens("1d", "2019-10-21T13:47", 8), "2019-10-20T16:00");
  assert.equal(opens("1d", "2019-10-21T16:00", 8), "2019-10-21T16:00");
  assert.equal(opens("1d", "2019-10-21T13:47", -5), "2019-10-21T05:00");
  assert.equal(opens("12h", "2019-10-21T13:47", 5.75), "2019-10-21T06:15");
  assert.equal(opens("1w", "2019-10-20T15:59", 8), "2019-10-13T16:00");
  assert.equal(opens("1w", "2019-10-20T16:00", 8), "2019-10-20T16:00");
  assert.equal(opens("1M", "2019-10-31T16:00", 8), "2019-10-31T16:00");
  assert.equal(opens("1M", "2019-10-31T15:59", 8), "2019-09-30T16:00");
  fc.assert(
    fc.property(
      fc.constantFrom(...KLINE_INTERVALS),
      fc.integer({ min: at("1970-02-01T00:00"), max: at("2400-03-02T00:00") }),
      fc.integer({ min: -12 * 60, max: 14 * 60 }),
      (interval, timeMs, minutes) => {
        const offsetMs = minutes * 60_000;
        const local = openTimeOf(interval, timeMs + offsetMs);
        assert.equal(openTimeOf(interval, timeMs, offsetMs), local - offsetMs);
        assert.equal(nextOpenTime(interval, timeMs, offsetMs), nextOpenTime(interval, local) - offsetMs);
      },
    ),
  );
});

test("time zones", () => {
  const minutes = (text: string): number | null => {
    const offsetMs = timeZoneOffset(text);
    return offsetMs === null ? null : offsetMs / 60_000;
  };
  for (const utc of ["0", "00", "0:00", "00:00", "+0:00", "+00:00", "-0:00", "-00:00"]) assert.equal(minutes(utc), 0);
  assert.deepEqual(["8", "08", "+8:00", "05:45", "-1:00", "-12:00", "+14:00", "14", "-12", "-0:30"].map(minutes), [
    ...[480, 480, 480, 345, -60, -720, 840, 840, -720, -30],
  ]);
  const wrong = [
    "",
    "-12:01",
    "14:01",
    "15",
    "-13",
    "8:5",
    "8:60",
    "8:00:00",
    "008",
    "+",
    "8h",
    " 8",
    "UTC",
    "８",
    "-+8",
  ];
  for (const text of wrong) assert.equal(minutes(text), null, text);
});
