/**
 * The environment of a node's parts besides disk and network: time, timers, random numbers, and where they save state
 * that is not in the journal. Every part takes it as an argument, so that a simulation or a lab can replace it.
 * docs/decisions/0037, 0080.
 */
import type { z } from "zod";

export interface Clock {
  /** Milliseconds since 1970. May step back by a small correction. */
  readonly nowMs: () => number;
  /** Milliseconds since some moment: never back, and no leaps. Only differences have a meaning. */
  readonly steadyMs: () => number;
}

/** Cancels the task; does nothing when it has run. */
export type Cancel = () => void;

/** What a periodic task returns when it has set off nothing that goes on after it: a lab does not wait for the end of it. */
export const NOTHING_FOLLOWS = "nothing follows";

/**
 * `name` tells apart tasks of the same moment in a lab, where they run by their names: the order must not depend on when
 * each was set, which a checkpoint does not hold. The machine does not look at it.
 */
export interface Timers {
  /** Runs the task in the next turn of the event loop, after input that has arrived in between. */
  readonly soon: (task: () => void) => void;
  /** Runs the task once. Does not keep the process alive. */
  readonly after: (waitMs: number, task: () => void, name?: string) => Cancel;
  /** Runs the task periodically; see `NOTHING_FOLLOWS`. Does not keep the process alive. */
  readonly every: (periodMs: number, task: () => unknown, name?: string) => Cancel;
  /** Keeps the process alive until it resolves. */
  readonly pause: (waitMs: number) => Promise<void>;
}

/** What random texts are made of: keys, ids, listen keys. */
export const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface Dice {
  /** `count` unpredictable bytes. */
  readonly randomBytes: (count: number) => Buffer;
}

/** Plain JSON. */
export type SavedValue =
  | null
  | boolean
  | number
  | string
  | readonly SavedValue[]
  | { readonly [name: string]: SavedValue };

/** Where a part registers the state that a lab's checkpoint contains besides the journal. */
export interface SavedState {
  /**
   * Called once, where the state is declared. `save` returns the state when the node is idle, with absolute times of the
   * exchange's clock. Returns the state from which the part goes on, undefined when it begins. `takeBack` is for a part
   * that outlasts a restore. The name is unique in the node. Throws `SavedStateUnreadable`.
   */
  restore<T>(name: string, schema: z.ZodType<T>, save: () => SavedValue, takeBack?: (state: T) => void): T | undefined;
  /** For the parts of one of several: their names begin with `place` and a slash. */
  within(place: string): SavedState;
  /** The parts within have ended, before the node. */
  end(): void;
  /** Parts that register within from now on begin, even while a checkpoint is being restored. */
  startFresh(): void;
}

/** The machine saves nothing: a part goes on from the journal alone. */
export const NOTHING_SAVED: SavedState = {
  restore: () => undefined,
  within: () => NOTHING_SAVED,
  end: () => {},
  startFresh: () => {},
};

/** The environment of a part with state that a checkpoint contains. */
export interface Saves {
  readonly saved: SavedState;
}

export interface World extends Clock, Timers, Dice, Saves {}

/** The machine's own clocks, each with a weakness. */
export interface MachineClocks {
  /** Time of day: anybody may set it, and it may leap. */
  readonly wallMs: () => number;
  /** Cannot be set and does not leap. On Linux it stands still while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Time since the machine was switched on, sleep included. Coarse: up to a second. NaN: it cannot be read now. */
  readonly uptimeMs: () => number;
}

/** Waits for an event for a bounded time. */
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

/** A whole number from 0 to 2^32 - 1. */
export function randomUint32(dice: Dice): number {
  return dice.randomBytes(4).readUInt32LE();
}
