import assert from "node:assert/strict";
import { test } from "node:test";
import { formatShort } from "../../src/exact/decimal.ts";
import type { Print } from "../../src/market/port.ts";
import { largeFrom } from "../../src/panels/large-trades.ts";

const tape = (quantities: readonly string[]): Print[] => quantities.map((quantity) => ({ quantity }) as Print);

test("a large trade is eight times the middle one, whatever the greatest are", () => {
  const usual = [...Array<string>(20).fill("0.5"), ...Array<string>(9).fill("1000"), "0.1"];
  const large = largeFrom(tape(usual));
  assert.equal(large === null ? null : formatShort(large), "4");
});

test("of a few trades none is large", () => {
  assert.equal(largeFrom(tape(Array<string>(19).fill("1"))), null);
});
