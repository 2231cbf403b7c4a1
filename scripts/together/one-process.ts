/**
 * Runs test files in this process, one after the other. Each is a test that has the file's as its own: its hooks are
 * about it alone, and what they close is closed before the next file is read.
 */
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

/** `files`: paths from the root of the repository, which become the names of the tests. */
export function inOneProcess(root: string, files: readonly string[]): void {
  for (const file of files) {
    void test(file, async () => {
      const path = resolve(root, file);
      // As it is when the file has a process: `test-process.ts` names it.
      process.argv[1] = path;
      await import(pathToFileURL(path).href);
    });
  }
}
