/** What an error of any origin is to the client. Interface S.3, 7.6. */
import { InvariantBroken } from "@pricetime/engine";
import { DISCONNECTED, SERVER_BUSY, TIMEOUT, UNKNOWN_ERROR } from "@pricetime/protocol";
import type { ApiError } from "@pricetime/protocol";
import { HistoryBehind } from "../history/port.ts";
import { NotAccepted, OutcomeUnknown } from "../sequencer/port.ts";
import { ChainUnreachable } from "../wallet/port.ts";
import { Refused } from "../edge/refusals.ts";

export interface Diagnosis {
  readonly error: ApiError;
  /** 0: no such header. */
  readonly retryAfterSeconds: number;
  /** "": no such header. */
  readonly allow: string;
  /** A bug of ours: `logged` goes on, `fatal` must not. */
  readonly fault: "none" | "logged" | "fatal";
}

export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Refused) {
    return { error: error.error, retryAfterSeconds: error.retryAfterSeconds, allow: error.allow, fault: "none" };
  }
  // Nothing was taken, and a moment later it may be.
  if (error instanceof NotAccepted || error instanceof HistoryBehind) {
    return { error: SERVER_BUSY, retryAfterSeconds: 1, allow: "", fault: "none" };
  }
  // A network outside keeps nobody from trading; what asks it is to ask again.
  if (error instanceof ChainUnreachable) {
    return { error: DISCONNECTED, retryAfterSeconds: 1, allow: "", fault: "none" };
  }
  if (error instanceof OutcomeUnknown) return { error: TIMEOUT, retryAfterSeconds: 0, allow: "", fault: "none" };
  const fault = error instanceof InvariantBroken ? "fatal" : "logged";
  return { error: UNKNOWN_ERROR, retryAfterSeconds: 0, allow: "", fault };
}
