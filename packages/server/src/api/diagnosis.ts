/** The client's view of an error of any origin. Interface S.3, 7.6. */
import { InvariantBroken } from "@pricetime/engine";
import { DISCONNECTED, SERVER_BUSY, TIMEOUT, UNKNOWN_ERROR } from "@pricetime/protocol";
import type { ApiError } from "@pricetime/protocol";
import { HistoryBehind } from "../history/port.ts";
import { NotAccepted, OutcomeUnknown } from "../journal/sequencer/port.ts";
import { ChainUnreachable } from "../funds/wallet/port.ts";
import { Refused } from "./edge/refusals.ts";

export interface Diagnosis {
  readonly error: ApiError;
  /** 0: the header is absent. */
  readonly retryAfterSeconds: number;
  /** "": the header is absent. */
  readonly allow: string;
  /** A bug of ours: after `logged` the node goes on, after `fatal` it must not. */
  readonly fault: "none" | "logged" | "fatal";
}

export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Refused) {
    return { error: error.error, retryAfterSeconds: error.retryAfterSeconds, allow: error.allow, fault: "none" };
  }
  // Nothing was accepted, and a retry may succeed in a moment.
  if (error instanceof NotAccepted || error instanceof HistoryBehind) {
    return { error: SERVER_BUSY, retryAfterSeconds: 1, allow: "", fault: "none" };
  }
  // A network outside keeps nobody from trading; its caller may retry.
  if (error instanceof ChainUnreachable) {
    return { error: DISCONNECTED, retryAfterSeconds: 1, allow: "", fault: "none" };
  }
  if (error instanceof OutcomeUnknown) return { error: TIMEOUT, retryAfterSeconds: 0, allow: "", fault: "none" };
  const fault = error instanceof InvariantBroken ? "fatal" : "logged";
  return { error: UNKNOWN_ERROR, retryAfterSeconds: 0, allow: "", fault };
}
