/** Decimals are parsed and formatted exactly; other texts are rejected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decimalsNeeded, formatDecimal, fromScale, LARGEST, OFF_SCALE, parseDecimal, toScale } from "@pricetime/engine";

const PLAIN = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

const PARSED: readonly (readonly [text: string, decimals: number, units: bigint | null])[] = [
  ["0", 8, 0n],
  ["1", 0, 1n],
  ["1", 8, 100_000_000n],
  ["0.00000001", 8, 1n],
  ["0.000000001", 8, null],
  ["0.000000010", 8, 1n],
  ["0.000000011", 8, null],
  ["0.010000000", 8, 1_000_000n],
  ["1.50", 1, 15n],
  ["1.05", 1, null],
  ["1.5", 1, 15n],
  ["1.0", 0, 1n],
  ["18.00000000000000000000", 0, 18n],
  ["18.000000000000000000000", 0, null],
  ["20.00000000", 2, 2000n],
  ["0.00000000", 2, 0n],
  ["007.10", 2, 710n],
  ["99999999999999999999", 8, 9_999_999_999_999_999_999_900_000_000n],
  ["99999999999999999999.99999999", 8, 9_999_999_999_999_999_999_999_999_999n],
  ["123456789012345678901", 8, null],
  ["0.123456789012345678901", 20, null],
  ["", 8, null],
  [".5", 8, null],
  ["5.", 8, null],
  [".", 8, null],
  ["1..2", 8, null],
  ["1.2.3", 8, null],
  ["-1", 8, null],
  ["+1", 8, null],
  ["1e5", 8, null],
  ["0x10", 8, null],
  ["1_000", 8, null],
  ["1,5", 8, null],
  [" 1", 8, null],
  ["1 ", 8, null],
  ["1\n", 8, null],
  ["NaN", 8, null],
  ["Infinity", 8, null],
  ["١", 8, null],
  ["1".repeat(5000), 8, null],
];

for (const [text, decimals, units] of PARSED) {
  const shown = JSON.stringify(text.slice(0, 40));
  test(`parseDecimal of ${shown} with ${decimals} decimals is ${units}`, () => {
    assert.equal(parseDecimal(text, decimals), units);
  });
}

const FORMATTED: readonly (readonly [units: bigint, decimals: number, places: number, text: string])[] = [
  [0n, 0, 8, "0.00000000"],
  [1n, 8, 8, "0.00000001"],
  [15n, 1, 8, "1.50000000"],
  [-15n, 1, 8, "-1.50000000"],
  [7n, 0, 0, "7"],
  [123n, 2, 2, "1.23"],
  [10n ** 30n, 8, 8, "10000000000000000000000.00000000"],
];

for (const [units, decimals, places, text] of FORMATTED) {
  test(`formatDecimal of ${units} with ${decimals} decimals and ${places} places is ${text}`, () => {
    assert.equal(formatDecimal(units, decimals, places), text);
  });
}

/** Digits with a point, with zeros at both ends. */
const plainText = fc
  .tuple(fc.stringMatching(/^[0-9]{1,20}$/), fc.option(fc.stringMatching(/^[0-9]{1,20}$/)))
  .map(([whole, part]) => (part === null ? whole : `${whole}.${part}`));
const anyText = fc.oneof(plainText, fc.string(), fc.stringMatching(/^[0-9.eE+-]{0,12}$/), fc.double().map(String));
const places = fc.nat({ max: 8 });

/** Parses a decimal by its digits as text. */
function reference(text: string, decimals: number): bigint | null {
  if (!PLAIN.test(text)) return null;
  const [whole, written = ""] = text.split(".") as [string, string?];
  const part = written.replace(/0+$/, "");
  return part.length > decimals ? null : BigInt(whole + part.padEnd(decimals, "0"));
}

test("parseDecimal accepts exactly the plain decimals that fit", () => {
  fc.assert(
    fc.property(anyText, places, (text, decimals) => {
      assert.equal(parseDecimal(text, decimals), reference(text, decimals));
    }),
    { numRuns: 5000 },
  );
});

test("formatDecimal and parseDecimal are inverse", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), places, places, (units, decimals, more) => {
      const shown = decimals + more;
      const text = formatDecimal(units, decimals, shown);
      assert.equal(text.split(".")[1]?.length ?? 0, shown);
      assert.equal(parseDecimal(text, shown), units * 10n ** BigInt(more));
      assert.equal(formatDecimal(-units - 1n, decimals, shown), `-${formatDecimal(units + 1n, decimals, shown)}`);
    }),
    { numRuns: 3000 },
  );
});

test("toScale returns the exact integer or OFF_SCALE, ignoring trailing zeros", () => {
  fc.assert(
    fc.property(plainText, places, (text, decimals) => {
      const exact = reference(text, decimals);
      const expected = exact === null || exact > BigInt(LARGEST) ? OFF_SCALE : Number(exact);
      assert.equal(toScale(text, decimals), expected);
    }),
    { numRuns: 5000 },
  );
});

test("toScale at its limits", () => {
  assert.equal(toScale("9007199254740990", 0), LARGEST);
  assert.equal(toScale("9007199254740991", 0), OFF_SCALE);
  assert.equal(toScale("9007199254740992", 0), OFF_SCALE);
  assert.equal(toScale("90071992.54740990", 8), LARGEST);
  assert.equal(toScale("90071992.54740991", 8), OFF_SCALE);
  assert.equal(toScale("9007199254740990", 1), OFF_SCALE);
  assert.equal(toScale("99999999999999999999", 8), OFF_SCALE);
});

test("fromScale formats eight decimals that can be parsed again", () => {
  assert.equal(fromScale(0, 3), "0.00000000");
  assert.equal(fromScale(1500, 3), "1.50000000");
  assert.equal(fromScale(LARGEST, 8), "90071992.54740990");
  fc.assert(
    fc.property(fc.nat({ max: LARGEST }), places, (value, decimals) => {
      const text = fromScale(value, decimals);
      assert.match(text, /^[0-9]+\.[0-9]{8}$/);
      assert.equal(text, formatDecimal(BigInt(value), decimals));
      assert.equal(toScale(text, decimals), value);
    }),
    { numRuns: 3000 },
  );
});

test("decimalsNeeded counts decimals without trailing zeros", () => {
  const cases = [
    ["1", 0],
    ["1.000", 0],
    ["0.0100", 2],
    ["100", 0],
    ["0.00000001", 8],
    ["", null],
    ["1.", null],
    ["x", null],
    ["1e-7", null],
  ] as const;
  for (const [text, needed] of cases) assert.equal(decimalsNeeded(text), needed, text);
});
