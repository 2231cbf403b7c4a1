/** Logs: one JSON object a line on stderr, so that stdout stays for the banner and the ready line. */
import { type Logger, pino } from "pino";

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
}

/** Lines that wait for a disk that is full; what is beyond is lost. */
const MAX_WAITING_LENGTH = 1 << 20;

/**
 * Lines are written at once: what was logged before a crash is there. A log that cannot be written (its disk is full,
 * nobody reads the pipe) stops nothing: the lines wait for the next.
 */
export function createLog({ level, node, descriptor = 2 }: LogOptions): Logger {
  const destination = pino.destination({
    fd: descriptor,
    sync: true,
    maxLength: MAX_WAITING_LENGTH,
    // To try again until a full pipe is read would hold up everybody.
    retryEAGAIN: () => false,
  });
  destination.on("error", () => {});
  return pino(
    {
      level,
      base: { node },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: "[secret]" },
    },
    destination,
  );
}

export type { Logger } from "pino";
