/** Where a command goes in and what comes back: the only way to change the exchange. */
import type { Command, Event } from "@pricetime/engine";

/** What came of a command: durable, applied, in engine order. */
export interface Outcome {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly Event[];
}

/** The command's outcome is not known (the journal failed under it): HTTP 5XX. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}
/** The command was certainly not taken (queue full, stopping): HTTP 503. */
export class NotAccepted extends Error {
  override readonly name = "NotAccepted";
}

export interface Sequencer {
  /**
   * Queues a command. `settle` is called exactly once: in the same turn in which the command is
   * applied (so engine state read inside it is as of this command) or with the error. Throws nothing.
   */
  submit(command: Command, settle: (outcome: Outcome | OutcomeUnknown | NotAccepted) => void): void;
  /** As submit, for callers off the hot path; the engine may be further by the time they read it. */
  run(command: Command): Promise<Outcome>;
  /** The current time for entries and for reads: never before the last entry's. */
  nowMs(): number;
}
