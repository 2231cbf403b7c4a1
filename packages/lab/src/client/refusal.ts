/** Refusals by a lab's node, and other failures between a test and its exchange. */

/** The facts by which a reader can repeat a failure. */
export interface Origin {
  readonly seed: number;
  readonly version: string;
  /** The one command that runs the failed program again with the same seed. */
  readonly repeat: string;
}

/** The line that stands below every failure. */
export function originLine({ seed, version, repeat }: Origin): string {
  return `[seed ${seed}, pricetime ${version}; repeat with: ${repeat}]`;
}

interface Fault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** The admin API or the exchange said no, or nothing. Its message ends with seed, version and the command to repeat it. */
export class LabError extends Error {
  override readonly name = "LabError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The word of the admin API (`TIME_GOES_BACK`), or the code of the exchange (`-2010`); `NO_ANSWER` without one. */
  readonly code: string;

  constructor({ cause, ...fault }: Fault, origin: Origin) {
    super(`${fault.code}: ${fault.message}\n${originLine(origin)}`, cause === undefined ? {} : { cause });
    this.status = fault.status;
    this.code = fault.code;
  }
}
