/** The Python file, which needs only Python's standard library, tested in Python. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { skipUnless } from "@pricetime/testkit/skip";

const TESTS = fileURLToPath(new URL("./python_test.py", import.meta.url));
const FOLDER = fileURLToPath(new URL("../python", import.meta.url));
const MOST_MS = 300_000;

const skip = skipUnless(spawnSync("python3", ["--version"]).status === 0, "python3 is not installed");

test("Python starts nodes, holds their clock, trades, and leaves nothing behind", { skip }, (t) => {
  const env = { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: "1" };
  const { status, stdout, stderr } = spawnSync("python3", ["-W", "error", TESTS], {
    encoding: "utf8",
    env,
    timeout: MOST_MS,
  });
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stderr, /Warning/);
  assert.match(stderr, /^Ran \d+ tests/m);
  t.diagnostic(stdout.trim());
});
