import assert from "node:assert/strict";
import { test } from "node:test";
import { LARGEST } from "@pricetime/engine/numbers";
import fc from "fast-check";
import {
  add,
  compare,
  cutTo,
  type Decimal,
  decimal,
  divideDown,
  formatDecimal,
  formatShort,
  formatUnits,
  fromUnits,
  isOnStep,
  isZero,
  multiply,
  parseDecimal,
  raiseTo,
  stepDown,
  stepNearest,
  stepUp,
  subtract,
  toUnits,
} from "../../src/exact/decimal.ts";

const decimals = fc.record({ units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), digits: fc.nat(12) });
const steps = fc.record({ units: fc.bigInt({ min: 1n, max: 10n ** 12n }), digits: fc.nat(10) });

const same = (one: Decimal, other: Decimal): void => assert.equal(compare(one, other), 0);

test("a formatted decimal parses to the same value", () => {
  fc.assert(
    fc.property(decimals, (value) => {
      same(decimal(formatDecimal(value)), value);
      same(decimal(formatShort(value)), value);
      assert.match(formatShort(value), /^-?\d+(\.\d*[1-9])?$/);
    }),
  );
});

test("texts that are no decimals are rejected", () => {
  for (const text of ["", ".", "-", "1e3", "1,5", "0x10", " 1", "1 ", "+1", "1.2.3", "NaN", "Infinity", "١"]) {
    assert.equal(parseDecimal(text), null, text);
  }
  assert.deepEqual(parseDecimal(".5"), { units: 5n, digits: 1 });
  assert.deepEqual(parseDecimal("5."), { units: 5n, digits: 0 });
  assert.throws(() => formatDecimal(decimal("0.123"), 2), RangeError);
});

test("sums, differences and products equal those of integers", () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      same(subtract(add(one, other), other), one);
      same(add(one, other), add(other, one));
      same(multiply(one, other), multiply(other, one));
      assert.equal(compare(one, other), -compare(other, one) + 0);
      if (!isZero(other)) {
        const quotient = divideDown(one, other, 6);
        const back = multiply(quotient, other);
        const missing = subtract(one, back);
        const most = multiply(other, { units: 1n, digits: 6 });
        const magnitude = (value: Decimal): Decimal => (value.units < 0n ? { ...value, units: -value.units } : value);
        assert.equal(compare(magnitude(missing), magnitude(most)), -1);
      }
    }),
  );
  assert.equal(formatDecimal(multiply(decimal("0.1"), decimal("0.2"))), "0.02");
  assert.equal(formatDecimal(add(decimal("0.1"), decimal("0.2"))), "0.3");
});

test("cutTo rounds towards zero, raiseTo away from it", () => {
  fc.assert(
    fc.property(decimals, fc.nat(12), (value, digits) => {
      const [cut, raised] = [cutTo(value, digits), raiseTo(value, digits)];
      assert.ok(compare(cut, raised) === 0 || isOnStep(subtract(raised, cut), { units: 1n, digits }));
      if (value.units >= 0n) assert.ok(compare(cut, value) <= 0 && compare(raised, value) >= 0);
      else assert.ok(compare(cut, value) >= 0 && compare(raised, value) <= 0);
    }),
  );
});

test("the neighbors on a grid enclose the value and are on the grid", () => {
  fc.assert(
    fc.property(decimals, steps, decimals, (value, step, from) => {
      const [down, up, nearest] = [
        stepDown(value, step, from),
        stepUp(value, step, from),
        stepNearest(value, step, from),
      ];
      assert.ok(compare(down, value) <= 0 && compare(up, value) >= 0);
      assert.ok(isOnStep(down, step, from) && isOnStep(up, step, from) && isOnStep(nearest, step, from));
      if (isOnStep(value, step, from)) same(down, up);
      else same(subtract(up, down), step);
    }),
  );
  assert.equal(formatDecimal(stepDown(decimal("20000.004"), decimal("0.01")), 2), "20000.00");
  assert.equal(formatDecimal(stepUp(decimal("20000.004"), decimal("0.01")), 2), "20000.01");
});

test("toUnits returns the exact units of a decimal, or NaN", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: BigInt(LARGEST) }), fc.nat(8), (units, digits) => {
      const text = formatDecimal({ units, digits });
      assert.equal(toUnits(text, digits), Number(units));
      assert.equal(toUnits(`${text}${digits === 0 ? ".000" : "000"}`, digits), Number(units));
      assert.equal(formatUnits(Number(units), digits), text);
      same(fromUnits(Number(units), digits), { units, digits });
    }),
  );
  assert.equal(toUnits("0.1", 8), 10_000_000);
  assert.equal(toUnits("5", 2), 500);
  assert.equal(toUnits("90071992547409.90", 2), LARGEST);
  for (const text of ["", "0.001", "1.5.", "-1", "x", "90071992547409.91"])
    assert.ok(Number.isNaN(toUnits(text, 2)), text);
});
