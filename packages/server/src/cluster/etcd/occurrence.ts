/** Something that happens once, for those who wait for it or for something else, again and again. */
export class Occurrence {
  readonly #waiting = new Set<() => void>();
  #hasHappened = false;

  get hasHappened(): boolean {
    return this.#hasHappened;
  }

  happen(): void {
    this.#hasHappened = true;
    for (const tell of this.#waiting) tell();
  }

  /**
   * Settles as `other` does, or resolves once this happens. Nothing of the wait is left when it is over: a promise raced
   * again and again keeps every race, and all that came of it, until it settles.
   */
  async or(other: Promise<unknown>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const over = (): void => resolve();
    other.then(over, reject);
    this.#waiting.add(over);
    if (this.#hasHappened) over();
    try {
      await promise;
    } finally {
      this.#waiting.delete(over);
    }
  }
}
