/**
 * The saved state of a lab's parts: its registry, and its validation, because a checkpoint file may be untrusted.
 * Decision 80.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import type { SavedState, SavedValue } from "./port.ts";

/** The state of a part in a checkpoint is invalid; the message is one line. */
export class SavedStateUnreadable extends Error {
  override readonly name = "SavedStateUnreadable";
}

/** Schema of a bigint, which is saved as a string. */
export const savedBigint: z.ZodType<bigint> = z
  .string()
  .regex(/^-?[0-9]{1,40}$/)
  .transform(BigInt);

/** State of a part that the part itself validates with `readSaved`. */
export const savedPart: z.ZodType<SavedValue> = z.custom<SavedValue>((value) => value !== undefined);

/** A count, or a time in milliseconds since 1970. */
export const savedCount: z.ZodInt = z.int().min(0);

/**
 * Validates saved state. `part`: the name in the message. Throws `SavedStateUnreadable` with the path of the first
 * error.
 */
export function readSaved<T>(part: string, schema: z.ZodType<T>, value: SavedValue): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new SavedStateUnreadable(
    `the checkpoint is damaged, or of another version: ${part}${place}: ${issue?.message ?? ""}`,
  );
}

/** State by part name. */
export type PartStates = Readonly<Record<string, SavedValue>>;

interface Part {
  readonly save: () => SavedValue;
  /** Undefined for parts that are created again at a restore. */
  readonly takeBack: (() => void) | undefined;
}

/** A lab's registry. During a restore, it passes the saved state to the parts as they register again. */
export class SavedParts implements SavedState {
  readonly #parts = new Map<string, Part>();
  /** Restored state that no part has taken yet; undefined outside of a restore. */
  #untaken: Map<string, SavedValue> | undefined;
  /** Whether it is an error if a part has no restored state. */
  #isComplete = true;
  /** Prefixes of parts that start without state during a restore. */
  readonly #fresh = new Set<string>();

  restore<T>(name: string, schema: z.ZodType<T>, save: () => SavedValue, takeBack?: (state: T) => void): T | undefined {
    assert(!this.#parts.has(name), `two parts save their state as ${name}`);
    const take = (): T | undefined => this.#take(name, schema);
    const takeAgain = (): void => {
      const state = take();
      if (state !== undefined) takeBack?.(state);
    };
    this.#parts.set(name, { save, takeBack: takeBack && takeAgain });
    return take();
  }

  within(place: string): SavedState {
    return {
      restore: (name, schema, save, takeBack) => this.restore(`${place}/${name}`, schema, save, takeBack),
      within: (inner) => this.within(`${place}/${inner}`),
      end: () => this.#endWithin(place),
      startFresh: () => this.#startFreshWithin(place),
    };
  }

  end(): void {
    this.#parts.clear();
  }

  startFresh(): void {
    this.#untaken = undefined;
  }

  /** The state of all parts. Call it only while the node is idle. */
  save(): PartStates {
    return Object.fromEntries([...this.#parts].map(([name, { save }]) => [name, save()]));
  }

  /** The state of one part; null if the part is not registered. */
  saveOne(name: string): SavedValue {
    return this.#parts.get(name)?.save() ?? null;
  }

  /**
   * Begins a restore, which ends with `finish`. Parts with `takeBack` take their state now, other parts when they are
   * created. Without `isComplete`, parts may have no restored state. Throws `SavedStateUnreadable`; it can then be
   * called again with different state.
   */
  begin(states: PartStates, isComplete = true): void {
    this.#untaken = new Map(Object.entries(states));
    this.#isComplete = isComplete;
    this.#fresh.clear();
    for (const [name, { takeBack }] of this.#parts) {
      if (takeBack === undefined) this.#parts.delete(name);
      else takeBack();
    }
  }

  /** Ends a restore. Throws `SavedStateUnreadable` if the checkpoint has state of a part that was not created. */
  finish(): void {
    const more = [...(this.#untaken?.keys() ?? [])];
    this.#untaken = undefined;
    if (more.length === 0) return;
    throw new SavedStateUnreadable(`it has modules that this lab does not have: ${more.join(", ")}`);
  }

  #take<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const value = this.#untaken?.get(name);
    if (value !== undefined) {
      this.#untaken?.delete(name);
      return readSaved(name, schema, value);
    }
    const isFresh = this.#untaken === undefined || [...this.#fresh].some((place) => isWithin(place, name));
    if (isFresh || !this.#isComplete) return undefined;
    throw new SavedStateUnreadable(`it lacks modules that this lab has: ${name}`);
  }

  #endWithin(place: string): void {
    for (const name of this.#parts.keys()) if (isWithin(place, name)) this.#parts.delete(name);
  }

  #startFreshWithin(place: string): void {
    this.#fresh.add(place);
    for (const name of this.#untaken?.keys() ?? []) if (isWithin(place, name)) this.#untaken?.delete(name);
  }
}

function isWithin(place: string, name: string): boolean {
  return name === place || name.startsWith(`${place}/`);
}
