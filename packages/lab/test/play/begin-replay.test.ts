import assert from "node:assert/strict";
import { test } from "node:test";
import { beginReplay } from "../../src/play/begin-replay.ts";

/** Answers what a node would, one after the other. */
function nodeThatSays(...answers: readonly unknown[]): { ask: <T>(method: string, path: string) => Promise<T> } {
  const left = [...answers];
  return { ask: async <T>() => (left.length > 0 ? left.shift() : assert.fail("it was asked once more")) as T };
}

const others = { id: 1, state: "playing" };

test("a recorded market has begun when its large files were looked at; a bad row is an error", async () => {
  await beginReplay(nodeThatSays({ id: 2, state: "playing" }), {});
  const checking = { id: 2, state: "checking" };
  await beginReplay(nodeThatSays(checking, [others, checking], [others, { id: 2, state: "waiting" }]), {});
  const bad = { id: 2, state: "failed", error: "a.csv, line 3: it is before the row before it" };
  await assert.rejects(beginReplay(nodeThatSays(checking, [others, checking], [others, bad]), {}), {
    message: bad.error,
  });
});
