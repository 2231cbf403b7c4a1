/** The planted bugs fit the program as it is, and are hunted by what there is. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";
import { FAULTS } from "../../failover/faults/schedule.ts";
import type { Hunt } from "../../failover/mutations/bug.ts";
import { BUGS } from "../../failover/mutations/bugs.ts";
import { altered } from "../../failover/mutations/edit.ts";

for (const { name, edits, foundBy } of BUGS) {
  test(`planted: ${name}`, () => {
    const files = new Set(edits.map(({ file }) => file));
    for (const file of files) {
      const source = readFileSync(join(ROOT, file), "utf8");
      const own = edits.filter((edit) => edit.file === file);
      assert.notEqual(altered(source, own), source, file);
    }
    // Campaigns alone would leave it to those who have the time for `npm run cluster:mutants`.
    assert.ok(
      foundBy.some((hunt) => "test" in hunt),
      "no test hunts it",
    );
    for (const hunt of foundBy) isThere(hunt);
  });
}

function isThere(hunt: Hunt): void {
  if ("test" in hunt) {
    const path = join(ROOT, hunt.in);
    assert.ok(existsSync(path), path);
    assert.ok(readFileSync(path, "utf8").includes(hunt.test), `${hunt.in} has no test '${hunt.test}'`);
    return;
  }
  for (const start of hunt.faults) {
    assert.ok(
      FAULTS.some((fault) => fault.name.startsWith(start)),
      start,
    );
  }
}

test("a text that is not there, or twice, is told", () => {
  const edit = { file: "a.ts", from: "x", to: "y" };
  assert.equal(altered("a x", [edit]), "a y");
  assert.throws(() => altered("a", [edit]), /a.ts has 0 times: x/);
  assert.throws(() => altered("x x", [edit]), /a.ts has 2 times: x/);
});
