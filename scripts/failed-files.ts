/** A reporter for Node's runner: the path of each file in which a test failed, a line each, some more than once. */
import type { TestEvent } from "node:test/reporters";

export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.file !== undefined) yield `${data.file}\n`;
  }
}
