/**
 * The state that parts save for a lab's checkpoint: its validation, because a checkpoint may come from a stranger's file,
 * and the registry of a lab. Decision 80.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import type { SavedState, SavedValue } from "./port.ts";

/** A checkpoint's state of a part does not fit the part. The message is one line. */
export class SavedStateUnreadable extends Error {
  override readonly name = "SavedStateUnreadable";
}

/** Amounts that a double cannot represent are saved as texts. */
export const savedBigint: z.ZodType<bigint> = z
  .string()
  .regex(/^-?[0-9]{1,40}$/)
  .transform(BigInt);

/** State of an element that reads it itself, with `readSaved`. */
export const savedPart: z.ZodType<SavedValue> = z.custom<SavedValue>((value) => value !== undefined);

/** A number of things, or of milliseconds since 1970. */
export const savedCount: z.ZodInt = z.int().min(0);

/** `part` is the name in the message. Throws `SavedStateUnreadable`, which names the first place that is wrong. */
export function readSaved<T>(part: string, schema: z.ZodType<T>, value: SavedValue): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new SavedStateUnreadable(
    `the checkpoint is damaged, or of another version: ${part}${place}: ${issue?.message ?? ""}`,
  );
}

// The registry of a lab: a checkpoint contains what its parts save, and a restore gives it to the parts that are created
// again.

/** State by the names of parts. */
export type PartStates = Readonly<Record<string, SavedValue>>;

interface Part {
  readonly save: () => SavedValue;
  /** Undefined: a restore creates the part anew. */
  readonly takeBack: (() => void) | undefined;
}

export class SavedParts implements SavedState {
  readonly #parts = new Map<string, Part>();
  /** The state that no part has taken yet; undefined: no restore is under way. */
  #untaken: Map<string, SavedValue> | undefined;
  /** Whether a part without state in what is restored is an error. */
  #isComplete = true;
  /** Places in which parts begin although a restore is under way. */
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

  /** Call it when the node is idle. */
  save(): PartStates {
    return Object.fromEntries([...this.#parts].map(([name, { save }]) => [name, save()]));
  }

  /** The state of one part; null: there is none. */
  saveOne(name: string): SavedValue {
    return this.#parts.get(name)?.save() ?? null;
  }

  /**
   * Parts that outlast the restore take their state now, all others when they are created, until `finish`. Without
   * `isComplete`, parts that have no state here go on as they are, or begin. Throws `SavedStateUnreadable`; then it may be
   * called again with other state.
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

  /** All parts are there. Throws `SavedStateUnreadable` when one was missing. */
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
