/**
 * Approval requests: acts that need a second person. One operator requests an act, others approve it, and the last
 * approval carries it out. A change makes all approvals void, whoever edited a request may not approve it, and requests
 * expire.
 */
import { operatorNameOf } from "../access/holders.ts";
import { isExactlyFormed } from "../entry/command-shape.ts";
import type {
  ApproveProposal,
  ChangeProposal,
  ProposalRecord,
  Propose,
  ProposedAct,
  RejectProposal,
} from "../entry/command.ts";
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
import type { ApprovalRules, BreakGlass, SetApprovalRules } from "../entry/venue.ts";
import { unitsOf } from "../funds/networks.ts";
import { NO_APPROVAL_RULES } from "../state/venue.ts";

export function propose(state: ExchangeState, command: Propose): RejectReason | null {
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

function checkAct(state: ExchangeState, { act, by }: Propose | ChangeProposal): RejectReason | null {
  if (operatorOf(state, by) === undefined) return "NOT_PERMITTED";
  if (!PROPOSABLE_ACTS.includes(act.type) || !isExactlyFormed(act)) return "INVALID_VALUE";
  return (act as { readonly by?: string }).by === by ? null : "INVALID_VALUE";
}

export function changeProposal(state: ExchangeState, command: ChangeProposal): RejectReason | null {
  const { act, why, by } = command;
  const proposal = current(state, command);
  if (typeof proposal === "string") return proposal;
  // Anybody else could make approvals void for ever, and be its author, who may reject it.
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

/** An act that enough have approved. */
interface Approved {
  /** With all names. */
  readonly act: ProposedAct;
  /** With the approvals that count. */
  readonly proposal: ProposalRecord;
}

/** What an approval leads to: the act, when it is the last one that is needed; else null. */
export function approval(state: ExchangeState, command: ApproveProposal): Approved | null | RejectReason {
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

/** Approvals of those who may still approve. */
function standing(state: ExchangeState, proposal: ProposalRecord): readonly string[] {
  return proposal.approvals.filter((name) => mayDecide(state, name, proposal));
}

function mayDecide(state: ExchangeState, by: string, { act }: ProposalRecord): boolean {
  const operator = operatorOf(state, by);
  return operator !== undefined && hasRightFor(state, operator.role, act);
}

/** The act was carried out. */
export function approved(state: ExchangeState, { by }: ApproveProposal, proposal: ProposalRecord): void {
  state.proposals.remove(proposal.proposalId);
  state.emit({ type: "proposalChanged", proposal, status: "done", by, why: "" });
}

export function rejectProposal(state: ExchangeState, { proposalId, by, why }: RejectProposal): RejectReason | null {
  const proposal = state.proposals.get(proposalId);
  if (proposal === undefined) return "UNKNOWN_PROPOSAL";
  if (!mayDecide(state, by, proposal) && !proposal.authors.includes(by)) return "NOT_PERMITTED";
  state.proposals.remove(proposalId);
  state.emit({ type: "proposalChanged", proposal, status: "rejected", by, why });
  return null;
}

/** The proposal, unless it has changed since whoever sends the command read it. */
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

// Rules that say which acts need a second person, and their end where that person is gone.

/** Rules that fewer operators than they need could never meet are refused. */
export function setApprovalRules(state: ExchangeState, { rules }: SetApprovalRules): RejectReason | null {
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

export function breakGlass(state: ExchangeState, { by, why }: BreakGlass): RejectReason | null {
  if (state.proposals.breakGlass !== null) return "ALREADY_EXISTS";
  const fromMs = state.nowMs + BREAK_GLASS_DELAY_MS;
  state.proposals.breakGlass = { by, why, sinceMs: state.nowMs, fromMs };
  state.emit({ type: "breakGlassChanged", fromMs });
  // Also to those whose way in was taken away: perhaps by whoever wants to be alone.
  for (const { email } of state.operators.all()) state.owe("breakGlass", email, { by, why, fromMs: String(fromMs) });
  return null;
}

export function stopBreakGlass(state: ExchangeState): RejectReason | null {
  if (state.proposals.breakGlass === null) return "WRONG_STATUS";
  end(state);
  return null;
}

/** The rules end, when their end was announced long enough ago. */
export function endRulesInTime(state: ExchangeState): void {
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
