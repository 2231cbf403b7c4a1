/** Differences: all are counted, and the first few are described. */

const MOST_NAMED = 10;

export class Findings {
  count = 0;
  readonly first: string[] = [];

  add(what: string): void {
    this.count++;
    if (this.first.length < MOST_NAMED) this.first.push(what);
  }

  /** Both values as text. */
  compare(what: string, said: string | number | undefined, journal: string | number): void {
    if (said !== journal) this.add(`${what}: ${said} was said, and the journal makes ${journal}`);
  }
}
