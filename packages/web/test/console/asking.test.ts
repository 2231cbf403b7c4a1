/** The requests of the console's pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { queryOf } from "../../src/console/pages/withdrawal-data.ts";

test("the queue requests withdrawals awaiting approval, unless another filter is selected", () => {
  assert.deepEqual(queryOf({}), { status: "awaitingApproval" });
  assert.deepEqual(queryOf({ status: "gone", asset: "" }), { status: "awaitingApproval" });
  assert.deepEqual(queryOf({ status: "processing", asset: "BTC" }), { status: "processing", asset: "BTC" });
  assert.deepEqual(queryOf({ status: "all", account: "100", more: "x" }), { account: "100" });
});
