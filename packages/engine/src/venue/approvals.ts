/**
 * Approval requests: actions that need dual approval. One operator requests an action, others approve it, and the last
 * approval executes it. A change invalidates all approvals, an author of any version may not approve the request, and
 * requests expire.
 */
import { operatorNameOf } from "../access/holders.ts";
import { isExactlyFormed } from "../entry/command.ts";
import type { Command, ProposalRecord, ProposedAct } from "../entry/command.ts";
import type { OperatorRecord } from "../entry/access.ts";
import type { RejectReason } from "../entry/reject.ts";
import {
  BREAK_GLASS_DELAY_MS,
  MAX_PROPOSAL_VERSIONS,
  MAX_PROPOSALS,
  MAX_PROPOSALS_OF_AUTHOR,
  PROPOSAL_LIFE_MS,
} from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { hasRightFor, PROPOSABLE_ACTS, RULABLE_ACTS } from "./rights.ts";
import type { ApprovalRules } from "../entry/venue.ts";
import { unitsOf } from "../funds/networks.ts";
import { NO_APPROVAL_RULES } from "../state/venue.ts";

export function propose(state: ExchangeState, command: Command<"propose">): RejectReason | null {
  const { proposalId, act, why, by } = command;
  const reason = checkAct(state, command);
  if (reason !== null) return reason;
  if (state.proposals.get(proposalId) !== undefined) return "ALREADY_EXISTS";
  if (state.proposals.size >= MAX_PROPOSALS) return "TOO_MANY";
  if (state.edition >= 4 && state.proposals.countOf(by) >= MAX_PROPOSALS_OF_AUTHOR) return "TOO_MANY";
  const { nowMs } = state;
  put(state, by, {
    ...{ proposalId, version: 1, act, why, authors: [by], approvals: [] },
    ...{ createdMs: nowMs, changedMs: nowMs, untilMs: nowMs + PROPOSAL_LIFE_MS },
  });
  return null;
}

function checkAct(
  state: ExchangeState,
  { act, by }: Command<"propose"> | Command<"changeProposal">,
): RejectReason | null {
  if (operatorOf(state, by) === undefined) return "NOT_PERMITTED";
  if (!PROPOSABLE_ACTS.includes(act.type) || !isExactlyFormed(act)) return "INVALID_VALUE";
  return (act as { readonly by?: string }).by === by ? null : "INVALID_VALUE";
}

export function changeProposal(state: ExchangeState, command: Command<"changeProposal">): RejectReason | null {
  const { act, why, by } = command;
  const proposal = current(state, command);
  if (typeof proposal === "string") return proposal;
  // Otherwise any operator could invalidate approvals again and again, and become an author, who may reject the
  // request.
  if (!mayDecide(state, by, proposal) && !proposal.authors.includes(by)) return "NOT_PERMITTED";
  const reason = checkAct(state, command);
  if (reason !== null) return reason;
  if (proposal.version >= MAX_PROPOSAL_VERSIONS) return "TOO_MANY";
  const authors = [...proposal.authors.filter((author) => author !== by), by];
  const version = proposal.version + 1;
  put(state, by, { ...proposal, version, act, why, authors, approvals: [], changedMs: state.nowMs });
  return null;
}

function put(state: ExchangeState, by: string, proposal: ProposalRecord): void {
  state.proposals.put(proposal);
  state.emit({ type: "proposalChanged", proposal, status: "waiting", by, why: "" });
}

/** An action with all required approvals. */
interface Approved {
  /** The action with the names of all approvers. */
  readonly act: ProposedAct;
  /** The request with its valid approvals. */
  readonly proposal: ProposalRecord;
}

/** The result of an approval: the action if it was the last one required, otherwise null. */
export function approval(state: ExchangeState, command: Command<"approveProposal">): Approved | null | RejectReason {
  const { by } = command;
  const proposal = current(state, command);
  if (typeof proposal === "string") return proposal;
  if (!mayDecide(state, by, proposal)) return "NOT_PERMITTED";
  if (proposal.authors.includes(by)) return "OWN_PROPOSAL";
  if (proposal.approvals.includes(by)) return "ALREADY_EXISTS";
  const approvals = [...standing(state, proposal), by];
  if (approvals.length < state.proposals.rules.approvals) {
    put(state, by, { ...proposal, approvals, changedMs: state.nowMs });
    return null;
  }
  const act = { ...proposal.act, by: [proposal.authors.at(-1), ...approvals].join("+") };
  return { act, proposal: { ...proposal, approvals } };
}

/** The approvals by operators who may still approve the request. */
function standing(state: ExchangeState, proposal: ProposalRecord): readonly string[] {
  return proposal.approvals.filter((name) => mayDecide(state, name, proposal));
}

function mayDecide(state: ExchangeState, by: string, { act }: ProposalRecord): boolean {
  const operator = operatorOf(state, by);
  return operator !== undefined && hasRightFor(state, operator.role, act);
}

/** Ends the request after its action was executed. */
export function approved(state: ExchangeState, { by }: Command<"approveProposal">, proposal: ProposalRecord): void {
  state.proposals.remove(proposal.proposalId);
  state.emit({ type: "proposalChanged", proposal, status: "done", by, why: "" });
}

export function rejectProposal(
  state: ExchangeState,
  { proposalId, by, why }: Command<"rejectProposal">,
): RejectReason | null {
  const proposal = state.proposals.get(proposalId);
  if (proposal === undefined) return "UNKNOWN_PROPOSAL";
  if (!mayDecide(state, by, proposal) && !proposal.authors.includes(by)) return "NOT_PERMITTED";
  state.proposals.remove(proposalId);
  state.emit({ type: "proposalChanged", proposal, status: "rejected", by, why });
  return null;
}

/** Returns the request, or a reject reason if it has ended, or has changed since the sender of the command read it. */
function current(
  state: ExchangeState,
  { proposalId, version }: { readonly proposalId: string; readonly version: number },
): ProposalRecord | RejectReason {
  const proposal = state.proposals.get(proposalId);
  if (proposal === undefined || state.nowMs >= proposal.untilMs) return "UNKNOWN_PROPOSAL";
  return proposal.version === version ? proposal : "PROPOSAL_CHANGED";
}

function operatorOf(state: ExchangeState, by: string): OperatorRecord | undefined {
  const operator = state.operators.get(operatorNameOf(by) ?? "");
  return operator?.isEnabled === true && operator.role !== "viewer" ? operator : undefined;
}

export function expireProposals(state: ExchangeState): void {
  if (state.nowMs < state.proposals.nextDueMs()) return;
  for (const proposal of [...state.proposals.all()]) {
    if (state.nowMs < proposal.untilMs) continue;
    state.proposals.remove(proposal.proposalId);
    state.emit({ type: "proposalChanged", proposal, status: "expired", by: "", why: "" });
  }
}

// The rules that define which actions need dual approval, and the emergency override for a venue without a second
// approver.

/** Rules are rejected if there are fewer operators than they require. */
export function setApprovalRules(state: ExchangeState, { rules }: Command<"setApprovalRules">): RejectReason | null {
  if (!rules.acts.every((type) => RULABLE_ACTS.includes(type))) return "INVALID_VALUE";
  for (const { asset, amount } of rules.withdrawalsAbove) {
    const listed = state.assetsByName.get(asset);
    if (listed === undefined) return "UNKNOWN_ASSET";
    if (unitsOf(state, listed, amount) === null) return "INVALID_VALUE";
  }
  if (isAny(rules) && state.operators.adminCount <= rules.approvals) return "TOO_FEW_OPERATORS";
  state.proposals.rules = rules;
  state.emit({ type: "approvalRulesChanged", isAny: isAny(rules) });
  return null;
}

const isAny = ({ acts, withdrawalsAbove }: ApprovalRules): boolean => acts.length > 0 || withdrawalsAbove.length > 0;

export function breakGlass(state: ExchangeState, { by, why }: Command<"breakGlass">): RejectReason | null {
  if (state.proposals.breakGlass !== null) return "ALREADY_EXISTS";
  const fromMs = state.nowMs + BREAK_GLASS_DELAY_MS;
  state.proposals.breakGlass = { by, why, sinceMs: state.nowMs, fromMs };
  state.emit({ type: "breakGlassChanged", fromMs });
  // Disabled operators are notified as well, because the author may have disabled them to act alone.
  for (const { email } of state.operators.all())
    state.queueEmail("breakGlass", email, { by, why, fromMs: String(fromMs) });
  return null;
}

export function stopBreakGlass(state: ExchangeState): RejectReason | null {
  if (state.proposals.breakGlass === null) return "WRONG_STATUS";
  end(state);
  return null;
}

/** Switches dual approval off when an announced emergency override takes effect. */
export function applyBreakGlass(state: ExchangeState): void {
  const { breakGlass: announced } = state.proposals;
  if (announced === null || state.nowMs < announced.fromMs) return;
  state.proposals.rules = NO_APPROVAL_RULES;
  state.emit({ type: "approvalRulesChanged", isAny: false });
  end(state);
}

function end(state: ExchangeState): void {
  state.proposals.breakGlass = null;
  state.emit({ type: "breakGlassChanged", fromMs: 0 });
}
