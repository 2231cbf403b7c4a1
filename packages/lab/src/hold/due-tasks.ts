/** Tasks in the order in which they fall due; those of one time in the order in which they were set. */

export interface DueTask {
  /** Milliseconds since 1970, of the lab. */
  dueMs: number;
  /** Among tasks of one time, the lower order comes first. */
  order: number;
  /** Whether the process waits for it. */
  isWaitedFor: boolean;
  run(): void;
}

const isBefore = (one: DueTask, other: DueTask): boolean =>
  one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);

export class DueTasks {
  /** Sorted, the latest first: what is taken is at the end. */
  readonly #tasks: DueTask[] = [];
  #orders = 0;

  /** Sets a task, anew if it was set. */
  set(task: DueTask, dueMs: number): void {
    this.delete(task);
    task.dueMs = dueMs;
    task.order = ++this.#orders;
    let [low, high] = [0, this.#tasks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(task, this.#tasks[middle] as DueTask)) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
  }

  delete(task: DueTask): boolean {
    const at = this.#tasks.indexOf(task);
    if (at !== -1) this.#tasks.splice(at, 1);
    return at !== -1;
  }

  has(task: DueTask): boolean {
    return this.#tasks.includes(task);
  }

  /** Removes and returns the first that is due at `nowMs`. */
  take(nowMs: number): DueTask | undefined {
    const first = this.#tasks.at(-1);
    return first !== undefined && first.dueMs <= nowMs ? this.#tasks.pop() : undefined;
  }

  /** When the next one is due; undefined when nothing is set. */
  get nextMs(): number | undefined {
    return this.#tasks.at(-1)?.dueMs;
  }

  get isWaitedFor(): boolean {
    return this.#tasks.some((task) => task.isWaitedFor);
  }
}
