/** The drawn path has exactly the dark modules of the code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generate } from "lean-qr";
import { pathOf } from "../../src/panels/svg-paths.ts";

test("the path has one run for each sequence of dark modules and covers all of them", () => {
  for (const text of ["sb185a11d194c6d3b2813b5da58da3ad1729acdcb1d", "otpauth://totp/a?secret=B", "x".repeat(300)]) {
    const code = generate(text);
    const drawn = new Set<string>();
    for (const [, x, y, width, back] of pathOf(code).matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
      assert.equal(back, x);
      for (let step = 0; step < Number(width); step++) {
        const place = `${Number(x) + step} ${y}`;
        assert.ok(!drawn.has(place), place);
        drawn.add(place);
      }
    }
    for (let y = 0; y < code.size; y++)
      for (let x = 0; x < code.size; x++) assert.equal(drawn.has(`${x} ${y}`), code.get(x, y), `${x} ${y}`);
  }
});
