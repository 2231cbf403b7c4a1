/**
 * The sequencer port: accepts commands and reports their outcomes. The exchange can only be changed through this port.
 */
import type { Command, Event, NodeBatch } from "@pricetime/engine";
import type { LogPlace } from "../port.ts";

/** The result of a command that is durable and applied. Outcomes are reported in the engine's order. */
export interface Outcome {
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly Event[];
}

/** The command's outcome is unknown because the journal failed while writing it. Answered with HTTP 5XX. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}
/**
 * The command was certainly not accepted, for example because the queue is full or the node is stopping. Answered with
 * HTTP 503.
 */
export class NotAccepted extends Error {
  override readonly name = "NotAccepted";
}

/** The command waited for its batch until after its time. Answered like a request that was received too late. */
export class WaitedTooLong extends NotAccepted {}

export interface Sequencer {
  /**
   * Queues a command. `settle` is called exactly once: with the outcome in the turn in which the command is applied, so
   * that it reads the engine's state just after this command, or with an error. Never throws. The command is not
   * accepted if its batch begins after `untilMs`.
   */
  submit(command: Command, settle: (outcome: Outcome | OutcomeUnknown | NotAccepted) => void, untilMs?: number): void;
  /** Like `submit`, for callers off the hot path. The engine may have advanced when the promise resolves. */
  run(command: Command): Promise<Outcome>;
  /** The current time for entries and for reads. Never earlier than the time of the last entry. */
  nowMs(): number;
}

/** Implements `Sequencer.run` with `Sequencer.submit`. */
export function runBySubmit(sequencer: Pick<Sequencer, "submit">, command: Command): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    sequencer.submit(command, (outcome) => {
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
  });
}

/** A sequencer for labs, whose journal does not wait for a disk. */
export interface PromptSequencer extends Sequencer {
  /** Whether the journal does not wait for a disk and no command is queued or in flight. */
  readonly canSubmitNow: boolean;
  /**
   * Sequences the commands in this turn as a separate batch. `settle` is called for each in order, as by `submit`.
   * Returns false without doing anything if the commands must wait or are too many for a batch. They are applied as
   * given, so each must equal the result of encoding and decoding it.
   */
  submitNow(commands: readonly Command[], settle: SettleNow): boolean;
}

/** `index` is the index of the command. */
export type SettleNow = (outcome: Outcome | OutcomeUnknown | NotAccepted, index: number) => void;

/** This node cannot be part of its cluster in its current state. The message is one line for the operator. */
export class NodeUnfit extends Error {
  override readonly name = "NodeUnfit";
}

/** Observes the rows of a shared log. */
export interface RowObserver {
  /** Why this node must not submit a batch with this time now; undefined if it may. */
  refusal(timeMs: number): string | undefined;
  /**
   * Called before a row is written or skipped, with the engine in the state before the row. An error stops the node.
   */
  rowComes(header: NodeBatch): void;
  /**
   * Called when a row was applied and its requests were answered, or when it was skipped. All nodes skip the same rows.
   */
  rowIsDone(place: LogPlace, isApplied: boolean): void;
  /** Called when the node has received one of its own batches from the log, with the time since it was submitted. */
  returned(elapsedMs: number): void;
}
