/** The sequencer port: accepts commands and reports their outcomes. It is the only way to change the exchange. */
import type { Command, Event, NodeBatch } from "@pricetime/engine";
import type { LogPlace } from "../port.ts";

/** The result of a command: durable, applied, in engine order. */
export interface Outcome {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly Event[];
}

/** The command's outcome is unknown, because the journal failed while writing it: HTTP 5XX. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}
/** The command was certainly not accepted (queue full, stopping): HTTP 503. */
export class NotAccepted extends Error {
  override readonly name = "NotAccepted";
}

export interface Sequencer {
  /**
   * Queues a command. `settle` is called exactly once: in the turn in which the command is applied, so that the engine
   * state read in it is that of this command, or with the error. Never throws.
   */
  submit(command: Command, settle: (outcome: Outcome | OutcomeUnknown | NotAccepted) => void): void;
  /** As `submit`, for callers off the hot path; the engine may have advanced when the promise resolves. */
  run(command: Command): Promise<Outcome>;
  /** The current time for entries and for reads, never before the last entry's. */
  nowMs(): number;
}

/** Implements `Sequencer.run` by `Sequencer.submit`. */
export function runBySubmit(sequencer: Pick<Sequencer, "submit">, command: Command): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    sequencer.submit(command, (outcome) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
  });
}

/** A lab's sequencer, whose journal does not wait for a disk. */
export interface PromptSequencer extends Sequencer {
  /** Whether the journal does not wait for a disk, and no command is queued or in flight. */
  readonly canSubmitNow: boolean;
  /**
   * Sequences the commands in this turn, as a separate batch. `settle` is called for each in order, as by `submit`.
   * Returns false if they must wait, or are too many for a batch; then nothing was done. They are applied as given, so
   * each must equal its decoded encoding.
   */
  submitNow(commands: readonly Command[], settle: SettleNow): boolean;
}

/** `index` is that of the command. */
export type SettleNow = (outcome: Outcome | OutcomeUnknown | NotAccepted, index: number) => void;

/** This node cannot be part of its cluster as it is. The message is one line for the operator. */
export class NodeUnfit extends Error {
  override readonly name = "NodeUnfit";
}

/** Observes the rows of a shared log. */
export interface RowObserver {
  /** Why no batch of this node with this time may be submitted now; undefined: it may. */
  refusal(timeMs: number): string | undefined;
  /** Called before a row is written or skipped, in the state before it. An error stops the node. */
  rowComes(header: NodeBatch): void;
  /** Called when a row was applied and its requests were answered, or when it was skipped, as on all nodes. */
  rowIsDone(place: LogPlace, isApplied: boolean): void;
  /** Called when a batch of this node has come back, with the time this took. */
  returned(elapsedMs: number): void;
}
