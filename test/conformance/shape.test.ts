import assert from "node:assert/strict";
import { test } from "node:test";
import { misfits, words } from "./shape.ts";

test("a value of the shape fits", () => {
  assert.deepEqual(
    misfits({ a: "1.00000000", b: [1, 2], c: "X" }, { a: "decimal", b: ["integer"], c: words("X") }),
    [],
  );
  assert.deepEqual(misfits({}, { "a?": "string" }), []);
});

test("every misfit is named", () => {
  assert.deepEqual(misfits({ a: "1.0" }, { a: "decimal" }), ['$.a: "1.0" is no decimal']);
  assert.deepEqual(misfits({}, { a: "string" }), ["$.a is missing"]);
  assert.deepEqual(misfits({ a: 1 }, {}), ["$.a is not in the interface"]);
  assert.deepEqual(misfits([1, "2"], ["integer"]), ['$[1]: "2" is no integer']);
  assert.deepEqual(misfits("Y", words("X")), ['$: "Y" is none of X']);
  assert.deepEqual(misfits(null, { a: "string" }), ["$: null is no object"]);
  assert.deepEqual(misfits(1.5, "time"), ["$: 1.5 is no time"]);
});
