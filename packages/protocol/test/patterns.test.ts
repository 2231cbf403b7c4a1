/** The hand-written checks agree with the patterns that -1100 prints. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  API_KEY_PATTERN,
  CLIENT_ORDER_ID_PATTERN,
  DECIMAL_PATTERN,
  INTEGER_PATTERN,
  isApiKey,
  isClientOrderId,
  isDecimal,
  isInteger,
  isListenKey,
  ED25519_SIGNATURE_PATTERN,
  isEd25519Signature,
  isRsaSignature,
  RSA_SIGNATURE_PATTERN,
  isSignature,
  isSymbol,
  isSymbolList,
  isText,
  LISTEN_KEY_PATTERN,
  SIGNATURE_PATTERN,
  SYMBOL_PATTERN,
  SYMBOLS_PATTERN,
  TEXT_PATTERN,
} from "@pricetime/protocol";
import fc from "fast-check";

const RANGES: readonly (readonly [pattern: string, test: (text: string) => boolean, characters: string])[] = [
  [SYMBOL_PATTERN, isSymbol, "AZ09-_.az/ é\n"],
  [SYMBOLS_PATTERN, isSymbolList, '[]",,""ABZ9é '],
  [INTEGER_PATTERN, isInteger, "0123456789-+. \u0661"],
  [DECIMAL_PATTERN, isDecimal, "0123456789......e-"],
  [CLIENT_ORDER_ID_PATTERN, isClientOrderId, "AZaz09.:/_- é+"],
  [SIGNATURE_PATTERN, isSignature, "0123456789abcdefABCDEFg"],
  [ED25519_SIGNATURE_PATTERN, isEd25519Signature, "0123456789abcdefghXYZ+/="],
  [RSA_SIGNATURE_PATTERN, isRsaSignature, "0123456789abcdefghXYZ+/="],
  [API_KEY_PATTERN, isApiKey, "AZaz0189"],
  [LISTEN_KEY_PATTERN, isListenKey, "AZaz09-"],
  [TEXT_PATTERN, isText, "a é\u0000\u001f\u007f\u0080€"],
];

for (const [pattern, isInRange, characters] of RANGES) {
  // In some languages `$` also matches before a final newline; in JavaScript it does not.
  const expression = new RegExp(pattern);
  test(`${pattern}`, () => {
    const unit = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...characters) },
      { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 1 }) },
    );
    const text = fc.oneof(
      fc.string({ unit, maxLength: 70 }),
      fc.string({ unit: fc.constantFrom(...characters.slice(0, 5)), maxLength: 300 }),
      fc.string({ unit: fc.constantFrom("A", "0"), minLength: 60, maxLength: 68 }),
      fc.string({ unit: fc.constantFrom("A", "0"), maxLength: 40 }),
      fc.string({ unit: fc.constantFrom("A", "0"), minLength: 84, maxLength: 88 }).map((start) => `${start}==`),
      fc.tuple(fc.integer({ min: 341, max: 343 }), fc.constantFrom("=", "==")).map(([n, end]) => "A".repeat(n) + end),
      fc.tuple(fc.integer({ min: 682, max: 684 }), fc.constantFrom("=", "==")).map(([n, end]) => "A".repeat(n) + end),
      fc.array(fc.string({ unit: fc.constantFrom("A", "9"), maxLength: 21 })).map((list) => JSON.stringify(list)),
      fc.tuple(fc.nat(22), fc.nat(22)).map(([left, right]) => `${"1".repeat(left)}.${"2".repeat(right)}`),
    );
    let inRange = 0;
    fc.assert(
      fc.property(text, (value) => {
        const isRight = isInRange(value) === expression.test(value);
        if (isInRange(value)) inRange++;
        return isRight;
      }),
      { numRuns: 4000 },
    );
    assert.ok(inRange > 20, `only ${inRange} values were in range`);
  });
}

test("lists of symbols", () => {
  for (const good of ["[]", '["A"]', '["A","B"]', `["${"A".repeat(20)}"]`])
    assert.equal(isSymbolList(good), true, good);
  const bad = ["", "[", "]", '"A"', '["A"', '"A"]', '["A",]', '[,"A"]', '["A""B"]', '["A";"B"]', '["A", "B"]', '[""]'];
  for (const one of [...bad, '["a"]', `["${"A".repeat(21)}"]`, '["A"]]', '[["A"]]'])
    assert.equal(isSymbolList(one), false, one);
});
