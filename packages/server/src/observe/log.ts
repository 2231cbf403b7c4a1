/** Logs on stderr, so that stdout stays for the banner and the ready line: a JSON object a line, or what a person reads. */
import { type Logger, pino } from "pino";
import { readableLine } from "./readable.ts";

/** What a log line is never to show, wherever it stands in the first two levels of an object. */
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
  /** A person reads along: lines are written for him. Default: they are JSON. */
  readonly isReadable?: boolean;
}

/** Lines that wait for a disk that is full, or a pipe that is not read; what is beyond is lost. */
const MAX_WAITING_LENGTH = 1 << 20;
/** They are tried again after this, with the next line at the latest. */
const RETRY_MS = 100;
/** A full pipe is waited for so often, a tenth of a second each; from then on it is nobody's to wait for, until it is read. */
const MOST_WAITS = 3;

/**
 * Lines are written at once: what was logged before a crash is there. A log that cannot be written (its disk is full,
 * nobody reads the pipe) stops nothing: the lines wait.
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
