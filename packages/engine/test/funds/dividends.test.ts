/** Dividends: pro rata to free and locked balances; the indivisible rest stays with the venue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, TREASURY_ACCOUNT } from "@pricetime/engine";
import { BY } from "../harness.ts";
import { ALICE, BOB, CAROL, SUB, Vault } from "./vault.ts";

const DIVIDEND: Command<"distributeDividend"> = {
  type: "distributeDividend",
  by: BY,
  reference: "first",
  heldAsset: "BTC",
  paidAsset: "USDT",
  amount: "100",
  info: "USDT distribution",
};

function holders(): Vault {
  const vault = new Vault();
  vault.fund(ALICE, "1");
  vault.fund(BOB, "1");
  vault.fund(SUB, "1");
  vault.fund(TREASURY_ACCOUNT, "100", "USDT");
  return vault;
}

test("thirds of a hundred are rounded down, and a cent remains", () => {
  const vault = holders();
  vault.must(vault.request({ amount: "1" }));
  const events = vault.run(DIVIDEND);
  const row = (accountId: number) => {
    return { type: "dividendPaid", tranId: 1, accountId, assetId: 1, amount: 3_333n, info: "USDT distribution" };
  };
  assert.deepEqual(events, [ALICE, BOB, SUB].map(row));
  vault.engine.checkInvariants();
  for (const accountId of [ALICE, BOB, SUB]) vault.holds(accountId, 3_333n, 0n, 1);
  vault.holds(CAROL, 0n, 0n, 1);
  vault.holds(TREASURY_ACCOUNT, 1n, 0n, 1);
  vault.restart();
  vault.refuses(DIVIDEND, "ALREADY_EXISTS");
});

test("shares of a dividend in the same asset are based on the balances before it", () => {
  const vault = holders();
  vault.fund(BOB, "2");
  vault.fund(TREASURY_ACCOUNT, "10");
  vault.must({ ...DIVIDEND, paidAsset: "BTC", amount: "10" });
  vault.holds(ALICE, 300_000_000n);
  vault.holds(BOB, 900_000_000n);
  vault.holds(SUB, 300_000_000n);
});

test("a rejected dividend pays nothing", () => {
  const vault = holders();
  vault.refuses({ ...DIVIDEND, heldAsset: "DOGE" }, "UNKNOWN_ASSET");
  vault.refuses({ ...DIVIDEND, paidAsset: "DOGE" }, "UNKNOWN_ASSET");
  vault.refuses({ ...DIVIDEND, amount: "0" }, "INVALID_VALUE");
  vault.refuses({ ...DIVIDEND, amount: "0.001" }, "INVALID_VALUE");
  vault.refuses({ ...DIVIDEND, reference: "" }, "INVALID_VALUE");
  vault.refuses({ ...DIVIDEND, heldAsset: "USDT" }, "NO_HOLDERS");
  // Two cents for three holders.
  vault.refuses({ ...DIVIDEND, amount: "0.02" }, "NO_HOLDERS");
  vault.refuses({ ...DIVIDEND, amount: "100.04" }, "TREASURY_SHORT");
  // Paying 100.02 takes 100.02 from the treasury; paying 100.01 takes only 99.99.
  vault.refuses({ ...DIVIDEND, amount: "100.02" }, "TREASURY_SHORT");
  vault.must({ ...DIVIDEND, amount: "100.01" });
  vault.holds(TREASURY_ACCOUNT, 1n, 0n, 1);
});

test("a holder whose share is below one unit gets nothing, and no event", () => {
  const vault = holders();
  vault.fund(CAROL, "0.00000001");
  assert.equal(vault.run(DIVIDEND).length, 3);
});
