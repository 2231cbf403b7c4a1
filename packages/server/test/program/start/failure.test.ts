/** The message of a failed start or stop. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFailure } from "../../../src/program/start/program.ts";

test("a system error is reported by path and code, another error by its message", () => {
  const path = "/data/admin.json";
  const coded = Object.assign(new Error(`EROFS: read-only file system, unlink '${path}'`), { code: "EROFS", path });
  assert.equal(startFailure(coded), `${path}: EROFS`);
  // As thrown by `rmSync`.
  const said = `Unknown error: Read-only file system '${path}'`;
  assert.equal(startFailure(Object.assign(new Error(`, ${said}`), { code: "", path })), `${path}: ${said}`);
});
