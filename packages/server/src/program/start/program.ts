/**
 * The program around a node: its flags, its output, the signal to stop, and the one line that explains why it does
 * not start.
 */
import { ListingRefused } from "../../people/admin/listing.ts";
import { StoreUnfit } from "../../cluster/port.ts";
import { UnreadableRow } from "../../journal/sequencer/batch.ts";
import { JournalForeign } from "../../cluster/catch-up/catch-up.ts";
import { ClockBehind } from "../../platform/world/clock.ts";
import { ConfigError } from "../../platform/config/faults.ts";
import { HistoryUnreadable } from "../../history/table/schema.ts";
import { JournalDamaged, JournalUnreadable, LogTrimmed } from "../../journal/port.ts";
import { isDiskTrouble } from "../../platform/disk.ts";
import { FolderInUse, FolderOfOtherKind } from "../../journal/storage/data-folder.ts";
import { HistoryForeign } from "../../journal/replica/projection.ts";
import { NodeUnfit, NotAccepted, OutcomeUnknown } from "../../journal/sequencer/port.ts";
import { NetworkUnusable } from "../../funds/wallet/port.ts";
import { type Config, loadConfig } from "../../platform/config/config.ts";
import { readFlags } from "../../platform/config/flags.ts";
import type { Clock, Timers } from "../../platform/world/port.ts";
import { toldByMachine, untilToldToStop } from "./signals.ts";

// Explains in one line for the operator why a node does not start.

/** Errors whose message was written for the operator. */
const TOLD_AS_THEY_ARE = [
  ClockBehind,
  ConfigError,
  FolderInUse,
  FolderOfOtherKind,
  JournalDamaged,
  JournalForeign,
  JournalUnreadable,
  HistoryUnreadable,
  HistoryForeign,
  ListingRefused,
  NetworkUnusable,
  NodeUnfit,
  StoreUnfit,
  UnreadableRow,
];

/** Ends a message of several sentences with a period; further lines, such as JSON, stay as they are. */
export function punctuated(message: string): string {
  return /^[^\n]*[.?!] [A-Z][^\n]*[^.?!:\n]$/.test(message) ? `${message}.` : message;
}

export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (TOLD_AS_THEY_ARE.some((kind) => error instanceof kind)) return error.message;
  // The name decides: the class comes with the line to etcd, which a node that is alone does not load.
  if (error.name === "CallFailed") return `Cannot reach etcd: ${error.message}`;
  const { code, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === "EADDRINUSE") {
    return `Port ${port} on ${address} is already in use. Choose another with --port or --admin-port (0 for any free port)`;
  }
  if (code === "EACCES" && port !== undefined)
    return `This user cannot listen on port ${port} of ${address}. Choose a port above 1023 with --port or --admin-port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${address ?? "The host"} is not an address of this machine. Choose another with --host`;
  // What `rmSync` has no code for has an empty one, and a message that begins with it.
  if (code !== undefined && path !== undefined) return `${path}: ${code || error.message.replace(/^, /, "")}`;
  if (error instanceof NotAccepted || error instanceof OutcomeUnknown)
    return `The journal cannot be written: ${error.message}`;
  if (isDiskTrouble(error)) return `The data folder cannot be written: ${error.message}`;
  // An unforeseen error is our own bug: its place matters more than brevity.
  return error.stack ?? error.message;
}

/** A node that serves. */
export interface Node {
  /** Where clients connect: `http://HOST:PORT`. */
  readonly rest: string;
  /** What somebody at a terminal is to know: addresses, and in a demo its keys. */
  readonly banner: string;
  /** The folder of `demo.json` and `admin.json`: the data folder, or in a lab without one a temporary one. */
  readonly data: string;
  /** The ports that it listens on. */
  readonly ports: { readonly port: number; readonly adminPort: number };
  /** Resolves when the node cannot go on: with `LogTrimmed` when it has been left behind, and can be started again. */
  readonly failed: Promise<Error>;
  /** Resolves when all that was answered is on disk and nothing runs any more. */
  stop(): Promise<void>;
}

type StartNode = (config: Config, signal: AbortSignal) => Promise<Node>;

/** Runs a node until it is told to stop; resolves to the exit code. What fails at the start is told in one line. */
export async function runProgram(
  argv: readonly string[],
  startNode: StartNode,
  machine: Clock & Timers,
): Promise<number> {
  // A terminal that is gone, or a file on a full disk, is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const stopping = new AbortController();
  const told = untilToldToStop(toldByMachine(machine)).finally(() => stopping.abort());
  try {
    const flags = readFlags(argv);
    if (flags === null) return 0;
    const config = loadConfig({ flags, environment: process.env, isTerminal: process.stderr.isTTY === true });
    return await runUntil(told, config, (withPorts) => startNode(withPorts, stopping.signal));
  } catch (error) {
    // The node was told to stop while it waited for other nodes.
    if (stopping.signal.aborted && error === stopping.signal.reason) return 0;
    process.stderr.write(`pricetime: ${punctuated(startFailure(error))}\n`);
    return 1;
  }
}

/**
 * Runs a node; one that the others have left behind is stopped and started again, and catches up in its start. Resolves
 * to the exit code, rejects when it does not start.
 */
async function runUntil(
  told: Promise<undefined>,
  config: Config,
  startNode: (config: Config) => Promise<Node>,
): Promise<number> {
  for (let ports: Pick<Config, "port" | "adminPort"> = config; ; ) {
    const node = await started(() => startNode({ ...config, ...ports }));
    process.stdout.write(`${node.banner}\nready ${node.rest}\n`);
    const failure = await Promise.race([told, node.failed]);
    if (failure !== undefined && !(failure instanceof LogTrimmed)) return 1;
    await node.stop();
    if (failure === undefined) return 0;
    // Clients and probes find it where it was.
    ({ ports } = node);
  }
}

/** While a start replayed its journal, the log may have dropped what comes after: the next start has less to replay. */
async function started(start: () => Promise<Node>): Promise<Node> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof LogTrimmed)) throw error;
    }
  }
}
