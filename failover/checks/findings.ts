/** The findings of the checks, counted by kind, with the first few of each as text. */
export class Findings {
  readonly counts = new Map<string, number>();
  readonly #kept: string[] = [];
  readonly #mostOfKind: number;

  constructor(mostOfKind = 5) {
    this.#mostOfKind = mostOfKind;
  }

  add(kind: string, what: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (count <= this.#mostOfKind) this.#kept.push(`${kind}: ${what}`);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get first(): readonly string[] {
    return this.#kept;
  }
}
