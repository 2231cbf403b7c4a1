/**
 * Commands with which several nodes form one exchange: the header of a batch, tasks, and the settings that all nodes
 * share.
 */
import type { Command, NodeBatch } from "./entry/command.ts";
import { isWellFormed } from "./entry/command.ts";
import type { RejectReason } from "./entry/reject.ts";
import { MAX_NODES, MAX_ROLES } from "./limits.ts";
import type { ExchangeState } from "./state/exchange-state.ts";
import type { Nodes } from "./state/venue.ts";

// Each batch of a node is accepted once. The process that runs under a node's name numbers its batches upwards. A new
// process takes over the name by stating which process it replaces. So a batch that is repeated, or that arrives late
// from a replaced process, is rejected wherever it appears in the journal.

/** Why the batch is rejected; null if it is accepted. */
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

// Tasks: each has one owner process at a time.

/** Grants the task to the first process that requests it after the last grant. */
export function grantRole(
  state: ExchangeState,
  { role, node, incarnation, after }: Command<"grantRole">,
): RejectReason | null {
  const { nodes } = state;
  const last = nodes.role(role);
  if (after !== (last?.number ?? 0)) return "ROLE_TAKEN";
  if (last === undefined && nodes.roleCount >= MAX_ROLES) return "TOO_MANY";
  const granted = { role, node, incarnation, number: after + 1 };
  nodes.putRole(granted);
  state.emit({ type: "roleGranted", ...granted });
  return null;
}

// The settings that all nodes share.

export function setSharedSettings(
  state: ExchangeState,
  { settings }: Command<"setSharedSettings">,
): RejectReason | null {
  state.sharedSettings = settings.map(({ name, value }) => ({ name, value }));
  state.emit({ type: "done" });
  return null;
}
