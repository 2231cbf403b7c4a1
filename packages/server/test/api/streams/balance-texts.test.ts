/** The balances sent to listeners: always correct, and formatted only when they change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EngineView } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { BalanceTexts } from "../../../src/api/streams/user/events.ts";

const ASSETS = Array.from({ length: 1000 }, (_, assetId) => ({
  assetId,
  spec: { asset: `A${assetId}`, precision: 8 },
}));

test("a balance is formatted when it has changed", () => {
  const random = new Dice(1);
  const amount = (): bigint => (random.next() < 0.2 ? 0n : BigInt(random.between(1, 1e9)));
  const balances = ASSETS.map(() => ({ free: amount(), locked: amount() }));
  let asked = 0;
  const engine = {
    assets: () => ASSETS,
    asset: (assetId: number) => (asked++, ASSETS[assetId]),
    balance: (_accountId: number, assetId: number) => balances[assetId],
  } as unknown as EngineView;
  const texts = new BalanceTexts(1);
  texts.all(engine, () => false);
  for (let round = 0; round < 200; round++) {
    const changed = new Set(Array.from({ length: random.between(0, 3) }, () => random.between(0, 999)));
    for (const assetId of changed) balances[assetId] = { free: amount(), locked: amount() };
    asked = 0;
    const told = texts.all(engine, (assetId) => changed.has(assetId));
    assert.ok(asked <= 3 * changed.size, `${asked} looked up for ${changed.size}`);
    assert.equal(
      told,
      new BalanceTexts(1).all(engine, (assetId) => changed.has(assetId)),
    );
    const some = [...changed];
    assert.equal(texts.some(engine, some), new BalanceTexts(1).some(engine, some));
  }
});
