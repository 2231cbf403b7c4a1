/**
 * A reporter for Node's test runner: prints the path of each file with a failed test, one per line, some more than
 * once. A file that shares its process (`together/one-process.ts`) is a test there, named by its path.
 */
import { fileURLToPath } from "node:url";
import type { TestEvent } from "node:test/reporters";

const TOGETHER = fileURLToPath(new URL("./together/one-process.ts", import.meta.url));

export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.file !== undefined) yield `${data.file === TOGETHER ? data.name : data.file}\n`;
  }
}
