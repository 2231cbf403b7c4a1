import assert from "node:assert/strict";
import { test } from "node:test";
import { mayReach } from "./floors.ts";
import { OWN } from "./room.ts";

test("parts of a room import those of lower floors alone", () => {
  const room = {
    folder: "a",
    code: [],
    contracts: [],
    outside: false,
    floors: [["base.ts"], [OWN, "b"], ["b/c"], ["top.ts"]],
  };
  const may = (from: string, to: string): boolean => mayReach(room, `a/${from}`, `a/${to}`);
  for (const [high, low] of [
    ["x.ts", "base.ts"],
    ["b/x.ts", "base.ts"],
    ["b/c/x.ts", "b/y.ts"],
    ["b/c/x.ts", "x.ts"],
    ["top.ts", "b/c/x.ts"],
  ] as const) {
    assert.ok(may(high, low), `${high} imports ${low}`);
    assert.ok(!may(low, high), `${low} imports ${high}`);
  }
  assert.ok(!may("b/x.ts", "y.ts") && !may("y.ts", "b/x.ts"), "neighbours");
  assert.ok(may("b/x.ts", "b/y.ts") && may("x.ts", "y.ts"), "the same part");
  const flat = { ...room, floors: [["b"]] };
  assert.ok(mayReach(flat, "a/x.ts", "a/b/y.ts") && !mayReach(flat, "a/b/y.ts", "a/x.ts"), "its own files are on top");
});
