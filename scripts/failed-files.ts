/**
 * A reporter for Node's runner: the path of each file in which a test failed, a line each, some more than once. A file
 * that shares its process (`together/one-process.ts`) is a test there, with its path for a name.
 */
import { fileURLToPath } from "node:url";
import type { TestEvent } from "node:test/reporters";

const TOGETHER = fileURLToPath(new URL("./together/one-process.ts", import.meta.url));

export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.file !== undefined) yield `${data.file === TOGETHER ? data.name : data.file}\n`;
  }
}
