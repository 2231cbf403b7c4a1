/** An internal error. It stops the program, because a state that cannot be trusted must not be used any further. */
export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvariantBroken(what);
}

/** Returns the value. Throws if it is absent, which only a bug in the engine can cause. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new InvariantBroken(what);
  return value;
}
