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

/** Lines are written at once: what was logged before a crash is there. */
export function createLog({ level, node, descriptor = 2 }: LogOptions): Logger {
  return pino(
    {
      level,
      base: { node },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: "[secret]" },
    },
    pino.destination({ fd: descriptor, sync: true }),
  );
}

export type { Logger } from "pino";
