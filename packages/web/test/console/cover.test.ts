import assert from "node:assert/strict";
import { test } from "node:test";
import { coverOf } from "../../src/console/pages/treasury-data.ts";

const held = (wallet: "hot" | "gas", asset: string, amount: string) => ({
  block: 1,
  wallet,
  asset,
  amount,
  address: "0x1",
});

test("hot wallets of all networks are compared exactly with customer balances, without gas wallets and unreachable networks", () => {
  const networks = [
    {
      network: "ETH",
      wallets: [held("hot", "USDT", "0.000000000000000001"), held("hot", "ETH", "2"), held("gas", "ETH", "9")],
      error: "",
    },
    { network: "BSC", wallets: [held("hot", "USDT", "10")], error: "" },
    { network: "BTC", wallets: null, error: "it does not answer" },
  ];
  const assets = [
    { asset: "BTC", customers: "5" },
    { asset: "ETH", customers: "2.5" },
    { asset: "USDT", customers: "10.00000000" },
  ];
  assert.deepEqual(coverOf(assets, networks), [
    { asset: "ETH", hot: "2", owed: "2.5", difference: "-0.5" },
    { asset: "USDT", hot: "10.000000000000000001", owed: "10.00000000", difference: "0.000000000000000001" },
  ]);
  assert.deepEqual(coverOf(assets, []), []);
});
