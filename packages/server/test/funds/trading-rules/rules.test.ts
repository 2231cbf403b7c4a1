/** The three indicators, with values computed by hand. Interface 3.8. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConductRow } from "../../../src/history/port.ts";
import { breachOf, indicatorsOf, type Rules, triggerCondition } from "../../../src/funds/trading-rules.ts";

const RULES: Rules = {
  ufr: { trigger: 0.995, orders: 300 },
  ifer: { trigger: 0.99, orders: 150 },
  gcr: { trigger: 0.99, orders: 150 },
};

/** `submitted filled` of `orders`; `immediate expired`; `goodTillCancel quick`. */
function conduct(orders: number, value: string, immediate: string, goodTillCancel: string): ConductRow {
  const pair = (text: string): [number, number] => text.split(" ").map(Number) as [number, number];
  const [submitted, filled] = pair(value);
  const [all, expired] = pair(immediate);
  const [resting, quick] = pair(goodTillCancel);
  return {
    accountId: 100,
    symbolId: 0,
    orders,
    submitted,
    filled,
    immediate: all,
    immediateExpired: expired,
    goodTillCancel: resting,
    goodTillCancelQuick: quick,
  };
}

const TABLE: [what: string, row: ConductRow, values: [number, number, number], breach: string | undefined][] = [
  ["nothing at all", conduct(0, "0 0", "0 0", "0 0"), [0, 0, 0], undefined],
  ["everything filled", conduct(300, "1000 1000", "150 0", "150 0"), [0, 0, 0], undefined],
  ["199 of 200 parts unfilled, by 300 orders", conduct(300, "1000 5", "0 0", "300 0"), [0.995, 0, 0], "UFR"],
  ["the same by 299 orders", conduct(299, "1000 5", "0 0", "299 0"), [0.995, 0, 0], undefined],
  ["a little more filled", conduct(300, "1000 5.1", "0 0", "300 0"), [0.9949, 0, 0], undefined],
  ["297 of 300 IOC orders expired", conduct(290, "4 1", "300 297", "0 0"), [0.75, 0.99, 0], "IFER"],
  ["149 of 150: 0.99333", conduct(150, "4 1", "150 149", "0 0"), [0.75, 149 / 150, 0], "IFER"],
  ["148 of 150: 0.98667", conduct(150, "4 1", "150 148", "0 0"), [0.75, 148 / 150, 0], undefined],
  ["149 of 149", conduct(149, "4 1", "149 149", "0 0"), [0.75, 1, 0], undefined],
  ["198 of 200 GTC orders gone at once", conduct(200, "4 1", "0 0", "200 198"), [0.75, 0, 0.99], "GCR"],
  ["197 of 200", conduct(200, "4 1", "0 0", "200 197"), [0.75, 0, 0.985], undefined],
  ["149 of 149 GTC orders", conduct(149, "4 1", "0 0", "149 149"), [0.75, 0, 1], undefined],
  ["IOC orders do not make the GCR's number", conduct(250, "4 1", "101 0", "149 149"), [0.75, 0, 1], undefined],
  ["the first of three is named", conduct(300, "1 0", "150 150", "150 150"), [1, 1, 1], "UFR"],
];

test("UFR, IFER and GCR, and which of them is too careless", () => {
  for (const [what, row, [ufr, ifer, gcr], breach] of TABLE) {
    const values = indicatorsOf(row, RULES);
    assert.deepEqual(
      values.map(({ indicator, count, trigger }) => [indicator, count, trigger]),
      [
        ["UFR", row.orders, 0.995],
        ["IFER", row.immediate, 0.99],
        ["GCR", row.goodTillCancel, 0.99],
      ],
      what,
    );
    for (const [i, expected] of [ufr, ifer, gcr].entries()) {
      assert.ok(Math.abs(values[i]!.value - expected) < 1e-12, `${what}: ${values[i]!.value}, not ${expected}`);
    }
    assert.equal(breachOf(row, RULES), breach, what);
  }
  assert.deepEqual(triggerCondition(RULES), { UFR: 300, IFER: 150, GCR: 150 });
});
