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
  let remaining = steps;
  for (let size = Math.ceil(remaining.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < remaining.length && performance.now() < endMs; ) {
      const shorter = [...remaining.slice(0, from), ...remaining.slice(from + size)];
      const violation = await violationOf(shorter);
      if (violation !== undefined && kindOf(violation) === kind) remaining = shorter;
      else from += size;
    }
  }
  return remaining;
}
