/**
 * Routes of dual approval: requests that wait for another operator, the rules that require approval, and the emergency
 * override.
 */
import {
  MAX_APPROVAL_RULES,
  MAX_APPROVALS,
  MAX_NOTE_LENGTH,
  PROPOSABLE_ACTS,
  type ProposalRecord,
  type ProposedAct,
  rightFor,
  RULABLE_ACTS,
} from "@pricetime/engine";
import { z } from "zod";
import { accepted, type Answer, badRequest, created, ok, Rejection } from "../http/answer.ts";
import { rejectionOf } from "./rejections.ts";
import { type AdminNode, carryOut, holdsSecret } from "./node.ts";
import { newId } from "../sign-in/tokens.ts";
import type { Caller } from "./operator.ts";
import { listRoute } from "./list-route.ts";
import { type AdminRoute, type Asked, route } from "./router.ts";
import { assetName, decimal } from "../../platform/config/listing-schema.ts";
import { findAsset } from "./parse.ts";
import { approvalRequestRow, approvalRules, decidedRequest, overrideAnswer } from "./answers.ts";

// Actions in approval requests are commands as JSON. The engine checks them; they contain no secrets.

/** Maximum nesting depth of an action. Filters of a symbol and networks of an asset are nested values. */
const ACT_DEPTH = 4;

function valueOf(depth: number): z.ZodType {
  const plain = [z.string(), z.number(), z.boolean(), z.null()] as const;
  if (depth === 0) return z.union(plain);
  const inner = valueOf(depth - 1);
  return z.union([...plain, z.array(inner), z.record(z.string(), inner)]);
}

/** The author of the request replaces a `by` in it. */
const actSchema = z.object({ type: z.enum(PROPOSABLE_ACTS) }).catchall(valueOf(ACT_DEPTH));

/**
 * Returns the action as a command of its author. Throws `Rejection` 400 if the client chose a secret in it: a sealed
 * API or two-factor secret, or an invitation's secret, with which the author could accept the invitation.
 */
function actOf({ links }: AdminNode, sent: z.output<typeof actSchema>, by: string): ProposedAct {
  if (holdsSecret(sent)) throw badRequest("action: it must not contain a secret");
  const { type, invitationId, secretHash } = sent;
  if (type === "invite") {
    // An object with its own `toString` member cannot be converted to a string.
    const id = typeof invitationId === "string" ? invitationId : "";
    if (secretHash !== links.hashOf(links.secretOf("invitation", id)))
      throw badRequest("action: an invitation must be sent as in the error NEEDS_APPROVAL");
  }
  return { ...sent, by } as unknown as ProposedAct;
}

const why = z.string().trim().min(1).max(MAX_NOTE_LENGTH);
const version = z.int().min(1);
const createSchema = z.strictObject({ action: actSchema, why });
const changeSchema = z.strictObject({ version, action: actSchema, why });
const approveSchema = z.strictObject({ version });
const rejectSchema = z.strictObject({ why });

export function proposalRoutes(node: AdminNode): AdminRoute[] {
  return [...lookRoutes(node), ...writeRoutes(node), ...decideRoutes(node)];
}

function lookRoutes(node: AdminNode): AdminRoute[] {
  return [
    listRoute({
      pattern: "/v1/approval-requests",
      summary: "Lists the open approval requests, oldest first.",
      answers: "A list of requests. An approver must have the right `needs` and must not be one of `authors`.",
      row: approvalRequestRow,
      page: () => {
        const nowMs = node.sequencer.nowMs();
        const open = [...node.view.venue.proposals()].filter(({ untilMs }) => nowMs < untilMs);
        return { rows: open.map((proposal) => proposalBody(node, proposal)) };
      },
    }),
    route({
      endpoint: "GET /v1/approval-requests/:request",
      needs: "view",
      summary: "Returns an approval request.",
      answer: approvalRequestRow,
      handle: ({ path }) => ok(proposalBody(node, findProposal(node, path))),
    }),
  ];
}

function writeRoutes(node: AdminNode): AdminRoute[] {
  return [
    route({
      endpoint: "POST /v1/approval-requests",
      needs: "any",
      summary:
        "Creates an approval request. `action` is the command from the error NEEDS_APPROVAL, or one in the form the journal stores.",
      answer: approvalRequestRow,
      status: 201,
      body: createSchema,
      handle: async ({ body, by, caller }) => {
        mustBeOperator(caller);
        mustBeUndecided(node, body.action);
        const proposalId = newId(node.world);
        await carryOut(node, { type: "propose", proposalId, act: actOf(node, body.action, by), why: body.why, by });
        return created(proposalBody(node, findProposal(node, { request: proposalId })));
      },
    }),
    route({
      endpoint: "PUT /v1/approval-requests/:request",
      needs: "any",
      summary: "Changes the action or the reason. All approvals become void, and the editor can no longer approve.",
      answer: approvalRequestRow,
      body: changeSchema,
      handle: async ({ path, body: { action, ...rest }, by, caller }) => {
        mustBeOperator(caller);
        const { proposalId } = findProposal(node, path);
        mustBeUndecided(node, action, proposalId);
        const change = { ...rest, act: actOf(node, action, by) };
        await carryOut(node, { type: "changeProposal", proposalId, ...change, by });
        return ok(proposalBody(node, findProposal(node, path)));
      },
    }),
  ];
}

/**
 * A second request to approve a withdrawal could only be rejected once the first is approved, and so could a request
 * for a withdrawal that does not await approval. `own` is the request that is changed. Throws `Rejection`.
 */
function mustBeUndecided({ view, sequencer }: AdminNode, action: z.output<typeof actSchema>, own?: string): void {
  const { type, withdrawalId } = action;
  if (type !== "approveWithdrawal" || typeof withdrawalId !== "string") return;
  const withdrawal = view.funds.withdrawal(withdrawalId);
  if (withdrawal === undefined) throw rejectionOf("UNKNOWN_WITHDRAWAL");
  if (withdrawal.status !== "awaitingApproval") throw rejectionOf("WRONG_STATUS");
  const others = [...view.venue.proposals()].filter(({ proposalId }) => proposalId !== own);
  const open = others.find(
    ({ act, untilMs }) =>
      act.type === "approveWithdrawal" && act.withdrawalId === withdrawalId && sequencer.nowMs() < untilMs,
  );
  if (open === undefined) return;
  const { proposalId } = open;
  const message = `Approval of this withdrawal is requested already. Open request: ${proposalId}.`;
  throw new Rejection(409, "ALREADY_EXISTS", message, { request: proposalId });
}

function decideRoutes(node: AdminNode): AdminRoute[] {
  const pattern = "/v1/approval-requests/:request";
  return [
    route({
      endpoint: `POST ${pattern}/approve`,
      needs: "any",
      summary: "Approves a version of an approval request. The last required approval executes the action.",
      answers:
        "The request with `status` done or waiting. If the exchange rejects the action, the approval is rejected for the same " +
        "reason and the request stays open.",
      answer: decidedRequest,
      body: approveSchema,
      handle: (request) => approve(node, request),
    }),
    route({
      endpoint: `POST ${pattern}/reject`,
      needs: "any",
      summary: "Rejects an approval request, or withdraws your own.",
      answer: decidedRequest,
      body: rejectSchema,
      handle: async ({ path, body, by, caller }) => {
        mustBeOperator(caller);
        const proposal = findProposal(node, path);
        await carryOut(node, { type: "rejectProposal", proposalId: proposal.proposalId, why: body.why, by });
        return ok({ ...proposalBody(node, proposal), status: "rejected" });
      },
    }),
  ];
}

async function approve(
  node: AdminNode,
  { path, body, by, caller }: Asked<typeof approveSchema, "request">,
): Promise<Answer> {
  mustBeOperator(caller);
  const { proposalId } = findProposal(node, path);
  const events = await carryOut(node, { type: "approveProposal", proposalId, version: body.version, by });
  const changed = events.find((event) => event.type === "proposalChanged" && event.proposal.proposalId === proposalId);
  if (changed?.type !== "proposalChanged") throw rejectionOf("UNKNOWN_PROPOSAL");
  return ok({ ...proposalBody(node, changed.proposal), status: changed.status });
}

/** The admin token does not identify a person, so it cannot take part in dual approval. Throws `Rejection`. */
function mustBeOperator({ kind }: Caller): void {
  if (kind === "operator") return;
  throw new Rejection(403, "NOT_PERMITTED", "The admin token does not identify a person. Sign in as an operator.");
}

interface OfRequest {
  readonly request: string;
}

/** Finds an open approval request. Throws `Rejection` 404 if the request does not exist or is closed or expired. */
function findProposal({ view, sequencer }: AdminNode, { request }: OfRequest): ProposalRecord {
  const proposal = view.venue.proposal(request);
  if (proposal === undefined || sequencer.nowMs() >= proposal.untilMs) throw rejectionOf("UNKNOWN_PROPOSAL");
  return proposal;
}

/** An approval request as sent in answers. */
function proposalBody({ view }: AdminNode, { proposalId, act, ...proposal }: ProposalRecord): object {
  const { approvals: approvalsNeeded } = view.venue.approvalRules;
  return { requestId: proposalId, ...proposal, action: act, approvalsNeeded, needs: rightFor(act) };
}

// Actions that always require dual approval: the operator who requests one only creates an approval request.

/** Creates an approval request for the action. Throws `Rejection`. */
export async function propose(node: AdminNode, act: ProposedAct, why: string, caller: Caller): Promise<Answer> {
  mustBeOperator(caller);
  const proposalId = newId(node.world);
  const events = await carryOut(node, { type: "propose", proposalId, act, why, by: act.by });
  const changed = events.find((event) => event.type === "proposalChanged");
  return accepted(changed === undefined ? {} : { request: proposalBody(node, changed.proposal) });
}

// Routes of the approval rules: which actions require dual approval.

const rulesSchema = z.strictObject({
  /** The number of approvers required in addition to the author. */
  approvals: z.int().min(1).max(MAX_APPROVALS).default(1),
  /** The amount above which approving a withdrawal requires dual approval. */
  withdrawalsAbove: z
    .array(z.strictObject({ asset: assetName, amount: decimal }))
    .max(MAX_APPROVAL_RULES)
    .default([]),
  /** Types of commands, as in the audit log and the journal. */
  actions: z.array(z.enum(RULABLE_ACTS)).max(MAX_APPROVAL_RULES).default([]),
});

function rulesBody({ venue }: AdminNode["view"]): object {
  const { acts, ...rules } = venue.approvalRules;
  return { ...rules, actions: acts };
}

export function approvalRuleRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      endpoint: "GET /v1/approval-rules",
      needs: "view",
      summary:
        "Returns the approval rules: which actions require dual approval. Adjustments, and crediting or keeping unattributed deposits, always do.",
      answer: approvalRules,
      handle: () => ok(rulesBody(view)),
    }),
    route({
      endpoint: "PUT /v1/approval-rules",
      needs: "venue",
      summary: "Sets the approval rules. Once any action requires dual approval, changing the rules does, too.",
      answer: approvalRules,
      body: rulesSchema,
      handle: async ({ body: { actions, ...rules }, by }) => {
        for (const { asset } of rules.withdrawalsAbove) findAsset(view, asset);
        await carryOut(node, { type: "setApprovalRules", rules: { ...rules, acts: actions }, by });
        return ok(rulesBody(view));
      },
    }),
  ];
}

// The emergency override switches off dual approval a day after it is announced.

const whySchema = z.strictObject({ why: z.string().trim().min(1).max(MAX_NOTE_LENGTH) });

export function breakGlassRoutes(node: AdminNode): AdminRoute[] {
  const pattern = "/v1/emergency-override";
  const shown = (): object => ({ emergencyOverride: node.view.venue.breakGlass });
  return [
    route({
      endpoint: `GET ${pattern}`,
      needs: "view",
      summary: "Returns the announced emergency override with its author, reason and start; null: none is announced.",
      answer: overrideAnswer,
      handle: () => ok(shown()),
    }),
    route({
      endpoint: `POST ${pattern}`,
      needs: "venue",
      summary:
        "Announces the emergency override: dual approval is switched off after 24 hours. Every operator gets an email, and any operator except a viewer can cancel it.",
      answer: overrideAnswer,
      status: 201,
      body: whySchema,
      handle: async ({ body: { why }, by }) => {
        await carryOut(node, { type: "breakGlass", why, by });
        return created(shown());
      },
    }),
    route({
      endpoint: `DELETE ${pattern}`,
      needs: "any",
      summary: "Cancels the announced emergency override.",
      answer: overrideAnswer,
      handle: async ({ by }) => {
        await carryOut(node, { type: "stopBreakGlass", by });
        return ok(shown());
      },
    }),
  ];
}
