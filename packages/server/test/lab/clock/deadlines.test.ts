import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Deadlines } from "../../../src/lab/clock/deadlines.ts";

type Step =
  | { readonly set: number; readonly name: string | undefined }
  | { readonly cancel: number }
  | { readonly takeUntil: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ set: fc.nat(20), name: fc.constantFrom(undefined, "a", "b") }) },
  { weight: 2, arbitrary: fc.record({ cancel: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ takeUntil: fc.nat(20) }) },
);

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

test("deadlines come in the order of their times and, at one time, of their names and of being set, as in a sorted list", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const deadlines = new Deadlines();
      const cancels: (() => void)[] = [];
      let model: { dueMs: number; name: string | undefined; number: number }[] = [];
      for (const one of steps) {
        if ("set" in one) {
          const number = cancels.length;
          cancels.push(deadlines.set(one.set, () => {}, one.name));
          model.push({ dueMs: one.set, name: one.name, number });
          // Tasks without a name come after all names.
          const rank = (name = "~"): string => name;
          model.sort((a, b) => a.dueMs - b.dueMs || compare(rank(a.name), rank(b.name)) || a.number - b.number);
        } else if ("cancel" in one) {
          cancels[one.cancel]?.();
          model = model.filter(({ number }) => number !== one.cancel);
        } else {
          const first = model[0];
          const expected = first !== undefined && first.dueMs <= one.takeUntil ? model.shift() : undefined;
          const taken = deadlines.takeUntil(one.takeUntil);
          assert.deepEqual(taken && { dueMs: taken.dueMs, name: taken.name, number: taken.number }, expected);
        }
        assert.equal(deadlines.size, model.length);
        assert.equal(deadlines.firstDueMs, model[0]?.dueMs ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
});
