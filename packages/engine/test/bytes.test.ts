/** Compares a writer that passes on pieces with one that stores all bytes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ByteReader, ByteWriter } from "../src/bytes.ts";

type Value = number | bigint | string | boolean;

function write(writer: ByteWriter, values: readonly Value[]): void {
  for (const value of values) {
    if (typeof value === "number") writer.uint(value);
    else if (typeof value === "bigint") writer.big(value);
    else if (typeof value === "string") writer.text(value);
    else writer.bool(value);
  }
}

function read(bytes: Uint8Array, like: readonly Value[]): Value[] {
  const reader = new ByteReader(bytes);
  const values = like.map((value) => {
    if (typeof value === "number") return reader.uint();
    if (typeof value === "bigint") return reader.big();
    return typeof value === "string" ? reader.text() : reader.bool();
  });
  assert.ok(reader.atEnd);
  return values;
}

/** Short texts, and texts about as long as one or two pieces, some with a last character outside ASCII. */
const TEXT = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc
    .tuple(fc.constantFrom(65_500, 65_536, 140_000), fc.nat(40), fc.constantFrom("", "é", "中"))
    .map(([length, more, last]) => "x".repeat(length + more) + last),
);
const VALUE = fc.oneof(
  { weight: 3, arbitrary: fc.maxSafeNat() },
  { weight: 2, arbitrary: fc.bigInt() },
  { weight: 1, arbitrary: TEXT },
  { weight: 1, arbitrary: fc.boolean() },
);

test("pieces have the same bytes as a single buffer, and are decoded as written", () => {
  fc.assert(
    fc.property(fc.array(VALUE, { maxLength: 60, size: "max" }), (values) => {
      const whole = new ByteWriter();
      write(whole, values);
      const pieces: Buffer[] = [];
      const writer = new ByteWriter((piece) => pieces.push(Buffer.from(piece)));
      write(writer, values);
      writer.flush();
      assert.equal(Buffer.compare(Buffer.concat(pieces), whole.bytes()), 0);
      assert.deepEqual(read(whole.bytes(), values), values);
    }),
    { numRuns: 200 },
  );
});
