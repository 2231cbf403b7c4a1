/** Roles: one process at a time may do what one process alone did. */
import type { GrantRole } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import { MAX_ROLES } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** The first who asks after the last grant gets the role. */
export function grantRole(state: ExchangeState, { role, node, incarnation, after }: GrantRole): RejectReason | null {
  const { nodes } = state;
  const last = nodes.role(role);
  if (after !== (last?.number ?? 0)) return "ROLE_TAKEN";
  if (last === undefined && nodes.roleCount >= MAX_ROLES) return "TOO_MANY";
  const granted = { role, node, incarnation, number: after + 1 };
  nodes.putRole(granted);
  state.emit({ type: "roleGranted", ...granted });
  return null;
}
