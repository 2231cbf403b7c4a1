/** How old what a node has applied may be: since when it may lack something that was in the log. */

/** The log ended with this row at this moment. */
interface Mark {
  readonly number: number;
  readonly atMs: number;
}

export class Freshness {
  /** What the node found in its own journal at the start may be of any age. */
  #freshMs = Number.NEGATIVE_INFINITY;
  /** Not reached yet: the oldest, which the node is to reach next, and the newest that is known. */
  #next: Mark | undefined;
  #newest: Mark | undefined;

  /** Times are steady ones. Infinity until the node has reached an end of the log. */
  staleMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#freshMs);
  }

  /** At `atMs` the log ended with row `number`; the node has applied the rows to `reached`. */
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
