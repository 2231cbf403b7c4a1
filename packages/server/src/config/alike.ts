/** Which of the names that there are was meant. */

const MOST_ALIKE = 3;
/** Beyond it a list is not searched. */
const MOST_COMPARED = 20_000;
const MOST_CHANGES = 2;
/** Longer names are not compared: what two of them cost grows with both lengths. */
const LONGEST_COMPARED = 40;

/** Spelled most alike, the nearest first; none where nothing is near. */
export function mostAlike(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  if (wanted.length > LONGEST_COMPARED) return [];
  return known
    .slice(0, MOST_COMPARED)
    .filter((each) => Math.abs(each.length - wanted.length) <= MOST_CHANGES && each.length <= LONGEST_COMPARED)
    .map((each) => ({ each, changes: changesBetween(wanted, each.toLowerCase()) }))
    .filter(({ changes }) => changes <= MOST_CHANGES)
    .toSorted((a, b) => a.changes - b.changes)
    .slice(0, MOST_ALIKE)
    .map(({ each }) => each);
}

/** The one that was meant; undefined where it could be any. Of short names it is not guessed. */
export function likeliest(name: string, known: readonly string[]): string | undefined {
  const [first] = mostAlike(name, known);
  return name.length > MOST_CHANGES ? first : undefined;
}

/** How many letters must be put in, left out or replaced. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
