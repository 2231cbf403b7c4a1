/** Everything that must end with an attack: nodes, processes, sockets, folders, disks. */
import { rmSync } from "node:fs";
import { temporaryFolder } from "@pricetime/testkit/scratch";

type Task = () => unknown;

export class Scope {
  readonly #tasks: Task[] = [];

  /** Registers a task for the end of the scope. Tasks run in reverse order. */
  defer(task: Task): void {
    this.#tasks.push(task);
  }

  /** Creates a folder that is removed at the end. */
  folder(): string {
    const folder = temporaryFolder();
    this.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    return folder;
  }

  /** Runs every task; resolves to the errors. */
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
