/** Guesses which of the known names was meant. */

const MOST_ALIKE = 3;
/** Longer lists are not searched. */
const MOST_COMPARED = 20_000;
const MOST_CHANGES = 2;
/** Longer names are not compared: the cost grows with both lengths. */
const LONGEST_COMPARED = 40;

/** Returns the names spelled most alike, the nearest first; none when nothing is near. */
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

/** Returns the name that was meant; undefined where it could be several, or where it is short. */
export function likeliest(name: string, known: readonly string[]): string | undefined {
  const [first] = mostAlike(name, known);
  return name.length > MOST_CHANGES ? first : undefined;
}

/** Counts the letters that must be inserted, deleted or replaced. */
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
