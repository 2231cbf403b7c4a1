/** Routes of customers' access: invitations, sessions, and account locks. */
import { z } from "zod";
import { bps, text } from "../../platform/config/listing-schema.ts";
import { created, ok } from "../http/answer.ts";
import { listRoute } from "./list-route.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { mayGiveRates } from "./operator.ts";
import { findAccount } from "./parse.ts";
import { type AdminRoute, route } from "./router.ts";
import { invitationBody, invite } from "./operator-routes.ts";
import { invitationRow } from "./answers.ts";
import { sessionBody, sessionRow } from "../http/shapes.ts";

const inviteSchema = z.strictObject({
  email: z.email().max(256),
  name: text,
  makerBps: bps.exactOptional(),
  takerBps: bps.exactOptional(),
});

export function customerAccessRoutes(node: AdminNode): AdminRoute[] {
  return [...invitationRoutes(node), ...sessionRoutes(node)];
}

function invitationRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    listRoute({
      pattern: "/v1/invitations",
      summary: "Lists the open invitations, without their links.",
      row: invitationRow,
      page: () => {
        const nowMs = node.sequencer.nowMs();
        const open = [...view.access.invitations()].filter(({ untilMs }) => nowMs < untilMs);
        return { rows: open.map(invitationBody) };
      },
    }),
    route({
      endpoint: "POST /v1/invitations",
      needs: "customers",
      summary: "Invites a new customer by email. The account opens when the customer chooses a password.",
      answers: "The invitation with its link.",
      status: 201,
      body: inviteSchema,
      handle: async (request) => {
        const { email, ...fields } = request.body;
        mayGiveRates(request.caller, fields);
        const opens = { ...node.fees, ...fields };
        return created(await invite(node, { email, holder: null, opens }, request));
      },
    }),
    route({
      endpoint: "POST /v1/accounts/:account/invitation",
      needs: "customers",
      summary: "Emails the account holder a link to choose a password, which replaces the current one.",
      answers: "The invitation. `link` is null for roles without the right `venue`.",
      status: 201,
      handle: async (request) => {
        const { accountId, email } = findAccount(view, request.path.account);
        return created(await invite(node, { email, holder: `account:${accountId}`, opens: null }, request));
      },
    }),
    route({
      endpoint: "DELETE /v1/invitations/:invitation",
      needs: "customers",
      summary: "Revokes an invitation.",
      handle: async ({ path, by }) => {
        const invitationId = path.invitation;
        await carryOut(node, { type: "revokeInvitation", invitationId, by });
        return ok({ invitationId, revoked: true });
      },
    }),
  ];
}

function sessionRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  const pattern = "/v1/accounts/:account/sessions";
  return [
    listRoute({
      pattern,
      summary: "Lists the sessions of an account.",
      row: sessionRow,
      page: ({ path }) => {
        const { accountId } = findAccount(view, path.account);
        return { rows: view.access.sessions(`account:${accountId}`, node.sequencer.nowMs()).map(sessionBody) };
      },
    }),
    route({
      endpoint: `DELETE ${pattern}`,
      needs: "customers",
      summary: "Ends all sessions of an account.",
      handle: async ({ path, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "closeSessions", holder: `account:${accountId}`, except: null, by });
        return ok({ accountId, sessions: 0 });
      },
    }),
    route({
      endpoint: "POST /v1/accounts/:account/lock",
      needs: "customers",
      summary:
        "Locks an account and its sub-accounts: ends sessions, deletes API keys, ends open orders, cancels withdrawals that are " +
        "not being paid, and switches off trading and withdrawals until an operator allows them again.",
      handle: async ({ path, by }) => {
        const { accountId } = findAccount(view, path.account);
        await carryOut(node, { type: "freezeAccount", accountId, by });
        return ok({ accountId, canTrade: false, canWithdraw: false });
      },
    }),
  ];
}
