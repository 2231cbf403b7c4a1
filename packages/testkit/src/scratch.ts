/** A test's own folders, other resources that must be gone when it is over, and tests that are skipped. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Makes a new folder; the caller removes it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "pricetime-"));
}

/** Makes a new folder that is removed when the test is over. */
export function scratchFolder(t: TestContext): string {
  const folder = temporaryFolder();
  inTheEnd(t, () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

type Task = () => unknown;
const endings = new WeakMap<TestContext, Task[]>();

/** Runs tasks at the end of the test, the latest first, each whatever becomes of the others. */
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

// Tests that need a program which not every machine has. They are skipped and say so, or fail where TEST_MISSING is `fail`:
// `.ci/run` sets it where it installs such programs itself, so that no run passes without them unseen.

/** The `skip` of `test(name, { skip })`: false where `isThere`. Throws `why` where nothing may be missing. */
export function skipUnless(isThere: boolean, why: string): string | false {
  if (isThere) return false;
  if (process.env["TEST_MISSING"] === "fail")
    throw new Error(`${why} (TEST_MISSING=fail: nothing is skipped for that)`);
  return why;
}
