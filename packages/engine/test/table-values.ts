/** Random values of a table of fields, for property tests. */
import fc from "fast-check";
import { type FieldTable, isLater, type LaterField, type Layout, uintOrMinusOne } from "../src/entry/fields.ts";

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
  const later = Object.entries(table).filter((entry): entry is [string, LaterField<unknown>] => isLater(entry[1]));
  // Reading omits a later field with the value that older layouts imply.
  return fc.record(Object.fromEntries(all), { noNullPrototype: true }).map((record: Record<string, unknown>) => {
    for (const [name, { before }] of later) if (record[name] === before) delete record[name];
    return record;
  }) as fc.Arbitrary<T>;
}

function valuesOfField(field: FieldTable[string]): fc.Arbitrary<unknown> {
  if (field === uintOrMinusOne || (isLater(field) && field.before === -1))
    return fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER - 1 });
  if ("given" in field) return fc.option(valuesOfField(field.given as FieldTable[string]));
  if (field.kind === "word") return fc.constantFrom(...(field.words ?? []));
  return field.kind === "record" ? valuesOf(field as Layout<unknown, undefined>) : OF_KIND[field.kind];
}
