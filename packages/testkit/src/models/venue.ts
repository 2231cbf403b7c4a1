/** Approval rules and approval requests in the model, and the commands of operators. */
import type { Command, ProposalCommand, RejectReason, VenueCommand } from "@pricetime/engine";
import { owe } from "./sign-in.ts";
import { fits } from "./money.ts";
import { type Answer, type Answers, type Happening, plainResult } from "./happening.ts";
import { type ModelProposal, type ModelVenue, NO_RULES } from "./state.ts";
import {
  changeOperator,
  enabled,
  expireStops,
  liftStop,
  mayBeProposed,
  mayBeRuled,
  mayDoNow,
  openOperator,
  setStop,
} from "./operators.ts";
import { endOrders } from "./order-ends.ts";
import { adjust } from "./payments.ts";
import { noteUnknown, settleUnknown } from "./deposits.ts";

const DAY_MS = 24 * 3_600_000;

function setRules(venue: ModelVenue, { rules }: Command<"setApprovalRules">): Answer {
  if (rules.acts.some((type) => !mayBeRuled(type))) return "INVALID_VALUE";
  for (const { asset, amount } of rules.withdrawalsAbove) {
    const listed = venue.exchange.assets.find((known) => known.asset === asset);
    if (listed === undefined) return "UNKNOWN_ASSET";
    if (!fits(venue.exchange, amount, listed.precision)) return "INVALID_VALUE";
  }
  const isAny = rules.acts.length > 0 || rules.withdrawalsAbove.length > 0;
  const admins = venue.operators.filter(({ role, isEnabled }) => role === "admin" && isEnabled);
  // One operator requests an action, and `approvals` others must approve it.
  if (isAny && admins.length < rules.approvals + 1) return "TOO_FEW_OPERATORS";
  venue.rules = rules;
  return [plainResult(`rules of approval: ${isAny ? "some" : "none"}`)];
}

function breakGlass(venue: ModelVenue, { by, why }: Command<"breakGlass">): Answer {
  if (venue.rulesEndMs !== null) return "ALREADY_EXISTS";
  venue.rulesEndMs = venue.exchange.nowMs + DAY_MS;
  const facts = { by, why, fromMs: `${venue.rulesEndMs}` };
  const { access } = venue.exchange;
  const emails = venue.operators.flatMap(({ email }) => owe(access, "breakGlass", email, facts));
  return [plainResult(`rules end at ${venue.rulesEndMs}`), ...emails];
}

function stopBreakGlass(venue: ModelVenue): Answer {
  if (venue.rulesEndMs === null) return "WRONG_STATUS";
  venue.rulesEndMs = null;
  return [plainResult("rules end at 0")];
}

function endRules(venue: ModelVenue): Happening[] {
  if (venue.rulesEndMs === null || venue.exchange.nowMs < venue.rulesEndMs) return [];
  venue.rules = NO_RULES;
  venue.rulesEndMs = null;
  return [plainResult("rules of approval: none"), plainResult("rules end at 0")];
}

// Approval requests.

const LIFE_MS = 7 * 24 * 3_600_000;
const MOST_WAITING = 1000;
const MOST_WAITING_OF_ONE = 100;
const MOST_VERSIONS = 100;

function propose(venue: ModelVenue, command: Command<"propose">): Answer {
  const { proposalId, act, why, by } = command;
  const reason = unfit(venue, command);
  if (reason !== null) return reason;
  if (venue.proposals.some((known) => known.proposalId === proposalId)) return "ALREADY_EXISTS";
  if (venue.proposals.length >= MOST_WAITING) return "TOO_MANY";
  const isBounded = venue.exchange.edition >= 4;
  if (isBounded && venue.proposals.filter(({ authors }) => authors.includes(by)).length >= MOST_WAITING_OF_ONE) {
    return "TOO_MANY";
  }
  const untilMs = venue.exchange.nowMs + LIFE_MS;
  const proposal: ModelProposal = { proposalId, version: 1, act, why, authors: [by], approvals: [], untilMs };
  venue.proposals.push(proposal);
  return [outcomeOf(proposal, "waiting", by)];
}

/**
 * Returns why an approval request is invalid. Its author must be an operator with more than read access, and must be
 * named in the action itself.
 */
function unfit(venue: ModelVenue, { act, by }: Command<"propose"> | Command<"changeProposal">): RejectReason | null {
  const operator = enabled(venue, by);
  if (operator === undefined || operator.role === "viewer") return "NOT_PERMITTED";
  return mayBeProposed(act) && act.by === by ? null : "INVALID_VALUE";
}

function changeProposal(venue: ModelVenue, command: Command<"changeProposal">): Answer {
  const { act, why, by } = command;
  const proposal = asRead(venue, command);
  if (typeof proposal === "string") return proposal;
  if (!mayDecide(venue, proposal, by) && !proposal.authors.includes(by)) return "NOT_PERMITTED";
  const reason = unfit(venue, command);
  if (reason !== null) return reason;
  if (proposal.version >= MOST_VERSIONS) return "TOO_MANY";
  const authors = [...proposal.authors.filter((author) => author !== by), by];
  Object.assign(proposal, { version: proposal.version + 1, act, why, authors, approvals: [] });
  return [outcomeOf(proposal, "waiting", by)];
}

function approve(venue: ModelVenue, command: Command<"approveProposal">): Answer {
  const { by } = command;
  const proposal = asRead(venue, command);
  if (typeof proposal === "string") return proposal;
  const may = (name: string): boolean => mayDecide(venue, proposal, name);
  if (!may(by)) return "NOT_PERMITTED";
  if (proposal.authors.includes(by)) return "OWN_PROPOSAL";
  if (proposal.approvals.includes(by)) return "ALREADY_EXISTS";
  const approvals = [...proposal.approvals.filter(may), by];
  if (approvals.length < venue.rules.approvals) {
    proposal.approvals = approvals;
    return [outcomeOf(proposal, "waiting", by)];
  }
  const signed = { ...proposal.act, by: [proposal.authors.at(-1), ...approvals].join("+") } as Command;
  venue.carriesOut = proposal;
  const done = venue.exchange.carryOut(signed);
  venue.carriesOut = null;
  if (typeof done === "string") return done;
  venue.proposals = venue.proposals.filter((other) => other !== proposal);
  return [...done, outcomeOf({ ...proposal, approvals }, "done", by)];
}

function reject(venue: ModelVenue, { proposalId, by, why }: Command<"rejectProposal">): Answer {
  const proposal = venue.proposals.find((known) => known.proposalId === proposalId);
  if (proposal === undefined) return "UNKNOWN_PROPOSAL";
  if (!mayDecide(venue, proposal, by) && !proposal.authors.includes(by)) return "NOT_PERMITTED";
  venue.proposals = venue.proposals.filter((other) => other !== proposal);
  return [outcomeOf(proposal, "rejected", by, why)];
}

/** Whether an operator has the right to perform the requested action. */
function mayDecide(venue: ModelVenue, { act }: ModelProposal, by: string): boolean {
  const operator = enabled(venue, by);
  return operator !== undefined && operator.role !== "viewer" && mayDoNow(venue, operator.role, act);
}

/**
 * Cancels approval requests whose last author may no longer create any. The request that is being executed is not
 * cancelled.
 */
function cancelOrphans(venue: ModelVenue, { name, by }: Command<"changeOperator">): Happening[] {
  const author = `operator:${name}`;
  const operator = enabled(venue, author);
  if (venue.exchange.edition < 4 || (operator !== undefined && operator.role !== "viewer")) return [];
  const mine = venue.proposals.filter((each) => each !== venue.carriesOut && each.authors.at(-1) === author);
  venue.proposals = venue.proposals.filter((each) => !mine.includes(each));
  return mine.map((each) => outcomeOf(each, "cancelled", by, "the author may not propose any more"));
}

function expireProposals(venue: ModelVenue): Happening[] {
  const { nowMs } = venue.exchange;
  const over = venue.proposals.filter(({ untilMs }) => nowMs >= untilMs);
  venue.proposals = venue.proposals.filter((proposal) => !over.includes(proposal));
  return over.map((proposal) => outcomeOf(proposal, "expired", ""));
}

/** Rejects a decision on a version that is no longer the current one, or on a request that has ended. */
function asRead(
  venue: ModelVenue,
  read: Command<"approveProposal"> | Command<"changeProposal">,
): ModelProposal | RejectReason {
  const proposal = venue.proposals.find(({ proposalId }) => proposalId === read.proposalId);
  if (proposal === undefined || venue.exchange.nowMs >= proposal.untilMs) return "UNKNOWN_PROPOSAL";
  return proposal.version === read.version ? proposal : "PROPOSAL_CHANGED";
}

type Outcome = Pick<ModelProposal, "proposalId" | "version" | "act"> & {
  readonly authors: readonly string[];
  readonly approvals: readonly string[];
};

export function outcomeOf(proposal: Outcome, status: string, by: string, why = ""): Happening {
  const { proposalId, version, act, authors, approvals } = proposal;
  const people = `of ${authors.join("+")} approved by ${approvals.join("+")}`;
  return plainResult(`proposal ${proposalId} version ${version} of ${act.type} ${people}, ${status} by ${by}, ${why}`);
}

type VenueType = Exclude<VenueCommand["type"], "setOperatorTotp" | "publishProof"> | ProposalCommand["type"];

export const VENUE_ANSWERS: Answers<ModelVenue, VenueType> = {
  setStop,
  liftStop,
  adjust: ({ exchange }, command) => adjust(exchange, command),
  noteAccount: ({ exchange }, { accountId, by, text }) =>
    exchange.accounts.has(accountId) ? [plainResult(`note on ${accountId} by ${by}: ${text}`)] : "UNKNOWN_ACCOUNT",
  noteUnknownDeposit: noteUnknown,
  settleUnknownDeposit: settleUnknown,
  openOperator,
  changeOperator: (venue, command) => {
    const changed = changeOperator(venue, command);
    return typeof changed === "string" ? changed : [...changed, ...cancelOrphans(venue, command)];
  },
  setApprovalRules: setRules,
  breakGlass,
  stopBreakGlass,
  propose,
  changeProposal,
  approveProposal: approve,
  rejectProposal: reject,
  endOrder: ({ exchange }, command) => endOrders(exchange, command),
  endAccountOrders: ({ exchange }, command) => endOrders(exchange, command),
  endSymbolOrders: ({ exchange }, command) => endOrders(exchange, command),
  setDelisting: ({ exchange }, command) => endOrders(exchange, command),
};

/**
 * Expires suspensions and approval requests, and switches dual approval off when an announced emergency override takes
 * effect.
 */
export function expireInVenue(venue: ModelVenue): Happening[] {
  return [...expireStops(venue), ...expireProposals(venue), ...endRules(venue)];
}
