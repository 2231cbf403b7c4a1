/** Amounts of deposits and withdrawals, with the digits of their network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetSpec } from "@pricetime/engine";
import { networkOf } from "@pricetime/testkit/commands";
import { carriedText } from "../../../src/history/shapes/amounts.ts";

const spec = (precision: number, ...steps: readonly (string | undefined)[]): AssetSpec => ({
  ...{ asset: "EUR", name: "Euro", precision },
  networks: steps.map((step, n) => networkOf(`N${n}`, step === undefined ? {} : { depositStep: step })),
});

type Row = readonly [spec: AssetSpec, units: bigint, network: string | undefined, text: string];
const TABLE: readonly Row[] = [
  [spec(8, "0.01"), 50_050_000_000n, "N0", "500.50"],
  [spec(8, "0.010"), -50_050_000_000n, "N0", "-500.50"],
  [spec(8, "0.01"), 50_050_000_001n, "N0", "500.50000001"],
  [spec(8, "1"), 50_000_000_000n, "N0", "500"],
  [spec(8, "1"), 50_010_000_000n, "N0", "500.1"],
  [spec(8, undefined), 50_000_000_000n, "N0", "500.00000000"],
  [spec(2, "0.5"), 50_050n, "N0", "500.5"],
  [spec(2, undefined), 50_050n, "N0", "500.50000000"],
  [spec(8, "0.01", "0.0001"), 0n, "N1", "0.0000"],
  [spec(8, "0.01", "0.0001"), 0n, undefined, "0.0000"],
  [spec(8, "0.01", undefined), 0n, undefined, "0.00000000"],
  [spec(8), 1n, undefined, "0.00000001"],
  [spec(8, "0.01"), 100_000_000n, "GONE", "1.00000000"],
];

for (const [asset, units, network, text] of TABLE) {
  test(`${units} of ${asset.precision} digits is ${text}`, () => {
    assert.equal(carriedText(asset, "depositStep", units, network), text);
  });
}
