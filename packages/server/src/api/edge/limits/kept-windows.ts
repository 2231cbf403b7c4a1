/** Counts are kept with the windows that they were counted in: in others they mean nothing. */
import { KeptUnreadable } from "../../../platform/world/read-kept.ts";
import { type LimitRule, windowMs } from "./rule.ts";

/** Throws `KeptUnreadable` unless these are the windows of the rules, in their order. */
export function checkSameWindows(rules: readonly LimitRule[], windowsMs: readonly number[]): void {
  const own = rules.map(windowMs);
  if (own.length === windowsMs.length && own.every((length, i) => length === windowsMs[i])) return;
  const told = (lengths: readonly number[]): string => lengths.map((length) => `${length} ms`).join(", ");
  throw new KeptUnreadable(`the checkpoint counts in windows of ${told(windowsMs)}, and this node in ${told(own)}`);
}
