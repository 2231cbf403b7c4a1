/** What the operator reads of a start or a stop that failed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFailure } from "../../../src/program/start/program.ts";

test("an error of the system is told by its path and its code; one without a code by what it says", () => {
  const path = "/data/admin.json";
  const coded = Object.assign(new Error(`EROFS: read-only file system, unlink '${path}'`), { code: "EROFS", path });
  assert.equal(startFailure(coded), `${path}: EROFS`);
  // As `rmSync` throws it.
  const said = `Unknown error: Read-only file system '${path}'`;
  assert.equal(startFailure(Object.assign(new Error(`, ${said}`), { code: "", path })), `${path}: ${said}`);
});
