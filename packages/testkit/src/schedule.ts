/** Virtual time, which alone determines the order of events, so that the same seed leads to the same history. */

/** A simulated process. Once it is dead, its remaining tasks do not run. While it is paused, due tasks wait. */
export class Life {
  alive = true;
  #held: (() => void)[] | undefined;

  get isPaused(): boolean {
    return this.#held !== undefined;
  }

  pause(): void {
    this.#held ??= [];
  }

  /** Runs the tasks that became due during the pause, in their order. */
  resume(schedule: Pick<Schedule, "after">): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const run of held) schedule.after(0, run, this);
  }

  /** Returns whether the task must wait until the process resumes. */
  holds(run: () => void): boolean {
    this.#held?.push(run);
    return this.isPaused;
  }
}

interface Task {
  atMs: number;
  readonly run: () => void;
  readonly life: Life | undefined;
  canceled: boolean;
}

export class Schedule {
  nowMs = 0;
  turns = 0;
  /** Tasks sorted by time, the earliest last. Among tasks with equal times, those scheduled first are last. */
  readonly #tasks: Task[] = [];
  readonly #outside = new Set<Promise<unknown>>();

  /** Schedules a task. Returns a function that cancels it. */
  after(waitMs: number, run: () => void, life?: Life): () => void {
    const task: Task = { atMs: this.nowMs + Math.max(0, waitMs), run, life, canceled: false };
    this.#insert(task);
    return () => {
      task.canceled = true;
    };
  }

  #insert(task: Task): void {
    let at = this.#tasks.length;
    while (at > 0 && (this.#tasks[at - 1] as Task).atMs <= task.atMs) at--;
    this.#tasks.splice(at, 0, task);
  }

  pause(waitMs: number, life?: Life): Promise<void> {
    return new Promise((resolve) => this.after(waitMs, resolve, life));
  }

  /** Stops virtual time until work outside the schedule is done. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside.add(work);
    try {
      return await work;
    } finally {
      this.#outside.delete(work);
    }
  }

  /** Runs until `isOver` returns true, or until no task is left. Promises settle between any two tasks. */
  async run(isOver: () => boolean, onError: (error: unknown) => void): Promise<void> {
    await this.#settled();
    while (!isOver()) {
      const task = this.#tasks.pop();
      if (task === undefined) return;
      if (task.canceled || task.life?.alive === false) continue;
      this.nowMs = task.atMs;
      if (task.life?.holds(() => task.canceled || task.run()) === true) continue;
      this.turns++;
      try {
        task.run();
      } catch (error) {
        onError(error);
      }
      await this.#settled();
    }
  }

  async #settled(): Promise<void> {
    await settled();
    while (this.#outside.size > 0) {
      await Promise.allSettled(this.#outside);
      await settled();
    }
  }
}

/** Resolves when every promise that can settle without another task has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
