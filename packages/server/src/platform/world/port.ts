/**
 * The environment of a node's parts: time, timers, the random source, and saved state that is not in the journal. Parts
 * receive it as an argument, so that a simulation or a lab can replace it. docs/decisions/0037, 0080.
 */
import type { z } from "zod";

export interface Clock {
  /** Milliseconds since 1970. May go back when the clock is slightly corrected. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds. Only differences are meaningful. */
  readonly steadyMs: () => number;
}

/** Cancels the task. Has no effect after the task has run. */
export type Cancel = () => void;

/** Returned by a periodic task that started no asynchronous work, so that a lab need not wait for any. */
export const NOTHING_FOLLOWS = "nothing follows";

/**
 * Timers. `name` determines the order of tasks that a lab runs at the same time: the order must not depend on when they
 * were scheduled, because a checkpoint does not contain that. The machine's timers ignore it.
 */
export interface Timers {
  /** Runs the task in the next turn of the event loop, after pending input. */
  readonly soon: (task: () => void) => void;
  /** Runs the task once. Does not keep the process alive. */
  readonly after: (waitMs: number, task: () => void, name?: string) => Cancel;
  /** Runs the task periodically; see `NOTHING_FOLLOWS`. Does not keep the process alive. */
  readonly every: (periodMs: number, task: () => unknown, name?: string) => Cancel;
  /** Resolves after `waitMs`. Keeps the process alive until then. */
  readonly pause: (waitMs: number) => Promise<void>;
}

/** The characters of random keys, IDs and listen keys. */
export const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface Dice {
  /** `count` unpredictable bytes. */
  readonly randomBytes: (count: number) => Buffer;
}

/** A value that plain JSON can represent. */
export type SavedValue =
  | null
  | boolean
  | number
  | string
  | readonly SavedValue[]
  | { readonly [name: string]: SavedValue };

/** The registry of state that is in a lab's checkpoint but not in the journal. */
export interface SavedState {
  /**
   * Registers a part; called once, where its state is declared. `save` returns the state when the node is idle; times
   * are those of the exchange's clock. Returns the restored state, or undefined if there is none. `takeBack` is called
   * at a restore, for parts that are not created again. The name must be unique in the node. Throws
   * `SavedStateUnreadable`.
   */
  restore<T>(name: string, schema: z.ZodType<T>, save: () => SavedValue, takeBack?: (state: T) => void): T | undefined;
  /** A registry for parts whose names begin with `place` and a slash. */
  within(place: string): SavedState;
  /** Unregisters the parts of this registry, because they have ended before the node. */
  end(): void;
  /** From now on, newly registered parts start without state, even during a restore. */
  startFresh(): void;
}

/** Saves nothing, so parts continue from the journal alone. */
export const NOTHING_SAVED: SavedState = {
  restore: () => undefined,
  within: () => NOTHING_SAVED,
  end: () => {},
  startFresh: () => {},
};

export interface Saves {
  readonly saved: SavedState;
}

export interface World extends Clock, Timers, Dice, Saves {}

/** The clocks of the machine. */
export interface MachineClocks {
  /** The time of day. It can be set, so it may leap. */
  readonly wallMs: () => number;
  /** The monotonic clock. On Linux, it stops while the machine sleeps. */
  readonly steadyMs: () => number;
  /** The time since boot, including sleep, to about a second. NaN if it cannot be read now. */
  readonly uptimeMs: () => number;
}

/** Waits for an event, at most `limitMs`. */
export async function atMost(
  timers: Pick<Timers, "after">,
  limitMs: number,
  event: Promise<unknown> | undefined,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = timers.after(limitMs, late.resolve);
  await Promise.race([event, late.promise]);
  cancel();
}

/** A random integer from 0 to 2^32 - 1. */
export function randomUint32(dice: Dice): number {
  return dice.randomBytes(4).readUInt32LE();
}
