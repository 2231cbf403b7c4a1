/** Temporary folders and other resources that are removed at the end of a test; and skipping of tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Creates a temporary folder, which the caller must remove. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "pricetime-"));
}

/** Creates a folder that is removed at the end of the test. */
export function scratchFolder(t: TestContext): string {
  const folder = temporaryFolder();
  inTheEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

type Task = () => unknown;
const endings = new WeakMap<TestContext, Task[]>();

/** Runs tasks at the end of the test, the latest first; each runs even if others fail. */
export function inTheEnd(t: TestContext, task: Task): void {
  const tasks = endings.get(t) ?? [];
  if (tasks.push(task) > 1) return;
  endings.set(t, tasks);
  t.after(async () => {
    for (const each of tasks.reverse())
      await Promise.resolve()
        .then(each)
        .catch((error: Error) => t.diagnostic(error.message));
  });
}

// Tests that need a program which is not installed on every machine. They are skipped with a message, or fail if
// TEST_MISSING is `fail`. `.ci/run` sets this where it installs such programs itself, so that no run passes without
// them unnoticed.

/**
 * The `skip` option of `test(name, { skip })`: false if the program is available. Throws `why` if it is missing and
 * TEST_MISSING is `fail`.
 */
export function skipUnless(isThere: boolean, why: string): string | false {
  if (isThere) return false;
  if (process.env["TEST_MISSING"] === "fail")
    throw new Error(`${why} (TEST_MISSING=fail: nothing is skipped for that)`);
  return why;
}
