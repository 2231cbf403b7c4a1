import { decimal } from "../../src/exact/decimal.ts";
import {
  grouped,
  showAmount,
  showDecimal,
  showFloat,
  showPercent,
  showShort,
  showUnits,
} from "../../src/exact/shown.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ticker } from "../../src/market/port.ts";
import { changeOf, showChange, showDateTime, showDay, showLast, showMoment, showSpan } from "../../src/panels/show.ts";

test("decimals are truncated, never rounded, and grouped only before the point", () => {
  assert.equal(showDecimal("50000.99900000", 2), "50,000.99");
  assert.equal(showDecimal("0.00012345", 8), "0.00012345");
  assert.equal(showDecimal("-1234.5", 1), "-1,234.5");
  assert.equal(showDecimal("", 2), "—");
  assert.equal(showDecimal(undefined, 2), "—");
  assert.equal(grouped("1000000.1234567"), "1,000,000.1234567");
  assert.equal(grouped("-100"), "-100");
  assert.equal(showUnits(123456789, 2), "1,234,567.89");
  assert.equal(showUnits(5, 8), "0.00000005");
});

test("amounts are exact, without the zeros after the second decimal place", () => {
  const shown = [
    ["1234.50000000", "1,234.50"],
    ["0.00000000", "0.00"],
    ["0.12345678", "0.12345678"],
    ["-1000.00000100", "-1,000.000001"],
    ["1.5", "1.5"],
    ["100", "100"],
    ["", ""],
  ];
  for (const [text = "", amount] of shown) assert.equal(showAmount(text), amount);
});

test("percentages are exact, with at least two decimal places", () => {
  const shown = [
    ["0", "0.00%"],
    ["90", "90.00%"],
    ["4.5", "4.50%"],
    ["0.0750", "0.075%"],
    ["1234.00", "1,234.00%"],
  ];
  for (const [text = "", percent] of shown) assert.equal(showPercent(decimal(text)), percent);
});

test("a number that is none is blank", () => {
  assert.deepEqual([showFloat(Number.NaN, 2), showFloat(1234.5, 2)], ["—", "1,234.50"]);
});

test("large amounts are abbreviated", () => {
  const short = [
    ["0.12345678", "0.1234"],
    ["12.3456", "12.34"],
    ["99999.99", "99,999.9"],
    ["123456.7", "123.4K"],
    ["1234567.8", "1.23M"],
    ["12345678901", "12.34B"],
    ["1234567890123456", "1,234.5T"],
    ["0.00000000", "—"],
    ["", "—"],
  ];
  for (const [text = "", shown] of short) assert.equal(showShort(text), shown);
});

test("a change has its sign, and is blank if there was no trade", () => {
  const of = (openPrice: string, lastPrice: string): string =>
    showChange(changeOf({ openPrice, lastPrice } as unknown as Ticker));
  assert.equal(of("100.00", "101.259"), "+1.25%");
  assert.equal(of("100.00", "98.75"), "−1.25%");
  assert.equal(of("100.00", "100.00"), "0.00%");
  assert.equal(of("1.00", "26.00"), "+2,500.00%");
  assert.equal(of("0.00000000", "0.00000000"), "—");
});

test("an unknown price is blank: nodes send zero for a market that has not traded", () => {
  const last = (lastPrice: string, turn: -1 | 0 | 1 = 0): string => showLast({ lastPrice }, turn, 2);
  assert.equal(showLast(undefined, 0, 2), "—");
  assert.equal(last("0.00000000"), "—");
  assert.equal(last("59988.38000000", 1), "59,988.38 ▲");
  assert.equal(last("0.01000000", -1), "0.01 ▼");
});

test("times", () => {
  assert.equal(showDateTime(Date.UTC(2026, 0, 2, 3, 4, 5), "utc"), "2026-01-02 03:04:05");
  assert.equal(showMoment(Date.UTC(2026, 0, 2, 3, 4, 5), "utc", Date.UTC(2026, 5)), "2 Jan, 03:04:05");
  assert.equal(showMoment(Date.UTC(2026, 0, 2, 3, 4, 5), "utc", Date.UTC(2027, 0)), "2 Jan 2026, 03:04:05");
  assert.equal(showDay("2026-01-02"), "2 Jan 2026");
  assert.equal(showDay("2026-11-29", "2026"), "29 Nov");
  assert.deepEqual([4_900, 61_000, 7_300_000, -1].map(showSpan), ["4 s", "1 min", "2 h", "0 s"]);
});
