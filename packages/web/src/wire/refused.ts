/** The error of a request that brought no value. */
import type { Refusal } from "../account/port.ts";
import { WIRE } from "../words/words.ts";

interface Known {
  readonly code: number | null;
  readonly isUnknown: boolean;
  /** The status of HTTP; absent: there was no answer. */
  readonly status?: number;
  /** How long the node wants to be left alone. */
  readonly retryAfterMs?: number;
  /** What the node said beside code and text: both halves of a cancelReplace. */
  readonly data?: unknown;
}

export class Refused extends Error implements Refusal {
  readonly code: number | null;
  readonly isUnknown: boolean;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly data: unknown;

  constructor(message: string, known: Known) {
    super(message);
    this.name = "Refused";
    this.code = known.code;
    this.isUnknown = known.isUnknown;
    this.status = known.status ?? null;
    this.retryAfterMs = known.retryAfterMs ?? null;
    this.data = known.data;
  }
}

/** Whatever was thrown, as a refusal that can be shown. */
export function refusalOf(thrown: unknown): Refused {
  if (thrown instanceof Refused) return thrown;
  return new Refused(WIRE.fault(thrown instanceof Error ? thrown.message : String(thrown)), {
    code: null,
    isUnknown: true,
  });
}
