/**
 * A batch of a node among several has its place once. The process that runs under a node's name numbers its batches
 * upwards; another process takes the name by telling which one it replaces. So a batch that comes twice, or late from a
 * process that has ended, is refused wherever it turns up in the order.
 */
import type { NodeBatch } from "../entry/command.ts";
import { isWellFormed } from "../entry/command-shape.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_NODES } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import type { Nodes } from "../state/nodes/nodes.ts";

/** Null: the batch is accepted. */
export function batchRefusal(nodes: Nodes, header: NodeBatch): RejectReason | null {
  if (!isWellFormed(header)) return "INVALID_VALUE";
  const known = nodes.get(header.node);
  if (known === undefined && nodes.size >= MAX_NODES) return "TOO_MANY";
  const follows =
    known?.incarnation === header.incarnation
      ? header.number > known.number
      : header.replaces === (known?.incarnation ?? "");
  return follows ? null : "STALE_BATCH";
}

export function beginBatch(state: ExchangeState, header: NodeBatch): RejectReason | null {
  const reason = batchRefusal(state.nodes, header);
  if (reason !== null) return reason;
  const { node, incarnation, number, release } = header;
  state.nodes.put({ node, incarnation, number, release });
  state.emit({ type: "done" });
  return null;
}
