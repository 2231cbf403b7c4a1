/** The promises that an attack checks, and those that did not hold. */
export class Promises {
  readonly broken: string[] = [];
  readonly #said: string[] = [];

  /** Records whether the promise `what` held. */
  hold(what: string, holds: boolean): void {
    if (!holds) this.broken.push(`failed: ${what}`);
  }

  /** Adds an observation to the table. */
  saw(what: string): void {
    this.#said.push(what);
  }

  get seen(): string {
    return this.#said.join("; ");
  }
}
