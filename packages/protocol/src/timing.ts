/** Whether a signed request is timely. Interface 5.6. */
import type { ApiError } from "./errors.ts";
import { BAD_RECV_WINDOW, TIMESTAMP_AHEAD, TIMESTAMP_TOO_OLD } from "./refusals.ts";

export const DEFAULT_RECV_WINDOW_MS = 5000;
/** Inclusive: Interface 5.6. */
export const MAX_RECV_WINDOW_MS = 60_000;
/** A timestamp must be less than this ahead of the server's clock. */
export const MAX_AHEAD_MS = 1000;

/** Null when `nowMs` lies in the request's window. */
export function checkTiming(timestampMs: number, recvWindowMs: number, nowMs: number): ApiError | null {
  if (recvWindowMs > MAX_RECV_WINDOW_MS) return BAD_RECV_WINDOW;
  if (timestampMs >= nowMs + MAX_AHEAD_MS) return TIMESTAMP_AHEAD;
  if (nowMs - timestampMs > recvWindowMs) return TIMESTAMP_TOO_OLD;
  return null;
}
