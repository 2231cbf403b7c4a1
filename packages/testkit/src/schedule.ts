/** Virtual time: it alone decides what runs when, so the same seed gives the same history. */

/** A process: once it is dead, nothing that it left behind runs; while it is paused, what falls due waits. */
export class Life {
  alive = true;
  #held: (() => void)[] | undefined;

  get isPaused(): boolean {
    return this.#held !== undefined;
  }

  pause(): void {
    this.#held ??= [];
  }

  /** What has fallen due meanwhile runs now, in its order. */
  resume(schedule: Pick<Schedule, "after">): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const run of held) schedule.after(0, run, this);
  }

  /** Returns whether the task waits until the process goes on. */
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
  /** Tasks, the soonest last; at equal times, those that came first are last. */
  readonly #tasks: Task[] = [];
  readonly #outside = new Set<Promise<unknown>>();

  /** Schedules a task; returns the function that cancels it. */
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

  /** Time stands still until the work is done: real work, of which the schedule knows nothing. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside.add(work);
    try {
      return await work;
    } finally {
      this.#outside.delete(work);
    }
  }

  /** Runs until `isOver`, or until nothing is left; promises settle between any two tasks. */
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

/** Resolves when every promise that could settle has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
