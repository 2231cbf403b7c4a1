/** What must be ended when an attack is over: nodes, processes, sockets, folders, disks. */
import { rmSync } from "node:fs";
import { temporaryFolder } from "@pricetime/testkit/scratch";

type Task = () => unknown;

export class Scope {
  readonly #tasks: Task[] = [];

  /** Run when the scope ends, what came last first. */
  defer(task: Task): void {
    this.#tasks.push(task);
  }

  /** A folder that is removed in the end. */
  folder(): string {
    const folder = temporaryFolder();
    this.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    return folder;
  }

  /** Every task is tried; resolves to what went wrong. */
  async end(): Promise<string[]> {
    const failures: string[] = [];
    for (const task of this.#tasks.splice(0).reverse()) {
      try {
        await task();
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
    return failures;
  }
}
