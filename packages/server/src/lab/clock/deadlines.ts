/**
 * Tasks ordered by due time. Tasks of the same instant run by name, then in the order in which they were set, because a
 * restore preserves the names, but not this order.
 */

export interface Deadline {
  readonly dueMs: number;
  /** The name for checkpoints, as in `Timers`. Deadlines without a name come last in an instant. */
  readonly name: string | undefined;
  /** A sequence number that orders the deadlines of one instant. */
  readonly number: number;
  readonly task: () => unknown;
  isCancelled: boolean;
}

export class Deadlines {
  /**
   * The deadlines as a binary heap. Canceled ones are removed when they reach the top, or when they make up more than
   * half of the heap.
   */
  #heap: Deadline[] = [];
  #cancelled = 0;
  #number = 0;

  set(dueMs: number, task: () => unknown, name?: string): () => void {
    const deadline: Deadline = { dueMs, name, number: this.#number++, task, isCancelled: false };
    this.#heap.push(deadline);
    this.#rise(this.#heap.length - 1);
    return () => this.#cancel(deadline);
  }

  /** The number of pending deadlines. */
  get size(): number {
    return this.#heap.length - this.#cancelled;
  }

  /** The time of the first deadline; Infinity if there is none. */
  get firstDueMs(): number {
    this.#drop();
    return this.#heap[0]?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Removes and returns the first deadline if it is due by `toMs`. */
  takeUntil(toMs: number): Deadline | undefined {
    this.#drop();
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > toMs) return undefined;
    this.#takeTop();
    // Prevents a later cancel of this task from having any effect.
    first.isCancelled = true;
    return first;
  }

  #cancel(deadline: Deadline): void {
    if (deadline.isCancelled) return;
    deadline.isCancelled = true;
    this.#cancelled++;
    if (this.#cancelled * 2 <= this.#heap.length || this.#heap.length < 64) return;
    this.#heap = this.#heap.filter(({ isCancelled }) => !isCancelled).sort(byOrder);
    this.#cancelled = 0;
  }

  #drop(): void {
    while (this.#heap[0]?.isCancelled === true) {
      this.#takeTop();
      this.#cancelled--;
    }
  }

  #takeTop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfLater(above, at)) return;
      at = above;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [one, other] = [this.#heap[left], this.#heap[right]];
      if (one === undefined) return;
      const below = other !== undefined && byOrder(other, one) < 0 ? right : left;
      if (!this.#swapIfLater(at, below)) return;
      at = below;
    }
  }

  #swapIfLater(above: number, below: number): boolean {
    const [upper, lower] = [this.#heap[above], this.#heap[below]];
    if (upper === undefined || lower === undefined || byOrder(upper, lower) < 0) return false;
    this.#heap[above] = lower;
    this.#heap[below] = upper;
    return true;
  }
}

function byOrder(a: Deadline, b: Deadline): number {
  if (a.dueMs !== b.dueMs) return a.dueMs - b.dueMs;
  if (a.name === b.name) return a.number - b.number;
  if (a.name === undefined || b.name === undefined) return a.name === undefined ? 1 : -1;
  return a.name < b.name ? -1 : 1;
}
