/**
 * Runs test files in this process, one after another. Each file is a test that contains the file's tests: hooks of the
 * file apply only to it, and have closed its resources before the next file is loaded.
 */
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

/** `files` are paths relative to the root of the repository, which become the names of the tests. */
export function inOneProcess(root: string, files: readonly string[]): void {
  for (const file of files) {
    void test(file, async () => {
      const path = resolve(root, file);
      // As with a process of its own, because `test-process.ts` reports it.
      process.argv[1] = path;
      await import(pathToFileURL(path).href);
    });
  }
}
