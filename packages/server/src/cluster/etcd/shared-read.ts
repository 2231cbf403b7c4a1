/** A question that many callers ask at once: one call is under way, and callers that come meanwhile share the next. */
export class SharedRead<Answer> {
  readonly #ask: () => Promise<Answer>;
  #underWay: Promise<Answer> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  /** The answer is of a moment after this call. */
  read(): Promise<Answer> {
    if (this.#underWay === undefined) return this.#start();
    this.#next ??= this.#underWay.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<Answer> {
    this.#next = undefined;
    const asked = this.#ask().finally(() => (this.#underWay = undefined));
    this.#underWay = asked;
    return asked;
  }
}
