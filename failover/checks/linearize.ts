/**
 * Searches for an order of operations that explains every response and respects real time: an operation that ended
 * before another began comes first. The search of Wing and Gong (1993) with the memoization of Lowe (2017): a set of
 * completed operations that has led to a state once is not tried again.
 */

export interface Step<State> {
  readonly beganMs: number;
  readonly endedMs: number;
  /** Its outcome is unknown: it may have happened at any time after it began, or never. */
  readonly isUnknown: boolean;
  /** Returns the state after the operation; undefined if its response is impossible in this state. */
  readonly next: (state: State) => State | undefined;
}

export type Verdict = "linearizable" | "not linearizable" | "undecided";

/** `undecided` after `mostTries` steps. `keyOf` returns a unique key of a state. */
export function linearize<State>(
  steps: readonly Step<State>[],
  initial: State,
  keyOf: (state: State) => string,
  mostTries = 200_000,
): Verdict {
  const needed = steps.reduce((mask, step, at) => (step.isUnknown ? mask : mask | (1n << BigInt(at))), 0n);
  const tried = new Set<string>();
  const open: { readonly done: bigint; readonly state: State }[] = [{ done: 0n, state: initial }];
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === mostTries) return "undecided";
    const { done, state } = open.pop() as (typeof open)[number];
    if ((done & needed) === needed) return "linearizable";
    for (const at of candidates(steps, done)) {
      const after = (steps[at] as Step<State>).next(state);
      if (after === undefined) continue;
      const doneAfter = done | (1n << BigInt(at));
      const key = `${doneAfter.toString(36)} ${keyOf(after)}`;
      if (tried.has(key)) continue;
      tried.add(key);
      open.push({ done: doneAfter, state: after });
    }
  }
  return "not linearizable";
}

/** The operations that may come next: those that began before the first of the others ended. */
function candidates<State>(steps: readonly Step<State>[], done: bigint): number[] {
  const left = steps.flatMap((_step, at) => (((done >> BigInt(at)) & 1n) === 0n ? [at] : []));
  const firstEndMs = left.reduce((first, at) => {
    const { isUnknown, endedMs } = steps[at] as Step<State>;
    return isUnknown ? first : Math.min(first, endedMs);
  }, Infinity);
  return left.filter((at) => (steps[at] as Step<State>).beganMs <= firstEndMs);
}
