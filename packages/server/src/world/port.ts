/**
 * What a node has of the machine besides disk and network: its time, its timers and its dice. Every part takes them
 * from what it is given, so that a simulation can give others. docs/decisions/0037.
 */

export interface Clock {
  /** Milliseconds since 1970. May step back by a small correction. */
  readonly nowMs: () => number;
  /** Milliseconds since some moment: never back, and no leaps. Only differences mean something. */
  readonly steadyMs: () => number;
}

/** Calls off what was to happen; nothing when it has. */
export type Cancel = () => void;

export interface Timers {
  /** Runs the task in the next turn of the event loop, when what arrived meanwhile has been taken. */
  readonly soon: (task: () => void) => void;
  /** Runs the task once. Keeps no process alive. */
  readonly after: (waitMs: number, task: () => void) => Cancel;
  /** Runs the task again and again. Keeps no process alive. */
  readonly every: (periodMs: number, task: () => void) => Cancel;
  /** Keeps the process alive until it is over. */
  readonly pause: (waitMs: number) => Promise<void>;
}

/** What random texts are made of: keys, ids, listen keys. */
export const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface Dice {
  /** As many bytes that nobody can foresee. */
  readonly randomBytes: (count: number) => Buffer;
}

export interface World extends Clock, Timers, Dice {}

/** The machine's own clocks, each with its own weakness. */
export interface MachineClocks {
  /** Of the day: anybody may set it, and it may leap. */
  readonly wallMs: () => number;
  /** Cannot be set and does not leap. On Linux it stands while the machine sleeps. */
  readonly steadyMs: () => number;
  /** Since the machine was switched on, sleep and all. Coarse: up to a second. */
  readonly uptimeMs: () => number;
}

/** Waits for an event, but not for ever. */
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
