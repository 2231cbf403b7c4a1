/** The cost of work on the thread that does it. */
export interface Cost {
  /**
   * Milliseconds of processor time of the thread, from the request to the response, without waiting for other threads.
   */
  readonly totalMs: number;
  /** The part of it in the longest single turn of the event loop. */
  readonly longestMs: number;
}

/**
 * The processor time of this thread, which hardly depends on other programs on the machine. Linux updates it at each
 * tick of its timer only, and whenever the time of the whole process is read.
 */
function threadMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export class Probe {
  #longestMs = 0;
  #knownMs = 0;
  #stretches = 0;

  /** Measures the work of one turn. */
  stretch(work: () => void): void {
    const startMs = threadMs();
    work();
    const tookMs = threadMs() - startMs;
    this.#longestMs = Math.max(this.#longestMs, tookMs);
    this.#knownMs += tookMs;
    this.#stretches++;
  }

  /** `ask` begins in a turn of its own and calls back when the response is there. */
  async cost(ask: (done: () => void) => void): Promise<Cost> {
    // Deferred work of others is not counted.
    await new Promise((resolve) => setImmediate(resolve));
    [this.#longestMs, this.#knownMs, this.#stretches] = [0, 0, 0];
    const startMs = threadMs();
    await new Promise<void>((resolve) => this.stretch(() => ask(resolve)));
    const totalMs = threadMs() - startMs;
    // If the response came from another thread, the rest is this thread's work on it, in one turn.
    const restMs = this.#stretches === 1 ? totalMs - this.#knownMs : 0;
    return { totalMs, longestMs: Math.max(this.#longestMs, restMs) };
  }
}

/** On a shared machine, the minimum of several rounds is the time of the work itself. */
export function least(costs: readonly Cost[]): Cost {
  return {
    totalMs: Math.min(...costs.map(({ totalMs }) => totalMs)),
    longestMs: Math.min(...costs.map(({ longestMs }) => longestMs)),
  };
}
