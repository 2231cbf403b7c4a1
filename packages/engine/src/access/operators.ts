/** Operators: opened, changed, and given codes. */
import type { RejectReason } from "../entry/reject.ts";
import type { ChangeOperator, OpenOperator, SetOperatorTotp } from "../entry/venue-command.ts";
import { MAX_OPERATORS } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { emailOf } from "./emails.ts";
import { revokeInvitationsOf } from "./invitations.ts";
import { endRecovery } from "./passwords.ts";
import { closeOthers } from "./sessions.ts";

export function openOperator(state: ExchangeState, { name, email, role }: OpenOperator): RejectReason | null {
  if (state.operators.get(name) !== undefined) return "ALREADY_EXISTS";
  if (state.operators.size >= MAX_OPERATORS) return "TOO_MANY";
  const createdMs = state.nowMs;
  state.operators.put({
    name,
    email: emailOf(state, email),
    role,
    isEnabled: true,
    sealedTotp: null,
    totpStep: -1,
    createdMs,
  });
  state.emit({ type: "operatorChanged", name });
  return null;
}

export function changeOperator(state: ExchangeState, command: ChangeOperator): RejectReason | null {
  const operator = state.operators.get(command.name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  const { role = operator.role, isEnabled = operator.isEnabled } = command;
  const email = command.email === undefined ? operator.email : emailOf(state, command.email);
  state.operators.put({ ...operator, email, role, isEnabled });
  state.emit({ type: "operatorChanged", name: operator.name });
  const holder = `operator:${operator.name}`;
  if (!isEnabled) closeOthers(state, holder, null);
  if (email !== operator.email) {
    revokeInvitationsOf(state, holder);
    endRecovery(state, holder, "cancelled");
  }
  if (state.edition >= 4 && (!isEnabled || role === "viewer")) cancelProposalsOf(state, holder, command.by);
  return null;
}

/**
 * Ends the approval requests whose current version is the operator's. The one that is being carried out is not among
 * them: it is done.
 */
function cancelProposalsOf(state: ExchangeState, author: string, by: string): void {
  for (const proposal of [...state.proposals.all()]) {
    if (proposal.authors.at(-1) !== author || proposal.proposalId === state.approvedId) continue;
    state.proposals.remove(proposal.proposalId);
    const why = "the author may not propose any more";
    state.emit({ type: "proposalChanged", proposal, status: "cancelled", by, why });
  }
}

export function setOperatorTotp(state: ExchangeState, command: SetOperatorTotp): RejectReason | null {
  const { name, sealedSecret, by } = command;
  const operator = state.operators.get(name);
  if (operator === undefined) return "UNKNOWN_OPERATOR";
  if (sealedSecret !== null && operator.sealedTotp !== null) return "ALREADY_EXISTS";
  state.operators.put({ ...operator, sealedTotp: sealedSecret });
  state.emit({ type: "operatorChanged", name });
  const change = sealedSecret === null ? "removed" : "set";
  state.owe("totpChanged", operator.email, { holder: `operator:${name}`, by, change });
  return null;
}
