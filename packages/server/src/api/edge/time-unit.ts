/** Times are milliseconds: a request for microseconds is refused instead of answered in another unit. Decision 17. */
import { INVALID_TIME_UNIT } from "@pricetime/protocol";
import { Refused } from "./refusals.ts";
import type { RequestHeaders } from "./request.ts";

const HEADER = "x-mbx-time-unit";

/** Checks `timeUnit` in the address of a socket; null: not sent. */
export function isTimeUnit(sent: string | null): boolean {
  return sent === null || sent === "" || sent.toUpperCase() === "MILLISECOND";
}

/** Throws -1194. */
export function checkTimeUnit(headers: RequestHeaders): void {
  const sent = headers[HEADER];
  if (sent !== undefined && !isTimeUnit(String(sent))) throw new Refused(INVALID_TIME_UNIT);
}
