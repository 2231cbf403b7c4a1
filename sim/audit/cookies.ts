/** What a cookie is worth: the newest secret opens, the one before for a minute after the renewal; later, two have it. */
import type { SessionRecord } from "@pricetime/engine";

const MINUTE_MS = 60_000;

export function cookieWorth(
  { secretHash, previousHash, renewedMs }: SessionRecord,
  isOld: boolean,
  nowMs: number,
): "good" | "late" | "replayed" | "wrong" {
  // One that was renewed to itself is the newest.
  if (!isOld || previousHash === secretHash) return "good";
  if (previousHash === "") return "wrong";
  return nowMs - renewedMs <= MINUTE_MS ? "late" : "replayed";
}
