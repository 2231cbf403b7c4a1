/**
 * Batches before they are journaled: the limits of the sequencer, encoding requests into a batch, the interface of a
 * committer, and the first command of each batch in a shared log.
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

/** The limits of the sequencer. If one is reached, requests get 503. */
export const SEQUENCER_LIMITS = {
  /** Commands that may wait for their batch. More are rejected. */
  maxQueuedCommands: 20_000,
  /** Commands per batch, which limits the turn of the event loop in which they are applied and answered. */
  maxBatchCommands: 1_000,
  /** Bytes per batch. */
  maxBatchBytes: 1 << 20,
  /**
   * How many entries history may be behind before new orders are rejected and the node is not ready: as many as it can
   * process in a second or two.
   */
  maxHistoryLagEntries: 100_000,
  /** How often the journal's head is read after a failed append before the node gives up. */
  recoveryAttempts: 5,
  recoveryPauseMs: 200,
  /** The interval of ticks after a failed append until one succeeds, so that the node recovers by itself. */
  retryPauseMs: 1_000,
  /** The least time between ticks. */
  tickSpacingMs: 100,
  /** The longest timer for ticks, so that a jump of the clock is noticed. */
  clockCheckMs: 1_000,
  /** Bytes per batch in a cluster, smaller because the members of the store replicate it. */
  maxSharedBatchBytes: 256 << 10,
  /** In a cluster, the callers of a batch that has not come back by then get an unknown outcome. */
  submitTimeoutMs: 5_000,
};
export type SequencerLimits = Readonly<typeof SEQUENCER_LIMITS>;

export type Settle = (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;

export interface Request {
  readonly command: Command;
  readonly settle: Settle;
}

export interface FormedBatch {
  readonly bytes: Uint8Array;
  /** The commands decoded from the bytes: exactly what every replay will apply. */
  readonly commands: readonly Command[];
  readonly settles: readonly Settle[];
  /** The requests left for the next batch by the limit of bytes. */
  readonly leftOver: readonly Request[];
}

/** Commands that cannot be encoded (a bug of ours) are rejected individually, without affecting others. */
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
  /** From now on, batches of other nodes may be applied. */
  start(): void;
  /**
   * `end` is called once: without an error when the batch is durable and applied and its requests are answered, in the
   * same turn; otherwise with the error (if that is `JournalRefused`, the batch was certainly not written). Rejects on
   * a bug of ours.
   */
  commit(batch: FormedBatch, timeMs: number, end: CommitEnd): Promise<void>;
  /**
   * As `commit`, synchronously, and returns the error, if any. Undefined if the journal does not support it. The
   * requests of a rejected batch are not answered. Throws on a bug of ours.
   */
  readonly commitNow?: ((batch: PromptBatch, timeMs: number) => Error | undefined) | undefined;
  /**
   * Called after a failed commit. Resolves when the next one can be tried; rejects if the journal's content is unknown.
   */
  recover(cause: Error): Promise<void>;
  /** No more batches follow. What is in progress ends in bounded time, with a known or unknown outcome. */
  stopping(): void;
  /** Resolves when everything has stopped. */
  close(): Promise<void>;
}

// The first command of each batch that a node writes into a shared log identifies the node and the batch.

/** A process of a node. */
export interface Process {
  /** The node's name. */
  readonly node: string;
  /** Random for each process: 16 hex digits. */
  readonly incarnation: string;
  readonly release: string;
}

/** The header of the process's next batch at the engine's state. `number` counts its batches from 1. */
export function headerOf({ node, incarnation, release }: Process, number: number, engine: Engine): NodeBatch {
  const replaces = engine.nodes.node(node)?.incarnation ?? "";
  const told = { atSeq: engine.seq, digest: engine.eventDigest() };
  return { type: "nodeBatch", node, incarnation, replaces, number, ...told, release };
}

/** The id of a batch in the shared log. */
export function batchIdOf({ node, incarnation, number }: NodeBatch): string {
  return `${node}/${incarnation}/${number}`;
}

/** Adds the header before the commands of a batch. */
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
 * A row of the shared log that this release cannot read, because a newer one wrote it. The message is one line for the
 * operator.
 */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
}

/** The commands of a row, starting with the header. Throws `UnreadableRow`, or another error if there is no header. */
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

/** The release in the header, if it can be read. */
function releaseOf({ bytes }: LogRow): string | undefined {
  try {
    const header = decodeFirstCommand(bytes);
    return header.type === "nodeBatch" ? `release ${header.release}` : undefined;
  } catch {
    return undefined;
  }
}
