/** The sequencer port: where commands go in and outcomes come back. It is the only way to change the exchange. */
import type { Command, Event, NodeBatch } from "@pricetime/engine";
import type { LogPlace } from "../port.ts";

/** The result of a command: durable, applied, in engine order. */
export interface Outcome {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly Event[];
}

/** The command's outcome is unknown (the journal failed while writing it): HTTP 5XX. */
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
  /** Does the same for callers off the hot path; the engine may be further ahead when they read it. */
  run(command: Command): Promise<Outcome>;
  /** The current time for entries and for reads: never before the last entry's. */
  nowMs(): number;
}

/** A lab's sequencer, whose journal waits for nothing. */
export interface PromptSequencer extends Sequencer {
  /** Whether the journal waits for nothing, and no command waits or is on its way. */
  readonly canSubmitNow: boolean;
  /**
   * Sequences the commands in this turn, as a batch of their own. `settle` is called for each in turn, as by `submit`.
   * Returns false where they have to wait, or are too many for a batch; then nothing has happened. They are applied as
   * they are: each must be what the journal's codec makes of it.
   */
  submitNow(commands: readonly Command[], settle: SettleNow): boolean;
}

/** `index`: of the command. */
export type SettleNow = (outcome: Outcome | OutcomeUnknown | NotAccepted, index: number) => void;

/** This node cannot be one of its cluster as it is. The message is one line for the operator. */
export class NodeUnfit extends Error {
  override readonly name = "NodeUnfit";
}

/** What looks at the rows of a log that several nodes share, beside the sequencer. */
export interface RowObserver {
  /** Returns why no batch of ours with this time may be submitted now; undefined: it may. */
  refusal(timeMs: number): string | undefined;
  /** Called before a row is written or skipped, in the state before it. What it throws stops the node. */
  rowComes(header: NodeBatch): void;
  /** Called when a row is applied and its requests are answered, or when it was skipped as every node skips it. */
  rowIsDone(place: LogPlace, isApplied: boolean): void;
  /** Called when a batch of ours has come back: how long that took. */
  returned(elapsedMs: number): void;
}
