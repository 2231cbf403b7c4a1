/** The amount of a withdrawal: the amount that arrives, validation, and the largest possible amount. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { amountProblem, arrives, largestAmount } from "../../src/customer/pages/withdrawal-amount.ts";

const TERMS = {
  withdrawFee: "0.00050000",
  withdrawMin: "0.00100000",
  withdrawMax: "10.00000000",
  withdrawIntegerMultiple: "0.00000001",
};
const COIN = { coin: "BTC", free: "2.5" };

test("the fee is deducted from the amount exactly", () => {
  assert.equal(arrives("0.25", TERMS), "0.2495");
  assert.equal(arrives("0.00050001", TERMS), "0.00000001");
  assert.equal(arrives("9007199254740993.00000001", TERMS), "9007199254740992.99950001");
  for (const none of ["", "x", "-1", "0", "0.0005", "1e3"]) assert.equal(arrives(none, TERMS), "", none);
});

test("an amount is validated exactly at each bound", () => {
  for (const [amount, said] of [
    ["", /Enter an amount/],
    ["0", /Enter an amount/],
    ["-1", /Enter an amount/],
    ["0.001000001", /multiple of 0\.00000001/],
    ["0.00099999", /minimum is 0\.001 BTC/],
    ["10.00000001", /maximum is 10 BTC/],
    ["2.50000001", /2\.5 BTC is available/],
    ["0.001", /^$/],
    ["2.5", /^$/],
  ] as const) {
    assert.match(amountProblem(amount, TERMS, COIN), said, amount);
  }
  const dear = { ...TERMS, withdrawFee: "0.002" };
  assert.match(amountProblem("0.0015", dear, COIN), /greater than the fee of 0\.002 BTC/);
});

test("a bound of zero means none: a venue without minimum and maximum accepts any amount", () => {
  const open = { ...TERMS, withdrawMin: "0.00000000", withdrawMax: "0.00000000" };
  assert.equal(amountProblem("2.5", open, COIN), "");
  assert.equal(amountProblem("0.00050001", open, COIN), "");
  assert.equal(amountProblem("2.5", { ...open, withdrawMax: "0" }, COIN), "");
  assert.match(amountProblem("2.50000001", open, COIN), /2\.5 BTC is available/);
});

test("the largest amount is on the step, and exceeds neither the maximum nor the free balance", () => {
  const cents = { ...TERMS, withdrawIntegerMultiple: "0.01000000", withdrawMax: "0.00000000" };
  for (const [free, most, largest] of [
    ["986.00340000", "0.00000000", "986"],
    ["986.01990000", "0.00000000", "986.01"],
    ["986.01990000", "500.00500000", "500"],
    ["0.00990000", "0.00000000", "0"],
    ["0.00000000", "0.00000000", "0"],
  ] as const) {
    assert.equal(largestAmount({ ...cents, withdrawMax: most }, { free }), largest, free);
  }
});
