/** Promises that an attack looks at, and those that did not hold. */
export class Promises {
  readonly broken: string[] = [];
  readonly #said: string[] = [];

  /** `what` was promised. */
  hold(what: string, holds: boolean): void {
    if (!holds) this.broken.push(`failed: ${what}`);
  }

  /** Adds a line to the table. */
  saw(what: string): void {
    this.#said.push(what);
  }

  get seen(): string {
    return this.#said.join("; ");
  }
}
