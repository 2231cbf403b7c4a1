/** How a sequencer waits. A simulation has its own, so that a seed decides what runs when. */

export interface Timers {
  /** Runs the task at the end of this turn of the event loop. */
  soon(task: () => void): void;
  /** Runs the task later, unless what it gives is called before. Keeps no process alive. */
  after(waitMs: number, task: () => void): () => void;
  pause(waitMs: number): Promise<void>;
}

export const REAL_TIMERS: Timers = {
  soon: (task) => void setImmediate(task),
  after: (waitMs, task) => {
    const timer = setTimeout(task, waitMs).unref();
    return () => clearTimeout(timer);
  },
  pause: (waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs)),
};
