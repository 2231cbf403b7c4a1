/**
 * Batches before they are journaled: the limits of the sequencer, encoding requests into a batch, the interface for
 * committing batches, and the header command of each batch in a shared log.
 */
import assert from "node:assert/strict";
import {
  type Command,
  decodeCommands,
  decodeFirstCommand,
  encodeCommands,
  type Engine,
  type NodeBatch,
} from "@pricetime/engine";
import { NotAccepted, type Outcome, type OutcomeUnknown, type SettleNow } from "./port.ts";
import type { LogRow } from "../port.ts";

/** The limits of the sequencer. Requests get 503 while a limit is reached. */
export const SEQUENCER_LIMITS = {
  /** Maximum number of commands that wait for their batch. Further ones are rejected. */
  maxQueuedCommands: 20_000,
  /**
   * Maximum number of commands per batch. It limits the length of the turn of the event loop in which they are applied
   * and answered.
   */
  maxBatchCommands: 1_000,
  /** Maximum size of a batch in bytes. */
  maxBatchBytes: 1 << 20,
  /**
   * If history is behind by more entries than this, new orders are rejected and the node is not ready. History can
   * process this number in a second or two.
   */
  maxHistoryLagEntries: 100_000,
  /** Number of attempts to read the journal's head after a failed append before the node gives up. */
  recoveryAttempts: 5,
  recoveryPauseMs: 200,
  /** Interval of ticks after a failed append. They continue until one succeeds, so that the node recovers by itself. */
  retryPauseMs: 1_000,
  /** Minimum time between ticks. */
  tickSpacingMs: 100,
  /** Maximum wait for a tick, so that a jump of the clock is noticed. */
  clockCheckMs: 1_000,
  /**
   * Maximum size of a batch in a cluster in bytes. It is smaller because the members of the store replicate each batch.
   */
  maxSharedBatchBytes: 256 << 10,
  /**
   * In a cluster, the callers of a batch get an unknown outcome if the node has not received it from the log after this
   * time.
   */
  submitTimeoutMs: 5_000,
};
export type SequencerLimits = Readonly<typeof SEQUENCER_LIMITS>;

export type Settle = (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;

export interface Request {
  readonly command: Command;
  readonly settle: Settle;
  /** The latest time at which its batch may begin; undefined if any. */
  readonly untilMs?: number | undefined;
}

export interface FormedBatch {
  readonly bytes: Uint8Array;
  /** The commands decoded from the bytes: exactly those that every replay will apply. */
  readonly commands: readonly Command[];
  readonly settles: readonly Settle[];
  /** Requests that did not fit the maximum size and are left for the next batch. */
  readonly leftOver: readonly Request[];
}

/** Encodes requests into a batch. A command that cannot be encoded (a bug) is rejected without affecting others. */
export function formBatch(requests: readonly Request[], maxBytes: number): FormedBatch {
  let count = requests.length;
  for (;;) {
    const taken = count === requests.length ? requests : requests.slice(0, count);
    const commands = taken.map((request) => request.command);
    const coded = code(commands);
    if (coded === undefined) {
      const good = requests.filter(isCodable);
      assert(good.length < requests.length, "commands that have bytes alone have bytes together");
      return formBatch(good, maxBytes);
    }
    if (coded.bytes.length <= maxBytes || count === 1) {
      return { ...coded, settles: taken.map((request) => request.settle), leftOver: requests.slice(count) };
    }
    count >>= 1;
  }
}

function code(commands: readonly Command[]): { bytes: Uint8Array; commands: readonly Command[] } | undefined {
  try {
    const bytes = encodeCommands(commands);
    return { bytes, commands: decodeCommands(bytes, commands.length) };
  } catch {
    return undefined;
  }
}

function isCodable({ command, settle }: Request): boolean {
  if (code([command]) !== undefined) return true;
  settle(new NotAccepted("the command cannot be journaled"));
  return false;
}

export type CommitEnd = (failure: Error | undefined) => void;

export interface PromptBatch {
  readonly bytes: Uint8Array;
  readonly commands: readonly Command[];
  readonly settle: SettleNow;
}

export interface Committer {
  /** Starts the committer. From now on, batches of other nodes may be applied. */
  start(): void;
  /**
   * Commits a batch. `end` is called once. It is called without an error when the batch is durable and applied and its
   * requests are answered, in the same turn; otherwise with the error. If that is `JournalRefused`, the batch was
   * certainly not written. Rejects on an internal error (a bug).
   */
  commit(batch: FormedBatch, timeMs: number, end: CommitEnd): Promise<void>;
  /**
   * Like `commit`, but synchronous: returns the error, if any. Undefined if the journal does not support this. The
   * requests of a rejected batch are not answered. Throws on an internal error (a bug).
   */
  readonly commitNow?: ((batch: PromptBatch, timeMs: number) => Error | undefined) | undefined;
  /**
   * Called after a failed commit. Resolves when the next commit can be tried; rejects if the content of the journal is
   * unknown.
   */
  recover(cause: Error): Promise<void>;
  /** Called when no more batches follow. A commit in progress ends in bounded time, with a known or unknown outcome. */
  stopping(): void;
  /** Resolves when all work has stopped. */
  close(): Promise<void>;
}

// The header: the first command of each batch that a node writes to a shared log. It identifies the node and the batch.

/** A running process of a node. */
export interface Process {
  /** The node's name. */
  readonly node: string;
  /** 16 random hex digits per process. */
  readonly incarnation: string;
  readonly release: string;
}

/**
 * The header of the process's next batch, for the engine's current state. `number` counts the process's batches from 1.
 */
export function headerOf({ node, incarnation, release }: Process, number: number, engine: Engine): NodeBatch {
  const replaces = engine.nodes.node(node)?.incarnation ?? "";
  const told = { atSeq: engine.seq, digest: engine.eventDigest() };
  return { type: "nodeBatch", node, incarnation, replaces, number, ...told, release };
}

/** The id of a batch in the shared log. */
export function batchIdOf({ node, incarnation, number }: NodeBatch): string {
  return `${node}/${incarnation}/${number}`;
}

/** Inserts the header before the commands of a batch. */
export function withHeader(
  header: NodeBatch,
  { bytes, commands, settles }: FormedBatch,
): Omit<FormedBatch, "leftOver"> {
  return {
    bytes: Buffer.concat([encodeCommands([header]), bytes]),
    commands: [header, ...commands],
    settles: [nobody, ...settles],
  };
}

const nobody: Settle = () => {};

/**
 * A row of the shared log that this release cannot read because a newer release wrote it. The message is one line for
 * the operator.
 */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
}

/**
 * Decodes the commands of a row, of which the first is the header. Throws `UnreadableRow`, or another error if there is
 * no header.
 */
export function commandsOf(row: LogRow): readonly [NodeBatch, ...Command[]] {
  const commands = decode(row);
  const [header, ...rest] = commands;
  if (header?.type !== "nodeBatch" || batchIdOf(header) !== row.id) {
    throw new Error(`row ${row.place.number} of the shared log is no node's batch: something else writes into the log`);
  }
  return [header, ...rest];
}

function decode(row: LogRow): Command[] {
  try {
    return decodeCommands(row.bytes, row.count);
  } catch (error) {
    const { place, node } = row;
    const release = releaseOf(row) ?? "a newer release";
    const what = `batch ${place.number} of the shared log, written by node ${node}, is of ${release}. Upgrade this node`;
    throw new UnreadableRow(`${what} (${(error as Error).message})`, { cause: error });
  }
}

/** The release in the row's header; undefined if it cannot be read. */
function releaseOf({ bytes }: LogRow): string | undefined {
  try {
    const header = decodeFirstCommand(bytes);
    return header.type === "nodeBatch" ? `release ${header.release}` : undefined;
  } catch {
    return undefined;
  }
}
