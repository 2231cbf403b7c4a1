/** Reads a line word by word. */
export class Words {
  readonly #words: readonly string[];
  #next = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get done(): boolean {
    return this.#next === this.#words.length;
  }

  peek(): string | undefined {
    return this.#words[this.#next];
  }

  take(): string {
    const word = this.#words[this.#next++];
    if (word === undefined) throw new Error("the line ends too early");
    return word;
  }

  /** Consumes the word if it is next. */
  has(word: string): boolean {
    if (this.peek() !== word) return false;
    this.#next++;
    return true;
  }

  /** Consumes the word and the following one if it is next, and returns the latter. */
  after(word: string): string | undefined {
    return this.has(word) ? this.take() : undefined;
  }

  must(word: string): void {
    if (!this.has(word)) throw new Error(`expected '${word}', found '${this.peek() ?? "the end"}'`);
  }

  /** Reads `5m`, `3h` or `2s`, and returns milliseconds. */
  duration(): number {
    const match = /^([0-9]+)(ms|s|m|h)$/.exec(this.take());
    if (match === null) throw new Error("not a duration");
    return Number(match[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] as "ms" | "s" | "m" | "h"];
  }

  /** Reads `1..5 step 2` as minimum, maximum and step; an omitted part is 0. */
  range(): [min: string, max: string, step: string] {
    const match = /^([0-9.]*?)\.\.([0-9.]*)$/.exec(this.take());
    if (match === null) throw new Error("not a range");
    const [min, max] = [match[1]!, match[2]!];
    return [min === "" ? "0" : min, max === "" ? "0" : max, this.after("step") ?? "0"];
  }
}
