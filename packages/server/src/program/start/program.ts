/** Runs a node as a program: flags, output, signals, and the message of a failed start. */
import { setFlagsFromString } from "node:v8";
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
import { machineSignals, untilStopSignal } from "./signals.ts";

/** Errors whose message is printed unchanged. */
const PRINTED_ERRORS = [
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

/** Adds a period to a message of several sentences. Further lines, such as JSON, are not changed. */
export function punctuated(message: string): string {
  return /^[^\n]*[.?!] [A-Z][^\n]*[^.?!:\n]$/.test(message) ? `${message}.` : message;
}

export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (PRINTED_ERRORS.some((kind) => error instanceof kind)) return error.message;
  // Checked by name, because a single node does not load the etcd client.
  if (error.name === "CallFailed") return `Cannot reach etcd: ${error.message}`;
  const { code, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === "EADDRINUSE") {
    return `Port ${port} on ${address} is already in use. Choose another with --port or --admin-port (0 for any free port)`;
  }
  if (code === "EACCES" && port !== undefined)
    return `This user cannot listen on port ${port} of ${address}. Choose a port above 1023 with --port or --admin-port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${address ?? "The host"} is not an address of this machine. Choose another with --host`;
  // Some errors of `rmSync` have an empty code, with which their message begins.
  if (code !== undefined && path !== undefined) return `${path}: ${code || error.message.replace(/^, /, "")}`;
  if (error instanceof NotAccepted || error instanceof OutcomeUnknown)
    return `The journal cannot be written: ${error.message}`;
  if (isDiskTrouble(error)) return `The data folder cannot be written: ${error.message}`;
  // An unexpected error is a bug, so its stack is shown.
  return error.stack ?? error.message;
}

/** A running node. */
export interface Node {
  /** The URL to which clients connect: `http://HOST:PORT`. */
  readonly rest: string;
  /** The text to print on the terminal: addresses, and the API keys of a demo. */
  readonly banner: string;
  /** The folder of `demo.json` and `admin.json`: the data folder, or a temporary folder in a lab without one. */
  readonly data: string;
  readonly ports: { readonly port: number; readonly adminPort: number };
  /**
   * Resolves to the error when the node cannot continue. `LogTrimmed`: the node is too far behind its cluster and can
   * be restarted.
   */
  readonly failed: Promise<Error>;
  /** Stops the node. Resolves when everything has stopped and all acknowledged commands are on disk. */
  stop(): Promise<void>;
}

type StartNode = (config: Config, signal: AbortSignal) => Promise<Node>;

/**
 * How V8 is set for a node. It creates literals of which most have survived among the old objects at once, and decides
 * that from a few hundred of them. When it decided so for events, each dead event kept its order alive until the next
 * full collection, and every short collection took 30 to 60 ms instead of 1 (decision 108).
 */
export const V8_FLAGS: readonly string[] = ["--no-allocation-site-pretenuring"];

/** Runs a node until a signal stops it. Resolves to the exit code. Prints one line if the start fails. */
export async function runProgram(
  argv: readonly string[],
  startNode: StartNode,
  machine: Clock & Timers,
): Promise<number> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  // An error while writing output (closed terminal, full disk) must not end the node.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const stopping = new AbortController();
  const told = untilStopSignal(machineSignals(machine)).finally(() => stopping.abort());
  try {
    const flags = readFlags(argv);
    if (flags === null) return 0;
    const config = loadConfig({ flags, environment: process.env, isTerminal: process.stderr.isTTY === true });
    return await runUntil(told, config, (withPorts) => startNode(withPorts, stopping.signal));
  } catch (error) {
    // A signal stopped the node while it was waiting for other nodes.
    if (stopping.signal.aborted && error === stopping.signal.reason) return 0;
    process.stderr.write(`pricetime: ${punctuated(startFailure(error))}\n`);
    return 1;
  }
}

/**
 * Runs a node. If it falls too far behind its cluster, restarts it, so that it catches up. Resolves to the exit code;
 * rejects if the start fails.
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
    // The restarted node uses the same ports.
    ({ ports } = node);
  }
}

/** Starts a node. If the shared log was trimmed too far during the start, starts again, with less to replay. */
async function started(start: () => Promise<Node>): Promise<Node> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof LogTrimmed)) throw error;
    }
  }
}
