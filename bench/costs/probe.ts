/** What a piece of work costs the thread that does it. */
export interface Cost {
  /** Milliseconds in which the thread was busy, from the question to the answer; what it waited for others is none of them. */
  readonly totalMs: number;
  /** The most of it that was spent in one turn of the event loop. */
  readonly longestMs: number;
}

export class Probe {
  #longestMs = 0;
  #knownMs = 0;
  #stretches = 0;

  /** Work of one turn. */
  stretch(work: () => void): void {
    const startMs = performance.now();
    work();
    const tookMs = performance.now() - startMs;
    this.#longestMs = Math.max(this.#longestMs, tookMs);
    this.#knownMs += tookMs;
    this.#stretches++;
  }

  /** `ask` begins in a stretch of its own and calls back when the answer is there. */
  async cost(ask: (done: () => void) => void): Promise<Cost> {
    // What others have put off is not to be counted.
    await new Promise((resolve) => setImmediate(resolve));
    [this.#longestMs, this.#knownMs, this.#stretches] = [0, 0, 0];
    const start = performance.eventLoopUtilization();
    await new Promise<void>((resolve) => this.stretch(() => ask(resolve)));
    const totalMs = performance.eventLoopUtilization(start).active;
    // When the answer came from another thread, the rest is what this thread did with it, in one turn.
    const restMs = this.#stretches === 1 ? totalMs - this.#knownMs : 0;
    return { totalMs, longestMs: Math.max(this.#longestMs, restMs) };
  }
}

/** On a machine that others use too, the least of several rounds is what the work itself takes. */
export function least(costs: readonly Cost[]): Cost {
  return {
    totalMs: Math.min(...costs.map(({ totalMs }) => totalMs)),
    longestMs: Math.min(...costs.map(({ longestMs }) => longestMs)),
  };
}
