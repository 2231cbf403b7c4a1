/** Shortens a failing run: leaves out smaller and smaller pieces as long as it still fails in the same way. */
/** The kind of a violation, without its numbers. */
export function kindOf(violation: string): string {
  return violation.replace(/\{.*$/s, "").replace(/\d+/g, "N").slice(0, 60);
}

export async function shrink<S>(
  steps: readonly S[],
  violationOf: (shorter: readonly S[]) => Promise<string | undefined>,
  kind: string,
  budgetMs: number,
): Promise<readonly S[]> {
  const endMs = performance.now() + budgetMs;
  let kept = steps;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && performance.now() < endMs; ) {
      const shorter = [...kept.slice(0, from), ...kept.slice(from + size)];
      const violation = await violationOf(shorter);
      if (violation !== undefined && kindOf(violation) === kind) kept = shorter;
      else from += size;
    }
  }
  return kept;
}
