/** Weighted average cost: a table worked out by hand, and random movements compared with exact fractions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "@pricetime/engine";
import { Dice } from "@pricetime/testkit/dice";
import { type AccountMovement, remainders } from "../../src/history/reading/account-movements.ts";
import { AverageCost, type Movement } from "../../src/history/reading/average-cost.ts";

const [USDT, BTC, ETH] = [0, 1, 2];

const into = (assetId: number, amount: bigint, value: bigint | null): Movement => ({
  ...{ kind: "in", assetId, amount, value },
});
const swap = (gave: [number, bigint], got: [number, bigint], value: bigint | null): Movement => ({
  kind: "swap",
  gave: { assetId: gave[0], amount: gave[1] },
  got: { assetId: got[0], amount: got[1] },
  value,
});

test("a table worked out by hand: quantity, cost and realized profit after each movement", () => {
  const costs = new AverageCost();
  const steps: [Movement, assetId: number, quantity: bigint, cost: bigint | null, realized: bigint][] = [
    [into(USDT, 100_000n, 100_000n), USDT, 100_000n, 100_000n, 0n],
    // Buys 10 for 1,000, of which 1 is the fee: each of the 9 costs 111.1.
    [swap([USDT, 1_000n], [BTC, 9n], 1_000n), BTC, 9n, 1_000n, 0n],
    [swap([USDT, 2_000n], [BTC, 11n], 2_000n), BTC, 20n, 3_000n, 0n],
    // Sells 5 for 1,000 after the fee: they cost 750.
    [swap([BTC, 5n], [USDT, 1_000n], 1_000n), BTC, 15n, 2_250n, 250n],
    // A withdrawal leaves at cost, and its fee is a loss.
    [{ kind: "out", assetId: BTC, amount: 4n }, BTC, 11n, 1_650n, 250n],
    [{ kind: "fee", assetId: BTC, amount: 1n }, BTC, 10n, 1_500n, 100n],
    [swap([BTC, 10n], [ETH, 100n], 1_400n), BTC, 0n, 0n, 0n],
    [into(ETH, 100n, 600n), ETH, 200n, 2_000n, 0n],
    // The cost is unknown from here until all of it has left.
    [into(ETH, 50n, null), ETH, 250n, null, 0n],
    [swap([ETH, 100n], [USDT, 5_000n], 5_000n), ETH, 150n, null, 0n],
    [{ kind: "out", assetId: ETH, amount: 150n }, ETH, 0n, 0n, 0n],
    [into(ETH, 10n, 90n), ETH, 10n, 90n, 0n],
    [swap([ETH, 10n], [USDT, 100n], 100n), ETH, 0n, 0n, 10n],
  ];
  for (const [at, [movement, assetId, quantity, cost, realized]] of steps.entries()) {
    costs.add(movement);
    const position = costs.positions.get(assetId) ?? assert.fail();
    const found = [position.quantity, position.isCostKnown ? position.cost : null, position.realized];
    assert.deepEqual(found, [quantity, cost, realized], `step ${at}`);
  }
  assert.equal(costs.positions.get(ETH)?.isRealizedComplete, false, "the sale at an unknown cost is left out");
  assert.equal(costs.positions.get(BTC)?.isRealizedComplete, true);
});

/** An exact fraction. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
});
const whole = (top: bigint): Fraction => ({ top, bottom: 1n });

test("random movements: cost and profit are those of exact fractions, but for the rounding of each step", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const dice = new Dice(seed);
    const costs = new AverageCost();
    let [quantity, steps, proceeds, paid] = [0n, 0n, 0n, 0n];
    let [cost, realized] = [whole(0n), whole(0n)];
    for (let n = 0; n < 40; n++) {
      const value = BigInt(dice.below(1_000_000));
      const amount = BigInt(1 + dice.below(1_000));
      if (quantity < amount || dice.oneIn(2)) {
        costs.add(dice.oneIn(2) ? into(BTC, amount, value) : swap([USDT, value], [BTC, amount], value));
        quantity += amount;
        cost = plus(cost, whole(value));
        paid += value;
        continue;
      }
      const kind = dice.pick(["out", "fee", "swap"] as const);
      costs.add(kind === "swap" ? swap([BTC, amount], [USDT, value], value) : { kind, assetId: BTC, amount });
      const part = { top: cost.top * amount, bottom: cost.bottom * quantity };
      cost = { top: cost.top * (quantity - amount), bottom: cost.bottom * quantity };
      if (kind === "swap") proceeds += value;
      if (kind !== "out")
        realized = plus(realized, plus(whole(kind === "swap" ? value : 0n), { ...part, top: -part.top }));
      quantity -= amount;
      steps++;
    }
    const position = costs.positions.get(BTC) ?? assert.fail();
    assert.equal(position.quantity, quantity);
    for (const [found, exact] of [
      [position.cost, cost],
      [position.realized, realized],
    ] as const) {
      const apart = found * exact.bottom - exact.top;
      assert.ok(apart <= steps * exact.bottom && -apart <= steps * exact.bottom, `seed ${seed}: ${found}`);
    }
    assert.ok(position.cost >= 0n && position.realized <= proceeds && position.cost <= paid);
  }
});

test("movements without a row of their own make up the balances of days", () => {
  const noon = DAY_MS / 2;
  const deposits = [
    { assetId: BTC, amount: 5n, timeMs: noon },
    { assetId: BTC, amount: 7n, timeMs: noon + 1 },
  ];
  const timed: AccountMovement[] = [{ kind: "out", assetId: BTC, amount: 1n, timeMs: 2 * DAY_MS }];
  const days = [
    { assetId: BTC, day: 0, total: 5n },
    // The second deposit is credited on the next day, together with 3 that have no row.
    { assetId: BTC, day: 1, total: 15n },
    { assetId: BTC, day: 2, total: 12n },
    { assetId: ETH, day: 1, total: 4n },
  ];
  assert.deepEqual(remainders(days, timed, deposits), [
    { kind: "in", assetId: BTC, amount: 5n, timeMs: noon },
    { kind: "in", assetId: BTC, amount: 7n, timeMs: DAY_MS },
    { kind: "in", assetId: BTC, amount: 3n, timeMs: DAY_MS },
    { kind: "out", assetId: BTC, amount: 2n, timeMs: 3 * DAY_MS - 1 },
    { kind: "in", assetId: ETH, amount: 4n, timeMs: DAY_MS },
  ]);
});
