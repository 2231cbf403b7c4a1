/** The fields that are converted to microseconds are those that the shapes of answers and events call times. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { answerTimeNames, eventTimeNames } from "@pricetime/protocol";
import type { Fields, Shape } from "./shape.ts";
import { Words } from "./shape.ts";
import * as answers from "./shapes.ts";
import * as events from "./stream-shapes.ts";

type Kinds = Map<string, Set<string>>;

/** The kinds of each field's numbers, by its name. */
function kindsOf(shape: Shape | object, kinds: Kinds = new Map(), name = ""): Kinds {
  if (typeof shape === "string") kinds.set(name, (kinds.get(name) ?? new Set()).add(shape));
  else if (!(shape instanceof Words))
    for (const [key, of] of Object.entries(shape as Fields))
      kindsOf(of, kinds, Array.isArray(shape) ? name : key.replace(/\?$/, ""));
  return kinds;
}

function check(kinds: Kinds, times: ReadonlySet<string>, mayWait: readonly string[] = []): number {
  let found = 0;
  for (const [name, of] of kinds) {
    if (!of.has("time") && !of.has("integer") && !of.has("number")) continue;
    const isTime = of.has("time") || mayWait.includes(name);
    assert.equal(times.has(name), isTime, name);
    if (isTime) found++;
  }
  return found;
}

test("answers", () => {
  const { FILTERS: _, ...shapes } = answers;
  // These times are -1 while the order waits, so that their shapes are integers.
  assert(check(kindsOf(shapes), answerTimeNames(), ["workingTime", "trailingTime"]) >= 9);
  // These are of answers without a shape.
  for (const name of ["authorizedSince", "connectedSince", "delistTime", "retryAfter", "insertTime", "createTime"]) {
    assert(answerTimeNames().has(name), name);
  }
});

test("every time in the shapes of the protocol is in an example, or converted anyway", () => {
  const folder = new URL("../../packages/protocol/src/shapes/", import.meta.url);
  const fields = readdirSync(folder).flatMap((file) => [
    ...readFileSync(new URL(file, folder), "utf8").matchAll(/readonly (\w+(?:Time|Since|TimeStamp))\??: number/g),
  ]);
  const missing = fields.flatMap(([, name = ""]) => (answerTimeNames().has(name) ? [] : name));
  assert(fields.length > 25);
  assert.deepEqual(missing, []);
});

test("events", () => {
  let found = 0;
  for (const shape of Object.values(events)) {
    const { e } = shape;
    const kind = e instanceof Words ? String(e.words[0]) : "";
    found += check(kindsOf(shape), eventTimeNames(kind), kind === "executionReport" ? ["D"] : []);
  }
  assert(found > 20);
});
