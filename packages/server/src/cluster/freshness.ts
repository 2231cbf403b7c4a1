/** How old what a node has applied may be: since when it may lack something that was in the log. */

/** The log ended with this row at this moment. */
interface Mark {
  readonly number: number;
  readonly atMs: number;
}

export class Freshness {
  /** At the start the state is of unknown age: the node's own journal may be old. */
  #freshMs = Number.NEGATIVE_INFINITY;
  /** Marks not reached yet: the oldest, which the node reaches next, and the newest one known. */
  #next: Mark | undefined;
  #newest: Mark | undefined;

  /** Times are steady ones. Infinity until the node has reached an end of the log. */
  staleMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#freshMs);
  }

  /** Notes that the log ended with row `number` at `atMs`, when the node had applied the rows up to `reached`. */
  logEnded(number: number, atMs: number, reached: number): void {
    if (number <= reached) this.#freshMs = Math.max(this.#freshMs, atMs);
    else if (this.#next === undefined) this.#next = { number, atMs };
    else this.#newest = { number, atMs };
  }

  /** The node has applied the rows to this one. */
  reached(number: number): void {
    while (this.#next !== undefined && this.#next.number <= number) {
      this.#freshMs = Math.max(this.#freshMs, this.#next.atMs);
      this.#next = this.#newest;
      this.#newest = undefined;
    }
  }
}
