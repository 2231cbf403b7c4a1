/** Up to which row the tail may be removed. Pure: what the rule is, and no more. */
import type { EtcdLimits } from "./limits.ts";
import type { TailRow } from "./tail.ts";

/** A node as its position shows it. */
export interface SeenNode {
  readonly node: string;
  /** The last row that its own journal holds durably. */
  readonly number: number;
  /** Time since the node's position last changed. */
  readonly silentMs: number;
}

export interface TrimQuestion {
  readonly nodes: readonly SeenNode[];
  /** The rows that are there, the oldest first. */
  readonly rows: readonly TailRow[];
  /** The last row that was removed before. */
  readonly trimmed: number;
  readonly tailBytes: number;
  readonly nowMs: number;
  /** How many nodes that live must hold a row before it may go. */
  readonly mirrors: number;
  readonly limits: Pick<EtcdLimits, "liveMs" | "awayPatienceMs" | "authorPatienceMs" | "maxTailBytes">;
}

/**
 * Returns the last row that may go. A row stays
 * - until `mirrors` living nodes hold it;
 * - for a node that lags or is away, as long as the tail is less than half full, and not for ever;
 * - until its author holds it, since one that has not seen its batch come back may still be submitting it. That is
 *   waited for only so long: a batch that comes twice is skipped by all nodes alike, by its number.
 */
export function trimBound(question: TrimQuestion): number {
  const { nodes, rows, trimmed, tailBytes, nowMs, mirrors, limits } = question;
  const living = nodes.filter(({ silentMs }) => silentMs < limits.liveMs);
  const held = living.map(({ number }) => number).toSorted((a, b) => b - a)[mirrors - 1];
  if (held === undefined) return trimmed;
  const waitsForAll = tailBytes < limits.maxTailBytes / 2;
  const awaited = waitsForAll ? nodes.filter(({ silentMs }) => silentMs < limits.awayPatienceMs) : [];
  const wanted = Math.min(held, ...awaited.map(({ number }) => number));
  const holds = new Map(nodes.map(({ node, number }) => [node, number]));
  for (const { number, node, sinceMs } of rows) {
    if (number > wanted) break;
    const isSeen = (holds.get(node) ?? 0) >= number;
    if (!isSeen && nowMs - sinceMs < limits.authorPatienceMs) return Math.max(trimmed, number - 1);
  }
  return Math.max(trimmed, wanted);
}
