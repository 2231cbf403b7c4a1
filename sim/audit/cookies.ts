/**
 * The validity of a session cookie: the newest secret is valid, the previous one for a minute after the renewal. Later
 * use of the previous one means that the cookie was copied.
 */
import type { SessionRecord } from "@pricetime/engine";

const MINUTE_MS = 60_000;

export function cookieWorth(
  { secretHash, previousHash, renewedMs }: SessionRecord,
  isOld: boolean,
  nowMs: number,
): "good" | "late" | "replayed" | "wrong" {
  // A secret that was renewed to itself is the newest.
  if (!isOld || previousHash === secretHash) return "good";
  if (previousHash === "") return "wrong";
  return nowMs - renewedMs <= MINUTE_MS ? "late" : "replayed";
}
