/**
 * Writes the log to stderr, as one JSON object per line or as text. stdout is reserved for the banner and the ready
 * line.
 */
import { type Logger, pino } from "pino";
import { readableLine } from "./readable.ts";

/** Fields that are redacted on the first three levels of a log line. */
const SECRETS: readonly string[] = [
  "secret",
  "secretKey",
  "sealedSecret",
  "masterKey",
  "adminToken",
  "token",
  "signature",
  "authorization",
  "password",
];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export interface LogOptions {
  readonly level: string;
  readonly node: string;
  /** The file descriptor to write to. Default: stderr. */
  readonly descriptor?: number;
  /** Whether lines are written as text for a terminal. Default: JSON. */
  readonly isReadable?: boolean;
}

/** Maximum number of characters buffered while the disk is full or a pipe is not read. Further lines are dropped. */
const MAX_WAITING_LENGTH = 1 << 20;
/** The delay before buffered lines are written again. The next line also triggers it. */
const RETRY_MS = 100;
/** Maximum number of waits of 100 ms for a full pipe. After that, lines are buffered until the pipe is read again. */
const MOST_WAITS = 3;

/**
 * Creates the log. Lines are written synchronously, so that none is lost in a crash. If the log cannot be written (full
 * disk, unread pipe), lines are buffered and the node continues.
 */
export function createLog({ level, node, descriptor = 2, isReadable = false }: LogOptions): Logger {
  const destination = destinationTo(descriptor);
  return pino(
    {
      level,
      base: { node },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: "[secret]" },
    },
    isReadable ? { write: (line: string) => void destination.write(readableLine(line)) } : destination,
  );
}

function destinationTo(descriptor: number): ReturnType<typeof pino.destination> {
  let waits = 0;
  let retry: NodeJS.Timeout | undefined;
  const destination = pino.destination({
    ...{ fd: descriptor, sync: true, maxLength: MAX_WAITING_LENGTH },
    retryEAGAIN: () => waits++ < MOST_WAITS,
  });
  destination.on("write", (bytes: number) => {
    if (bytes > 0) waits = 0;
  });
  destination.on("error", () => {
    retry ??= setTimeout(() => {
      retry = undefined;
      destination.write("");
    }, RETRY_MS).unref();
  });
  return destination;
}

export type { Logger } from "pino";
