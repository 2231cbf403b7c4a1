/** A test's own folders, and other resources that must be gone when it is over. */
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
