/** What a withdrawal brings, and what is wrong with its amount, before anything is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { amountProblem, arrives } from "../../src/customer/withdrawals/arrives.ts";

const TERMS = {
  withdrawFee: "0.00050000",
  withdrawMin: "0.00100000",
  withdrawMax: "10.00000000",
  withdrawIntegerMultiple: "0.00000001",
};
const COIN = { coin: "BTC", free: "2.5" };

test("the fee comes out of the amount, exactly", () => {
  assert.equal(arrives("0.25", TERMS), "0.2495");
  assert.equal(arrives("0.00050001", TERMS), "0.00000001");
  assert.equal(arrives("9007199254740993.00000001", TERMS), "9007199254740992.99950001");
  for (const none of ["", "x", "-1", "0", "0.0005", "1e3"]) assert.equal(arrives(none, TERMS), "", none);
});

test("an amount is told what is wrong with it, at the very edge and not a unit before", () => {
  for (const [amount, said] of [
    ["", /Enter an amount/],
    ["0", /Enter an amount/],
    ["-1", /Enter an amount/],
    ["0.001000001", /steps of 0\.00000001/],
    ["0.00099999", /At least 0\.00100000 BTC/],
    ["10.00000001", /At most 10\.00000000 BTC/],
    ["2.50000001", /2\.5 BTC are free/],
    ["0.001", /^$/],
    ["2.5", /^$/],
  ] as const) {
    assert.match(amountProblem(amount, TERMS, COIN), said, amount);
  }
  const dear = { ...TERMS, withdrawFee: "0.002" };
  assert.match(amountProblem("0.0015", dear, COIN), /fee takes all/);
});
