/** Routes of approval requests: actions that wait for another operator. */
import { MAX_NOTE_LENGTH, type ProposalRecord, rightFor } from "@pricetime/engine";
import { z } from "zod";
import { AdminRefusal, type Answer, created, ok, refusalOf } from "../answer.ts";
import { newId } from "../../sign-in/tokens.ts";
import type { Asker } from "../asker.ts";
import { listRoute } from "../list-route.ts";
import { type AdminNode, carryOut } from "../node.ts";
import { type Asked, type Route, route } from "../router.ts";
import { actOf, actSchema } from "./proposed-act.ts";

const why = z.string().trim().min(1).max(MAX_NOTE_LENGTH);
const version = z.int().min(1);
const createSchema = z.strictObject({ action: actSchema, why });
const changeSchema = z.strictObject({ version, action: actSchema, why });
const approveSchema = z.strictObject({ version });
const rejectSchema = z.strictObject({ why });

const COLUMNS = [
  ...["requestId", "version", "action", "why", "authors", "approvals", "approvalsNeeded", "needs"],
  ...["createdMs", "changedMs", "untilMs"],
] as const;

export function proposalRoutes(node: AdminNode): Route[] {
  return [...lookRoutes(node), ...writeRoutes(node), ...decideRoutes(node)];
}

function lookRoutes(node: AdminNode): Route[] {
  return [
    listRoute({
      pattern: "/v1/approval-requests",
      summary: "Lists the open approval requests, oldest first.",
      answers: "A list of requests. An approver must have the right `needs` and must not be one of `authors`.",
      columns: COLUMNS,
      page: () => {
        const nowMs = node.sequencer.nowMs();
        const open = [...node.view.venue.proposals()].filter(({ untilMs }) => nowMs < untilMs);
        return { rows: open.map((proposal) => proposalBody(node, proposal)) };
      },
    }),
    route({
      method: "GET",
      pattern: "/v1/approval-requests/:request",
      needs: "view",
      summary: "Returns an approval request.",
      handle: ({ path }) => ok(proposalBody(node, findProposal(node, path))),
    }),
  ];
}

function writeRoutes(node: AdminNode): Route[] {
  return [
    route({
      method: "POST",
      pattern: "/v1/approval-requests",
      needs: "any",
      summary:
        "Creates an approval request. `action` is the command from the error NEEDS_APPROVAL, or one in the form the journal stores.",
      status: 201,
      body: createSchema,
      handle: async ({ body, by, asker }) => {
        mustBeSomebody(asker);
        const proposalId = newId(node.world);
        await carryOut(node, { type: "propose", proposalId, act: actOf(node, body.action, by), why: body.why, by });
        return created(proposalBody(node, findProposal(node, { request: proposalId })));
      },
    }),
    route({
      method: "PUT",
      pattern: "/v1/approval-requests/:request",
      needs: "any",
      summary: "Changes the action or the reason. All approvals become void, and the editor can no longer approve.",
      body: changeSchema,
      handle: async ({ path, body: { action, ...rest }, by, asker }) => {
        mustBeSomebody(asker);
        const { proposalId } = findProposal(node, path);
        const change = { ...rest, act: actOf(node, action, by) };
        await carryOut(node, { type: "changeProposal", proposalId, ...change, by });
        return ok(proposalBody(node, findProposal(node, path)));
      },
    }),
  ];
}

function decideRoutes(node: AdminNode): Route[] {
  const pattern = "/v1/approval-requests/:request";
  return [
    route({
      method: "POST",
      pattern: `${pattern}/approve`,
      needs: "any",
      summary: "Approves a version of an approval request. The last required approval executes the action.",
      answers:
        "The request with `status` done or waiting. If the exchange rejects the action, the approval is rejected for the same " +
        "reason and the request stays open.",
      body: approveSchema,
      handle: (request) => approve(node, request),
    }),
    route({
      method: "POST",
      pattern: `${pattern}/reject`,
      needs: "any",
      summary: "Rejects an approval request, or withdraws your own.",
      body: rejectSchema,
      handle: async ({ path, body, by, asker }) => {
        mustBeSomebody(asker);
        const proposal = findProposal(node, path);
        await carryOut(node, { type: "rejectProposal", proposalId: proposal.proposalId, why: body.why, by });
        return ok({ ...proposalBody(node, proposal), status: "rejected" });
      },
    }),
  ];
}

async function approve(
  node: AdminNode,
  { path, body, by, asker }: Asked<typeof approveSchema, z.ZodType>,
): Promise<Answer> {
  mustBeSomebody(asker);
  const { proposalId } = findProposal(node, path);
  const events = await carryOut(node, { type: "approveProposal", proposalId, version: body.version, by });
  const changed = events.find((event) => event.type === "proposalChanged" && event.proposal.proposalId === proposalId);
  if (changed?.type !== "proposalChanged") throw refusalOf("UNKNOWN_PROPOSAL");
  return ok({ ...proposalBody(node, changed.proposal), status: changed.status });
}

/** The admin token does not identify a person, so it cannot take part in dual approval. Throws `AdminRefusal`. */
export function mustBeSomebody({ kind }: Asker): void {
  if (kind === "operator") return;
  throw new AdminRefusal(403, "NOT_PERMITTED", "The admin token does not identify a person. Sign in as an operator.");
}

/** Throws `AdminRefusal` 404, also when it is over. */
function findProposal({ view, sequencer }: AdminNode, path: Readonly<Record<string, string>>): ProposalRecord {
  const proposal = view.venue.proposal(path["request"] ?? "");
  if (proposal === undefined || sequencer.nowMs() >= proposal.untilMs) throw refusalOf("UNKNOWN_PROPOSAL");
  return proposal;
}

/** A proposal as it is told. */
export function proposalBody({ view }: AdminNode, { proposalId, act, ...proposal }: ProposalRecord): object {
  const { approvals: approvalsNeeded } = view.venue.approvalRules;
  return { requestId: proposalId, ...proposal, action: act, approvalsNeeded, needs: rightFor(act) };
}
