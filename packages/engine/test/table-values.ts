/** Random values of a table of fields, for property tests. */
import fc from "fast-check";
import { type FieldTable, type Layout, uintOrMinusOne } from "../src/entry/fields.ts";

const id = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const OF_KIND = {
  uint: id,
  big: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 60n }),
  text: fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.stringMatching(/^[A-Za-z0-9_-]{1,36}$/)),
  bool: fc.boolean(),
};

export function valuesOf<T, Type extends string | undefined>({ type, table }: Layout<T, Type>): fc.Arbitrary<T> {
  const fields = Object.entries(table).map(([name, field]) => [name, valuesOfField(field)]);
  const all = type === undefined ? fields : [["type", fc.constant(type)], ...fields];
  return fc.record(Object.fromEntries(all), { noNullPrototype: true }) as fc.Arbitrary<T>;
}

function valuesOfField(field: FieldTable[string]): fc.Arbitrary<unknown> {
  if (field === uintOrMinusOne) return fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER - 1 });
  if (field.kind === "word") return fc.constantFrom(...(field.words ?? []));
  return field.kind === "record" ? valuesOf(field as Layout<unknown, undefined>) : OF_KIND[field.kind];
}
