/** Explains in one line for the operator why a node does not start. */
import { ListingRefused } from "../../people/admin/listing.ts";
import { StoreUnfit } from "../../cluster/port.ts";
import { UnreadableRow } from "../../journal/sequencer/batch-header.ts";
import { JournalForeign } from "../../cluster/catch-up/standing.ts";
import { ClockBehind } from "../../platform/world/clock-behind.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { HistoryUnreadable } from "../../history/schema.ts";
import { JournalDamaged, JournalUnreadable } from "../../journal/port.ts";
import { isDiskTrouble } from "../../platform/disk/disk-trouble.ts";
import { FolderInUse } from "../../journal/storage/folder-lock.ts";
import { FolderOfOtherKind } from "../../journal/storage/lab-mark.ts";
import { HistoryForeign } from "../../journal/replica/projection.ts";
import { NodeUnfit, NotAccepted, OutcomeUnknown } from "../../journal/sequencer/port.ts";
import { NetworkUnusable } from "../../funds/wallet/port.ts";

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
