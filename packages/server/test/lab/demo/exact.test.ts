import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { cosineOfTurns, exp, log, power, whole } from "../../../src/lab/demo/exact.ts";

const CLOSE = 1e-15;
const apart = (value: number, wanted: number): number =>
  wanted === 0 ? Math.abs(value) : Math.abs(value / wanted - 1);
const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const runs = { numRuns: 20_000 };

test("exponentials and logarithms are those of the machine, to the last digits", () => {
  fc.assert(
    fc.property(number(-700, 700), (x) => {
      assert.ok(apart(exp(x), Math.exp(x)) <= CLOSE, `${x}: ${exp(x)} ${Math.exp(x)}`);
    }),
    runs,
  );
  const positive = fc.oneof(number(1e-9, 2), number(0.999, 1.001), number(1e-300, 1e300), number(1, 1e12));
  fc.assert(
    fc.property(positive, (x) => {
      assert.ok(apart(log(x), Math.log(x)) <= CLOSE, `${x}: ${log(x)} ${Math.log(x)}`);
    }),
    runs,
  );
  assert.equal(exp(0), 1);
  assert.equal(log(1), 0);
});

test("cosines are those of the machine, small ones too", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (bits) => {
      const turns = bits / 2 ** 32;
      // Near a quarter of a turn the machine's argument is rounded: there the sine of the difference is exact.
      const fromQuarter = turns < 0.5 ? 0.25 - turns : turns - 0.75;
      const wanted =
        Math.abs(fromQuarter) < 0.125 ? Math.sin(2 * Math.PI * fromQuarter) : Math.cos(2 * Math.PI * turns);
      assert.ok(apart(cosineOfTurns(turns), wanted) <= CLOSE, `${turns}: ${cosineOfTurns(turns)} ${wanted}`);
    }),
    runs,
  );
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75].map((turns) => cosineOfTurns(turns) + 0),
    [1, 0, -1, 0],
  );
});

test("powers are those of the machine; of whole exponents exactly where they can be", () => {
  fc.assert(
    fc.property(number(1e-9, 1e9), number(-1.5, 1.5), (base, exponent) => {
      // An error of the logarithm is multiplied by the number of halvings.
      const most = CLOSE * (1 + Math.abs(exponent * Math.log(base)));
      assert.ok(apart(power(base, exponent), base ** exponent) <= most, `${base} ${exponent}`);
    }),
    runs,
  );
  for (let exponent = 0; exponent <= 22; exponent++) assert.equal(whole(10, exponent), Number(`1e${exponent}`));
});

test("what has no answer is our own bug", () => {
  for (const x of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => log(x));
  for (const x of [701, -701, Number.NaN]) assert.throws(() => exp(x));
});

test("nothing that a bot computes depends on the machine", () => {
  const folder = new URL("../../../src/lab/demo/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  assert.ok(files.length > 20);
  const inexact =
    /Math\.(?:a?(?:cos|sin|tan)h?|atan2|cbrt|exp|expm1|hypot|log|log10|log1p|log2|pow|random)\b|\*\*=?|toLocale|Intl\.|Date\.|performance\./;
  const found = files.flatMap((path) => {
    const code = readFileSync(new URL(path, folder), "utf8").replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
    return code.split("\n").flatMap((line) => (inexact.test(line) ? [`${path}: ${line.trim()}`] : []));
  });
  assert.deepEqual(found, []);
});
