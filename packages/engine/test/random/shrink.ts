/** Shortens a failing history: removes smaller and smaller parts while it still fails and time remains. */
export function shrink<T>(
  history: readonly T[],
  fails: (shorter: readonly T[]) => boolean,
  budgetMs = 20_000,
): readonly T[] {
  const endMs = performance.now() + budgetMs;
  let kept = history;
  for (let size = Math.floor(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < kept.length && performance.now() < endMs; ) {
      const shorter = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (fails(shorter)) kept = shorter;
      else from += size;
    }
  }
  return kept;
}
