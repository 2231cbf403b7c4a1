/** The first command of each batch that a node writes into a shared log: it says whose batch it is, and which. */
import {
  type Command,
  decodeCommands,
  decodeFirstCommand,
  type Engine,
  encodeCommands,
  type NodeBatch,
} from "@pricetime/engine";
import type { LogRow } from "../port.ts";
import type { FormedBatch, Settle } from "./form-batch.ts";

/** A process of a node. */
export interface Process {
  /** The node's name. */
  readonly node: string;
  /** Drawn at each start of the process: 16 hex digits. */
  readonly incarnation: string;
  readonly release: string;
}

/** The header of the process's next batch, as of the engine's state. `number` counts its batches from 1. */
export function headerOf({ node, incarnation, release }: Process, number: number, engine: Engine): NodeBatch {
  const replaces = engine.nodes.node(node)?.incarnation ?? "";
  const told = { atSeq: engine.seq, digest: engine.eventDigest() };
  return { type: "nodeBatch", node, incarnation, replaces, number, ...told, release };
}

/** The id of a batch in the shared log. */
export function batchIdOf({ node, incarnation, number }: NodeBatch): string {
  return `${node}/${incarnation}/${number}`;
}

/** Puts the header before the commands of a batch. */
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

/** A row of the shared log that this release cannot read: a newer one wrote it. The message is a line for the operator. */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
}

/** Returns the commands of a row, the header first. Throws `UnreadableRow`, or another error when there is no header. */
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

/** The release in the header, if that can be read. */
function releaseOf({ bytes }: LogRow): string | undefined {
  try {
    const header = decodeFirstCommand(bytes);
    return header.type === "nodeBatch" ? `release ${header.release}` : undefined;
  } catch {
    return undefined;
  }
}
