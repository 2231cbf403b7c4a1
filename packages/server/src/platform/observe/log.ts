/** Logs on stderr, as a JSON object per line or as text for people; stdout stays for the banner and the ready line. */
import { type Logger, pino } from "pino";
import { readableLine } from "./readable.ts";

/** Fields that a log line must never show, in the first two levels of an object. */
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
  /** The file descriptor to write to; stderr when absent. */
  readonly descriptor?: number;
  /** Whether lines are written for a person who reads along. Default: they are JSON. */
  readonly isReadable?: boolean;
}

/** The characters that wait for a full disk, or for a pipe that is not read; more are lost. */
const MAX_WAITING_LENGTH = 1 << 20;
/** Waiting lines are tried again after this, at the latest with the next line. */
const RETRY_MS = 100;
/** A full pipe is waited for this often, a tenth of a second each; then not again until it is read. */
const MOST_WAITS = 3;

/**
 * Writes lines at once: what was logged before a crash is there. A log that cannot be written (a full disk, an unread
 * pipe) stops nothing: the lines wait.
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
